// Reads the table that Netgauge's LogGP test (netgauge -x loggp -o FILE) writes, in microseconds and bytes:
//
//   # size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
//   1 10 14.808012 23.333868 156.914438 7.404006 0.981590 1.141012 -nan -nan -nan
//
// PRTT(n,d,s) is the time of n messages of s bytes, each d after the one before, and of one answer. So PRTT(1,0,s) is a
// round trip, and (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1) the time between two messages of a stream. L, g and G of the
// table are Netgauge's own fits over the rows so far, and are not read: its L contains the overheads.
#include "analysis/machine_fit/log_reader.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

class NetgaugeReader : public LogReader {
 public:
  using LogReader::LogReader;
  void read_comment(const LogLine& line, RunContext& context) override;
  void read_row(const LogLine& line) override;
  bool is_row(const LogLine& line) const override {
    return columns_ > 0 && (line.words.size() < 2 || !is_plain_word(line.words[1].text));
  }
  void finish() override;
  void leave() override {
    LogReader::leave();
    columns_ = 0;
  }

 private:
  // The columns of a row, in the order of the heading.
  enum Column : std::size_t {
    size_column,
    count_column,
    round_trip,
    stream,
    delayed,
    latency,
    send_overhead,
    receive_overhead
  };
  static constexpr std::size_t fewest_columns = receive_overhead + 1;

  void read_values(const LogLine& line);
  void add_time(const LogLine& line, BenchmarkMeasure measure, double size, const Word& word, double time,
                double resolution);
  void leave_out_difference(const LogLine& line, const Word& word);

  std::vector<std::string> last_;  // what the previous row measured
  std::size_t columns_ = 0;        // of a row; 0: no heading has come
  std::size_t dropped_ = 0;        // differences that noise or a wild time made negative
  std::set<std::uint32_t> dropped_lines_;
};

void NetgaugeReader::leave_out_difference(const LogLine& line, const Word& word) {
  ++dropped_;
  dropped_lines_.insert(complaints_.line(word.begin));
  timings_.impossible.push_back(complaints_.location(word));
  leave_out(line, sample_of(0, 0, word), "no positive difference of measured times");
}

void NetgaugeReader::add_time(const LogLine& line, BenchmarkMeasure measure, double size, const Word& word, double time,
                              double resolution) {
  if (!(time > 0)) return leave_out_difference(line, word);
  Sample sample = sample_of(size, time, word);
  sample.resolution = resolution;
  add(line, {measure}, sample);
}

void NetgaugeReader::read_values(const LogLine& line) {
  const auto& words = line.words;
  // Where a protocol ends, Netgauge prints the row before once more, with other fits.
  std::vector<std::string> measured;
  for (std::size_t i = 0; i <= delayed; ++i) measured.emplace_back(words[i].text);
  if (measured == last_) return;
  last_ = std::move(measured);
  const auto size = complaints_.size(words[size_column]);
  const auto count = complaints_.positive(words[count_column], "number of messages");
  const auto once = complaints_.positive(words[round_trip], "time");
  const auto often = complaints_.positive(words[stream], "time");
  if (!size || !count || !once || !often) return;
  if (*count < 2) {
    complaints_.add(words[count_column].begin, words[count_column].end, "a stream of one message tells no gap",
                    "at least 2 are needed");
    return;
  }
  const double resolution = resolution_of(words[round_trip].text);
  add_time(line, BenchmarkMeasure::latency, *size, words[round_trip], *once / 2, resolution / 2);
  add_time(line, BenchmarkMeasure::gap, *size, words[stream], (*often - *once) / (*count - 1),
           2 * resolution / (*count - 1));
  for (const auto& [column, measure] : {std::pair{send_overhead, BenchmarkMeasure::send_overhead},
                                        {receive_overhead, BenchmarkMeasure::receive_overhead}}) {
    const std::string lower = lower_case(words[column].text);
    if (lower.find("nan") != std::string::npos) {
      complaints_.add(words[column].begin, words[column].end, "a time has to be a positive number",
                      "this is no number");
      return;
    }
    // This is a difference of measured times, so near zero it may come out negative.
    if (lower.front() == '-') {
      leave_out_difference(line, words[column]);
      continue;
    }
    const auto overhead = complaints_.positive(words[column], "time");
    if (!overhead) return;
    add_time(line, measure, *size, words[column], *overhead, resolution_of(words[column].text));
  }
}

void NetgaugeReader::read_comment(const LogLine& line, RunContext& context) {
  if (line.text.find("PRTT(1,0,s)") == std::string_view::npos || line.words.size() < 3) return;
  if (lower_case(line.words[1].text) != "size") return;
  columns_ = line.words.size() - 1;  // without the `#`
  begin_table(line, "LogGP", context);
}

void NetgaugeReader::read_row(const LogLine& line) {
  const auto& words = line.words;
  ++rows_;
  const bool cut = line.is_unfinished && (words.size() < columns_ || (rows_ > 1 && words.size() == columns_ &&
                                                                      decimals_of(words.back().text) < decimals_));
  if (cut) return cut_off();
  if (words.size() < fewest_columns) {
    complaints_.add_short_row(line.begin, line.end, words.size(), columns_);
    return;
  }
  decimals_ = decimals_of(words.back().text);
  read_values(line);
}

void NetgaugeReader::finish() {
  if (dropped_ == 0) return;
  constexpr std::size_t most_named = 10;
  std::vector<std::uint32_t> lines(dropped_lines_.begin(), dropped_lines_.end());
  const bool more = lines.size() > most_named;
  lines.resize(std::min(lines.size(), most_named));
  timings_.remarks.push_back(fmt::format(
      "{}: left out, being no positive differences of measured times: {} overheads or gaps, in line{} {}{}",
      complaints_.file(), dropped_, lines.size() == 1 ? "" : "s", join_texts(lines, ", "), more ? " and others" : ""));
}

}  // namespace

std::unique_ptr<LogReader> netgauge_reader(Complaints& complaints, const ReadOptions& options, Timings& timings) {
  return std::make_unique<NetgaugeReader>(Tool::netgauge, complaints, options, timings);
}

}  // namespace wave::analysis::machine_fit
