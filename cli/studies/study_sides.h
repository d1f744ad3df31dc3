// Two sides of a comparison as functions of what varies.
#pragma once

#include "cli/studies/comparison.h"
#include "cli/studies/study_session.h"

namespace wave::cli {

class StudySides {
 public:
  // What varies is asked for by --study, or by `vary` and `show`. Null, with diagnostics, after an error.
  static std::unique_ptr<StudySides> open(Session& session, const StudyChoice& choice, const TwoSides& sides,
                                          const std::vector<std::string>& vary);

  const frontend::Item& model() const { return *first_.model; }
  const std::vector<analysis::Variable>& variables() const { return first_.points->variables(); }
  // The points that both sides have.
  const analysis::Selection& selection() const { return first_.points->selection(); }
  // Those that are numbers.
  const std::vector<Number>& numbers() const { return numbers_; }

  struct Values {
    std::vector<std::vector<double>> first, second;  // by number, by point; NaN where it failed
    std::vector<analysis::FailedRows> failed_first, failed_second;
  };
  // Nothing, reported, where time or memory does not suffice.
  std::optional<Values> evaluate(std::span<const analysis::ColumnValues> points,
                                 const std::function<void(std::size_t)>& progress = {});

 private:
  StudySides(Session& session, OpenStudy first, OpenStudy second)
      : session_(session), first_(std::move(first)), second_(std::move(second)) {}
  bool vary_the_same();
  bool find_numbers();
  std::optional<std::vector<std::vector<double>>> evaluate(OpenStudy& side,
                                                           std::span<const analysis::ColumnValues> points,
                                                           std::vector<analysis::FailedRows>& failed,
                                                           const std::function<void(std::size_t)>& progress);

  Session& session_;
  OpenStudy first_, second_;
  std::vector<Number> numbers_;
  std::vector<std::size_t> columns_;  // of the numbers among what is found
};

// A value of what varies, in a table.
frontend::ColumnInfo column_of(const analysis::Variable& variable);
ir::Scalar cell_of(const analysis::Variable& variable, const analysis::ColumnValues& values, std::size_t row,
                   ResultTables& tables);

// How many failed, and the words for the first, as a warning.
void report_failed_points(Session& session, const std::vector<analysis::FailedRows>& failed, std::size_t points,
                          const Side& side);

}  // namespace wave::cli
