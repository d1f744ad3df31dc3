// See times.h.
#include "analysis/recorded/times.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace wave::analysis::recorded {

namespace {

// The sixth and seventh word of a line.
std::optional<Times> times_in(std::string_view line) {
  constexpr int before = 5;
  double values[2] = {0, 0};
  std::size_t at = 0;
  for (int word = 0; word < before + 2; ++word) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    if (word >= before) {
      const auto read = std::from_chars(line.data() + at, line.data() + end, values[word - before]);
      if (read.ec != std::errc() || read.ptr != line.data() + end) return std::nullopt;
    }
    at = end;
  }
  return Times{values[0], values[1], 0};
}

}  // namespace

std::vector<Times> times_of(const frontend::Sources& sources, const Steps& steps) {
  std::vector<Times> result(steps.size());
  if (steps.empty() || !steps.front().location.known()) return result;
  frontend::TextLines lines(sources.text(steps.front().location.file), " \t\r");
  double passed_over = 0;
  std::size_t next = 0;
  while (next < steps.size() && lines.next()) {
    const Location here{steps.front().location.file, lines.begin(), lines.end()};
    const auto times = times_in(sources.text(here));
    if (!times) continue;
    if (steps[next].location.begin != here.begin) {
      passed_over += times->since_ns;
      continue;
    }
    result[next] = *times;
    result[next].since_ns += passed_over;
    passed_over = 0;
    while (next < steps.size() && steps[next].location.begin == here.begin) ++next;
  }
  return result;
}

}  // namespace wave::analysis::recorded
