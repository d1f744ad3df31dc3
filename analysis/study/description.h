// What a study is: all that its results depend on, and what its columns mean. Results are kept with it, so that they
// can be read, put together and made again without the model.
#pragma once

#include "analysis/study/chunk.h"
#include "analysis/study/study_model.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis {

// Measurements beside what was found: a value for some combinations of what varies.
struct MeasuredColumn {
  Column column;
  std::vector<std::uint32_t> keys;         // which of the columns that vary say where it was measured
  std::map<std::uint64_t, double> values;  // by the number of the combination, the first key slowest
};

// Something that results depend on: "the model `sweep3d.wave`", a digest of it or its text.
struct StudyInput {
  std::string what, value;
  friend bool operator==(const StudyInput&, const StudyInput&) = default;
};

struct StudyDescription {
  std::string version;                 // of the program
  std::string file, model, study;      // as the user named them; a study that was asked for has no name
  std::vector<std::string> arguments;  // `wave sweep` with them makes the results again
  std::vector<StudyInput> inputs;
  std::vector<Column> columns;  // what varies, the slowest of a product first; then what is found
  std::vector<MeasuredColumn> measured;
  Selection selection;  // of the product of what varies, or of its rows
  std::uint64_t points = 0;
  std::vector<std::string> reductions;  // what is made of the points (reduce/reduction.h); none: they are kept

  // How many of the columns vary.
  std::size_t varied() const;
};

// Whether a chunk has the columns that the study finds, and they hold what it says.
bool has_columns_of(const StudyDescription& study, const Chunk& chunk);

std::string encode(const StudyDescription& study);
std::optional<StudyDescription> decode_description(std::string_view contents);
StudyId id_of(const StudyDescription& study);

// What differs, in words, one difference each: "the model `sweep3d.wave` has changed".
std::vector<std::string> differences(const StudyDescription& before, const StudyDescription& now);

// The values of what varies, column by column.
class StudyPoints {
 public:
  explicit StudyPoints(const StudyDescription& study);
  std::vector<ColumnValues> at(PointRange range) const { return product_.points(range.begin, range.end); }

 private:
  std::vector<Variable> variables_;
  Product product_;
};

// What was measured at points; NaN where nothing was.
class MeasuredPoints {
 public:
  MeasuredPoints(const StudyDescription& study, const MeasuredColumn& column);
  double at(std::uint64_t point) const;

 private:
  const MeasuredColumn& column_;
  const Selection& selection_;
  const Combinations combinations_;
};

// A data file as something that results depend on.
StudyInput input_of_file(const std::string& name, std::string_view text);
// What the texts of a program come to: of the file itself, of what it imports, of the library and of its data files.
std::vector<StudyInput> inputs_of(const frontend::Program& program);
// The columns of a model all whose variables have lists.
std::vector<Column> columns_of(const StudyModel& model);

// What was asked; whoever evaluates it, and wherever the results go.
struct StudyCommand : StudyClauses {
  std::string verb, file;
  std::string model;                   // empty: as the file has it
  std::vector<std::string> overrides;  // "n=8", as after -D
  std::vector<std::string> folders;

  // Of the program's command line.
  std::vector<std::string> arguments() const;
};

// What the command asked for, of a program that was loaded under this name. `table`: the text of `columns`.
StudyDescription describe(const StudyCommand& command, const std::string& file, const frontend::Program& program,
                          const frontend::Item& model, const frontend::Item* declared, const StudyModel& points,
                          std::string_view table = {});

}  // namespace wave::analysis
