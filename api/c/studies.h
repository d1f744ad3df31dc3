// A model at many points.
#pragma once

#include "analysis/study/study_model.h"
#include "api/c/evaluation.h"
#include "api/c/progress.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::api {

// As on the command line.
struct StudyClauses {
  std::vector<std::string> vary, show, where;
};

class Study final : public Object {
 public:
  static constexpr const char* kind = "study";
  Study(Model& model, const StudyClauses& clauses, const backend::Limits& limits);
  // One that the program declares; without a name, the only one.
  Study(std::shared_ptr<LoadedProgram> program, const std::string& name);

  std::uint64_t point_count() const { return analysis::Product(*points_).size(); }
  std::shared_ptr<Result> run(wave_progress progress, void* data);
  void stop_run() { control_.stop(); }

  std::mutex mutex;

 private:
  // A study of a model, with what is given to the model.
  struct Question {
    frontend::Item& study;
    const frontend::Item& model;
    std::vector<std::string> given;
    const backend::Limits& limits;
    frontend::Diagnostics& diagnostics;
  };
  std::unique_ptr<analysis::StudyModel> make(const Question& question, frontend::StudyAsks asks);
  void open(const Question& question, const std::vector<frontend::AskedClause>& where);
  void choose(const Question& question, const std::vector<frontend::AskedClause>& where);
  [[noreturn]] void end(const ir::Failure& failure);
  bool is_lowered_later() const;

  const std::shared_ptr<LoadedProgram> program_;
  const Settings settings_;
  std::unique_ptr<frontend::Item> asked_;  // null: declared
  std::unique_ptr<analysis::StudyModel> points_;
  RunControl control_;
};

}  // namespace wave::api
