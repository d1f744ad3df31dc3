// See version.h.
#include "frontend/project/version.h"

#include "base/numbers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wave::frontend {
namespace {

// The numbers of a version, of which the last may be missing.
struct Partial {
  std::array<std::uint32_t, 3> numbers{};
  std::size_t given = 0;

  Version version() const { return {numbers[0], numbers[1], numbers[2]}; }
  // The first version in which the number at `place` is larger.
  Version after(std::size_t place) const {
    Partial next = *this;
    ++next.numbers[place];
    std::fill(next.numbers.begin() + static_cast<std::ptrdiff_t>(place) + 1, next.numbers.end(), 0U);
    return next.version();
  }
};

constexpr std::uint32_t largest_number = 1'000'000;

std::optional<Partial> parse_partial(std::string_view text) {
  Partial partial;
  while (partial.given < partial.numbers.size()) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const auto number = parse_number<std::uint32_t>(std::string(text.substr(0, dot)));
    if (!number || *number > largest_number) return std::nullopt;
    partial.numbers[partial.given++] = *number;
    if (dot == text.size()) return partial;
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

// Compatible versions keep the first number that is not 0, as far as it is given.
std::size_t place_of_compatibility(const Partial& partial) {
  std::size_t place = 0;
  while (place + 1 < partial.given && partial.numbers[place] == 0) ++place;
  return place;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  const auto partial = parse_partial(text);
  return partial && partial->given == 3 ? std::optional(partial->version()) : std::nullopt;
}

std::string to_string(const Version& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::optional<VersionRange> VersionRange::parse(std::string_view text) {
  VersionRange range;
  if (without_blanks_around(text, " ") == "*") return range;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (!range.narrow(without_blanks_around(text.substr(0, comma), " "))) return std::nullopt;
    if (comma == text.size()) return range;
    text.remove_prefix(comma + 1);
  }
}

bool VersionRange::narrow(std::string_view condition) {
  const std::size_t digits = std::min(condition.find_first_of("0123456789"), condition.size());
  const std::string_view sign = without_blanks_around(condition.substr(0, digits), " ");
  const auto partial = parse_partial(condition.substr(digits));
  if (!partial) return false;
  const auto at_least = [this](const Version& version) { from_ = std::max(from_, version); };
  const auto below = [this](const Version& version) { below_ = below_ ? std::min(*below_, version) : version; };
  const std::size_t last = partial->given - 1;
  if (sign == ">=") {
    at_least(partial->version());
  } else if (sign == ">") {
    at_least(partial->after(last));
  } else if (sign == "<") {
    below(partial->version());
  } else if (sign == "<=") {
    below(partial->after(last));
  } else if (sign.empty() || sign == "^" || sign == "~" || sign == "=") {
    at_least(partial->version());
    below(partial->after(sign == "="   ? last
                         : sign == "~" ? std::min<std::size_t>(last, 1)
                                       : place_of_compatibility(*partial)));
  } else {
    return false;
  }
  return true;
}

bool VersionRange::contains(const Version& version) const { return version >= from_ && (!below_ || version < *below_); }

std::string_view to_string(Step step) {
  switch (step) {
    case Step::none: return "none";
    case Step::patch: return "patch";
    case Step::minor: return "minor";
    case Step::major: return "major";
  }
  return "";
}

Version next(const Version& before, Step step) {
  const bool is_first = before.major == 0;
  switch (step) {
    case Step::none: return before;
    case Step::patch: break;
    case Step::minor:
      if (!is_first) return {before.major, before.minor + 1, 0};
      break;
    case Step::major: return is_first ? Version{0, before.minor + 1, 0} : Version{before.major + 1, 0, 0};
  }
  return {before.major, before.minor, before.patch + 1};
}

bool may_have(const Version& version, const Version& before, Step step) { return version >= next(before, step); }

}  // namespace wave::frontend
