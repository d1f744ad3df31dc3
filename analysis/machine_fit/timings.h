// Measured times as benchmarks print them: what was measured, and at what sizes. Times are in microseconds, sizes in
// bytes.
#pragma once

#include "analysis/table_reading.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <cstdint>
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
  std::uint32_t table = 0;           // among those of the timings
  int window = 0;        // of a stream: messages before an answer, whose time counts too; 0: no answer is in the time
  bool is_mean = false;  // of a collective: the mean of all processes, not the time of the last one
};

// All that was measured of one thing, in the order in which it was read.
struct Series {
  BenchmarkMeasure measure = BenchmarkMeasure::latency;
  std::string operation;  // of a collective: "broadcast", as std.comm has it, or the benchmark's own name
  bool sized = true;      // a barrier has no data
  std::vector<Sample> samples;
};

// What size a benchmark prints, as against what the operation of std.comm takes.
enum class SizeIs {
  same,   // the same
  whole,  // of all parts together, where the operation takes one
  part,   // one part, where the operation takes all
};

// What a row of a table is a time of.
struct MeasuredKind {
  BenchmarkMeasure measure = BenchmarkMeasure::latency;
  std::string operation = {};
  bool sized = true;
  friend bool operator==(const MeasuredKind&, const MeasuredKind&) = default;
};

struct TableRow {
  Sample sample;
  std::uint16_t kind = 0;    // among those of the table
  std::uint16_t reason = 0;  // why it is left out, among those of the table and from 1 on; 0: it is used
  std::uint32_t line = 0;
};

// A table as its benchmark printed it, and what is known of how it was measured. Each is a source of its own.
struct LogTable {
  Tool tool = Tool::csv;
  std::uint32_t file = 0;
  std::string test;       // as the benchmark calls it: "Allreduce Latency", "PingPong"
  std::string version;    // of the benchmark: "7.3"
  std::string library;    // "MPI-CUDA", "NCCL"
  std::string buffers;    // "device to device"
  std::string mapping;    // options of the launcher: "--map-by node"
  std::string placement;  // in words before it: "on one node"
  std::string place;      // the level that both ends of its messages share, as an option says; empty: none
  int processes = 0;      // that took part in each collective operation; 0: not said
  int pairs = 1;          // that exchanged at once; 0: not said
  int window = 0;         // messages of a stream under way; 0: not said
  SizeIs size_is = SizeIs::same;
  bool has_places = false;          // its rows say them
  bool is_placed = false;           // an option says `place`
  frontend::Location heading = {};  // where it begins
  std::uint32_t first_line = 0, last_line = 0;
  std::vector<MeasuredKind> kinds = {};
  std::vector<TableRow> rows = {};
  std::vector<std::string> reasons = {};  // of rows that are left out
  std::string unused = {};                // why no row is used; empty: it is used

  bool is_used() const { return unused.empty(); }
  bool has_collectives() const;
  std::size_t rows_used() const;
  std::uint16_t kind_of(const MeasuredKind& kind);
  void leave_out(Sample sample, std::uint32_t line, const std::string& reason);
};

struct Timings {
  std::vector<Series> series;
  std::vector<LogTable> tables;                // in the order in which they were read
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
  TableReading reading = {};              // of tables with commas
};

// Adds the tables of a file to the timings; without a tool, which is found out for each part of the file. After an
// error they are incomplete.
void read_tables(std::optional<Tool> tool, const frontend::Sources& sources, std::uint32_t file,
                 const ReadOptions& options, Timings& timings, frontend::Diagnostics& diagnostics);

// What of the tables is to be used, and what they do not say themselves.
struct TableChoice {
  std::vector<int> tables = {};          // their numbers, from 1 on; empty: all
  std::vector<int> processes = {};       // of collectives: of each file, or of each table that does not say
  std::vector<int> pairs = {};           // where tables do not say: of each of them, or of all
  std::vector<std::string> within = {};  // for each file the levels of its tables, as `--within` gives them
  std::uint32_t first_file = 0;          // the number of the first file
};

// Why what is asked cannot be.
struct WrongQuestion {
  std::string message, help;
};

// Makes series of the tables from the number `from` on, which are of `files` files. Rows with the same size are
// repeated measurements. Tables that need more than they say are errors.
std::optional<WrongQuestion> use_tables(const TableChoice& choice, std::size_t files, const frontend::Sources& sources,
                                        Timings& timings, frontend::Diagnostics& diagnostics, std::size_t from = 0);

// Both for a single file.
void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics);

// What the tables of a file come to, as people read it: `wave fit --explain`.
std::string explanation(const Timings& timings, std::uint32_t file, const frontend::Sources& sources);

// Reports tables of one thing that were not measured alike. Where they say so themselves (other buffers, another
// mapping), that is an error. Where at half of the sizes their times lie apart, it is a warning: a line through both
// describes neither. `command` is "wave fit osu".
void compare_populations(const Timings& timings, const std::string& command, const frontend::Sources& sources,
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

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// The whole number at a position, perhaps after spaces; 0 if there is none.
int whole_number_at(std::string_view text, std::size_t at);
// The levels that a fit knows, the innermost first.
extern const std::vector<std::string> levels_of_fits;
std::string help_on_levels();
// The level that messages of a place share: "on-node" is "node", "inter-node" is none, and so is nothing at all. No
// value if it is not known: what it lies within could not be told.
std::optional<std::string> level_of_place(std::string_view place);
bool begins_with_number(const std::vector<Word>& words);
// Whether this is a number above 0.
bool is_above_zero(std::string_view text);

class CleanLog;

// Complaints about a file. Places are in what was read; `log`, which may be missing, knows where that is in the file.
class Complaints {
 public:
  Complaints(const frontend::Sources& sources, std::uint32_t file, const CleanLog* log,
             frontend::Diagnostics& diagnostics)
      : sources_(sources), file_(file), log_(log), diagnostics_(diagnostics) {}

  frontend::Diagnostic& add(std::uint32_t begin, std::uint32_t end, std::string message, std::string label);
  // A complaint about the whole file.
  frontend::Diagnostic& add(std::string message);
  void add_too_many_rows(std::uint32_t begin, std::uint32_t end);
  void add_short_row(std::uint32_t begin, std::uint32_t end, std::size_t columns, std::size_t expected);
  frontend::Location location(std::uint32_t begin, std::uint32_t end) const;
  frontend::Location location(const Word& word) const { return location(word.begin, word.end); }
  std::uint32_t line(std::uint32_t at);
  const std::string& file() const { return sources_.name(file_); }
  std::uint32_t file_number() const { return file_; }
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
  const CleanLog* const log_;
  frontend::Diagnostics& diagnostics_;
  std::size_t count_ = 0;
  std::uint32_t counted_to_ = 0, line_ = 1;  // where the last line that was asked for is: most are asked for in order
};

// Half a unit of the last digit: 0.005 of "1.25".
double resolution_of(std::string_view number);
// The digits behind the point.
std::size_t decimals_of(std::string_view number);

void read_log(std::optional<Tool> tool, std::string_view text, Complaints& complaints, const ReadOptions& options,
              Timings& timings);
// Whether a text is a table, in any of its formats, with columns that `read_csv` needs: `size [B],time [us]`,
// `bytes;us_median`.
bool has_columns_of_times(std::string_view text);
void read_csv(std::string_view text, Complaints& complaints, frontend::Diagnostics& diagnostics, std::uint32_t file,
              const ReadOptions& options, Timings& timings);

// The tool that wrote this text, or the first of several, if its headings tell.
std::optional<Tool> recognised(std::string_view text);
void suggest_tool(frontend::Diagnostic& diagnostic, std::string_view text, Tool asked);

}  // namespace wave::analysis::machine_fit
