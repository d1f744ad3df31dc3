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
#include "analysis/machine_fit/benchmark_names.h"
#include "analysis/machine_fit/log_reader.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

const std::set<std::string, std::less<>> ping_pongs = {"pingpong", "pingpongspecificsource", "pingponganysource"};

// "Intel(R) MPI Benchmarks 2021.3, MPI-1 part", "Intel (R) MPI Benchmark Suite V3.2, MPI-1 part"
std::string version_of(std::string_view line) {
  const std::size_t digit = line.find_first_of("0123456789");
  if (digit == std::string_view::npos) return "";
  return std::string(line.substr(digit, std::min(line.find(',', digit), line.size()) - digit));
}

// The change of Reduce_scatter came with the release of 2019 (commit df3db3a of July 2018), after its previews.
int year_of(const std::string& version) {
  const std::string lower = lower_case(version);
  const int year = whole_number_at(lower, 0);
  const bool is_preview = lower.find("beta") != std::string::npos || lower.find("preview") != std::string::npos;
  constexpr int year_of_change = 2019;
  return year == year_of_change && is_preview ? year - 1 : year;
}

class ImbReader : public LogReader {
 public:
  using LogReader::LogReader;
  void read_comment(const LogLine& line, RunContext& context) override;
  void read_row(const LogLine& line) override;
  bool is_row(const LogLine& line) const override { return heading_ && begins_with_number(line.words); }
  void leave() override {
    LogReader::leave();
    heading_ = false;
  }

 private:
  void read_benchmark(const LogLine& line, RunContext& context);
  void read_heading(const LogLine& line);
  void open_table(const LogLine& line);
  // Why the present benchmark is not used; empty: it is.
  std::string why_not() const;

  std::string version_;
  std::string benchmark_;  // as it is written
  std::string name_;       // in small letters, without `multi-`
  RunContext run_;
  int processes_ = 0, groups_ = 0;
  bool ping_pong_ = false;
  const CollectiveName* collective_ = nullptr;
  bool heading_ = false, sized_ = true;
  std::size_t size_ = 0, value_ = 0, columns_ = 0;  // the words that count, and how many there are
  std::optional<std::size_t> defects_;
};

std::string ImbReader::why_not() const {
  if (collective_ != nullptr && groups_ > 1) return "several groups at once share what passes their messages on";
  if (collective_ != nullptr && version_.empty() && depends_on_version(Tool::imb, name_))
    return "sizes of this benchmark were all the data before 2019, and are a part since then, and no line says the "
           "version: keep `#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part`";
  return ping_pong_ || collective_ != nullptr ? "" : why_unused(name_);
}

void ImbReader::read_benchmark(const LogLine& line, RunContext& context) {
  leave();
  benchmark_ = line.words.size() > 2 ? std::string(line.words[2].text) : std::string();
  name_ = lower_case(benchmark_);
  if (name_.starts_with("multi-")) name_.erase(0, std::string_view("multi-").size());
  ping_pong_ = ping_pongs.count(name_) > 0;
  collective_ = find_collective(Tool::imb, name_, year_of(version_));
  processes_ = groups_ = 0;
  run_ = context;
}

void ImbReader::open_table(const LogLine& line) {
  LogTable& table = begin_table(line, benchmark_, run_);
  table.version = version_;
  table.library = "MPI";
  table.unused = why_not();
  table.processes = processes_;
  table.pairs = ping_pong_ && groups_ > 0 ? groups_ : 1;
  if (collective_ != nullptr) table.size_is = collective_->size_is;
}

void ImbReader::read_heading(const LogLine& line) {
  const auto& words = line.words;
  heading_ = false;
  if (benchmark_.empty()) {
    complaints_.add(words.front().begin, words.back().end, "this heading belongs to no benchmark",
                    "without a line `# Benchmarking ...` before it");
    return;
  }
  open_table(line);
  if (!table()->is_used()) {
    heading_ = true;
    return;
  }
  // `#bytes` and `#repetitions` head the first columns; `#` may stand apart.
  std::vector<Word> columns;
  for (const auto& word : words) {
    if (word.text != "#") columns.push_back(word);
  }
  sized_ = false;
  defects_.reset();
  std::size_t time = columns.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = lower_case(columns[i].text);
    if (name.find("bytes") != std::string::npos && name.find('/') == std::string::npos) {
      sized_ = true;
      size_ = i;
    }
    if (name == "defects") defects_ = i;
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

void ImbReader::read_row(const LogLine& line) {
  const auto& words = line.words;
  if (!table()->is_used()) return pass_over(line);
  // "4194304 out-of-mem.; needed X= ...": a size that was not measured.
  if (words.size() > size_ + 1 && is_plain_word(words[size_ + 1].text)) {
    const std::string_view why = words[size_ + 1].text;
    for (const std::string_view known : {"out-of-mem", "int-overflow", "time-out"}) {
      if (why.starts_with(known)) leave_out(line, {}, fmt::format("not measured, {}", known));
    }
    return;
  }
  const bool cut = line.is_unfinished && (words.size() < columns_ || (rows_ > 0 && words.size() == columns_ &&
                                                                      decimals_of(words.back().text) < decimals_));
  if (cut) return cut_off();
  if (words.size() < columns_) {
    complaints_.add_short_row(line.begin, line.end, words.size(), columns_);
    return;
  }
  const auto size = sized_ ? complaints_.size(words[size_]) : 0;
  // Without data, most operations do nothing at all, and their times show it.
  if (size && !ping_pong_ && sized_ && *size == 0)
    return leave_out(line, {}, "without data the operation does nothing");
  if (defects_ && is_above_zero(words[*defects_].text)) return leave_out(line, {}, "`defects` is above 0");
  const auto time = complaints_.positive(words[value_], "time");
  decimals_ = decimals_of(words.back().text);
  ++rows_;
  if (!size || !time) return;
  Sample sample = sample_of(*size, *time, words[value_]);
  sample.processes = ping_pong_ ? 2 : processes_;
  sample.pairs = table()->pairs;
  add(line,
      ping_pong_ ? MeasuredKind{}
                 : MeasuredKind{BenchmarkMeasure::collective, std::string(collective_->operation), sized_},
      sample);
}

void ImbReader::read_comment(const LogLine& line, RunContext& context) {
  const std::string lower = lower_case(line.text);
  const std::size_t suite = lower.find("mpi benchmark");
  if (lower.starts_with("# benchmarking ")) {
    read_benchmark(line, context);
  } else if (suite != std::string::npos) {
    version_ = version_of(line.text.substr(suite));
  } else if (lower.find("#processes") != std::string::npos) {
    const std::size_t equal = lower.find('=');
    if (equal == std::string::npos) return;
    processes_ = std::max(whole_number_at(lower, equal + 1), 0);
  } else if (lower.find("groups of ") != std::string::npos && lower.find("simultaneous") != std::string::npos) {
    groups_ = std::max(whole_number_at(lower, lower.find_first_of("0123456789")), 0);
  } else if (lower.find("#repetitions") != std::string::npos) {
    read_heading(line);
  }
}

}  // namespace

std::unique_ptr<LogReader> imb_reader(Complaints& complaints, const ReadOptions& options, Timings& timings) {
  return std::make_unique<ImbReader>(Tool::imb, complaints, options, timings);
}

}  // namespace wave::analysis::machine_fit
