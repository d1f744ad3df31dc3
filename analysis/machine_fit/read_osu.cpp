// Reads the OSU micro-benchmarks, versions 3 to 7. A file has one test, or several one after the other.
//
//   # OSU MPI Latency Test v7.4                    # OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3
//   # Datatype: MPI_CHAR.                          # [ pairs: 1 ] [ window size: 64 ]
//   # Size       Avg Latency(us)                   # Size                  MB/s        Messages/s
//   1                       1.67                   1                       4.24        4235302.84
//
// Latencies are half a round trip. Bandwidths count 10^6 bytes a second. From them follows the time from one message to
// the next.
#include "analysis/machine_fit/timings.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::analysis::machine_fit {
namespace {

enum class OsuColumn { none, latency, bandwidth, rate };

class OsuReader {
 public:
  OsuReader(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings)
      : text_(text), lines_(text), complaints_(complaints), options_(options), timings_(timings) {}

  void read();

 private:
  void read_comment(const std::vector<Word>& words);
  void read_title(std::string_view line);
  void read_heading(const std::vector<Word>& words, std::string_view line);
  void read_row(const std::vector<Word>& words);
  bool is_cut_off(const Word& value) const;

  std::string_view text_;
  LineReader lines_;
  Complaints& complaints_;
  const ReadOptions& options_;
  Timings& timings_;

  bool titled_ = false;
  bool refused_ = false;   // the following rows belong to a test that is not used
  std::string operation_;  // of a collective
  bool bandwidth_test_ = false, rate_test_ = false;
  int pairs_ = 1;
  OsuColumn column_ = OsuColumn::none;
  std::size_t value_ = 1;  // the word of a row that counts
  bool sized_ = true;
  std::size_t decimals_ = 0;  // of the row before
  std::size_t rows_ = 0;
};

// "# OSU MPI-CUDA Allreduce Latency Test v7.0" becomes "allreduce latency".
std::string test_of(std::string_view line) {
  std::string title = lower_case(line.substr(std::string_view("# OSU ").size()));
  const std::size_t test = title.rfind(" test");
  if (test != std::string::npos) title.resize(test);
  if (title.rfind("mpi", 0) == 0) title.erase(0, std::min(title.find(' '), title.size() - 1) + 1);
  return title;
}

void OsuReader::read_title(std::string_view line) {
  titled_ = true;
  refused_ = bandwidth_test_ = rate_test_ = false;
  operation_.clear();
  column_ = OsuColumn::none;
  pairs_ = 1;
  std::string test = test_of(line);
  constexpr std::string_view latency = "latency";
  const bool of_latency = test.ends_with(latency);
  if (of_latency) test.resize(test.size() - latency.size());
  while (!test.empty() && test.back() == ' ') test.pop_back();
  if (of_latency) operation_ = operation_named(test);
  if (!operation_.empty()) return;
  if (of_latency && (test.empty() || test == "multi" || test == "multi-threaded" || test == "multi-process")) {
    return;
  } else if (test == "bandwidth") {
    bandwidth_test_ = true;
  } else if (test.rfind("multiple bandwidth", 0) == 0) {
    rate_test_ = true;
  } else {
    refused_ = true;
    auto& d = complaints_.add(lines_.begin(), lines_.end(), "a machine is not fitted to this test", "this one");
    if (test.rfind("bi-directional", 0) == 0)
      d.notes.push_back("of what both directions share, nothing follows for one message");
    d.help.push_back("it takes `osu_latency`, `osu_bw`, `osu_mbw_mr`, and blocking collectives such as `osu_bcast`");
  }
}

// The heading of the columns: "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations".
void OsuReader::read_heading(const std::vector<Word>& words, std::string_view line) {
  std::string joined = lower_case(line);
  joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
  sized_ = joined.rfind("#size", 0) == 0;
  column_ = OsuColumn::none;
  value_ = sized_ ? 1 : 0;
  if (joined.find("messages/s") != std::string::npos) {
    column_ = OsuColumn::rate;
    value_ = 2;
  } else if (joined.find("mb/s") != std::string::npos) {
    column_ = OsuColumn::bandwidth;
  } else if (joined.find("latency(us)") != std::string::npos) {
    column_ = OsuColumn::latency;
    // The time until the last participant has finished or, if that is not printed, the mean of all.
    if (!operation_.empty() && joined.find("avglatency(us)minlatency(us)maxlatency(us)") != std::string::npos)
      value_ += 2;
  } else {
    const Word& last = words.back();
    complaints_
        .add(words.front().begin, last.end, "this heading does not say in which unit times or bandwidths are",
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

void OsuReader::read_comment(const std::vector<Word>& words) {
  const std::string_view line = lines_.line();
  if (line.rfind("# OSU ", 0) == 0) return read_title(line);
  const std::string lower = lower_case(line);
  const std::size_t pairs = lower.find("pairs:");
  if (pairs != std::string::npos) {
    const int value = whole_number_at(lower, pairs + std::string_view("pairs:").size());
    if (value > 0) pairs_ = value;
    return;
  }
  const bool heading =
      words.size() > 1 && (lower_case(words[1].text) == "size" || lower.rfind("# avg latency", 0) == 0);
  if (heading && !refused_) read_heading(words, line);
}

// The benchmarks print two digits behind the point and end every line.
bool OsuReader::is_cut_off(const Word& value) const {
  return lines_.unfinished() && rows_ > 0 && value.end == lines_.end() && decimals_of(value.text) < decimals_;
}

void OsuReader::read_row(const std::vector<Word>& words) {
  if (column_ == OsuColumn::none) {
    complaints_
        .add(lines_.begin(), lines_.end(), "numbers without a heading that says what they are",
             "a row before any heading")
        .help.push_back("keep the lines that begin with `#`, such as `# Size          Latency (us)`");
    refused_ = true;
    return;
  }
  if (words.size() <= value_ || is_cut_off(words[value_])) {
    if (lines_.unfinished()) {
      timings_.remark_cut_off(complaints_.file());
    } else {
      complaints_.add_short_row(lines_.begin(), lines_.end(), words.size(), value_ + 1);
    }
    return;
  }
  const auto size = sized_ ? complaints_.size(words[0]) : 0;
  const char* const what = column_ == OsuColumn::latency     ? "time"
                           : column_ == OsuColumn::bandwidth ? "bandwidth"
                                                             : "message rate";
  const auto value = complaints_.positive(words[value_], what);
  decimals_ = decimals_of(words[value_].text);
  ++rows_;
  if (!size || !value) return;
  Sample sample{*size, *value, resolution_of(words[value_].text), 2, complaints_.location(words[value_])};
  sample.place = options_.place.value_or("");
  sample.pairs = pairs_;
  if (column_ != OsuColumn::latency) {
    if (*size == 0) return;  // without bytes there is no bandwidth
    const double pairs = pairs_;
    const double relative = sample.resolution / *value;
    sample.time = column_ == OsuColumn::bandwidth ? pairs * *size / *value : pairs * 1e6 / *value;
    sample.resolution = relative * sample.time;
    timings_.of(BenchmarkMeasure::gap).samples.push_back(sample);
  } else if (operation_.empty()) {
    timings_.of(BenchmarkMeasure::latency).samples.push_back(sample);
  } else if (!options_.processes) {
    complaints_.add(fmt::format("`{}` does not say how many processes took part", complaints_.file()))
        .help.push_back("say it for each file: `--processes 4,8,16`");
    refused_ = true;
  } else {
    sample.processes = *options_.processes;
    timings_.of(BenchmarkMeasure::collective, operation_, sized_).samples.push_back(sample);
  }
}

void OsuReader::read() {
  const auto is_row = [this](const std::vector<Word>& words) { return !refused_ && begins_with_number(words); };
  read_lines(
      lines_, complaints_, rows_, [this](const auto& words) { read_comment(words); }, is_row,
      [this](const auto& words) { read_row(words); });
  if (rows_ > 0 || complaints_.count() > 0) return;
  suggest_tool(complaints_.add(fmt::format("`{}` holds no result of the OSU micro-benchmarks", complaints_.file())),
               text_, Tool::osu);
}

}  // namespace

void read_osu(std::string_view text, Complaints& complaints, const ReadOptions& options, Timings& timings) {
  OsuReader(text, complaints, options, timings).read();
}

}  // namespace wave::analysis::machine_fit
