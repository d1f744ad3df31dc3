// One JSON document. Doubles are written with the fewest digits that read back as the same double; what is no number in
// JSON (NaN, infinities) is null.
#include "cli/formats/json.h"

#include "base/utf8.h"
#include "cli/formats/document.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace wave::cli {

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += text[i++];
    } else if (c == '\n') {
      result += "\\n";
      ++i;
    } else if (c == '\t') {
      result += "\\t";
      ++i;
    } else if (c < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", c);
      ++i;
    } else if (c < 0x80) {
      result += text[i++];
    } else if (const auto [character, length] = first_code_point(text.substr(i)); length > 0) {
      if (is_control(character))  // all of these have four digits
        result += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
      else
        result += text.substr(i, length);
      i += length;
    } else {
      result += "\\ufffd";
      ++i;
    }
  }
  return result + "\"";
}

namespace {

std::string json_list(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "[" : ", ") + json_string(text);
  return result.empty() ? "[]" : result + "]";
}

class JsonWriter {
 public:
  JsonWriter(const std::vector<OutputTable>& tables, const Sink& out) : tables_(tables), out_(out) {}

  void write(const Data& data) {
    std::visit([&](const auto& is) { write_one(is); }, data.is);
  }
  void finish() {
    text_ += '\n';
    if (!is_stopped_) flush();
  }

 private:
  struct Level {
    bool empty = true;
    bool lines = false;
  };

  bool flush() { return out_(std::exchange(text_, {})); }
  void new_line() {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  // What stands before a member or an item.
  void separate() {
    if (std::exchange(is_after_key_, false) || levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) text_ += level.lines ? "," : ", ";
    level.empty = false;
    if (level.lines) new_line();
  }
  void plain(std::string_view text) {
    separate();
    text_ += text;
  }
  void open(char bracket, Layout layout) {
    separate();
    text_ += bracket;
    levels_.push_back({true, layout == Layout::lines});
  }
  void close(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.lines && !level.empty) new_line();
    text_ += bracket;
  }

  void write_one(std::nullptr_t) { plain("null"); }
  void write_one(bool truth) { plain(truth ? "true" : "false"); }
  void write_one(std::int64_t number) { plain(fmt::format("{}", number)); }
  void write_one(double number) { plain(std::isfinite(number) ? fmt::format("{}", number) : "null"); }
  void write_one(const std::string& text) { plain(json_string(text)); }
  void write_one(const Data::List& list) {
    open('[', list.layout);
    for (const auto& item : list.items) {
      write(item);
      if (is_stopped_) return;
    }
    close(']');
  }
  void write_one(const Data::Object& object) {
    open('{', object.layout);
    for (const auto& [name, member] : object.members) {
      plain(json_string(name) + ": ");
      is_after_key_ = true;
      write(member);
      if (is_stopped_) return;
    }
    close('}');
  }
  void write_one(const Data::Later& make) { write(make()); }
  void write_one(const Data::Stream& stream) {
    open('[', Layout::lines);
    stream.make([&](const Data& item) {
      if (is_stopped_) return;
      write(item);
      if (text_.size() >= piece_of_text) is_stopped_ = !flush();
    });
    close(']');
  }
  void write_one(const Data::Rows& rows) {
    const OutputTable& table = tables_[rows.table];
    std::vector<std::string> keys;
    for (const auto& one : table.columns)
      keys.push_back(rows.are_objects ? json_string(one.column.name) + ": " : std::string());
    open('[', Layout::lines);
    RowTexts texts(table, json_notation);
    const auto write_range = [&](const RowRange& range) {
      texts.take(range);
      for (std::size_t row = 0; row < range.size(); ++row) {
        separate();
        text_ += rows.are_objects ? '{' : '[';
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (i > 0) text_ += ", ";
          text_ += keys[i];
          texts.append(text_, i, row);
        }
        text_ += rows.are_objects ? '}' : ']';
        if (text_.size() >= piece_of_text && !flush()) return false;
      }
      return true;
    };
    is_stopped_ = !table.each_range(write_range);
    if (is_stopped_)
      flush();
    else
      close(']');
  }

  const std::vector<OutputTable>& tables_;
  const Sink& out_;
  std::string text_;
  std::vector<Level> levels_;
  bool is_after_key_ = false;
  bool is_stopped_ = false;
};

void write_json(const Document& document, const Sink& out) {
  JsonWriter writer(document.tables, out);
  writer.write(document.data(document.tables));
  writer.finish();
}

}  // namespace

const Notation json_notation{json_string, json_list, "null", "null"};

extern const FormatInfo json_format{"json", ".json", Takes::data, write_json};

}  // namespace wave::cli
