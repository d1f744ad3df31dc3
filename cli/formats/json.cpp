// One JSON document.
#include "cli/formats/formats.h"
#include "cli/formats/json_writer.h"
#include "cli/formats/rows.h"

namespace wave::cli {
namespace {

class DocumentWriter {
 public:
  DocumentWriter(const Document& document, const Sink& out) : document_(document), out_(out) {}

  void write() {
    write(document_.data(document_.tables));
    if (is_stopped_) return;
    json_.raw_text("\n");
    out_(json_.take());
  }

 private:
  void write(const Data& data) {
    std::visit([&](const auto& is) { write_one(is); }, data.is);
  }
  void write_one(std::nullptr_t) { json_.null(); }
  void write_one(const Data::List& list) {
    json_.begin_array(list.layout);
    for (const auto& item : list.items) write(item);
    if (!is_stopped_) json_.end_array();
  }
  void write_one(const Data::Object& object) {
    json_.begin_object(object.layout);
    for (const auto& [name, member] : object.members) {
      json_.key(name);
      write(member);
      if (is_stopped_) return;
    }
    json_.end_object();
  }
  void write_one(const Data::Later& make) { write(make()); }
  template <class Plain>
  void write_one(const Plain& value) {
    json_.value(value);
  }
  void write_one(const Data::Rows& rows) {
    const OutputTable& table = document_.tables[rows.table];
    std::vector<std::string> keys;
    for (const auto& one : table.columns)
      keys.push_back(rows.are_objects ? json_string(one.column.name) + ": " : std::string());
    json_.begin_array(Layout::lines);
    RowTexts texts(table, json_notation);
    std::string text;
    const auto write_block = [&](const RowBlock& block) {
      texts.take(block);
      for (std::size_t row = 0; row < block.size(); ++row) {
        text = rows.are_objects ? '{' : '[';
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (i > 0) text += ", ";
          text += keys[i];
          texts.append(text, i, row);
        }
        text += rows.are_objects ? '}' : ']';
        json_.raw(text);
        if (json_.str().size() >= piece_of_text && !out_(json_.take())) return false;
      }
      return true;
    };
    is_stopped_ = !table.each_block(write_block);
    if (is_stopped_)
      out_(json_.take());
    else
      json_.end_array();
  }

  const Document& document_;
  const Sink& out_;
  JsonWriter json_;
  bool is_stopped_ = false;
};

void write(const Document& document, const Sink& out) { DocumentWriter(document, out).write(); }

}  // namespace

const FormatInfo json_format{"json", ".json", Takes::data, write};

}  // namespace wave::cli
