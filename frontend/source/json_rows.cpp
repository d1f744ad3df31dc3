// Tables as objects of JSON, one a row: JSON Lines, or a list of objects. Members of objects inside have names with
// points, `net.L`. A list of numbers is as many rows. Extra-P's lines, {"params": {"p": 4}, "metric": "time",
// "callpath": "main", "value": 1.5}, hold values of what `metric` and `callpath` name; TaLPas writes semicolons between
// their members.
#include "frontend/source/gathered_table.h"

#include <utility>

namespace wave::frontend {
namespace {

constexpr int deepest = 16;  // of objects in each other

class JsonRows {
 public:
  explicit JsonRows(std::string_view text) : text_(text) {
    if (text.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  GatheredTable read(std::string_view series) {
    skip_comments();
    // Whoever appends a run to a file may append a list.
    while (!trouble_ && skip_separators() && at_ < text_.size()) {
      if (text_[at_] == '[')
        read_rows_of_list();
      else
        read_row();
    }
    if (!series_.empty() && !table_.rows.empty())
      complain(0, 1, "only some of the objects have a `metric` or `params`");
    if (!series_.empty()) series_.finish(table_, series);
    table_.trouble = std::move(trouble_);
    return std::move(table_);
  }

 private:
  struct Row {
    GatheredRow row;
    std::vector<CsvCell> list;  // of the member that is one
    std::uint32_t list_column = 0;
    SeriesRows::Source source;
    std::vector<CsvCell> values;
    bool is_of_series = false, has_value = false;
  };

  void skip_comments() {
    while (skip_blanks() && at_ < text_.size() && text_[at_] == '#') {
      const std::size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    }
  }
  bool skip_any(std::string_view characters) {
    while (at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos) ++at_;
    return true;
  }
  bool skip_blanks() { return skip_any(" \t\r\n"); }
  bool skip_separators() { return skip_any(" \t\r\n,"); }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  // What is wrong, for good.
  bool complain(std::uint32_t begin, std::uint32_t end, std::string message, std::string label = "here",
                std::string help = "a table is an object a row: {\"n\": 4, \"time [s]\": 1.5}") {
    if (!trouble_)
      trouble_ = TableTrouble{begin, end, std::move(message), std::move(label), {}, {std::move(help)}, false};
    return false;
  }
  bool complain_here(std::string message) {
    const auto end = static_cast<std::uint32_t>(std::min(at_ + 1, text_.size()));
    const bool is_cut_off = at_ >= text_.size();
    complain(here(), end, std::move(message), is_cut_off ? "the file ends here" : "found here");
    trouble_->is_cut_off = is_cut_off;
    return false;
  }

  void read_rows_of_list() {
    ++at_;
    while (!trouble_ && skip_separators() && at_ < text_.size() && text_[at_] != ']') read_row();
    if (!trouble_ && !take(']')) complain_here("a list of objects that does not end");
  }

  void read_row() {
    const std::uint32_t begin = here();
    if (text_[at_] != '{') {
      complain_here("an object in braces was expected");
      return;
    }
    Row row;
    ++object_;
    row.row.first_cell = table_.cells.size();
    if (!read_object(row, "", 0)) return;
    row.row.begin = begin;
    row.row.end = here();
    row.row.count = table_.cells.size() - row.row.first_cell;
    finish(row);
  }

  bool read_object(Row& row, const std::string& prefix, int depth) {
    if (depth > deepest) return complain_here("objects in more objects than a table has");
    ++at_;
    while (!take('}')) {
      skip_any(" \t\r\n,;");
      if (at_ < text_.size() && text_[at_] == '}') continue;
      if (!read_member(row, prefix, depth)) return false;
    }
    return true;
  }

  bool read_member(Row& row, const std::string& prefix, int depth) {
    CsvCell key;
    if (at_ >= text_.size() || text_[at_] != '"') return complain_here("the name of a member in quotes was expected");
    if (!read_string(key)) return false;
    if (!take(':')) return complain_here("a colon was expected");
    skip_blanks();
    const std::string name = key.unquoted();
    if (at_ < text_.size() && text_[at_] == '{') {
      const bool is_point = depth == 0 && (name == "params" || name == "parameters");
      row.is_of_series = row.is_of_series || is_point;
      return read_object(row, is_point ? "" : prefix + name + ".", depth + 1);
    }
    const bool is_value = depth == 0 && name == "value";
    if (at_ < text_.size() && text_[at_] == '[') return read_list(row, is_value ? "" : prefix + name, key);
    CsvCell value;
    if (!read_scalar(value)) return false;
    if (is_value) {
      if (row.has_value) return complain_twice(key.begin, key.end);
      row.values = {value};
      row.has_value = true;
      row.source.begin = row.source.end == 0 ? key.begin : row.source.begin;
      row.source.end = row.source.end == 0 ? key.end : row.source.end;
    } else if (depth == 0 && (name == "metric" || name == "callpath")) {
      auto& said = name == "metric" ? row.source.metric : row.source.path;
      if (!said.empty()) return complain_twice(key.begin, key.end);
      said = value.unquoted();
      row.source.begin = value.begin;
      row.source.end = value.end;
      row.is_of_series = true;
    } else {
      const auto number = column(prefix + name, key.begin, key.end);
      if (!number) return false;
      table_.cells.push_back({*number, value});
    }
    return true;
  }

  // Nothing, with a complaint, if there are too many, or the object has that member already.
  std::optional<std::uint32_t> column(const std::string& name, std::uint32_t begin, std::uint32_t end) {
    const auto number = table_.column(name, begin, end);
    if (!number) {
      complain(begin, end, "too many different names of members");
      return std::nullopt;
    }
    if (*number >= last_object_.size()) last_object_.resize(*number + 1);
    if (std::exchange(last_object_[*number], object_) != object_) return number;
    complain_twice(begin, end);
    return std::nullopt;
  }
  bool complain_twice(std::uint32_t begin, std::uint32_t end) {
    return complain(begin, end, "two members of one name in an object", "the second",
                    "which of them is meant? leave the other out");
  }

  // An empty name is that of `value`.
  bool read_list(Row& row, const std::string& name, const CsvCell& key) {
    if (!row.list.empty() || row.values.size() > 1 || (name.empty() && row.has_value))
      return complain(key.begin, key.end, "two lists in one object", "the second");
    ++at_;
    std::vector<CsvCell> cells;
    while (!take(']')) {
      skip_separators();
      if (at_ < text_.size() && text_[at_] == ']') continue;
      if (!read_scalar(cells.emplace_back())) return false;
    }
    if (name.empty()) {
      if (cells.empty()) return complain(key.begin, key.end, "a list without a value", "of this member");
      row.values = std::move(cells);
      row.has_value = true;
      if (row.source.end == 0) row.source.begin = key.begin, row.source.end = key.end;
      return true;
    }
    const auto number = column(name, key.begin, key.end);
    if (!number) return false;
    row.list_column = *number;
    row.list = std::move(cells);
    return true;
  }

  bool read_scalar(CsvCell& cell) {
    if (at_ < text_.size() && text_[at_] == '"') return read_string(cell);
    const std::size_t end = std::min(text_.find_first_of(",;]}[{\" \t\r\n", at_), text_.size());
    if (end == at_) return complain_here("a number, a word or a text in quotes was expected");
    cell = {text_.substr(at_, end - at_), here(), static_cast<std::uint32_t>(end)};
    at_ = end;
    return true;
  }

  bool read_string(CsvCell& cell) {
    const std::size_t begin = ++at_;
    bool has_escapes = false;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      has_escapes = has_escapes || text_[at_] == '\\';
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    if (at_ >= text_.size() || text_[at_] != '"') return complain_here("a text that does not end");
    cell = {text_.substr(begin, at_ - begin), static_cast<std::uint32_t>(begin), here()};
    cell.has_escapes = has_escapes;
    ++at_;
    return true;
  }

  void finish(Row& row) {
    if (row.is_of_series) return finish_series(row);
    if (row.has_value) {  // outside Extra-P a name like others
      const auto number = column("value", row.source.begin, row.source.end);
      if (!number) return;
      if (row.values.size() == 1) {
        table_.cells.push_back({*number, row.values.front()});
        ++row.row.count;
      } else {
        row.list_column = *number;
        row.list = std::move(row.values);
      }
    }
    if (row.list.empty()) table_.rows.push_back(row.row);
    for (const CsvCell& value : row.list) {
      table_.rows.push_back(row_of(row, value, row.list.size()));
      table_.rows.back().own = {row.list_column, value};
    }
  }

  void finish_series(const Row& row) {
    if (!row.has_value)
      complain(row.row.begin, row.row.end, "an object with `params`, `metric` or `callpath` has no `value`");
    for (const CsvCell& value : row.values) series_.add(row.source, row_of(row, value, row.values.size()), value);
  }

  static GatheredRow row_of(const Row& row, const CsvCell& value, std::size_t count) {
    GatheredRow one = row.row;
    if (count > 1) one.begin = value.begin, one.end = value.end;
    return one;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  GatheredTable table_;
  SeriesRows series_;
  std::size_t object_ = 0;                // the number of the one that is read, from 1 on
  std::vector<std::size_t> last_object_;  // that has a member of this column
  std::optional<TableTrouble> trouble_;
};

}  // namespace

GatheredTable gather_json(std::string_view text, std::string_view series) { return JsonRows(text).read(series); }

}  // namespace wave::frontend
