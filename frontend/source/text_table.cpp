// See text_table.h.
#include "frontend/source/text_table.h"

#include "base/numbers.h"
#include "frontend/source/gathered_table.h"

#include <algorithm>

namespace wave::frontend {
namespace {

constexpr std::string_view json_blanks = " \t\r\n";

// Behind comments and json_blanks.
std::size_t first_character(std::string_view text) {
  TextLines lines(text, " \t\r");
  while (lines.next()) {
    if (text[lines.begin()] != '#') return lines.begin();
  }
  return text.size();
}

void drop_empty(std::vector<CsvCell>& cells, std::size_t least) {
  while (cells.size() > least && cells.back().text.empty()) cells.pop_back();
}

}  // namespace

TableFormat format_of(std::string_view text) {
  constexpr std::string_view extra_p = "PARAMETER";
  const std::string_view rest = text.substr(first_character(text));
  if (rest.starts_with('{')) return TableFormat::json;
  if (rest.starts_with('[')) {
    const std::size_t next = rest.find_first_not_of(json_blanks, 1);
    return next != std::string_view::npos && rest[next] == '{' ? TableFormat::json : TableFormat::csv;
  }
  const bool has_name = rest.starts_with(extra_p) && rest.size() > extra_p.size() &&
                        (rest[extra_p.size()] == ' ' || rest[extra_p.size()] == '\t');
  return has_name ? TableFormat::extra_p : TableFormat::csv;
}

TextTable::TextTable(std::string_view text, std::string_view series)
    : text_(text), format_(format_of(text)), reader_(text, format_ == TableFormat::csv ? separator_of(text) : ',') {
  if (format_ != TableFormat::csv) {
    gathered_ = std::make_shared<const GatheredTable>(format_ == TableFormat::json ? gather_json(text, series)
                                                                                   : gather_extra_p(text, series));
    header_ = gathered_->header;
    trouble_ = gathered_->header_trouble;
    if (header_.empty() && !trouble_) trouble_ = gathered_->trouble;
    if (!header_.empty()) begin_ = header_.front().begin, end_ = header_.front().end;
    if (!gathered_->rows.empty()) take_gathered(0);
    first_row_.swap(cells_);
    return;
  }
  if (!read_line(header_)) return;
  set_range();
  drop_empty(header_, 1);
  counts_rows_ = has_index();
  if (counts_rows_) header_.erase(header_.begin());
  TextTable first(*this);
  if (!trouble_ && first.next() && !first.trouble_) first_row_ = std::move(first.cells_);
}

// --- in CSV ---

// False at the end. A quote that does not end is the trouble of its line.
bool TextTable::read_line(std::vector<CsvCell>& cells) {
  trouble_.reset();
  const std::size_t before = reader_.trouble().size();
  if (!reader_.next(cells)) return false;
  if (reader_.trouble().size() == before) return true;
  const auto& where = reader_.trouble()[before];
  trouble_ = TableTrouble{where.begin, where.end, "a quoted cell that does not end", "it begins here", {}, {}, false};
  trouble_->help.emplace_back("a cell in quotes ends on its line, before a comma; a quote inside is written twice");
  return true;
}

// Whether the first column has no name, and counts the rows: from 0, as pandas writes it, or from 1 in quotes, as R
// does. Where tables were put together, it begins again.
bool TextTable::has_index() const {
  const std::string_view name = header_.front().text;
  if (header_.size() < 2 || (!name.empty() && !name.starts_with("Unnamed: "))) return false;
  CsvReader rest = reader_;
  std::vector<CsvCell> cells;
  std::int64_t expected = 0, first = 0;
  bool has_rows = false;
  while (rest.next(cells)) {
    if (cells.front().text == name && cells.size() > 1 && cells[1].text == header_[1].text) continue;
    const auto number = parse_number<std::int64_t>(cells.front().text);
    if (!has_rows) {
      const bool is_quoted = cells.front().begin > 0 && text_[cells.front().begin - 1] == '"';
      expected = first = is_quoted ? 1 : 0;
    }
    if (number && *number == first) expected = first;
    if (!number || *number != expected) return false;
    ++expected;
    has_rows = true;
  }
  return has_rows;
}

bool TextTable::next() {
  if (gathered_) return next_gathered();
  do {
    if (!read_line(cells_)) return false;
    set_range();
    if (trouble_) return true;
    if (counts_rows_) cells_.erase(cells_.begin());
    drop_empty(cells_, header_.size());
    if (repeats_header()) ++repeated_;
  } while (repeats_header());
  if (cells_.size() != header_.size()) trouble_ = wrong_width();
  return true;
}

TableTrouble TextTable::wrong_width() const {
  const auto count = [](std::size_t n) { return n == 1 ? std::string("one cell") : std::to_string(n) + " cells"; };
  const std::size_t width = header_.size();
  const bool too_many = cells_.size() > width;
  TableTrouble result;
  result.end = cells_.empty() ? end_ : cells_.back().end;
  result.begin = too_many ? cells_[width].begin : result.end;
  result.message = "a row of " + count(cells_.size()) + " below a header of " + std::to_string(width);
  result.label = too_many ? "too much" : "the row ends here";
  result.is_cut_off = !too_many && result.end == text_.size();
  if (result.is_cut_off) result.notes.emplace_back("the file ends in the middle of this row: is it whole?");
  if (too_many) result.help.emplace_back("write decimals with a point; a cell with a comma in it stands in quotes");
  return result;
}

bool TextTable::repeats_header() const {
  return std::equal(cells_.begin(), cells_.end(), header_.begin(), header_.end(),
                    [](const CsvCell& cell, const CsvCell& heading) { return cell.text == heading.text; });
}

// --- gathered ---

void TextTable::take_gathered(std::size_t row) {
  const GatheredRow& given = gathered_->rows[row];
  cells_.assign(header_.size(), {text_.substr(given.end, 0), given.end, given.end});
  for (std::size_t i = 0; i < given.count; ++i) {
    const GatheredCell& one = gathered_->cells[given.first_cell + i];
    cells_[one.column] = one.cell;
  }
  if (given.own) cells_[given.own->column] = given.own->cell;
}

bool TextTable::next_gathered() {
  trouble_.reset();
  if (at_ > gathered_->rows.size()) return false;
  if (at_ == gathered_->rows.size()) {
    ++at_;
    trouble_ = gathered_->trouble;
    if (trouble_) begin_ = trouble_->begin, end_ = trouble_->end;
    return trouble_.has_value();
  }
  begin_ = gathered_->rows[at_].begin;
  end_ = gathered_->rows[at_].end;
  take_gathered(at_++);
  return true;
}

// --- both ---

bool TextTable::again(std::uint32_t begin, std::uint32_t end) {
  begin_ = begin;
  end_ = end;
  if (!gathered_) {
    reader_.again(begin, end, cells_);
    if (counts_rows_) cells_.erase(cells_.begin());
    drop_empty(cells_, header_.size());
    return true;
  }
  const auto& rows = gathered_->rows;
  const auto found = std::lower_bound(rows.begin(), rows.end(), begin,
                                      [](const GatheredRow& row, std::uint32_t at) { return row.begin < at; });
  if (found == rows.end() || found->begin != begin) return false;
  take_gathered(static_cast<std::size_t>(found - rows.begin()));
  return true;
}

const std::vector<std::string>& TextTable::series() const {
  static const std::vector<std::string> none;
  return gathered_ ? gathered_->series : none;
}

std::vector<std::string> TextTable::remarks() const {
  std::vector<std::string> result;
  if (counts_rows_) result.emplace_back("the first column has no name and counts the rows: it is passed over");
  if (repeated_ == 1) result.emplace_back("a line that repeats the header is passed over");
  if (repeated_ > 1) result.push_back(std::to_string(repeated_) + " lines that repeat the header are passed over");
  return result;
}

}  // namespace wave::frontend
