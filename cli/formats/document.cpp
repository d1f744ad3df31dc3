// See document.h.
#include "cli/formats/document.h"

#include "base/text.h"
#include "cli/client.h"
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
  const std::string* error(std::size_t row) const override {
    return table_.errors.empty() || table_.errors[row].empty() ? nullptr : &table_.errors[row];
  }

 private:
  const OutputTable& table_;
};

}  // namespace

bool OutputTable::each_range(const RangeSink& sink) const { return ranges ? ranges(sink) : sink(WholeTable(*this)); }

void mark_missing(analysis::Cells& cells) {
  const auto* const reals = std::get_if<std::vector<double>>(&cells.values);
  if (reals == nullptr || !cells.missing.empty()) return;
  for (std::size_t row = 0; row < reals->size(); ++row) {
    if (!std::isfinite((*reals)[row])) cells.missing.push_back(row);
  }
}

void set_errors(OutputTable& table, const std::vector<analysis::FailedRows>& failed) {
  if (failed.empty()) return;
  table.has_errors = true;
  table.errors.resize(table.rows);
  for (const auto& one : failed) {
    for (const std::uint64_t row : one.rows) {
      if (table.errors[row].empty()) table.errors[row] = error_text(one);
    }
  }
}

OutputTable named_table(const std::string& name, const analysis::ResultTable& from) {
  OutputTable table;
  table.name = name;
  table.rows = from.rows;
  for (const auto& column : from.columns)
    table.columns.push_back(table_column(column, column.varied ? "parameter" : "output"));
  return table;
}

TableColumn table_column(const analysis::ResultColumn& from, std::string is) {
  TableColumn column{
      analysis::make_column(from.name, from.doc, from.type, from.unit, from.labels), std::move(is), {}, {}};
  column.cells = {from.values, from.missing, {}};
  mark_missing(column.cells);
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
  column.cells.values = std::move(values);
  mark_missing(column.cells);
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

Data data_of(const std::vector<std::string>& texts) {
  DataWriter list;
  list.begin_array();
  for (const auto& text : texts) list.value(text);
  return list.end_array().take();
}

Document document_about(const std::string& file, const std::string& model) {
  Document document;
  if (!file.empty()) document.add_about("file", file);
  if (!model.empty()) document.add_about("model", model);
  return document;
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

int write_document(Document document, Format format, const std::string& file, Console& console) {
  if (document.verb.empty()) document.verb = console.verb();
  if (Client* const client = console.client()) {
    client->answer(document);
    if (file.empty() && !client->wants_text()) return success;
  }
  if (format->takes == Takes::rows && !document.says.empty() && !console.client())
    console.remark(sanitize(fmt::format("{}\n", join_texts(document.says, "\n"))));
  return write_result(file, written(document, format), console);
}

}  // namespace wave::cli
