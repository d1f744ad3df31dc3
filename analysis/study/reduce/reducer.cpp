// See reducer.h.
#include "analysis/study/reduce/reducer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wave::analysis {
namespace {

Column found_column(Column column, const std::string& name) {
  column.name = name;
  column.doc.clear();
  column.listed.reset();
  return column;
}

void append_text(Cells& cells, const std::string& text) {
  const auto found = std::find(cells.labels.begin(), cells.labels.end(), text);
  std::get<std::vector<std::int64_t>>(cells.values).push_back(found - cells.labels.begin());
  if (found == cells.labels.end()) cells.labels.push_back(text);
}

void append_cell(Cells& cells, const std::optional<Cell>& cell, std::size_t row) {
  if (!cell) cells.missing.push_back(row);
  if (auto* reals = std::get_if<std::vector<double>>(&cells.values)) {
    reals->push_back(cell ? std::get<double>(*cell) : std::nan(""));
    return;
  }
  auto& values = std::get<std::vector<std::int64_t>>(cells.values);
  if (!cell)
    values.push_back(0);
  else if (const auto* truth = std::get_if<bool>(&*cell))
    values.push_back(*truth ? 1 : 0);
  else if (const auto* text = std::get_if<std::string>(&*cell))
    append_text(cells, *text);
  else
    values.push_back(std::get<std::int64_t>(*cell));
}

ColumnValues none_of(CellKind kind) {
  return kind == CellKind::real ? ColumnValues(std::vector<double>()) : ColumnValues(std::vector<std::int64_t>());
}

}  // namespace

std::unique_ptr<Reducer> make_reducer(const StudyDescription& study, const Reduction& reduction) {
  switch (reduction.kind) {
    case Reduction::Kind::best: return make_best(study, reduction);
    case Reduction::Kind::pareto: return make_pareto(study, reduction);
    case Reduction::Kind::histogram: return make_histogram(study, reduction);
    case Reduction::Kind::groups: return make_groups(study, reduction);
    case Reduction::Kind::quantiles: return make_quantiles(study, reduction);
  }
  return nullptr;
}

ReducedColumn whole_column(const std::string& name, std::vector<std::int64_t> values) {
  Column column;
  column.name = name;
  column.kind = CellKind::integer;
  return {std::move(column), {std::move(values), {}, {}}};
}

ReducedColumn real_column(const Column& like, const std::string& name, std::vector<double> values) {
  ReducedColumn made{found_column(like, name), {}};
  made.column.kind = CellKind::real;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (std::isnan(values[row])) made.cells.missing.push_back(row);
  }
  made.cells.values = std::move(values);
  return made;
}

ReducedColumn key_column(const Column& like, const std::string& name, const std::vector<std::uint64_t>& keys) {
  if (like.kind == CellKind::real) {
    std::vector<double> values;
    for (const std::uint64_t key : keys) values.push_back(key == 0 ? std::nan("") : real_of(key));
    return real_column(like, name, std::move(values));
  }
  ReducedColumn made{found_column(like, name), {std::vector<std::int64_t>(), {}, {}}};
  auto& values = std::get<std::vector<std::int64_t>>(made.cells.values);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (keys[row] == 0) made.cells.missing.push_back(row);
    values.push_back(keys[row] == 0 ? 0 : whole_of(keys[row]));
  }
  return made;
}

std::vector<ReducedColumn> row_columns(const StudyDescription& study, const std::vector<const KeptRow*>& rows) {
  const std::size_t varied = study.varied();
  const StudyPoints points(study);
  std::vector<ReducedColumn> columns{whole_column("at row", {})};
  for (const Column& one : study.columns) {
    columns.push_back({one, {none_of(one.kind), {}, {}}});
    columns.back().column.listed.reset();
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t point = rows[row]->point;
    std::get<std::vector<std::int64_t>>(columns[0].cells.values).push_back(static_cast<std::int64_t>(point + 1));
    const auto values = points.at({point, point + 1});
    for (std::size_t i = 0; i < varied; ++i) {
      std::visit(
          [&](const auto& from) {
            std::get<std::remove_cvref_t<decltype(from)>>(columns[1 + i].cells.values).push_back(from.front());
          },
          values[i]);
    }
    for (std::size_t i = varied; i < study.columns.size(); ++i)
      append_cell(columns[1 + i].cells, rows[row]->cells[i - varied], row);
  }
  return columns;
}

}  // namespace wave::analysis
