// Reads the table that Netgauge's LogGP test (netgauge -x loggp -o FILE) writes, in microseconds and bytes:
//
//   # size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
//   1 10 14.808012 23.333868 156.914438 7.404006 0.981590 1.141012 -nan -nan -nan
//
// PRTT(n,d,s) is the time of n messages of s bytes, each d after the one before, and of one answer. So PRTT(1,0,s) is a
// round trip, and (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1) the time between two messages of a stream. L, g and G of the
// table are Netgauge's own fits over the rows so far, and are not read: its L contains the overheads.
#include "analysis/machine_fit/timings.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

class NetgaugeReader {
 public:
  NetgaugeReader(std::string_view text, Complaints& complaints, Timings& timings)
      : text_(text), lines_(text), complaints_(complaints), timings_(timings) {}

  void read();

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

  bool read_row(const std::vector<Word>& words);
  void add(BenchmarkMeasure measure, double size, const Word& word, double time, double resolution);
  void leave_out(const Word& word);

  std::string_view text_;
  LineReader lines_;
  Complaints& complaints_;
  Timings& timings_;
  std::string last_;  // what the previous row measured
  std::size_t columns_ = 0, decimals_ = 0;
  std::size_t dropped_ = 0;  // differences that noise or a wild time made negative
  std::set<std::uint32_t> dropped_lines_;
  std::size_t rows_ = 0;
};

void NetgaugeReader::leave_out(const Word& word) {
  ++dropped_;
  dropped_lines_.insert(complaints_.line(word));
  timings_.impossible.push_back(complaints_.location(word));
}

void NetgaugeReader::add(BenchmarkMeasure measure, double size, const Word& word, double time, double resolution) {
  if (!(time > 0)) {
    leave_out(word);
    return;
  }
  timings_.of(measure).samples.push_back({size, time, resolution, 2, complaints_.location(word)});
}

bool NetgaugeReader::read_row(const std::vector<Word>& words) {
  // Where a protocol ends, Netgauge prints the row before once more, with other fits.
  const std::string measured(text_.substr(words.front().begin, words[delayed].end - words.front().begin));
  if (measured == last_) return true;
  last_ = measured;
  const auto size = complaints_.size(words[size_column]);
  const auto count = complaints_.positive(words[count_column], "number of messages");
  const auto once = complaints_.positive(words[round_trip], "time");
  const auto often = complaints_.positive(words[stream], "time");
  if (!size || !count || !once || !often) return false;
  if (*count < 2) {
    complaints_.add(words[count_column].begin, words[count_column].end, "a stream of one message tells no gap",
                    "at least 2 are needed");
    return false;
  }
  const double resolution = resolution_of(words[round_trip].text);
  add(BenchmarkMeasure::latency, *size, words[round_trip], *once / 2, resolution / 2);
  add(BenchmarkMeasure::gap, *size, words[stream], (*often - *once) / (*count - 1), 2 * resolution / (*count - 1));
  for (const auto& [column, measure] : {std::pair{send_overhead, BenchmarkMeasure::send_overhead},
                                        {receive_overhead, BenchmarkMeasure::receive_overhead}}) {
    const std::string lower = lower_case(words[column].text);
    if (lower.find("nan") != std::string::npos) {
      complaints_.add(words[column].begin, words[column].end, "a time has to be a positive number",
                      "this is no number");
      return false;
    }
    // This is a difference of measured times, so near zero it may come out negative.
    if (lower.front() == '-') {
      leave_out(words[column]);
      continue;
    }
    const auto overhead = complaints_.positive(words[column], "time");
    if (!overhead) return false;
    add(measure, *size, words[column], *overhead, resolution_of(words[column].text));
  }
  return true;
}

void NetgaugeReader::read() {
  bool heading = false;
  while (!complaints_.too_many() && lines_.next()) {
    const auto words = lines_.words();
    if (lines_.line().front() == '#') {
      if (lines_.line().find("PRTT(1,0,s)") == std::string_view::npos) continue;
      heading = true;
      columns_ = words.size() - 1;  // without the `#`
      continue;
    }
    if (!begins_with_number(words)) continue;
    if (!heading) break;
    if (++rows_ > most_samples) {
      complaints_.add_too_many_rows(lines_.begin(), lines_.end());
      return;
    }
    const bool cut = lines_.unfinished() && (words.size() < columns_ || (rows_ > 1 && words.size() == columns_ &&
                                                                         decimals_of(words.back().text) < decimals_));
    if (cut) {
      timings_.remark_cut_off(complaints_.file());
      break;
    }
    if (words.size() < fewest_columns) {
      complaints_.add_short_row(lines_.begin(), lines_.end(), words.size(), columns_);
      continue;
    }
    decimals_ = decimals_of(words.back().text);
    read_row(words);
  }
  if (dropped_ > 0) {
    constexpr std::size_t most_named = 10;
    std::vector<std::uint32_t> lines(dropped_lines_.begin(), dropped_lines_.end());
    const bool more = lines.size() > most_named;
    lines.resize(std::min(lines.size(), most_named));
    timings_.remarks.push_back(fmt::format(
        "{}: left out, being no positive differences of measured times: {} overheads or gaps, in line{} {}{}",
        complaints_.file(), dropped_, lines.size() == 1 ? "" : "s", join_texts(lines, ", "),
        more ? " and others" : ""));
  }
  if ((heading && rows_ > 0) || complaints_.count() > 0) return;
  auto& d = complaints_.add(fmt::format("`{}` holds no table of Netgauge's LogGP test", complaints_.file()));
  d.help.push_back(
      "it begins with `# size n PRTT(1,0,s) ...` and is written by `netgauge -x loggp -o FILE`; what appears on the "
      "screen is not read");
  suggest_tool(d, text_, Tool::netgauge);
}

}  // namespace

void read_netgauge(std::string_view text, Complaints& complaints, Timings& timings) {
  NetgaugeReader(text, complaints, timings).read();
}

}  // namespace wave::analysis::machine_fit
