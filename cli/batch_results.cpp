// See batch_results.h.
#include "cli/batch_results.h"

#include "cli/embedded.h"
#include "cli/formats/readable.h"
#include "cli/results.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

namespace types = frontend::types;

std::string_view row_text(const BatchResults& results, analysis::RowText row) {
  return results.sources->text(frontend::Place{results.table->file(), row.begin, row.end});
}

// All rows as one block. The cells of the table are read again, in the unit of their heading, where a format wants
// them.
class BatchRows final : public RowBlock {
 public:
  BatchRows(const BatchResults& results, const std::vector<TableColumn>& columns)
      : results_(results), columns_(columns) {
    for (const auto& kind : results.values->kinds)
      errors_.push_back(fmt::format("{}: {}", code_of(kind.kind), kind.words));
  }

  std::uint64_t begin() const override { return 0; }
  std::size_t size() const override { return results_.table->rows().size(); }
  const analysis::Cells& cells(std::size_t column) const override {
    if (column < results_.table->columns().size() && given_.empty()) read_given();
    return column < given_.size() ? given_[column] : columns_[column].cells;
  }
  // Rows are asked for in rising order.
  const std::string* error(std::size_t row) const override {
    const auto& failed = results_.values->failed;
    if (next_failed_ > 0 && failed[next_failed_ - 1].row >= row) next_failed_ = 0;
    while (next_failed_ < failed.size() && failed[next_failed_].row < row) ++next_failed_;
    const bool is_here = next_failed_ < failed.size() && failed[next_failed_].row == row;
    return is_here ? &errors_[failed[next_failed_].kind] : nullptr;
  }

 private:
  void read_given() const {
    const auto& columns = results_.table->columns();
    std::vector<frontend::CsvCell> texts;
    std::vector<std::vector<double>> reals(columns.size());
    const analysis::QuantityReader as_written(std::nullopt);
    for (std::size_t row = 0; row < size(); ++row) {
      frontend::CsvReader(row_text(results_, results_.table->rows()[row])).next(texts);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (std::holds_alternative<std::vector<double>>(columns[i].values))
          reals[i].push_back(as_written.read(texts[i].text).value_or(0));
      }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_string = std::holds_alternative<types::String>(columns[i].type->kind);
      given_.push_back({columns[i].values, {}, is_string ? results_.words : std::vector<std::string>()});
      if (!reals[i].empty()) given_.back().values = std::move(reals[i]);
    }
  }

  const BatchResults& results_;
  const std::vector<TableColumn>& columns_;
  std::vector<std::string> errors_;  // by kind
  mutable std::vector<analysis::Cells> given_;
  mutable std::size_t next_failed_ = 0;
};

void add_given(const BatchResults& results, std::vector<TableColumn>& columns) {
  for (const auto& one : results.table->columns()) {
    TableColumn column{analysis::make_column(one.path, "", one.type, std::nullopt, {}), "parameter", {}, {}};
    column.column.unit = one.unit ? one.unit->text : "";
    column.column.multiplier = column.column.divisor = 1;
    column.column.unit_was_asked = true;
    columns.push_back(std::move(column));
  }
}

void add_outputs(const BatchResults& results, std::vector<TableColumn>& columns) {
  std::size_t number = 0;
  for (const auto* output : results.outputs) {
    for (const auto& info : output->columns) {
      const bool is_record = output->shape == frontend::RowsShape::record;
      TableColumn column{analysis::make_column(is_record ? output->name + "." + info.name : output->name, "", info.type,
                                               info.unit, {}),
                         "output",
                         {},
                         {}};
      column.cells.values = results.values->columns[number];
      const auto& missing = results.values->missing[number++];
      column.cells.missing.assign(missing.begin(), missing.end());
      if (info.type && std::holds_alternative<types::String>(info.type->kind)) column.cells.labels = results.words;
      columns.push_back(std::move(column));
    }
  }
}

Data data_of(const BatchResults& results, const OutputTable& table) {
  DataWriter data;
  data.begin_object(Layout::lines).key("wave").value(version).key("file").value(results.file);
  data.key("model").value(results.model).key("engine").value(results.engine);
  add_columns(data, table);
  data.key("rows").rows(0, false);
  data.key("failed").begin_array(Layout::lines);
  for (const auto& one : results.values->failed) {
    const auto& kind = results.values->kinds[one.kind];
    data.begin_object().key("row").value(static_cast<std::int64_t>(one.row) + 1);
    data.key("code").value(code_of(kind.kind)).key("words").value(kind.words).end_object();
  }
  return data.end_array().end_object().take();
}

}  // namespace

Document document_of(const BatchResults& results) {
  Document document;
  OutputTable& table = document.tables.emplace_back();
  add_given(results, table.columns);
  add_outputs(results, table.columns);
  table.rows = results.table->rows().size();
  table.has_errors = true;
  const auto columns = std::make_shared<const std::vector<TableColumn>>(std::move(table.columns));
  for (const auto& one : *columns) table.columns.push_back({one.column, one.is, {}, {}});
  table.blocks = [&results, columns](const BlockSink& sink) { return sink(BatchRows(results, *columns)); };
  table.lines = {results.table->columns().size(), row_text(results, results.table->header()),
                 [&results](std::size_t row) { return row_text(results, results.table->rows()[row]); }};
  document.data = [&results](const std::vector<OutputTable>& tables) { return data_of(results, tables.front()); };
  document.page = [](const std::vector<OutputTable>& tables) {
    return Blocks{{"", readable(tables.front(), table_digits)}};
  };
  return document;
}

}  // namespace wave::cli
