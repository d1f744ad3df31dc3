// See timings.h.
#include "analysis/machine_fit/timings.h"

#include "analysis/machine_fit/log_lines.h"
#include "analysis/machine_fit/log_marks.h"
#include "base/text.h"
#include "frontend/parse/quantity_reader.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::array<std::string_view, 5> tool_names = {"osu", "imb", "netgauge", "nccl", "csv"};

// A femtosecond and thirty years, in us. Values beyond these were not measured, and their squares overflow.
constexpr double shortest_time = 1e-9, longest_time = 1e15;

void refuse_impossible(LogTable& table, frontend::Diagnostics& diagnostics, std::size_t& count) {
  constexpr std::size_t most_told = 20;
  std::erase_if(table.rows, [&](const TableRow& row) {
    const Sample& sample = row.sample;
    if (row.reason != 0 || (sample.time >= shortest_time && sample.time <= longest_time)) return false;
    if (++count <= most_told)
      diagnostics.add(frontend::DiagnosticKind::unusable_benchmark, sample.location, "no message takes such a time",
                      "shorter than a femtosecond or longer than thirty years");
    return true;
  });
}

}  // namespace

std::string_view name_of(Tool tool) { return tool_names[static_cast<std::size_t>(tool)]; }

std::string_view long_name(Tool tool) {
  switch (tool) {
    case Tool::osu: return "the OSU micro-benchmarks";
    case Tool::imb: return "the Intel MPI Benchmarks";
    case Tool::netgauge: return "Netgauge's LogGP test";
    case Tool::nccl: return "NCCL's tests";
    case Tool::csv: return "a table with commas";
  }
  return "";
}

std::optional<Tool> tool_named(std::string_view name) {
  for (std::size_t i = 0; i < tool_names.size(); ++i) {
    if (tool_names[i] == name) return static_cast<Tool>(i);
  }
  return std::nullopt;
}

void Timings::remark_cut_off(const std::string& file) {
  remarks.push_back(fmt::format("{}: the last line is cut off, and left out", file));
}

Series& Timings::of(BenchmarkMeasure measure, const std::string& operation, bool sized) {
  for (auto& one : series) {
    if (one.measure == measure && one.operation == operation) return one;
  }
  series.push_back({measure, operation, sized, {}});
  return series.back();
}

const Series* Timings::find(BenchmarkMeasure measure) const {
  for (const auto& one : series) {
    if (one.measure == measure && !one.samples.empty()) return &one;
  }
  return nullptr;
}

std::optional<Tool> recognised(std::string_view text) {
  LineReader lines(text);
  bool is_first = true;
  for (int looked = 0; looked < 2000 && lines.next(); ++looked) {
    const std::string_view line = lines.line();
    if (const auto marks = begin_of_marks(line)) return tool_of(line.substr(*marks));
    if (const auto tool = tool_of(line)) return tool;
    if (line.front() == '#') continue;
    if (is_first && has_columns_of_times(text)) return Tool::csv;
    is_first = false;
  }
  return std::nullopt;
}

void suggest_tool(frontend::Diagnostic& diagnostic, std::string_view text, Tool asked) {
  const auto found = recognised(text);
  if (!found || *found == asked) return;
  diagnostic.help.push_back(
      fmt::format("it looks like the output of {}: `wave fit {} ...`", long_name(*found), name_of(*found)));
}

void read_tables(std::optional<Tool> tool, const frontend::Sources& sources, std::uint32_t file,
                 const ReadOptions& options, Timings& timings, frontend::Diagnostics& diagnostics) {
  const std::string_view text = sources.text(file);
  // Text of other programs between the rows of a benchmark may be in any encoding.
  const bool is_pure = tool == Tool::csv || text.find('\0') != std::string_view::npos;
  if (is_pure && !frontend::check_text(sources, file, diagnostics)) return;
  const std::size_t first = timings.tables.size();
  if (tool == Tool::csv) {
    Complaints complaints(sources, file, nullptr, diagnostics);
    read_csv(text, complaints, diagnostics, file, options, timings);
  } else {
    const CleanLog log(text);
    for (const auto& note : log.notes()) timings.remarks.push_back(fmt::format("{}: {}", sources.name(file), note));
    Complaints complaints(sources, file, &log, diagnostics);
    read_log(tool, log.text(), complaints, options, timings);
  }
  std::size_t impossible = 0;
  for (std::size_t i = first; i < timings.tables.size(); ++i)
    refuse_impossible(timings.tables[i], diagnostics, impossible);
}

void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics) {
  const std::size_t first = timings.tables.size(), said = diagnostics.all().size();
  read_tables(tool, sources, file, options, timings, diagnostics);
  TableChoice choice;
  choice.first_file = file;
  if (options.processes) choice.processes = {*options.processes};
  if (options.place && tool != Tool::csv) choice.within = {*options.place};
  const bool was_wrong = diagnostics.all().size() > said;
  frontend::Diagnostics more;
  const auto wrong = use_tables(choice, 1, sources, timings, was_wrong ? more : diagnostics, first);
  if (wrong) diagnostics.add(frontend::DiagnosticKind::unusable_benchmark, {}, wrong->message);
}

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr double largest_size = 1e15;   // a petabyte
constexpr std::size_t most_words = 64;  // of a line; no table of these tools has more columns

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

std::optional<double> number(std::string_view text) {
  static const frontend::QuantityReader reader(std::nullopt);
  return reader.read(text);
}

}  // namespace

LineReader::LineReader(std::string_view text) : text_(text), lines_(text, blanks) {}

std::vector<Word> LineReader::words() const {
  std::vector<Word> words;
  const std::uint32_t end = lines_.end();
  for (std::uint32_t at = lines_.begin(); at < end && words.size() < most_words;) {
    while (at < end && is_blank(text_[at])) ++at;
    const std::uint32_t begin = at;
    while (at < end && !is_blank(text_[at])) ++at;
    if (at > begin) words.push_back({text_.substr(begin, at - begin), begin, at});
  }
  return words;
}

int whole_number_at(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  int value = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

const std::vector<std::string> levels_of_fits = {"core", "cache", "numa", "socket", "node", "rack", "switch", "group"};

std::string help_on_levels() {
  return fmt::format("levels are, the innermost first, {}; `on-node` is `node`, `inter-node` is none",
                     join_texts(levels_of_fits, ", "));
}

std::optional<std::string> level_of_place(std::string_view place) {
  std::string level = lower_case(place);
  if (level.empty() || level == "none" || level == "inter-node") return std::string();
  for (const std::string_view prefix : {"on-", "intra-"}) {
    if (level.starts_with(prefix)) {
      level.erase(0, prefix.size());
      break;
    }
  }
  // Two sockets of one node share the node.
  if (level == "inter-socket") level = "node";
  if (std::find(levels_of_fits.begin(), levels_of_fits.end(), level) == levels_of_fits.end()) return std::nullopt;
  return level;
}

bool begins_with_number(const std::vector<Word>& words) {
  return !words.empty() && number(words.front().text).has_value() &&
         (is_digit(words.front().text.back()) || words.front().text.back() == '.');
}

bool is_above_zero(std::string_view text) {
  const auto value = number(text);
  return value && *value > 0;
}

double resolution_of(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  int exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view digits = number.substr(mark + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  return 0.5 * std::pow(10.0, std::clamp(exponent, -300, 300) - static_cast<double>(decimals_of(mantissa)));
}

std::size_t decimals_of(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

frontend::Location Complaints::location(std::uint32_t begin, std::uint32_t end) const {
  if (log_ == nullptr) return {file_, begin, end};
  const std::uint32_t from = log_->original(begin);
  return {file_, from, end > begin ? std::max(log_->original(end - 1) + 1, from) : from};
}

std::uint32_t Complaints::line(std::uint32_t at) {
  const std::uint32_t place = log_ == nullptr ? at : log_->original(at);
  constexpr std::uint32_t nearby = 4096;  // lines that were sorted by their labels jump to and fro
  if (place < counted_to_ || place - counted_to_ > nearby) {
    line_ = sources_.line_column(file_, place).line;
  } else {
    const std::string_view passed = sources_.text(file_).substr(counted_to_, place - counted_to_);
    line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
  }
  counted_to_ = place;
  return line_;
}

frontend::Diagnostic& Complaints::add(std::uint32_t begin, std::uint32_t end, std::string message, std::string label) {
  ++count_;
  return diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, location(begin, end), std::move(message),
                          std::move(label));
}

frontend::Diagnostic& Complaints::add(std::string message) {
  ++count_;
  return diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, {}, std::move(message));
}

void Complaints::add_too_many_rows(std::uint32_t begin, std::uint32_t end) {
  add(begin, end, fmt::format("more than {} rows", most_samples), "the first that is too many");
}

void Complaints::add_short_row(std::uint32_t begin, std::uint32_t end, std::size_t columns, std::size_t expected) {
  add(begin, end, fmt::format("a row has {} columns where {} are expected", columns, expected), "this row");
}

std::optional<double> Complaints::positive(const Word& word, std::string_view what) {
  const auto value = number(word.text);
  if (value && *value > 0) return value;
  const std::string found = !value ? "this is no number" : *value < 0 ? "this is negative" : "this is zero";
  auto& d = add(word.begin, word.end, fmt::format("a {} has to be a positive number", what), found);
  if (value && *value == 0) d.help.push_back("print more digits, or leave the row out");
  return std::nullopt;
}

std::optional<double> Complaints::size(const Word& word) {
  const auto value = number(word.text);
  if (value && *value >= 0 && *value <= largest_size && *value == std::floor(*value)) return value;
  add(word.begin, word.end, "a size has to be a whole number of bytes",
      !value                  ? "this is no number"
      : *value < 0            ? "this is negative"
      : *value > largest_size ? "this is more than a petabyte"
                              : "this is not whole");
  return std::nullopt;
}

}  // namespace wave::analysis::machine_fit
