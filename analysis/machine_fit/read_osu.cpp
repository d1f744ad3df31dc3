// Reads the OSU micro-benchmarks, versions 3 to 7, also those in Python (OMB-Py, mpi4py's demos). A file has one test,
// or several one after the other.
//
//   # OSU MPI Latency Test v7.4                    # OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3
//   # Datatype: MPI_CHAR.                          # [ pairs: 1 ] [ window size: 64 ]
//   # Size       Avg Latency(us)                   # Size                  MB/s        Messages/s
//   1                       1.67                   1                       4.24        4235302.84
//
// Latencies are half a round trip. Bandwidths count 10^6 bytes a second. From them follows the time from one message to
// the next.
#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/log_reader.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wave::analysis::machine_fit {
namespace {

// WINDOW_SIZE_LARGE of osu_util.h: so many messages are sent before an answer.
constexpr int usual_window = 64;

enum class OsuColumn { none, latency, bandwidth, rate };

// "# OSU MPI-CUDA Allreduce Latency Test v7.0": library "MPI-CUDA", test "Allreduce Latency", version "7.0".
struct OsuTitle {
  std::string library, test, version;
};

OsuTitle title_of(std::string_view line) {
  OsuTitle title;
  std::string text(line.substr(2));
  for (const std::string_view prefix : {"OSU ", "OMB-Py "}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  const std::size_t version = text.rfind(" v");
  if (version != std::string::npos) {
    title.version = text.substr(version + 2, text.find(' ', version + 2) - version - 2);
    text.resize(version);
  }
  const std::size_t test = lower_case(text).rfind(" test");
  if (test != std::string::npos) text.resize(test);
  // One-sided tests have the name of the call in its place: "MPI_Put Latency".
  const std::string first = lower_case(text.substr(0, text.find_first_of(" -")));
  static constexpr std::array<std::string_view, 4> libraries = {"mpi", "nccl", "rccl", "xccl"};
  if (std::find(libraries.begin(), libraries.end(), first) != libraries.end()) {
    std::size_t end = std::min(text.find(' '), text.size());
    if (lower_case(text.substr(std::min(end + 1, text.size()))).starts_with("managed ")) end = text.find(' ', end + 1);
    title.library = text.substr(0, end);
    text.erase(0, std::min(end + 1, text.size()));
  }
  title.test = text;
  return title;
}

class OsuReader : public LogReader {
 public:
  using LogReader::LogReader;
  void read_comment(const LogLine& line, RunContext& context) override;
  void read_row(const LogLine& line) override;
  bool is_row(const LogLine& line) const override;
  void leave() override {
    LogReader::leave();
    column_ = OsuColumn::none;
    titled_ = false;
  }

 private:
  void read_title(const LogLine& line, RunContext& context);
  void classify(const std::string& test);
  void read_heading(const LogLine& line);
  LogTable& open_table(const LogLine& line);
  bool goes_on(const LogLine& line) const;
  void add_row(const LogLine& line, double size, double value, const Word& word);

  bool titled_ = false, refused_ = false;
  OsuTitle title_;
  RunContext run_;
  std::string unused_;  // why the test is not used
  MeasuredKind kind_;   // of a latency
  SizeIs size_is_ = SizeIs::same;
  bool bandwidth_test_ = false, rate_test_ = false, multiple_ = false;
  std::string buffers_;
  int pairs_ = 1, window_ = 0;
  OsuColumn column_ = OsuColumn::none;
  std::size_t value_ = 1;    // the word of a row that counts
  double in_megabytes_ = 1;  // of a bandwidth, its unit
};

void OsuReader::classify(const std::string& test) {
  constexpr std::string_view latency = "latency";
  std::string name = test;
  const bool of_latency = name.ends_with(latency);
  if (of_latency) name.resize(name.size() - latency.size());
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const bool is_known_library = !title_.library.empty();
  if (const auto* collective = find_collective(Tool::osu, name, 0); of_latency && is_known_library && collective) {
    kind_ = {BenchmarkMeasure::collective, std::string(collective->operation), true};
    size_is_ = collective->size_is;
  } else if (is_known_library && run_.command.program.find("_fan_") != std::string::npos) {
    unused_ = why_unused("congestion");
  } else if (is_known_library && of_latency && name.empty()) {
    kind_ = {};
  } else if (is_known_library && of_latency && (name == "multi" || name == "multi-pair")) {
    multiple_ = true;
    pairs_ = run_.command.processes / 2;  // osu_multi_lat.c: half of the processes send to the other half
  } else if (is_known_library && test == "bandwidth") {
    bandwidth_test_ = true;
  } else if (is_known_library && test.starts_with("multiple bandwidth")) {
    rate_test_ = true;
  } else {
    unused_ = why_unused(is_known_library && of_latency && !name.empty() ? name : test);
  }
}

void OsuReader::read_title(const LogLine& line, RunContext& context) {
  leave();
  titled_ = true;
  refused_ = bandwidth_test_ = rate_test_ = multiple_ = false;
  title_ = title_of(line.text);
  run_ = context;
  context.command = {};  // of this run alone
  unused_.clear();
  buffers_.clear();
  kind_ = {};
  size_is_ = SizeIs::same;
  pairs_ = 1;
  classify(lower_case(title_.test));
  window_ = bandwidth_test_ || rate_test_ ? run_.command.window : 0;
  open_table(line);
}

LogTable& OsuReader::open_table(const LogLine& line) {
  LogTable& table = begin_table(line, titled_ ? title_.test : "", run_);
  table.version = title_.version;
  table.library = title_.library;
  table.unused = unused_;
  table.size_is = size_is_;
  table.buffers = buffers_;
  table.pairs = pairs_;
  table.window = window_;
  if (kind_.measure == BenchmarkMeasure::collective) table.processes = run_.command.processes;
  return table;
}

// The heading of the columns: "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations".
void OsuReader::read_heading(const LogLine& line) {
  const auto& words = line.words;
  std::string joined = lower_case(line.text);
  std::erase(joined, ' ');
  std::erase(joined, '\t');
  std::replace(joined.begin(), joined.end(), '[', '(');
  std::replace(joined.begin(), joined.end(), ']', ')');
  kind_.sized = joined.starts_with("#size");
  column_ = OsuColumn::none;
  value_ = kind_.sized ? 1 : 0;
  const auto has = [&](std::string_view part) { return joined.find(part) != std::string::npos; };
  if (has("messages/s")) {
    column_ = OsuColumn::rate;
    value_ = 2;
  } else if (has("mb/s") || has("gb/s")) {
    column_ = OsuColumn::bandwidth;
    in_megabytes_ = has("mb/s") ? 1 : 1000;
  } else if (has("latency(us)")) {
    column_ = OsuColumn::latency;
    // The time until the last participant has finished or, if that is not printed, the mean of all.
    if (!kind_.operation.empty() && has("avglatency(us)minlatency(us)maxlatency(us)")) value_ += 2;
  } else {
    complaints_
        .add(words.front().begin, words.back().end, "this heading does not say in which unit times or bandwidths are",
             "no `(us)` and no `MB/s`")
        .help.push_back("the benchmarks print `# Size          Latency (us)` or `# Size      Bandwidth (MB/s)`");
    refused_ = true;
  }
  const bool fits = column_ == OsuColumn::none || (column_ == OsuColumn::latency) == (!bandwidth_test_ && !rate_test_);
  if (titled_ && !refused_ && !fits) {
    complaints_.add(words.front().begin, words.back().end,
                    "this heading belongs to another test than the title above it", "of another test");
    refused_ = true;
  }
}

void OsuReader::read_comment(const LogLine& line, RunContext& context) {
  const std::string lower = lower_case(line.text);
  const bool heading =
      line.words.size() > 1 && (lower_case(line.words[1].text) == "size" || lower.starts_with("# avg latency"));
  if (is_title_of_osu(lower)) return read_title(line, context);
  if (const std::size_t at = lower.find("pairs:"); at != std::string::npos) {
    const int value = whole_number_at(lower, at + std::string_view("pairs:").size());
    if (value > 0) pairs_ = value;
    const std::size_t window = lower.find("window size:");
    if (window != std::string::npos) window_ = whole_number_at(lower, window + std::string_view("window size:").size());
  } else if (const std::size_t on = lower.find("send buffer on "); on != std::string::npos) {
    const auto kind = [&](std::string_view after) {
      const std::size_t at = lower.find(after);
      if (at == std::string::npos) return std::string("?");
      const std::size_t begin = at + after.size();
      return lower.substr(begin, lower.find(' ', begin) - begin);
    };
    buffers_ = fmt::format("{} to {}", kind("send buffer on "), kind("receive buffer on "));
  }
  // Another heading below the same title begins another table: of another datatype, or of a run that was appended.
  if (heading && unused_.empty() && (!table() || !table()->rows.empty())) {
    if (!titled_) {
      run_ = context;
      context.command = {};
    }
    open_table(line);
  }
  if (table()) {
    table()->pairs = pairs_;
    table()->window = window_;
    table()->buffers = buffers_;
  }
  if (heading && unused_.empty() && !refused_) read_heading(line);
}

bool OsuReader::is_row(const LogLine& line) const {
  if (refused_) return false;
  return std::none_of(line.words.begin(), line.words.end(), [](const Word& word) {
    const std::string lower = lower_case(word.text);
    return is_plain_word(word.text) && lower != "pass" && lower != "fail";
  });
}

// Sizes of a table grow, and its times have the same number of digits. Numbers of another program have neither.
bool OsuReader::goes_on(const LogLine& line) const {
  const auto* const before = table()->rows.empty() ? nullptr : &table()->rows.back();
  if (before == nullptr || before->reason != 0 || !kind_.sized) return true;
  const auto size = whole_number_at(line.words[0].text, 0);
  return size > before->sample.size || decimals_of(line.words[value_].text) >= decimals_;
}

void OsuReader::read_row(const LogLine& line) {
  const auto& words = line.words;
  if (!unused_.empty()) return pass_over(line);
  if (column_ == OsuColumn::none || !table()) return set_stray(line);
  if (words.size() <= value_ || is_cut_off(line, words[value_])) {
    if (line.is_unfinished) return cut_off();
    complaints_.add_short_row(line.begin, line.end, words.size(), value_ + 1);
    return;
  }
  const bool failed =
      std::any_of(words.begin(), words.end(), [](const Word& word) { return lower_case(word.text) == "fail"; });
  if (failed) return leave_out(line, {}, "`Validation` says Fail");
  if (!goes_on(line)) return leave_out(line, {}, "neither size nor digits go on from the row before");
  const auto size = kind_.sized ? complaints_.size(words[0]) : 0;
  const char* const what = column_ == OsuColumn::latency     ? "time"
                           : column_ == OsuColumn::bandwidth ? "bandwidth"
                                                             : "message rate";
  const auto value = complaints_.positive(words[value_], what);
  decimals_ = decimals_of(words[value_].text);
  ++rows_;
  if (size && value) add_row(line, *size, *value, words[value_]);
}

void OsuReader::add_row(const LogLine& line, double size, double value, const Word& word) {
  Sample sample = sample_of(size, value, word);
  sample.pairs = pairs_;
  sample.is_mean = kind_.measure == BenchmarkMeasure::collective && value_ < 2;
  if (column_ == OsuColumn::latency) return add(line, kind_, sample);
  if (size == 0) return leave_out(line, sample, "without bytes there is no bandwidth");
  const double pairs = pairs_;
  const double relative = sample.resolution / value;
  sample.time = column_ == OsuColumn::bandwidth ? pairs * size / (value * in_megabytes_) : pairs * 1e6 / value;
  sample.resolution = relative * sample.time;
  sample.window = window_ > 0 ? window_ : usual_window;
  add(line, {BenchmarkMeasure::gap}, sample);
}

}  // namespace

std::unique_ptr<LogReader> osu_reader(Complaints& complaints, const ReadOptions& options, Timings& timings) {
  return std::make_unique<OsuReader>(Tool::osu, complaints, options, timings);
}

}  // namespace wave::analysis::machine_fit
