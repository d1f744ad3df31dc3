// Lines into cells.
#include "frontend/source/csv.h"

#include "base/numbers.h"

#include <algorithm>
#include <cstring>

namespace wave::frontend {
namespace {

constexpr std::string_view blanks = " \t\r", blanks_beside_tabs = " \r";
// In brackets. Without a bound, a line of brackets that do not end would take time with the square of its size.
constexpr std::size_t longest_unit = 200;

bool is_padding(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}  // it runs for millions of cells, so it does not search in `blanks`

bool is_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return parse_number<double>(text).has_value();
}

// A reader skips the blanks around a cell, and lines that begin with `#`.
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",\"\r\n") != std::string_view::npos || text.starts_with('#') ||
         (!text.empty() && (is_padding(text.front()) || is_padding(text.back())));
}

// What JSON's escapes stand for. A character that is written as its number stays as it is.
std::string without_escapes(std::string_view text) {
  constexpr std::string_view letters = "nrtbf", meanings = "\n\r\t\b\f";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size() && text[i + 1] != 'u';
    if (is_escape) ++i;
    const std::size_t letter = is_escape ? letters.find(text[i]) : std::string_view::npos;
    result += letter == std::string_view::npos ? text[i] : meanings[letter];
  }
  return result;
}

}  // namespace

bool begins_as_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  return first != std::string_view::npos && std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

bool is_formula(std::string_view text) { return begins_as_formula(text) && !is_number(text); }

std::string csv_field(std::string_view given) {
  std::string text(is_formula(given) ? "'" : "");
  text += given;
  if (!needs_quotes(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string CsvCell::unquoted() const {
  if (has_escapes) return without_escapes(text);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (doubled_quotes && text[i] == '"') ++i;
  }
  return result;
}

CsvReader::CsvReader(std::string_view text, char separator)
    : text_(text), separator_(separator), lines_(text, separator == '\t' ? blanks_beside_tabs : blanks) {}

// Sets begin_ and end_ to the contents of the next line that is not empty.
bool CsvReader::next_line() {
  while (lines_.next()) {
    if (text_[lines_.begin()] == '#') continue;
    begin_ = lines_.begin();
    end_ = lines_.end();
    return true;
  }
  return false;
}

// Leaves `at` at the separator behind the cell, or at the end of the line.
CsvCell CsvReader::plain_cell(std::uint32_t& at) {
  if (separator_ == runs_of_blanks) return word(at);
  std::uint32_t begin = at;
  const auto* const comma = static_cast<const char*>(std::memchr(text_.data() + at, separator_, end_ - at));
  std::uint32_t end = comma != nullptr ? static_cast<std::uint32_t>(comma - text_.data()) : end_;
  at = end;
  while (begin < end && is_padding(text_[begin])) ++begin;
  while (begin < end && is_padding(text_[end - 1])) --end;
  return {text_.substr(begin, end - begin), begin, end};
}

// A cell between blanks, with the unit in brackets that follows it: `time [s]`.
CsvCell CsvReader::word(std::uint32_t& at) {
  const std::uint32_t begin = at;
  const auto skip = [&](bool over_padding) {
    while (at < end_ && is_padding(text_[at]) == over_padding) ++at;
  };
  skip(false);
  const std::uint32_t end = at;
  skip(true);
  if (at < end_ && (text_[at] == '[' || text_[at] == '(')) {
    const std::string_view rest = text_.substr(at, std::min<std::size_t>(end_ - at, longest_unit));
    const std::size_t close = rest.find(rest.front() == '[' ? ']' : ')');
    if (close != std::string_view::npos) {
      at += static_cast<std::uint32_t>(close) + 1;
      return {text_.substr(begin, at - begin), begin, at};
    }
  }
  at = end;
  return {text_.substr(begin, end - begin), begin, end};
}

CsvCell CsvReader::quoted_cell(std::uint32_t& at) {
  const std::uint32_t begin = at + 1;
  bool doubled = false;
  for (std::uint32_t i = begin; i < end_; ++i) {
    if (text_[i] != '"') continue;
    if (i + 1 < end_ && text_[i + 1] == '"') {
      doubled = true;
      ++i;
      continue;
    }
    std::uint32_t after = i + 1;
    while (after < end_ && is_padding(text_[after])) ++after;
    const bool ends = separator_ == runs_of_blanks ? after > i + 1 : after < end_ && text_[after] == separator_;
    if (after < end_ && !ends) break;
    at = separator_ == runs_of_blanks && after < end_ ? after - 1 : after;
    return {text_.substr(begin, i - begin), begin, i, doubled};
  }
  trouble_.push_back({at, end_});
  at = end_;
  return {text_.substr(begin, end_ - begin), begin, end_};
}

bool CsvReader::next(std::vector<CsvCell>& cells) {
  cells.clear();
  if (!next_line()) return false;
  again(begin_, end_, cells);
  return true;
}

void CsvReader::again(std::uint32_t begin, std::uint32_t end, std::vector<CsvCell>& cells) {
  cells.clear();
  begin_ = begin;
  end_ = end;
  for (std::uint32_t at = begin_;; ++at) {
    while (at < end_ && is_padding(text_[at])) ++at;
    CsvCell& cell = cells.emplace_back(at < end_ && text_[at] == '"' ? quoted_cell(at) : plain_cell(at));
    if (cell.text.starts_with('\'') && begins_as_formula(cell.text)) {
      cell.text.remove_prefix(1);
      ++cell.begin;
    }
    if (at >= end_ || cells.size() == most_cells) return;
  }
}

namespace {

// How many cells a line has if this separates them; empty ones at its end do not count.
std::size_t count_cells(CsvReader& reader) {
  std::vector<CsvCell> cells;
  if (!reader.next(cells)) return 0;
  while (cells.size() > 1 && cells.back().text.empty()) cells.pop_back();
  return cells.size();
}

}  // namespace

char separator_of(std::string_view text) {
  char divides_header = CsvReader::runs_of_blanks;  // so far nothing else does
  // Where there are several, a comma is rather a decimal one.
  for (const char separator : {'\t', ';', ',', CsvReader::runs_of_blanks}) {
    if (separator == CsvReader::runs_of_blanks && divides_header != separator) break;
    CsvReader reader(text, separator);
    const std::size_t header = count_cells(reader);
    if (header < 2) continue;
    if (count_cells(reader) == header) return separator;
    if (separator != CsvReader::runs_of_blanks) divides_header = separator;
  }
  return divides_header == CsvReader::runs_of_blanks ? ',' : divides_header;
}

CsvHeading split_heading(const CsvCell& cell) {
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && is_padding(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_padding(text.back())) text.remove_suffix(1);
    return text;
  };
  const std::size_t bracket = cell.text.find('[');
  if (bracket == std::string_view::npos || cell.text.back() != ']') return {cell.text, {}, cell.begin};
  const std::string_view unit = trimmed(cell.text.substr(bracket + 1, cell.text.size() - bracket - 2));
  return {trimmed(cell.text.substr(0, bracket)), unit,
          cell.begin + static_cast<std::uint32_t>(unit.data() - cell.text.data())};
}

}  // namespace wave::frontend
