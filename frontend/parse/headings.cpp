// See headings.h.
#include "frontend/parse/headings.h"

#include "base/text.h"
#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace wave::frontend {
namespace {

struct NameWord {
  std::size_t begin = 0, end = 0;
};

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// The words of a name: `wall_ms` and `time in s` have two and three, and if capitals begin words, `wallMs` two.
std::vector<NameWord> words_in_name(std::string_view name, bool capitals_begin_words) {
  constexpr std::string_view between = "_-. ,:\t";
  std::vector<NameWord> words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (between.find(name[i]) != std::string_view::npos) continue;
    const bool is_inside = i > 0 && between.find(name[i - 1]) == std::string_view::npos;
    const bool begins_word = capitals_begin_words && is_inside && is_small(name[i - 1]) && is_capital(name[i]);
    if (!is_inside || begins_word) words.push_back({i, i});
    words.back().end = i + 1;
  }
  return words;
}

// What follows a unit in a name.
bool is_statistic(std::string_view word) {
  constexpr std::array<std::string_view, 12> words = {"mean", "avg",  "average", "median", "min", "max",
                                                      "std",  "best", "worst",   "total",  "sum", "p50"};
  return std::find(words.begin(), words.end(), lower_case(word)) != words.end();
}

// A unit that is a word of a name. `min` there is the least of several, `m` and `b` may be anything.
std::optional<std::string> unit_in_name(std::string_view word, bool begins_inside) {
  if (lower_case(word) == "min" || word.empty()) return std::nullopt;
  // `wallMs`.
  std::string text(word);
  if (begins_inside && text.size() == 2 && is_capital(text.front())) text = lower_case(text);
  if (begins_inside && text.size() == 1) return std::nullopt;
  return usual_unit(text);
}

// Sets the stem and the unit of a name whose last word is one. False: it is none.
bool find_last_word(TableHeading& heading, std::uint32_t begin, bool capitals_begin_words) {
  const std::string_view name = heading.name;
  const auto word = [&](const NameWord& one) { return name.substr(one.begin, one.end - one.begin); };
  auto words = words_in_name(name, capitals_begin_words);
  while (words.size() > 1 && is_statistic(word(words.back()))) words.pop_back();
  if (words.empty() || (words.size() == 1 && word(words[0]).size() < 2)) return false;
  const std::size_t last = words.size() - 1;
  const bool is_quotient = last >= 2 && lower_case(word(words[last - 1])) == "per";
  const std::size_t first = is_quotient ? last - 2 : last;
  const bool is_inside = words[first].begin > 0 && is_small(name[words[first].begin - 1]);
  auto unit = unit_in_name(word(words[first]), is_inside);
  if (is_quotient) {
    const auto divisor = unit_in_name(word(words[last]), false);
    unit = unit && divisor ? usual_unit(*unit + "/" + *divisor) : std::nullopt;
  }
  if (!unit) return false;
  heading.name_unit = std::move(*unit);
  heading.unit_begin = begin + static_cast<std::uint32_t>(words[first].begin);
  heading.unit_end = begin + static_cast<std::uint32_t>(words[last].end);
  std::size_t before = first;
  if (before > 0 && lower_case(word(words[before - 1])) == "in") --before;
  if (before > 0) heading.stem = name.substr(0, words[before - 1].end);
  return true;
}

// Sets the unit of a name that has one in it, and the stem.
void find_unit_in_name(TableHeading& heading, std::uint32_t begin) {
  const std::string& name = heading.name;
  // `GB/s`; a single letter is rather a parameter.
  auto unit = name.size() > 1 && lower_case(name) != "min" ? usual_unit(name) : std::nullopt;
  if (!unit) {
    if (!find_last_word(heading, begin, false)) find_last_word(heading, begin, true);
    return;
  }
  heading.name_unit = std::move(*unit);
  heading.unit_begin = begin;
  heading.unit_end = begin + static_cast<std::uint32_t>(name.size());
}

// `Time(s)`: what is in the parentheses has to be a unit.
bool find_parentheses(TableHeading& heading, const CsvCell& cell) {
  const std::size_t open = cell.text.rfind('(');
  if (open == std::string_view::npos || open == 0 || cell.text.back() != ')') return false;
  const std::string_view inside = cell.text.substr(open + 1, cell.text.size() - open - 2);
  // `time (min)` may be the least one.
  auto unit = lower_case(inside) == "min" ? std::nullopt : usual_unit(inside);
  if (!unit) return false;
  heading.unit = std::move(*unit);
  heading.unit_begin = cell.begin + static_cast<std::uint32_t>(open) + 1;
  heading.unit_end = heading.unit_begin + static_cast<std::uint32_t>(inside.size());
  heading.name = cell.text.substr(0, open);
  while (heading.name.ends_with(' ') || heading.name.ends_with('_')) heading.name.pop_back();
  return true;
}

}  // namespace

TableHeading read_heading(const CsvCell& cell) {
  TableHeading heading;
  heading.written = cell.text;
  const CsvHeading parts = split_heading(cell);
  heading.name = parts.name;
  constexpr std::size_t longest = 1000;
  if (cell.text.empty() || cell.text.size() > longest) return heading;
  // A share is a plain number.
  if (!parts.unit.empty() && parts.unit != "%") {
    const auto usual = usual_unit(parts.unit);
    heading.unit = usual.value_or(std::string(parts.unit));
    heading.unit_begin = parts.unit_begin;
    heading.unit_end = parts.unit_begin + static_cast<std::uint32_t>(parts.unit.size());
    heading.is_usual = heading.unit == parts.unit;
    return heading;
  }
  if (!find_parentheses(heading, cell)) find_unit_in_name(heading, cell.begin);
  return heading;
}

TableHeading read_heading(std::string_view text) {
  text = without_blanks_around(text, " ");
  return read_heading(CsvCell{text, 0, static_cast<std::uint32_t>(text.size())});
}

bool is_same_name(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

std::string note_on_unit(std::string_view heading, std::string_view unit, std::string_view written) {
  const bool is_kilo = written.find("KB") != std::string_view::npos;
  return fmt::format("`{}` is read in {}{}", heading, unit, is_kilo ? ", of 1000 B; `KiB` has 1024" : "");
}

}  // namespace wave::frontend
