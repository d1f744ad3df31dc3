// Lines into cells.
#include "frontend/source/csv.h"

#include "base/numbers.h"

#include <algorithm>
#include <cstring>

namespace wave::frontend {
namespace {

constexpr std::string_view blanks = " \t\r";

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
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (doubled_quotes && text[i] == '"') ++i;
  }
  return result;
}

CsvReader::CsvReader(std::string_view text) : text_(text), lines_(text, blanks) {}

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

// Leaves `at` at the comma behind the cell, or at the end of the line.
CsvCell CsvReader::plain_cell(std::uint32_t& at) {
  std::uint32_t begin = at;
  const auto* const comma = static_cast<const char*>(std::memchr(text_.data() + at, ',', end_ - at));
  std::uint32_t end = comma != nullptr ? static_cast<std::uint32_t>(comma - text_.data()) : end_;
  at = end;
  while (begin < end && is_padding(text_[begin])) ++begin;
  while (begin < end && is_padding(text_[end - 1])) --end;
  return {text_.substr(begin, end - begin), begin, end, false};
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
    if (after < end_ && text_[after] != ',') break;
    at = after;
    return {text_.substr(begin, i - begin), begin, i, doubled};
  }
  trouble_.push_back({at, end_});
  at = end_;
  return {text_.substr(begin, end_ - begin), begin, end_, false};
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

CsvTable::CsvTable(std::string_view text) : text_(text), reader_(text) { read_line(header_); }

// False at the end. A quote that does not end is the trouble of its line.
bool CsvTable::read_line(std::vector<CsvCell>& cells) {
  trouble_.reset();
  const std::size_t before = reader_.trouble().size();
  if (!reader_.next(cells)) return false;
  if (reader_.trouble().size() == before) return true;
  const auto& where = reader_.trouble()[before];
  trouble_ = CsvTrouble{where.begin, where.end, "a quoted cell that does not end", "it begins here", {}, {}, false};
  trouble_->help.emplace_back("a cell in quotes ends on its line, before a comma; a quote inside is written twice");
  return true;
}

bool CsvTable::next() {
  if (!read_line(cells_)) return false;
  if (trouble_) return true;
  if (cells_.size() != header_.size()) {
    trouble_ = wrong_width();
  } else if (repeats_header()) {
    trouble_ =
        CsvTrouble{line_begin(), line_end(), "the header of the table once more", "a row is expected", {}, {}, false};
    trouble_->help.emplace_back("where tables were put together, only the first has a header: take this line out");
  }
  return true;
}

CsvTrouble CsvTable::wrong_width() const {
  const auto count = [](std::size_t n) { return n == 1 ? std::string("one cell") : std::to_string(n) + " cells"; };
  const std::size_t width = header_.size();
  const bool too_many = cells_.size() > width;
  CsvTrouble result;
  result.begin = too_many ? cells_[width].begin : cells_.back().end;
  result.end = cells_.back().end;
  result.message = "a row of " + count(cells_.size()) + " below a header of " + std::to_string(width);
  result.label = too_many ? "too much" : "the row ends here";
  result.is_cut_off = !too_many && cells_.back().end == text_.size();
  if (result.is_cut_off) result.notes.emplace_back("the file ends in the middle of this row: is it whole?");
  if (too_many) result.help.emplace_back("write decimals with a point; a cell with a comma in it stands in quotes");
  return result;
}

bool CsvTable::repeats_header() const {
  return std::equal(cells_.begin(), cells_.end(), header_.begin(), header_.end(),
                    [](const CsvCell& cell, const CsvCell& heading) { return cell.text == heading.text; });
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
