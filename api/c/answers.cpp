// See answers.h.
#include "api/c/answers.h"

#include "analysis/pictures/page.h"
#include "base/text.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstdlib>
#include <variant>

namespace wave::api {
namespace {

// The words of a column, which its texts point into.
struct GrowingColumn {
  TableColumn column;
  std::vector<std::string> words;
};

std::int32_t number_of_code(const std::string& error) {
  return static_cast<std::int32_t>(std::atoi(error.c_str() + (error.empty() ? 0 : 1)));
}

void add_cells(GrowingColumn& into, const analysis::Column& column, const analysis::Cells& cells, std::size_t rows) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&cells.values)) {
    for (std::size_t row = 0; row < rows; ++row) into.column.add((*reals)[row]);
    return;
  }
  const auto& whole = std::get<std::vector<std::int64_t>>(cells.values);
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.kind == analysis::CellKind::word)
      into.words.emplace_back(analysis::word_of(column, cells.labels, whole[row]));
    else
      into.column.integers.push_back(whole[row]);
  }
}

void finish(GrowingColumn& one, Table& table) {
  if (one.column.head.cell == WAVE_TEXT) {
    one.column.words = std::make_shared<const std::vector<std::string>>(std::move(one.words));
    for (const std::string& word : *one.column.words) one.column.texts.push_back(word.c_str());
  }
  table.columns.push_back(std::move(one.column));
}

Table lines_table(const std::string& name, const std::vector<std::string>& lines) {
  analysis::RowTable made{name, "", {{"line", analysis::text_type(), {}}}, {}};
  for (const std::string& line : lines) made.rows.push_back({line});
  return table_of(made);
}

}  // namespace

Table table_of(const cli::OutputTable& from) {
  Table table{from.name, from.doc, from.failed, from.shape, {}, 0, {}};
  std::vector<GrowingColumn> columns;
  for (const auto& one : from.columns) {
    analysis::Column head = one.column;
    if (!one.lists.empty()) head.kind = analysis::CellKind::word;
    columns.push_back({TableColumn(ColumnHead(std::move(head))), {}});
  }
  from.each_range([&](const cli::RowRange& range) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& one = from.columns[i];
      if (one.lists.empty())
        add_cells(columns[i], one.column, range.cells(i), range.size());
      else
        for (const auto& words : one.lists) columns[i].words.push_back(join_texts(words, "; "));
    }
    for (std::size_t row = 0; row < range.size() && from.has_errors; ++row) {
      const std::string* const error = range.error(row);
      table.codes.push_back(error ? number_of_code(*error) : 0);
    }
    table.rows += range.size();
    return true;
  });
  for (GrowingColumn& one : columns) finish(one, table);
  return table;
}

void Answer::take(const cli::Document& document) {
  is_taken = true;
  for (const cli::OutputTable& table : document.tables) tables.push_back(table_of(table));
  says.insert(says.end(), document.says.begin(), document.says.end());
}

// No output of a model has such a name.
Result Answer::result() {
  Result made;
  made.tables = std::move(tables);
  if (!says.empty()) made.tables.push_back(lines_table(".says", says));
  if (!text.empty()) {
    made.tables.push_back(lines_table(".text", {text}));
    made.tables.back().shape = frontend::RowsShape::single;
  }
  if (files.empty()) return made;
  const auto text_column = [](const char* name) { return analysis::RowColumn{name, analysis::text_type(), {}}; };
  analysis::RowTable written{".files", "", {text_column("name"), text_column("text"), text_column("base64")}, {}};
  for (const auto& [name, content] : files) {
    const bool is_text = !frontend::find_no_text(content);
    written.rows.push_back({name, is_text ? content : "", is_text ? "" : analysis::pictures::base64(content)});
  }
  made.tables.push_back(table_of(written));
  return made;
}

}  // namespace wave::api
