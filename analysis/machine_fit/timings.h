// Measured times as benchmarks print them: what was measured, and at what sizes. Times are in microseconds, sizes in
// bytes.
#pragma once

#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

enum class Tool { osu, imb, netgauge, nccl, csv };

std::string_view name_of(Tool tool);    // "osu"
std::string_view long_name(Tool tool);  // "the OSU micro-benchmarks"
std::optional<Tool> tool_named(std::string_view name);

enum class BenchmarkMeasure {
  latency,           // one way, from the start of both ends to the end of the receiver
  gap,               // from one message to the next of a stream
  send_overhead,     // of the sender's processor
  receive_overhead,  // of the receiver's
  collective,        // until the last participant has finished
};

struct Sample {
  double size = 0;
  double time = 0;
  double resolution = 0;  // half a unit of the last digit, as a time
  int processes = 2;
  frontend::Location location = {};  // of the time
  int pairs = 1;                     // of processes that do this at once
  std::string place = {};            // the innermost level that both ends share: "node"; empty: none
};

// All that was measured of one thing, in the order in which it was read.
struct Series {
  BenchmarkMeasure measure = BenchmarkMeasure::latency;
  std::string operation;  // of a collective: "broadcast", as std.comm has it, or the benchmark's own name
  bool sized = true;      // a barrier has no data
  std::vector<Sample> samples;
};

struct Timings {
  std::vector<Series> series;
  std::vector<std::string> remarks;            // what was skipped, and why
  std::vector<frontend::Location> impossible;  // of it, differences of measured times that are not positive

  void remark_cut_off(const std::string& file);
  Series& of(BenchmarkMeasure measure, const std::string& operation = {}, bool sized = true);
  const Series* find(BenchmarkMeasure measure) const;
};

inline constexpr std::size_t most_samples = 1000000;

struct ReadOptions {
  std::optional<int> processes;           // of collectives, if the file does not say
  std::string operation;                  // of collectives in CSV, if no column says
  std::optional<std::string> place = {};  // the level that both ends of a message share; empty or not said: none
};

// Adds what the file holds to the timings. Rows with the same size are repeated measurements. After an error the
// timings are incomplete.
void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics);

// Warns about measured quantities whose times differ between two files, as if these were not measured between the same
// kind of processes: on one node and between nodes, say. A line through both describes neither.
void warn_of_populations(const Timings& timings, Tool tool, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics);

// Shared by the readers of benchmark output: lines, words and numbers with their locations, and diagnostics about them.

struct Word {
  std::string_view text;
  std::uint32_t begin = 0, end = 0;  // in the whole text
};

// Reads the lines that are not blank, and their words.
class LineReader {
 public:
  explicit LineReader(std::string_view text);
  bool next() { return lines_.next(); }
  std::string_view line() const { return text_.substr(begin(), end() - begin()); }
  std::vector<Word> words() const;
  std::uint32_t begin() const { return lines_.begin(); }
  std::uint32_t end() const { return lines_.end(); }
  bool unfinished() const { return lines_.unfinished(); }

 private:
  std::string_view text_;
  frontend::TextLines lines_;
};

std::string lower_case(std::string_view text);
// The whole number at a position, perhaps after spaces; 0 if there is none.
int whole_number_at(std::string_view text, std::size_t at);
// The name in std.comm of the collective operation that a benchmark calls by this name, in small letters. Empty if no
// machine is fitted to it.
std::string operation_named(const std::string& name);
// The levels that a fit knows, the innermost first.
extern const std::vector<std::string> levels_of_fits;
std::string help_on_levels();
// The level that messages of a place share: "on-node" is "node", "inter-node" is none, and so is nothing at all. No
// value if it is not known: what it lies within could not be told.
std::optional<std::string> level_of_place(std::string_view place);
bool begins_with_number(const std::vector<Word>& words);

class Complaints;
using ReadWords = std::function<void(const std::vector<Word>&)>;
// Goes through a table whose comments begin with `#`: hands on these, and the rows, which `is_row` tells from what is
// passed over. False, with a complaint: there are more than the bound on `rows`, which `row` counts.
bool read_lines(LineReader& lines, Complaints& complaints, const std::size_t& rows, const ReadWords& comment,
                const std::function<bool(const std::vector<Word>&)>& is_row, const ReadWords& row);

class Complaints {
 public:
  Complaints(const frontend::Sources& sources, std::uint32_t file, frontend::Diagnostics& diagnostics)
      : sources_(sources), file_(file), diagnostics_(diagnostics) {}

  frontend::Diagnostic& add(std::uint32_t begin, std::uint32_t end, std::string message, std::string label);
  // A complaint about the whole file.
  frontend::Diagnostic& add(std::string message);
  void add_too_many_rows(std::uint32_t begin, std::uint32_t end);
  void add_short_row(std::uint32_t begin, std::uint32_t end, std::size_t columns, std::size_t expected);
  frontend::Location location(const Word& word) const { return {file_, word.begin, word.end}; }
  std::uint32_t line(const Word& word) const { return sources_.line_column(file_, word.begin).line; }
  const std::string& file() const { return sources_.name(file_); }
  // More complaints would not help.
  bool too_many() const { return count_ >= 20; }
  std::size_t count() const { return count_; }

  // A positive number, or a complaint. `what` is "time" or "bandwidth", say.
  std::optional<double> positive(const Word& word, std::string_view what);
  // A whole number of bytes, or a complaint.
  std::optional<double> size(const Word& word);

 private:
  const frontend::Sources& sources_;
  const std::uint32_t file_;
  frontend::Diagnostics& diagnostics_;
  std::size_t count_ = 0;
};

// Half a unit of the last digit: 0.005 of "1.25".
double resolution_of(std::string_view number);
// The digits behind the point.
std::size_t decimals_of(std::string_view number);

void read_osu(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings);
void read_imb(std::string_view text, Complaints& complaints, Timings& timings);
void read_netgauge(std::string_view text, Complaints& complaints, Timings& timings);
void read_nccl(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings);
void read_csv(std::string_view text, Complaints& complaints, frontend::Diagnostics& diagnostics, std::uint32_t file,
              const ReadOptions& options, Timings& timings);

// The tool that wrote this text, if its headings tell.
std::optional<Tool> recognised(std::string_view text);
void suggest_tool(frontend::Diagnostic& diagnostic, std::string_view text, Tool asked);

}  // namespace wave::analysis::machine_fit
