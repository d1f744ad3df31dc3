// Reads the Intel MPI Benchmarks, IMB-MPI1, versions 2 to 2021. A file has one or several benchmarks, each for one or
// several numbers of processes.
//
//   # Benchmarking PingPong                          # Benchmarking Allreduce
//   # #processes = 2                                 # #processes = 8
//   #bytes #repetitions      t[usec]   Mbytes/sec    #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
//        0         1000         1.66         0.00        0         1000         0.05         0.05         0.05
//        8         1000         1.66         4.83        4         1000         9.41         9.58         9.50
//
// The time of a ping-pong is half a round trip. Throughput is not read, because a megabyte was 2^20 bytes before 2018
// and has been 10^6 bytes since.
#include "analysis/machine_fit/timings.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

const std::set<std::string, std::less<>> ping_pongs = {"pingpong", "pingpongspecificsource", "pingponganysource"};

class ImbReader {
 public:
  ImbReader(std::string_view text, Complaints& complaints, Timings& timings)
      : text_(text), lines_(text), complaints_(complaints), timings_(timings) {}

  void read();

 private:
  void read_line(const std::vector<Word>& words);
  void read_heading(const std::vector<Word>& words);
  void read_row(const std::vector<Word>& words);

  std::string_view text_;
  LineReader lines_;
  Complaints& complaints_;
  Timings& timings_;

  std::string benchmark_;  // as it is written
  int processes_ = 0;
  bool ping_pong_ = false;
  std::string operation_;  // of a collective
  bool heading_ = false;
  bool sized_ = true;
  std::size_t value_ = 0, columns_ = 0;  // the word that counts, and how many there are
  std::size_t decimals_ = 0;             // of the row before
  std::size_t rows_ = 0;
  std::set<std::string> passed_over_;
};

void ImbReader::read_heading(const std::vector<Word>& words) {
  heading_ = false;
  const bool wanted = ping_pong_ || !operation_.empty();
  if (benchmark_.empty()) {
    complaints_.add(words.front().begin, words.back().end, "this heading belongs to no benchmark",
                    "without a line `# Benchmarking ...` before it");
    return;
  }
  if (!wanted) {
    passed_over_.insert(benchmark_);
    return;
  }
  // `#bytes` and `#repetitions` head the first columns; `#` may stand apart.
  std::vector<Word> columns;
  for (const auto& word : words) {
    if (word.text != "#") columns.push_back(word);
  }
  sized_ = lower_case(columns.front().text).find("bytes") != std::string::npos;
  std::size_t time = columns.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = lower_case(columns[i].text);
    // The longest time of all processes, until the last participant has finished.
    if (name == "t[usec]" || name == "t_max[usec]" || (name == "t_avg[usec]" && time == columns.size())) time = i;
  }
  if (time == columns.size()) {
    complaints_.add(words.front().begin, words.back().end, "this heading has no times in microseconds",
                    "neither `t[usec]` nor `t_max[usec]`");
    return;
  }
  if (!ping_pong_ && processes_ == 0) {
    complaints_.add(words.front().begin, words.back().end,
                    fmt::format("`{}` without its number of processes", benchmark_),
                    "no line `# #processes = ...` before it");
    return;
  }
  heading_ = true;
  value_ = time;
  columns_ = columns.size();
}

void ImbReader::read_row(const std::vector<Word>& words) {
  // "4194304 out-of-mem.; needed X= ...": a size that was not measured.
  if (sized_ && words.size() > 1 && !begins_with_number({words.begin() + 1, words.end()})) return;
  const bool cut = lines_.unfinished() && (words.size() < columns_ || (rows_ > 0 && words.size() == columns_ &&
                                                                       decimals_of(words.back().text) < decimals_));
  if (cut) {
    timings_.remark_cut_off(complaints_.file());
    return;
  }
  if (words.size() < columns_) {
    complaints_.add_short_row(lines_.begin(), lines_.end(), words.size(), columns_);
    return;
  }
  const auto size = sized_ ? complaints_.size(words[0]) : 0;
  // Without data, most operations do nothing at all, and their times show it.
  if (!ping_pong_ && sized_ && size == 0) return;
  const auto time = complaints_.positive(words[value_], "time");
  decimals_ = decimals_of(words.back().text);
  ++rows_;
  if (!size || !time) return;
  const Sample sample{*size, *time, resolution_of(words[value_].text), ping_pong_ ? 2 : processes_,
                      complaints_.location(words[value_])};
  Series& series = ping_pong_ ? timings_.of(BenchmarkMeasure::latency)
                              : timings_.of(BenchmarkMeasure::collective, operation_, sized_);
  series.samples.push_back(sample);
}

void ImbReader::read_line(const std::vector<Word>& words) {
  const std::string_view line = lines_.line();
  const std::string lower = lower_case(line);
  if (lower.rfind("# benchmarking ", 0) == 0) {
    benchmark_ = words.size() > 2 ? std::string(words[2].text) : std::string();
    const std::string name = lower_case(benchmark_);
    ping_pong_ = ping_pongs.count(name) > 0;
    operation_ = operation_named(name);
    processes_ = 0;
    heading_ = false;
  } else if (lower.find("#processes") != std::string::npos) {
    const std::size_t equal = lower.find('=');
    if (equal == std::string::npos) return;
    processes_ = std::max(whole_number_at(lower, equal + 1), 0);
    if (ping_pong_ && processes_ > 2) {
      timings_.remarks.push_back(fmt::format(
          "{}: several ping-pongs ran at the same time, so their times contain contention", complaints_.file()));
    }
  } else if (lower.find("#repetitions") != std::string::npos) {
    read_heading(words);
  }
}

void ImbReader::read() {
  const auto is_row = [this](const std::vector<Word>& words) { return heading_ && begins_with_number(words); };
  const bool is_whole = read_lines(
      lines_, complaints_, rows_, [this](const auto& words) { read_line(words); }, is_row,
      [this](const auto& words) { read_row(words); });
  if (!is_whole) return;
  if (!passed_over_.empty()) {
    timings_.remarks.push_back(fmt::format("{}: passed over, no machine is fitted to them: {}", complaints_.file(),
                                           join_texts(passed_over_, ", ")));
  }
  if (rows_ > 0 || complaints_.count() > 0) return;
  auto& d = complaints_.add(
      fmt::format("`{}` holds no result of a ping-pong or a collective operation of IMB-MPI1", complaints_.file()));
  suggest_tool(d, text_, Tool::imb);
}

}  // namespace

void read_imb(std::string_view text, Complaints& complaints, Timings& timings) {
  ImbReader(text, complaints, timings).read();
}

}  // namespace wave::analysis::machine_fit
