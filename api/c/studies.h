// A model at many points.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/run.h"
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
  // Of what its results depend on (analysis/study/description.h).
  const std::string& id();
  // The points begin <= i < end.
  std::shared_ptr<Result> run(PointRange points, wave_progress progress, void* data);
  // All of them, of which what is found is kept in the journal, if there is one.
  std::shared_ptr<Result> run(wave_progress progress, void* data);
  // Empty: none.
  void keep_in(std::string journal) { journal_ = std::move(journal); }
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
  void check_memory(std::uint64_t points) const;
  std::unique_lock<std::mutex> reading_while_it_runs();
  analysis::StudyDescription description() const;
  std::unique_ptr<analysis::Journal> open_journal() const;
  std::shared_ptr<Result> run_with_journal(wave_progress progress, void* data);
  std::shared_ptr<Result> result_of(analysis::ResultTable table) const;

  const std::shared_ptr<LoadedProgram> program_;
  const Settings settings_;
  analysis::StudyCommand command_;  // what was asked
  const frontend::Item* model_ = nullptr;
  const frontend::Item* declared_ = nullptr;
  std::unique_ptr<frontend::Item> asked_;  // null: declared
  std::string journal_, id_;
  std::unique_ptr<analysis::StudyModel> points_;
  RunControl control_;
};

}  // namespace wave::api
