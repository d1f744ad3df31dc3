// See timings.h.
#include "analysis/machine_fit/timings.h"

#include "base/numbers.h"
#include "base/text.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::array<std::string_view, 5> tool_names = {"osu", "imb", "netgauge", "nccl", "csv"};

// A femtosecond and thirty years, in us. Values beyond these were not measured, and their squares overflow.
constexpr double shortest_time = 1e-9, longest_time = 1e15;

void refuse_impossible(std::uint32_t file, Timings& timings, Complaints& complaints) {
  for (auto& series : timings.series) {
    std::erase_if(series.samples, [&](const Sample& sample) {
      if (sample.location.file != file || (sample.time >= shortest_time && sample.time <= longest_time)) return false;
      if (!complaints.too_many()) {
        complaints.add(sample.location.begin, sample.location.end, "no message takes such a time",
                       "shorter than a femtosecond or longer than thirty years");
      }
      return true;
    });
  }
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
  for (int looked = 0; looked < 2000 && lines.next(); ++looked) {
    const std::string_view line = lines.line();
    if (line.rfind("# OSU ", 0) == 0) return Tool::osu;
    if (line.find("#repetitions") != std::string_view::npos || line.rfind("# Benchmarking ", 0) == 0) return Tool::imb;
    if (line.find("algbw") != std::string_view::npos && line.find("busbw") != std::string_view::npos) return Tool::nccl;
    if (line.find("PRTT(1,0,s)") != std::string_view::npos) return Tool::netgauge;
    if (line.front() != '#' && line.find(',') != std::string_view::npos && line.find('[') != std::string_view::npos)
      return Tool::csv;
  }
  return std::nullopt;
}

void suggest_tool(frontend::Diagnostic& diagnostic, std::string_view text, Tool asked) {
  const auto found = recognised(text);
  if (!found || *found == asked) return;
  diagnostic.help.push_back(
      fmt::format("it looks like the output of {}: `wave fit {} ...`", long_name(*found), name_of(*found)));
}

void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics) {
  const std::string_view text = sources.text(file);
  // Text of other programs between the rows of a benchmark may be in any encoding.
  const bool is_pure = tool == Tool::csv || text.find('\0') != std::string_view::npos;
  if (is_pure && !frontend::check_text(sources, file, diagnostics)) return;
  Complaints complaints(sources, file, diagnostics);
  switch (tool) {
    case Tool::osu: read_osu(text, complaints, options, timings); break;
    case Tool::imb: read_imb(text, complaints, timings); break;
    case Tool::netgauge: read_netgauge(text, complaints, timings); break;
    case Tool::nccl: read_nccl(text, complaints, options, timings); break;
    case Tool::csv: read_csv(text, complaints, diagnostics, file, options, timings); break;
  }
  refuse_impossible(file, timings, complaints);
}

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr double largest_size = 1e15;   // a petabyte
constexpr std::size_t most_words = 64;  // of a line; no table of these tools has more columns

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return parse_number<double>(text);
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

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

int whole_number_at(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  int value = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

std::string operation_named(const std::string& name) {
  static const std::map<std::string, std::string> operations = {
      {"bcast", "broadcast"},         {"broadcast", "broadcast"},
      {"reduce", "reduce"},           {"allreduce", "allreduce"},
      {"gather", "gather"},           {"scatter", "scatter"},
      {"alltoall", "total_exchange"}, {"all-to-all personalized exchange", "total_exchange"},
      {"barrier", "barrier"},         {"scan", "scan"},
      {"allgather", "allgather"},     {"reduce_scatter", "reduce_scatter"},
      {"exscan", "exscan"},
  };
  const auto found = operations.find(name);
  return found == operations.end() ? std::string() : found->second;
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

bool read_lines(LineReader& lines, Complaints& complaints, const std::size_t& rows, const ReadWords& comment,
                const std::function<bool(const std::vector<Word>&)>& is_row, const ReadWords& row) {
  while (!complaints.too_many() && lines.next()) {
    const auto words = lines.words();
    if (lines.line().front() == '#') {
      comment(words);
      continue;
    }
    if (!is_row(words)) continue;
    if (rows >= most_samples) {
      complaints.add_too_many_rows(lines.begin(), lines.end());
      return false;
    }
    row(words);
  }
  return true;
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

frontend::Diagnostic& Complaints::add(std::uint32_t begin, std::uint32_t end, std::string message, std::string label) {
  ++count_;
  return diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, {file_, begin, end}, std::move(message),
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
  if (value && std::isfinite(*value) && *value > 0) return value;
  const std::string found = !value               ? "this is no number"
                            : std::isnan(*value) ? "this is no number"
                            : *value < 0         ? "this is negative"
                            : *value == 0        ? "this is zero"
                                                 : "this is not finite";
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
