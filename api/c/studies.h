// The question `sweep`: a model at many points, of a program that is loaded already.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/journal.h"
#include "analysis/study/reduce/reduced_study.h"
#include "analysis/study/run.h"
#include "analysis/study/study_model.h"
#include "api/c/questions.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::api {

class Study final : public Question {
 public:
  static constexpr const char* verb = "sweep";
  // Of a model; or, where that is null, one that the program declares.
  Study(std::shared_ptr<LoadedProgram> program, std::unique_ptr<Model> model);

  // What was opened is closed: the next call opens it as it is asked for then.
  void set_option(const std::string& option, const std::string& value) override;
  void set_columns(std::string option, const wave_column* columns, std::size_t count, std::size_t rows) override;
  // All points, of which what is found is kept in the journal, if there is one.
  void run(wave_progress progress, void* data, std::shared_ptr<Result>& result) override;

  // Of those who divide a study between processes (study_parts.cpp). Where reductions must see the points once more,
  // this begins the next pass.
  wave_points_info points();
  // The points begin <= i < end as a part (analysis/study/part.h), which stays until the next one is computed.
  const std::string& compute(PointRange points, std::string_view plan, wave_progress progress, void* data);
  // All of these points, which are open. The next run of the whole study evaluates what is missing then. Of no points:
  // the part is of this study.
  void add(PointRange points, std::string_view part);

 private:
  // A study that was asked for, and what was found of it.
  struct Opened {
    const frontend::Item* model = nullptr;
    frontend::Item* declared = nullptr;     // null: asked for
    std::unique_ptr<frontend::Item> asked;  // null: declared
    std::unique_ptr<analysis::StudyModel> points;
    std::optional<analysis::StudyDescription> description;  // none: nobody has asked
    analysis::StudyId id{};
    std::string id_text, head, part, plan;
    std::vector<std::uint64_t> ranges;
    std::optional<analysis::ChunkComputer> computer;  // of parts
    std::unique_ptr<analysis::Journal> journal;       // to which parts are added; null: it was not needed yet
    std::unique_ptr<analysis::ReducedStudy> reduced;  // likewise
  };
  void set_clause(const std::string& option, const std::string& value);
  // At the end of a run, the file of a journal is free for others, who may write to it.
  class Released {
   public:
    Released(Opened& of, bool has_file) : of_(of), has_file_(has_file) {}
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() {
      if (!has_file_) return;
      of_.journal.reset();
      of_.reduced.reset();
    }

   private:
    Opened& of_;
    const bool has_file_;
  };
  Opened& opened();
  void open(Opened& into, const backend::Limits& limits, frontend::Diagnostics& diagnostics);
  bool is_reduced() const { return !command_.reduce.empty(); }
  std::uint64_t point_count() { return analysis::Product(*opened().points).size(); }
  const analysis::StudyDescription& description();
  analysis::ChunkComputer& computer();
  analysis::PointLimits point_limits() const { return {settings_.seconds, settings_.memory_bytes}; }
  [[noreturn]] void end(const ir::Failure& failure);
  void check_memory(std::uint64_t points);
  void check_points(PointRange points);
  std::unique_lock<std::mutex> reading_while_it_runs();

  // Points that are kept.
  std::shared_ptr<Result> run_all();
  std::shared_ptr<Result> run_with_journal();
  std::shared_ptr<Result> result_of(analysis::ResultTable table);
  analysis::Journal& journal();
  std::unique_ptr<analysis::Journal> open_journal();
  [[noreturn]] void cannot_write(const std::string& why);

  // What is made of the points, instead of keeping them (reduced_studies.cpp).
  std::shared_ptr<Result> run_reduced();
  std::unique_ptr<analysis::ReducedStudy> make_reduced();
  analysis::ReducedStudy& reduced();
  void add_state(PointRange points, std::string_view part);
  void pass_over(analysis::ReducedStudy& reduced, PointRange points, bool is_kept);
  void check_size(const analysis::ReducedStudy& reduced);
  void keep_state();
  bool begin_next_pass();
  [[noreturn]] void refuse_reduced(const std::string& message, const std::string& help);

  const std::shared_ptr<LoadedProgram> program_;
  const std::unique_ptr<Model> model_;  // null: a declared study
  Settings settings_;
  analysis::StudyCommand command_;  // what is asked
  std::string journal_;             // empty: none
  std::unique_ptr<Opened> opened_;
};

}  // namespace wave::api
