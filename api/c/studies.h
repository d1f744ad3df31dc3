// A model at many points.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/journal.h"
#include "analysis/study/reduce/reduced_study.h"
#include "analysis/study/run.h"
#include "analysis/study/study_model.h"
#include "api/c/evaluation.h"
#include "api/c/progress.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
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

  // Refuses what are no points of the study.
  void check_range(std::uint64_t begin, std::uint64_t end) const;
  std::uint64_t point_count() const { return analysis::Product(*points_).size(); }
  // Of what its results depend on (analysis/study/description.h).
  const std::string& id();
  // The points begin <= i < end.
  std::shared_ptr<Result> run(PointRange points, wave_progress progress, void* data);
  // All of them, of which what is found is kept in the journal, if there is one.
  std::shared_ptr<Result> run(wave_progress progress, void* data);
  // Empty: none.
  void keep_in(std::string journal) {
    gathered_.reset();
    journal_ = std::move(journal);
  }
  // Of those who divide a study between processes (study_parts.cpp). The points begin <= i < end as a part
  // (analysis/study/part.h), which stays until the next one is computed.
  const std::string& compute(PointRange points, wave_progress progress, void* data);
  // The beginnings and ends of what neither the journal nor a part that was added holds.
  const std::vector<std::uint64_t>& open_points();
  // All of these points, which are open. The next run of the whole study evaluates what is missing then.
  void add(PointRange points, std::string_view part);
  void stop_run() { control_.stop(); }

  // What is made of the points, instead of keeping them (reduced_studies.cpp). None: they are kept.
  void need_reductions() const;
  void reduce_to(std::vector<std::string> reductions);
  // What is found at begin <= i < end in the pass of the plan, as bytes, which stay until the next call.
  const std::string& reduce_part(PointRange points, std::string_view plan, wave_progress progress, void* data);
  void take_state(std::string_view state);
  // The result; null: `plan()` is that of another pass.
  std::shared_ptr<Result> finish_pass();
  std::string_view plan() const { return plan_; }

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
  analysis::Journal& gathered();
  analysis::PointLimits point_limits() const { return {settings_.seconds, settings_.memory_bytes}; }
  [[noreturn]] void cannot_write(const std::string& why) const;
  std::shared_ptr<Result> run_with_journal(wave_progress progress, void* data);
  std::shared_ptr<Result> result_of(analysis::ResultTable table) const;
  std::unique_ptr<analysis::ReducedStudy> make_reduced();
  std::shared_ptr<Result> result_of(const analysis::ReducedStudy& reduced) const;
  std::shared_ptr<Result> run_reduced(wave_progress progress, void* data);
  void pass_over(analysis::ReducedStudy& reduced, const analysis::PointSet& points, analysis::Journal* journal);
  [[noreturn]] void refuse_reduced(const std::string& message, const std::string& help);

  const std::shared_ptr<LoadedProgram> program_;
  const Settings settings_;
  analysis::StudyCommand command_;  // what was asked
  const frontend::Item* model_ = nullptr;
  const frontend::Item* declared_ = nullptr;
  std::unique_ptr<frontend::Item> asked_;  // null: declared
  std::unique_ptr<analysis::ReducedStudy> reduced_;  // of the states that were taken
  std::string journal_, id_, state_, plan_;
  std::unique_ptr<analysis::Journal> gathered_;  // to which parts are added; null: none was asked for
  std::vector<std::uint64_t> open_;
  std::string head_, part_;                          // of parts, and the last that was computed
  std::optional<analysis::ChunkComputer> computer_;  // of parts
  std::unique_ptr<analysis::StudyModel> points_;
  RunControl control_;
};

}  // namespace wave::api
