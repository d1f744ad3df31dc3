// See document.h.
#include "cli/formats/document.h"

#include "base/text.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace wave::cli {

DataWriter& DataWriter::key(std::string_view name) {
  key_ = name;
  return *this;
}

Data& DataWriter::add(Data data) {
  if (open_.empty()) return top_ = std::move(data);
  if (auto* const object = std::get_if<Data::Object>(&open_.back()->is))
    return object->members.emplace_back(std::move(key_), std::move(data)).second;
  return std::get<Data::List>(open_.back()->is).items.emplace_back(std::move(data));
}

DataWriter& DataWriter::put(Data data) {
  add(std::move(data));
  return *this;
}

DataWriter& DataWriter::open(Data data) {
  open_.push_back(&add(std::move(data)));
  return *this;
}

DataWriter& DataWriter::close() {
  open_.pop_back();
  return *this;
}

DataWriter& DataWriter::texts(std::string_view name, const std::vector<std::string>& texts, Layout layout) {
  key(name).begin_array(layout);
  for (const auto& text : texts) value(text);
  return end_array();
}

namespace {

// A table that is all there, as one range.
class WholeTable final : public RowRange {
 public:
  explicit WholeTable(const OutputTable& table) : table_(table) {}
  std::uint64_t begin() const override { return 0; }
  std::size_t size() const override { return table_.rows; }
  const analysis::Cells& cells(std::size_t column) const override { return table_.columns[column].cells; }
  const std::string* error(std::size_t) const override { return nullptr; }

 private:
  const OutputTable& table_;
};

}  // namespace

bool OutputTable::each_range(const RangeSink& sink) const { return ranges ? ranges(sink) : sink(WholeTable(*this)); }

TableColumn table_column(const analysis::ResultColumn& from, std::string is) {
  TableColumn column{
      analysis::make_column(from.name, from.doc, from.type, from.unit, from.labels), std::move(is), {}, {}};
  column.cells = {from.values, from.missing, {}};
  const auto* const reals = std::get_if<std::vector<double>>(&from.values);
  if (reals == nullptr || !from.missing.empty()) return column;
  for (std::size_t row = 0; row < reals->size(); ++row) {
    if (!std::isfinite((*reals)[row])) column.cells.missing.push_back(row);
  }
  return column;
}

TableColumn list_column(const std::string& name, std::vector<std::vector<std::string>> lists) {
  TableColumn column{{}, "", {}, std::move(lists)};
  column.column.name = name;
  column.column.kind = analysis::CellKind::word;
  return column;
}

TableColumn integer_column(const std::string& name, std::vector<std::int64_t> values) {
  TableColumn column{{}, "", {}, {}};
  column.column.name = name;
  column.column.kind = analysis::CellKind::integer;
  column.cells.values = std::move(values);
  return column;
}

TableColumn word_column(const std::string& name, const std::vector<std::string>& words) {
  TableColumn column{{}, "", {}, {}};
  column.column.name = name;
  column.column.kind = analysis::CellKind::word;
  std::vector<std::int64_t> ordinals;
  for (std::size_t i = 0; i < words.size(); ++i) ordinals.push_back(static_cast<std::int64_t>(i));
  column.cells.values = std::move(ordinals);
  column.cells.labels = words;
  return column;
}

TableColumn number_column(const std::string& name, const std::string& unit, std::vector<double> values) {
  TableColumn column{{}, "", {}, {}};
  column.column.name = name;
  column.column.unit = unit;
  column.column.unit_was_asked = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) column.cells.missing.push_back(i);
  }
  column.cells.values = std::move(values);
  return column;
}

Data data_of(const TableColumn& column, std::size_t row) {
  const auto& cells = column.cells;
  if (std::binary_search(cells.missing.begin(), cells.missing.end(), row)) return {nullptr};
  if (const auto* const reals = std::get_if<std::vector<double>>(&cells.values))
    return {column.column.shown((*reals)[row])};
  const std::int64_t value = std::get<std::vector<std::int64_t>>(cells.values)[row];
  switch (column.column.kind) {
    case analysis::CellKind::truth: return {value != 0};
    case analysis::CellKind::word: return {std::string(word_of(column.column, cells.labels, value))};
    case analysis::CellKind::integer:
    case analysis::CellKind::real: break;
  }
  return {value};
}

void add_columns(DataWriter& data, const OutputTable& table, bool with_docs) {
  data.key("columns").begin_array(Layout::lines);
  for (const auto& one : table.columns) {
    data.begin_object().key("name").value(one.column.name);
    if (!one.column.unit.empty()) data.key("unit").value(one.column.unit);
    if (!one.is.empty()) data.key("is").value(one.is);
    if (with_docs && !one.column.doc.empty()) data.key("doc").value(one.column.doc);
    data.end_object();
  }
  data.end_array();
}

// clang-format off
#define FORMAT(name) extern const FormatInfo name##_format;
#include "cli/formats/formats.def"
#undef FORMAT
// clang-format on

const std::vector<const FormatInfo*>& Format::all() {
  static const std::vector<const FormatInfo*> formats{
#define FORMAT(name) &name##_format,
#include "cli/formats/formats.def"
#undef FORMAT
  };
  return formats;
}

Format::Format(Takes what)
    : info_(*std::find_if(all().begin(), all().end(), [&](const auto* one) { return one->takes == what; })) {}

Format::Format(std::string_view word) {
  for (const auto* one : all()) {
    if (one->word == word) {
      info_ = one;
      return;
    }
  }
  throw std::invalid_argument("no such format");
}

std::optional<Format> Format::of_file(std::string_view path) {
  for (const auto* one : all()) {
    if (has_ending(path, one->ending)) return Format(one->word);
  }
  return std::nullopt;
}

std::string written(const Document& document, Format format) {
  std::string text;
  format->write(document, [&](std::string_view more) {
    text += more;
    return true;
  });
  return text;
}

namespace {

// `data` outlives the document.
Document document_of(const Data& data) {
  Document document;
  document.data = [&data](const std::vector<OutputTable>&) { return data; };
  return document;
}

}  // namespace

void write_data(const Data& data, const Sink& out) { Format(Takes::data)->write(document_of(data), out); }

std::string written(const Data& data) { return written(document_of(data), Format(Takes::data)); }

int write_document(const Document& document, Format format, const std::string& file, Console& console) {
  if (format->takes == Takes::rows && !document.remarks.empty())
    console.remark(sanitize(fmt::format("{}\n", join_texts(document.remarks, "\n"))));
  return write_result(file, written(document, format), console);
}

}  // namespace wave::cli
