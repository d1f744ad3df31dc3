// One JSON document. Doubles are written with the fewest digits that read back as the same double; what is no number in
// JSON (NaN, infinities) is null.
#include "cli/formats/json.h"

#include "base/utf8.h"
#include "cli/embedded.h"
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
    open('[', Layout::lines);
    RowTexts texts(table, json_notation);
    const auto write_range = [&](const RowRange& range) {
      texts.take(range);
      for (std::size_t row = 0; row < range.size(); ++row) {
        separate();
        text_ += '[';
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
          if (i > 0) text_ += ", ";
          texts.append(text_, i, row);
        }
        text_ += ']';
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

// Only quantities have a unit.
void add_unit(DataWriter& json, const TableColumn& column) {
  if (!column.column.unit.empty()) json.key("unit").value(column.column.unit);
}

void add_columns(DataWriter& json, const OutputTable& table) {
  json.key("columns").begin_array(Layout::lines);
  for (const auto& one : table.columns) {
    json.begin_object().key("name").value(one.column.name);
    add_unit(json, one);
    if (!one.is.empty()) json.key("is").value(one.is);
    if (!one.column.doc.empty()) json.key("doc").value(one.column.doc);
    json.end_object();
  }
  json.end_array();
}

std::string_view shape_name(frontend::RowsShape shape) {
  using frontend::RowsShape;
  switch (shape) {
    case RowsShape::single: return "single";
    case RowsShape::series: return "series";
    case RowsShape::list: return "list";
    case RowsShape::record: return "record";
    case RowsShape::records: return "records";
  }
  return "";
}

void add_table(DataWriter& json, const OutputTable& table, std::size_t number) {
  json.key(table.name).begin_object(Layout::lines);
  json.key("status").value(table.is_whole() ? "evaluated" : "failed");
  if (!table.is_whole()) json.key("code").value(table.failed);
  json.key("shape").value(shape_name(table.shape));
  if (!table.doc.empty()) json.key("doc").value(table.doc);
  if (table.is_whole() && table.shape == frontend::RowsShape::single) {
    json.key("value").value(data_of(table.columns.front(), 0));
    add_unit(json, table.columns.front());
  } else if (table.is_whole() && table.shape == frontend::RowsShape::record) {
    json.key("fields").begin_object();
    for (const auto& column : table.columns) {
      json.key(column.column.name).begin_object().key("value").value(data_of(column, 0));
      add_unit(json, column);
      json.end_object();
    }
    json.end_object();
  } else if (table.is_whole()) {
    add_columns(json, table);
    json.key("rows").rows(number);
  }
  json.end_object();
}

// {"wave", what the answer is about, "tables": {name: ...}, "says": [line]}, as docs/json.md describes it.
Data data_of(const Document& document) {
  DataWriter json;
  json.begin_object(Layout::lines).key("wave").value(version).key("verb").value(document.verb);
  for (const auto& [name, member] : document.about) json.key(name).value(member);
  json.key("tables").begin_object(Layout::lines);
  for (std::size_t i = 0; i < document.tables.size(); ++i) add_table(json, document.tables[i], i);
  json.end_object().texts("says", document.says, Layout::lines);
  return json.end_object().take();
}

void write_json(const Document& document, const Sink& out) {
  JsonWriter writer(document.tables, out);
  writer.write(data_of(document));
  writer.finish();
}

}  // namespace

const Notation json_notation{json_string, json_list, "null", "null"};

void write_data(const Data& data, const Sink& out) {
  JsonWriter writer({}, out);
  writer.write(data);
  writer.finish();
}

std::string written(const Data& data) {
  std::string text;
  write_data(data, [&](std::string_view more) {
    text += more;
    return true;
  });
  return text;
}

extern const FormatInfo json_format{"json", ".json", Takes::data, write_json};

}  // namespace wave::cli
