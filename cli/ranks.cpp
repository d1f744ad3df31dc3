// See ranks.h.
#include "cli/ranks.h"

#include "cli/options.h"

#include <fmt/format.h>

#include <charconv>

namespace wave::cli {

void add_ranks(CLI::App& verb, std::string& ranks) {
  add_text(verb, "--ranks", ranks, "RANKS", "Which processors, by row-major rank from 0: 0-3,8 (default: all)");
}

namespace {

std::optional<std::set<std::int64_t>> parse_ranks(const std::string& text) {
  std::set<std::int64_t> ranks;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::int64_t& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool is_number = error == std::errc() && value >= 0;
    at = next;
    return is_number;
  };
  constexpr std::int64_t most = 1'000'000;
  while (at != end) {
    std::int64_t first = 0, last = 0;
    if (!number(first)) return std::nullopt;
    last = first;
    if (at != end && *at == '-' && (++at, !number(last))) return std::nullopt;
    if (last < first || last - first > most) return std::nullopt;
    for (std::int64_t rank = first; rank <= last; ++rank) ranks.insert(rank);
    if (at != end && *at++ != ',') return std::nullopt;
  }
  return ranks;
}

}  // namespace

std::optional<std::set<std::int64_t>> read_ranks(const std::string& text, Console& console) {
  auto ranks = parse_ranks(text);
  if (!ranks) report_misuse(console, fmt::format("`--ranks` does not take `{}`", text), "for example `--ranks 0-3,8`");
  return ranks;
}

void require_ranks(const std::set<std::int64_t>& ranks, std::int64_t count) {
  if (const auto missing = ranks.lower_bound(count); missing != ranks.end()) throw NoSuchRank{*missing, count};
}

int report_no_such_rank(Console& console, const std::string& process, const NoSuchRank& missing) {
  return report_misuse(
      console, fmt::format("`--ranks` names {}, which `{}` does not have", missing.rank, process),
      missing.count == 1 ? "its only rank is 0" : fmt::format("its ranks are 0 to {}", missing.count - 1));
}

}  // namespace wave::cli
