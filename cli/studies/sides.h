// Sides of a comparison: what each overrides, and the numbers that its outputs are.
#pragma once

#include "analysis/compare/changes.h"
#include "cli/evaluation.h"
#include "cli/studies/study_session.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// "net.L" and "5 us".
struct Given {
  std::string path, expression;
  std::string text() const { return path + "=" + expression; }
};

struct Side {
  std::string name;
  std::vector<Given> given;  // by name, each once
  std::vector<std::string> overrides() const;
};

struct TwoSides {
  Side first, second;
};

// Several sides, of which the first is what each of the others is compared with.
struct ComparedSides {
  std::vector<Side> all;  // at least two

  bool are_two() const { return all.size() == 2; }
  TwoSides with(std::size_t other) const { return {all.front(), all.at(other)}; }
  // What a column or a table has before or behind its name, where several others have one.
  std::string column_of(std::size_t other, const std::string& name) const {
    return are_two() ? name : all[other].name + "." + name;
  }
};

// `--with "fast: net=XT4(), mk=5"`: a name and a colon may come first; `shared` are the -D's, of which a side keeps
// those that it does not give itself. Misuse is collected in the session.
std::optional<Side> read_side(Session& session, const std::string& with, const std::vector<std::string>& shared);
// "net=XT4(), mk=5": between commas that stand in no bracket and no string.
std::vector<std::string> split_list(const std::string& text);
// At the first `=`, without the space around; the expression is empty where there is none.
Given split_given(const std::string& text);

// One override that differs between two sides. None: as the model has it.
struct Change {
  std::string path;
  std::optional<std::string> before, after;
};
std::vector<Change> changes_between(const Side& first, const Side& second);
// "net: SP2() → XT4()".
std::string text_of(const Change& change);

// How many orders the parts of several changes were averaged over, in words.
std::string orders_text(const analysis::Attribution& attribution);

// Stands for a number that does not exist.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// One number of an output: its value, or a field of its record.
struct Number {
  std::string name;  // "total", "load.wait"
  frontend::ColumnInfo column;
  const frontend::OutputInfo* output = nullptr;
};

// A model with some overrides, evaluated.
struct EvaluatedSide {
  frontend::Lowered lowered;
  Results results;
  std::vector<Number> numbers;           // of outputs that are single values or records, also of those that failed
  std::map<std::string, double> values;  // by name; those that did not fail
  std::map<std::string, std::string> failures;  // by name of the output: the code
};

// Failures are reported, with a note that says on which side. Null after an error that leaves nothing to compare.
std::unique_ptr<EvaluatedSide> evaluate_side(Session& session, const frontend::Item& model,
                                             const EngineSettings& settings, const Side& side);

// Whole numbers and truth values count as numbers; strings and choices do not.
bool is_number(const frontend::ColumnInfo& column);
frontend::ColumnInfo as_real(const frontend::ColumnInfo& column, const std::string& name);

// What each of the changes from `first` to `second` adds to the numbers: those of all mixes, evaluated.
class MixedSides {
 public:
  MixedSides(const Side& first, const Side& second, std::uint64_t seed)
      : first_(first), changes_(changes_between(first, second)), orders_(changes_.size(), seed) {}

  const std::vector<Change>& changes() const { return changes_; }
  // False, reported, if time or memory did not suffice.
  bool evaluate(Session& session, const frontend::Item& model, const EngineSettings& settings);
  // Of a number, by its name. Nothing: on the way from one side to the other it has no value.
  std::optional<analysis::Attribution> attribute(const std::string& number) const;

 private:
  Side mixed(const analysis::Mix& mix) const;

  const Side& first_;
  std::vector<Change> changes_;
  analysis::Changes orders_;
  std::vector<std::map<std::string, double>> values_;  // by mix
};

// The sides of a comparison as functions of what varies.
class StudySides {
 public:
  // What varies is asked for by --study, or by `vary` and `show`. Null, with diagnostics, after an error.
  static std::unique_ptr<StudySides> open(Session& session, const StudyChoice& choice, const ComparedSides& sides,
                                          const std::vector<std::string>& vary);

  const frontend::Item& model() const { return *sides_.front().model; }
  const std::vector<analysis::Variable>& variables() const { return sides_.front().points->variables(); }
  // The points that all sides have.
  const analysis::Selection& selection() const { return sides_.front().points->selection(); }
  // Those that are numbers.
  const std::vector<Number>& numbers() const { return numbers_; }

  struct Values {
    std::vector<std::vector<std::vector<double>>> of;       // by side, by number, by point; NaN where it failed
    std::vector<std::vector<analysis::FailedRows>> failed;  // by side
  };
  // Nothing, reported, where time or memory does not suffice.
  std::optional<Values> evaluate(std::span<const analysis::ColumnValues> points,
                                 const std::function<void(std::size_t)>& progress = {});

 private:
  StudySides(Session& session, std::vector<OpenStudy> sides) : session_(session), sides_(std::move(sides)) {}
  bool vary_the_same(const ComparedSides& names);
  bool choose_common_points();
  bool find_numbers();
  std::optional<std::vector<std::vector<double>>> evaluate(OpenStudy& side,
                                                           std::span<const analysis::ColumnValues> points,
                                                           std::vector<analysis::FailedRows>& failed,
                                                           const std::function<void(std::size_t)>& progress);

  Session& session_;
  std::vector<OpenStudy> sides_;
  std::vector<Number> numbers_;
  std::vector<std::size_t> columns_;  // of the numbers among what is found
};

// A value of what varies, in a table.
frontend::ColumnInfo column_of(const analysis::Variable& variable);
Cell cell_of(const analysis::Variable& variable, const analysis::ColumnValues& values, std::size_t row);

// How many failed, and the words for the first, as a warning.
void report_failed_points(Session& session, const std::vector<analysis::FailedRows>& failed, std::size_t points,
                          const Side& side);

}  // namespace wave::cli
