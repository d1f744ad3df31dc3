// Reads tables with commas, `size [B],time [us]`. There may also be the columns `processes`, `operation`, `o_s [us]`,
// `o_r [us]`, `gap [us]`, `pairs` (how many pairs do this at once) and `place` (which level both ends of a pair share).
// Units stand where people put them (frontend/parse/headings.h): `bytes` and `us_median` say theirs themselves.
//
// With a column of processes, the times are those of a collective operation, and otherwise those of one message, one
// way.
#include "analysis/cell_values.h"
#include "analysis/machine_fit/timings.h"
#include "analysis/parameter_headings.h"
#include "base/numbers.h"
#include "base/text.h"
#include "frontend/parse/headings.h"
#include "frontend/parse/units.h"
#include "frontend/source/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wave::analysis::machine_fit {
namespace {

using frontend::CsvCell;
using frontend::TextTable;

constexpr double picoseconds = 1e6;  // in a microsecond
constexpr std::size_t most_kinds = 1000;

enum CsvColumn : std::size_t {
  size_column,
  time_column,
  processes_column,
  operation_column,
  send_column,
  receive_column,
  gap_column,
  pairs_column,
  place_column,
  columns
};

struct Known {
  std::string_view name, other;
  char kind;
};  // s: a size, t: a time, n: a number, w: a word
constexpr std::array<Known, columns> known = {{{"size", "bytes", 's'},
                                               {"time", "t", 't'},
                                               {"processes", "n", 'n'},
                                               {"operation", "collective", 'w'},
                                               {"o_s", "send_overhead", 't'},
                                               {"o_r", "receive_overhead", 't'},
                                               {"gap", "g", 't'},
                                               {"pairs", "pairs", 'n'},
                                               {"place", "within", 'w'}}};

struct Heading {
  bool there = false;
  std::size_t cell = 0;
  QuantityReader quantity{std::nullopt};
};

class TableReader {
 public:
  TableReader(std::string_view text, Complaints& complaints, frontend::Diagnostics& diagnostics, std::uint32_t file,
              const ReadOptions& options, Timings& timings)
      : text_(text),
        table_(text),
        complaints_(complaints),
        diagnostics_(diagnostics),
        file_(file),
        options_(options),
        timings_(timings) {}

  void read();

 private:
  bool read_header();
  void complain(const frontend::TableTrouble& trouble);
  bool add_column(const CsvCell& cell, std::size_t at);
  void read_row(const std::vector<CsvCell>& cells);
  void read_collective(const std::vector<CsvCell>& cells, double size, double time, double resolution,
                       const Word& word);
  // How many pairs there were, and what they share; false after a complaint.
  bool read_pairs(const std::vector<CsvCell>& cells, Sample& sample);
  std::optional<double> time(const std::vector<CsvCell>& cells, CsvColumn column, double& resolution);
  static double resolution_in(const CsvCell& cell, const QuantityReader& reader, double picoseconds_read);
  void add(const MeasuredKind& kind, const Sample& sample);
  void refuse_number(const CsvCell& cell, const QuantityReader& reader, std::string message);
  bool is_to_skip(const std::vector<CsvCell>& cells) const;
  std::optional<std::int64_t> count(const CsvCell& cell) const {
    return read_integer(cell.text, options_.reading.decimal);
  }
  static Word word(const CsvCell& cell) { return {cell.text, cell.begin, cell.end}; }

  std::string_view text_;
  TextTable table_;
  Complaints& complaints_;
  frontend::Diagnostics& diagnostics_;
  const std::uint32_t file_;
  const ReadOptions& options_;
  Timings& timings_;
  std::array<Heading, columns> headings_;
  std::size_t rows_ = 0;
  std::size_t skipped_ = 0;   // that lack a number
  std::size_t decimals_ = 0;  // of the row before
};

// Which of the columns a heading is; none: it is passed over.
std::optional<std::size_t> known_column(const frontend::TableHeading& heading) {
  const std::string name = lower_case(heading.name), stem = lower_case(heading.stem);
  const bool is_unit = heading.stem.empty() && !heading.name_unit.empty();
  const auto found = std::find_if(known.begin(), known.end(), [&](const Known& one) {
    const bool is_called =
        name == one.name || name == one.other || (!stem.empty() && (stem == one.name || stem == one.other));
    return is_called || (is_unit && one.name == (is_unit_of(heading.name_unit, {1, 0, 0}) ? "time" : "-"));
  });
  return found == known.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - known.begin()));
}

bool TableReader::add_column(const CsvCell& cell, std::size_t at) {
  const frontend::TableHeading heading = frontend::read_heading(cell);
  const auto found = known_column(heading);
  if (!found) {
    timings_.remarks.push_back(
        fmt::format("{}: column {} is passed over, its heading is none that is known", complaints_.file(), at + 1));
    return true;
  }
  const Known& column = known[*found];
  Heading& known_heading = headings_[*found];
  if (known_heading.there) {
    complaints_.add(cell.begin, cell.end, fmt::format("there are two columns of `{}`", column.name), "the second one");
    return false;
  }
  known_heading.there = true;
  known_heading.cell = at;
  if (column.kind == 'n' || column.kind == 'w') return true;
  const char* const example = column.kind == 's' ? "B" : "us";
  const frontend::Dimension wanted = column.kind == 's' ? frontend::Dimension{0, 1, 0} : frontend::Dimension{1, 0, 0};
  std::string text = heading.unit.empty() ? heading.name_unit : heading.unit;
  bool are_units_in_cells = false;
  if (text.empty() && at < table_.first_row().size()) {
    const auto first = frontend::read_number_form(table_.first_row()[at].text, options_.reading.decimal);
    if (first && is_unit_of(first->unit, wanted)) text = first->unit;
    are_units_in_cells = !text.empty();
  }
  if (text.empty()) {
    complaints_.add(cell.begin, cell.end, fmt::format("the column of `{}` has no unit", column.name), "without a unit")
        .help.push_back(fmt::format("give it the unit of its numbers: where they are in {}, `{} [{}]`", example,
                                    column.name, example));
    return false;
  }
  const auto unit = frontend::read_unit(text, {file_, heading.unit_begin, heading.unit_end}, "", diagnostics_);
  if (!unit) return false;
  known_heading.quantity = QuantityReader(unit, options_.reading.decimal, are_units_in_cells);
  if (!heading.is_usual && !are_units_in_cells && heading.name != "bytes")
    timings_.remarks.push_back(
        fmt::format("{}: {}", complaints_.file(), frontend::note_on_unit(heading.written, text, heading.written)));
  if (frontend::dimension_of(*unit) == wanted) return true;
  complaints_.add(
      heading.unit_begin, heading.unit_end,
      fmt::format("`{}` is a {}, and this is no unit of one", column.name, column.kind == 's' ? "size" : "time"),
      fmt::format("`{}`, say", example));
  return false;
}

void TableReader::complain(const frontend::TableTrouble& trouble) {
  frontend::Diagnostic& d = complaints_.add(trouble.begin, trouble.end, trouble.message, trouble.label);
  d.notes = trouble.notes;
  d.help = trouble.help;
}

bool TableReader::read_header() {
  const auto& cells = table_.header();
  if (cells.empty()) {
    complaints_.add(fmt::format("`{}` is empty", complaints_.file()))
        .help.push_back("its first line names the columns: `size [B],time [us]`");
    return false;
  }
  if (table_.trouble()) {
    complain(*table_.trouble());
    return false;
  }
  if (begins_with_number({word(cells.front())})) {
    complaints_.add(table_.line_begin(), table_.line_end(), "the first line does not name the columns", "numbers")
        .help.push_back("begin with `size [B],time [us]`, in the units that the numbers are in");
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < cells.size(); ++i) good = add_column(cells[i], i) && good;
  if (!good) return false;
  if (options_.place && headings_[place_column].there) {
    const CsvCell& cell = cells[headings_[place_column].cell];
    complaints_
        .add(cell.begin, cell.end, "the table says the places itself, and `--within` says another", "this column")
        .help.push_back("leave `--within` out, or the column");
    return false;
  }
  const bool barrier = headings_[processes_column].there && !headings_[size_column].there;
  for (const CsvColumn needed : {size_column, time_column}) {
    if (headings_[needed].there || (needed == size_column && barrier)) continue;
    auto& d = complaints_.add(table_.line_begin(), table_.line_end(),
                              fmt::format("there is no column of `{}`", known[needed].name), "the columns");
    d.help.push_back(
        "a table begins with `size [B],time [us]`, or for a collective operation with `processes,size [B],time [us]`");
    suggest_tool(d, text_, Tool::csv);
    return false;
  }
  return true;
}

void TableReader::refuse_number(const CsvCell& cell, const QuantityReader& reader, std::string message) {
  const auto why = reader.why_not(cell.text);
  auto& d =
      complaints_.add(cell.begin, cell.end, std::move(message),
                      why.message.ends_with("is no number") || cell.text.empty() ? "this is no number" : why.message);
  if (frontend::is_missing_number(cell.text))
    d.help.emplace_back("`--skip-missing` passes over the rows that lack a number");
  else if (!why.help.empty())
    d.help.push_back(why.help);
}

// Whether it lacks a size, a time or a count. Overheads and gaps may be missing.
bool TableReader::is_to_skip(const std::vector<CsvCell>& cells) const {
  if (!options_.reading.skip_missing) return false;
  for (const CsvColumn column : {size_column, time_column, processes_column, pairs_column}) {
    if (headings_[column].there && frontend::is_missing_number(cells[headings_[column].cell].text)) return true;
  }
  return false;
}

// Half of what the last digit of a cell is worth, in microseconds. 0 where it has more digits than a double.
double TableReader::resolution_in(const CsvCell& cell, const QuantityReader& reader, double picoseconds_read) {
  const auto form = frontend::read_number_form(cell.text, reader.decimal());
  const auto number = form ? parse_number<double>(form->number) : std::nullopt;
  if (!number || *number <= 0) return 0;
  return resolution_of(form->number) * (picoseconds_read / *number) / picoseconds;
}

// The time of a cell in microseconds.
std::optional<double> TableReader::time(const std::vector<CsvCell>& cells, CsvColumn column, double& resolution) {
  const CsvCell& cell = cells[headings_[column].cell];
  const QuantityReader& reader = headings_[column].quantity;
  const auto value = reader.read(cell.text);
  if (!value) {
    refuse_number(cell, reader, "a time has to be a positive number");
    return std::nullopt;
  }
  const double time = *value / picoseconds;
  if (time < std::numeric_limits<double>::min())  // too near to zero for relative errors
    return complaints_.positive({time < 0 ? "-1" : "0", cell.begin, cell.end}, "time");
  resolution = resolution_in(cell, reader, *value);
  return time;
}

void TableReader::read_collective(const std::vector<CsvCell>& cells, double size, double time, double resolution,
                                  const Word& at) {
  const CsvCell& cell = cells[headings_[processes_column].cell];
  const auto processes = count(cell);
  if (!processes || *processes < 1 || *processes > std::numeric_limits<int>::max()) {
    complaints_.add(cell.begin, cell.end, "a number of processes has to be a whole number from 1 on", "this is not");
    return;
  }
  std::string operation = options_.operation.empty() ? "collective" : options_.operation;
  if (headings_[operation_column].there) operation = cells[headings_[operation_column].cell].unquoted();
  if (operation.empty()) {
    const CsvCell& word = cells[headings_[operation_column].cell];
    complaints_.add(word.begin, word.end, "the operation has no name", "empty");
    return;
  }
  add({BenchmarkMeasure::collective, operation, headings_[size_column].there},
      {size, time, resolution, static_cast<int>(*processes), complaints_.location(at)});
}

bool TableReader::read_pairs(const std::vector<CsvCell>& cells, Sample& sample) {
  if (headings_[pairs_column].there) {
    const CsvCell& cell = cells[headings_[pairs_column].cell];
    const auto pairs = count(cell);
    if (!pairs || *pairs < 1 || *pairs > std::numeric_limits<int>::max()) {
      complaints_.add(cell.begin, cell.end, "a number of pairs has to be a whole number from 1 on", "this is not");
      return false;
    }
    sample.pairs = static_cast<int>(*pairs);
  }
  if (!headings_[place_column].there) return true;
  const CsvCell& cell = cells[headings_[place_column].cell];
  auto level = level_of_place(cell.unquoted());
  if (!level) {
    complaints_
        .add(cell.begin, cell.end, "a place is a level that both processes share, or `inter-node`", "this is none")
        .help.push_back(help_on_levels());
    return false;
  }
  sample.place = std::move(*level);
  return true;
}

void TableReader::read_row(const std::vector<CsvCell>& cells) {
  const std::size_t decimals = decimals_of(cells.back().text);
  if (table_.may_be_cut_off() && (decimals < decimals_ || cells.back().text.ends_with('.'))) {
    timings_.remarks.push_back(fmt::format(
        "{}: the last line has no end, and its number seems to be cut off: it is left out", complaints_.file()));
    return;
  }
  decimals_ = decimals;
  double size = 0;
  if (headings_[size_column].there) {
    const CsvCell& cell = cells[headings_[size_column].cell];
    const auto value = headings_[size_column].quantity.read(cell.text);
    const char* const wrong = "a size has to be a whole number of bytes, not negative";
    if (!value) return refuse_number(cell, headings_[size_column].quantity, wrong);
    if (*value < 0 || *value > 1e15 || *value != std::floor(*value)) {
      complaints_.add(cell.begin, cell.end, wrong, "this is not");
      return;
    }
    size = *value;
  }
  double resolution = 0;
  const auto elapsed = time(cells, time_column, resolution);
  if (!elapsed) return;
  const Word at = word(cells[headings_[time_column].cell]);
  if (headings_[processes_column].there) return read_collective(cells, size, *elapsed, resolution, at);
  Sample sample{size, *elapsed, resolution, 2, complaints_.location(at)};
  if (!read_pairs(cells, sample)) return;
  add({}, sample);
  for (const auto& [column, measure] : {std::pair{send_column, BenchmarkMeasure::send_overhead},
                                        {receive_column, BenchmarkMeasure::receive_overhead},
                                        {gap_column, BenchmarkMeasure::gap}}) {
    if (!headings_[column].there || cells[headings_[column].cell].text.empty()) continue;
    const auto value = time(cells, column, resolution);
    if (!value) continue;
    sample.time = *value;
    sample.resolution = resolution;
    sample.location = complaints_.location(word(cells[headings_[column].cell]));
    add({measure}, sample);
  }
}

void TableReader::add(const MeasuredKind& kind, const Sample& sample) {
  LogTable& table = timings_.tables.back();
  table.last_line = complaints_.line(sample.location.begin);
  const std::uint16_t number = table.kind_of(kind);
  if (table.kinds.size() > most_kinds) {
    if (!complaints_.too_many())
      complaints_.add(sample.location.begin, sample.location.end, fmt::format("more than {} operations", most_kinds),
                      "the first that is too many");
    table.kinds.pop_back();
    return;
  }
  table.rows.push_back({sample, number, 0, table.last_line});
}

void TableReader::read() {
  if (!read_header()) return;
  LogTable& table = timings_.tables.emplace_back();
  table.file = file_;
  table.heading = complaints_.location(table_.line_begin(), table_.line_end());
  table.first_line = table.last_line = complaints_.line(table_.line_begin());
  table.has_places = headings_[place_column].there;
  while (!complaints_.too_many() && table_.next()) {
    if (++rows_ > most_samples) {
      complaints_.add_too_many_rows(table_.line_begin(), table_.line_end());
      return;
    }
    if (!table_.trouble() && is_to_skip(table_.cells()))
      ++skipped_;
    else if (!table_.trouble())
      read_row(table_.cells());
    else if (table_.trouble()->is_cut_off)
      timings_.remark_cut_off(complaints_.file());
    else
      complain(*table_.trouble());
  }
  for (const std::string& remark : table_.remarks())
    timings_.remarks.push_back(fmt::format("{}: {}", complaints_.file(), remark));
  if (skipped_ > 0)
    timings_.remarks.push_back(
        fmt::format("{}: rows that lack a number are passed over: {}", complaints_.file(), skipped_));
  if (rows_ == 0) complaints_.add(fmt::format("`{}` has no rows", complaints_.file()));
}

}  // namespace

bool has_columns_of_times(std::string_view text) {
  const TextTable table(text);
  bool has_size = false, has_time = false;
  for (const auto& cell : table.header()) {
    const auto column = known_column(frontend::read_heading(cell));
    has_size |= column == size_column || column == processes_column;
    has_time |= column == time_column;
  }
  return has_size && has_time;
}

void read_csv(std::string_view text, Complaints& complaints, frontend::Diagnostics& diagnostics, std::uint32_t file,
              const ReadOptions& options, Timings& timings) {
  TableReader(text, complaints, diagnostics, file, options, timings).read();
}

}  // namespace wave::analysis::machine_fit
