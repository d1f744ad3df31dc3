// The best of many points.
#pragma once

#include "analysis/optimize/ask_problem.h"
#include "analysis/optimize/optimize.h"
#include "api/c/evaluation.h"
#include "api/c/progress.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace wave::api {

class Optimization final : public Object {
 public:
  static constexpr const char* kind = "optimization";
  Optimization(Model& model, analysis::ProblemQuestion question, const backend::Limits& limits);

  // The best that was found, also where it was stopped. Ends the call where nothing was.
  std::shared_ptr<Result> run(wave_progress progress, void* data);
  // Of the last run.
  wave_optimum_info info() const;
  void stop_run() { control_.stop(); }
  bool was_stopped() const { return control_.is_stopped(); }

  // What follows is for whoever holds this.
  std::mutex mutex;
  analysis::SearchOptions search;
  bool is_explained = true;

 private:
  std::unique_lock<std::mutex> reading_while_it_runs();
  [[noreturn]] void end_without_best(std::unique_lock<std::mutex> lock);
  analysis::ResultTable table_of_best() const;
  void add_explained(analysis::ResultTable& table, std::unique_lock<std::mutex>& lock);
  std::vector<std::string> largest_parts_at(const std::vector<std::string>& values, double seconds);

  Model model_;  // as it was set when this was made, and with the values of a point that is explained
  std::optional<analysis::AskedProblem> asked_;
  RunControl control_;
  std::optional<analysis::SearchOutcome> outcome_;  // of the last run
  std::string says_;
};

}  // namespace wave::api
