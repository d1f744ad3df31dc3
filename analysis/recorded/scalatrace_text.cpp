// See scalatrace_text.h.
#include "analysis/recorded/scalatrace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace wave::analysis::recorded::scalatrace {

using frontend::DiagnosticKind;

namespace {

constexpr std::int64_t most_ranks = 1 << 24;

// What is left of a line, taken from the front.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) { skip_blanks(); }

  bool is_empty() const { return text_.empty(); }
  bool starts_with(char c) const { return !text_.empty() && text_.front() == c; }
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    skip_blanks();
    return true;
  }
  std::string_view take_word() {
    const std::size_t end = std::min(text_.find_first_of(" \t({"), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    skip_blanks();
    return word;
  }
  template <class Number>
  std::optional<Number> take_number() {
    Number number{};
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    const char* const end = text_.data() + text_.size();
    constexpr std::string_view behind = " \t)]}{(";
    if (read.ec != std::errc() || (read.ptr != end && behind.find(*read.ptr) == behind.npos)) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
    skip_blanks();
    return number;
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size())); }
  std::string_view text_;
};

class TraceReader {
 public:
  TraceReader(const frontend::Sources& sources, std::uint32_t file, std::size_t most_bytes,
              frontend::Diagnostics& diagnostics)
      : sources_(sources), file_(file), bytes_left_(most_bytes), diagnostics_(diagnostics) {}

  std::optional<FoldedTrace> read() {
    frontend::TextLines lines(sources_.text(file_), " \t\r");
    while (lines.next()) {
      here_ = {file_, lines.begin(), lines.end()};
      if (!read_line(sources_.text(here_))) return std::nullopt;
    }
    if (!end_event()) return std::nullopt;
    if (trace_.events.empty()) {
      here_ = {file_, 0, 0};
      refuse("this is no trace of ScalaTrace", "it has no event");
      return std::nullopt;
    }
    return std::move(trace_);
  }

 private:
  bool refuse(
      const std::string& message, const std::string& label,
      const char* help = "an event is `RANKS: 1 -1 0 4 1`, `EVENT0: 1113 48ac05`, and its parameters, as `12 20480`") {
    diagnostics_.add(DiagnosticKind::unreadable_recording, here_, message, label).help.push_back(help);
    return false;
  }

  bool read_line(std::string_view line) {
    Rest rest(line);
    if (rest.take("RANKS:")) return end_event() && begin_event(rest);
    if (trace_.events.empty())
      return refuse("this is no trace of ScalaTrace", "before it the ranks of an event are expected");
    if (line.starts_with("EVENT")) return read_call(line);
    if (!is_called_) return refuse("this event has no call", "before it `EVENT0: 1113 48ac05` is expected");
    if (!has_room((sizeof(FoldedParameter) + sizeof(FoldedLoop)) / sizeof(std::int64_t))) return false;
    if (line.starts_with("COMP ")) return read_times(line, trace_.events.back().since_ns);
    if (line.starts_with("COMM ")) return read_times(line, trace_.events.back().inside_ns);
    if (line.starts_with("LOOP")) return read_loop(line);
    return read_parameter(rest);
  }

  bool begin_event(Rest rest) {
    FoldedCall event;
    event.location = here_;
    if (!read_ranks(rest, event.ranks) || !rest.is_empty()) return no_ranks();
    if (!has_room(sizeof(FoldedCall) / sizeof(std::int64_t))) return false;
    trace_.ranks = std::max(trace_.ranks, event.ranks.back() + 1);
    trace_.events.push_back(std::move(event));
    is_called_ = false;
    return true;
  }
  bool end_event() {
    return trace_.events.empty() || is_called_ || refuse("this event has no call", "behind `RANKS:` one is expected");
  }
  bool no_ranks() {
    return is_too_large_ ? false : refuse("the ranks of this line cannot be read", "as in `1 -1 0 4 1`");
  }
  // Whether there is room for so many numbers more.
  bool has_room(std::size_t numbers) {
    const std::size_t bytes = numbers * sizeof(std::int64_t);
    if (bytes <= bytes_left_) {
      bytes_left_ -= bytes;
      return true;
    }
    is_too_large_ = true;
    return refuse("the trace is too large for this memory", "here", "raise `--memory-limit`, or trace a shorter run");
  }

  // Lists of ranks: how many; each with its negative number of dimensions, the first rank, and for each dimension how
  // many there are, and how far apart.
  bool read_ranks(Rest& rest, std::vector<std::uint32_t>& ranks) {
    const auto lists = rest.take_number<std::int64_t>();
    if (!lists || *lists < 1) return false;
    for (std::int64_t i = 0; i < *lists; ++i) {
      const auto dimensions = rest.take_number<std::int64_t>(), first = rest.take_number<std::int64_t>();
      constexpr std::int64_t most_dimensions = 32;
      if (!dimensions || !first || *dimensions >= 0 || *dimensions < -most_dimensions) return false;
      if (*first < 0 || *first >= most_ranks || !has_room(1)) return false;
      const std::size_t begin = ranks.size();
      ranks.push_back(static_cast<std::uint32_t>(*first));
      for (std::int64_t dimension = *dimensions; dimension < 0; ++dimension) {
        const auto length = rest.take_number<std::int64_t>(), stride = rest.take_number<std::int64_t>();
        if (!length || !stride || *length < 1 || *length > most_ranks) return false;
        if (!repeat(ranks, begin, *length, *stride)) return false;
      }
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return true;
  }
  bool repeat(std::vector<std::uint32_t>& ranks, std::size_t begin, std::int64_t length, std::int64_t stride) {
    const std::size_t size = ranks.size() - begin;
    if (stride < -most_ranks || stride > most_ranks) return false;
    if (!has_room(size * static_cast<std::size_t>(length - 1))) return false;
    for (std::int64_t k = 1; k < length; ++k) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t rank = ranks[begin + i] + k * stride;
        if (rank < 0 || rank >= most_ranks) return false;
        ranks.push_back(static_cast<std::uint32_t>(rank));
      }
    }
    return true;
  }

  bool read_call(std::string_view line) {
    Rest rest(line.substr(std::min(line.find(':'), line.size() - 1) + 1));
    const auto call = rest.take_number<int>();
    FoldedCall& event = trace_.events.back();
    if (!call || *call < 0 || is_called_)
      return refuse("this call cannot be read", "as in `EVENT0: 1113 48ac05`, once");
    event.call = *call;
    event.place = rest.take_word();
    event.location = here_;
    is_called_ = true;
    return rest.is_empty() || refuse("this call cannot be read", "as in `EVENT0: 1113 48ac05`");
  }

  bool no_times() {
    return refuse("these times cannot be read", "as in `COMP 4b-0: 48ac05 (1 12.00 0 12.00 0 12.00){...}`");
  }
  // The mean is that of the bins, each with its begin, least, mean, most, end and number: the one before them is not
  // exact where histograms were merged.
  bool read_times(std::string_view line, std::map<std::string_view, double>& times) {
    constexpr std::string_view time = "4b-";
    Rest rest(line.substr(5));
    if (!rest.take(time)) return true;  // of something else
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return no_times();
    rest = Rest(line.substr(colon + 1));
    const std::string_view place = rest.starts_with('(') ? std::string_view() : rest.take_word();
    std::array<double, 6> summary{};
    if (!rest.take("(") || !read_numbers(rest, summary) || !rest.take(")")) return no_times();
    double number = 0, sum = 0;
    while (rest.take("{")) {
      std::array<double, 6> bin{};
      if (!read_numbers(rest, bin) || !rest.take("}")) return no_times();
      number += bin[5];
      sum += bin[5] * bin[2];
    }
    if (!rest.is_empty()) return no_times();
    constexpr double nanoseconds = 1000;
    times[place] = (number > 0 ? sum / number : summary[1]) * nanoseconds;
    return true;
  }
  static bool read_numbers(Rest& rest, std::array<double, 6>& numbers) {
    constexpr double most = 1e15;
    for (double& number : numbers) {
      const auto read = rest.take_number<double>();
      if (!read || !(*read >= -most && *read <= most)) return false;
      number = *read;
    }
    return true;
  }

  bool read_loop(std::string_view line) {
    constexpr std::size_t most_loops = 64;
    FoldedCall& event = trace_.events.back();
    const std::size_t colon = std::min(line.find(':'), line.size() - 1);
    Rest rest(line.substr(colon + 1));
    FoldedLoop loop;
    if (!rest.take("iter:") || !read_lists(rest, loop.iterations) || !rest.take("mem:") ||
        !read_lists(rest, loop.events) || !rest.is_empty())
      return is_too_large_ ? false
                           : refuse("this loop cannot be read",
                                    "as in `LOOP0: iter: ( 9 )[ 1 -1 0 4 1 ] mem: ( 1 )[ 1 -1 0 4 1 ]`");
    if (event.loops.size() == most_loops) return refuse("more loops begin here than can be read", "64 are the most");
    event.loops.push_back(std::move(loop));
    return true;
  }
  // RankValues with their ranks, at least once.
  bool read_lists(Rest& rest, FoldedParameter& parameter) {
    parameter.location = here_;
    do {
      RankValues values;
      if (!rest.take("(") || !read_values(rest, values) || !rest.take(")") || !rest.take("[") ||
          !read_ranks(rest, values.ranks) || !rest.take("]"))
        return false;
      parameter.values.push_back(std::move(values));
    } while (rest.starts_with('('));
    return true;
  }
  bool read_values(Rest& rest, RankValues& values) {
    while (!rest.is_empty() && !rest.starts_with(')')) {
      const auto value = rest.take_number<std::int64_t>();
      if (!value || !has_room(1)) return false;
      values.values.push_back(*value);
    }
    return !values.values.empty();
  }

  bool read_parameter(Rest rest) {
    constexpr int hexadecimal = 16;
    const std::string_view word = rest.take_word();
    int key = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), key, hexadecimal);
    if (word.empty() || read.ec != std::errc() || read.ptr != word.data() + word.size())
      return refuse("this is no line of an event", "a parameter is expected");
    FoldedParameter& parameter = trace_.events.back().parameters[key];
    parameter.location = here_;
    if (sources_.text(here_).find('{') != std::string_view::npos) {
      parameter.is_histogram = true;
      return true;
    }
    if (rest.starts_with('(')) {
      if (read_lists(rest, parameter) && rest.is_empty()) return true;
    } else {
      // Of all ranks of the event.
      RankValues values;
      if (!has_room(trace_.events.back().ranks.size())) return false;
      values.ranks = trace_.events.back().ranks;
      if (rest.is_empty()) return true;  // none
      if (read_values(rest, values) && rest.is_empty()) {
        parameter.values.push_back(std::move(values));
        return true;
      }
    }
    return is_too_large_ ? false
                         : refuse("this parameter cannot be read", "as in `12 20480`, or `1a ( 1 2 )[ 1 -1 0 4 1 ]`");
  }

  const frontend::Sources& sources_;
  const std::uint32_t file_;
  std::size_t bytes_left_;
  frontend::Diagnostics& diagnostics_;
  Location here_;
  FoldedTrace trace_;
  bool is_called_ = true;  // the event that is read has its call
  bool is_too_large_ = false;
};

}  // namespace

std::optional<FoldedTrace> read_trace(const frontend::Sources& sources, std::uint32_t file, std::size_t most_bytes,
                                      frontend::Diagnostics& diagnostics) {
  return TraceReader(sources, file, most_bytes, diagnostics).read();
}

const RankValues* find_values(const FoldedParameter& parameter, std::uint32_t rank) {
  for (const RankValues& values : parameter.values) {
    if (std::binary_search(values.ranks.begin(), values.ranks.end(), rank)) return &values;
  }
  return nullptr;
}

}  // namespace wave::analysis::recorded::scalatrace
