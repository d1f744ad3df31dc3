// See results.h.
#include "api/c/results.h"

#include <cstring>

namespace wave::api {

ValuePlace find_value(const std::vector<Table>& tables, const std::string& name) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Table& table = tables[i];
    if (!is_one_row(table.shape)) continue;
    if (!table.failed.empty() && (name == table.name || name.starts_with(table.name + "."))) return {i, 0, true};
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      if (value_name(table.shape, table.name, table.columns[k].head.column.name) == name) return {i, k, true};
    }
  }
  return {};
}

void refuse_value(const std::vector<Table>& tables, const std::string& name, const char* argument) {
  std::vector<std::string> names;
  for (const Table& table : tables) {
    if (!is_one_row(table.shape)) {
      if (table.name == name)
        throw Misuse{std::string("`") + argument + "` is `" + name + "`, which is no single value: it has rows"};
      continue;
    }
    for (const TableColumn& column : table.columns)
      names.push_back(value_name(table.shape, table.name, column.head.column.name));
  }
  const std::string near = frontend::nearest(name, names);
  throw Misuse{std::string("`") + argument + "` is `" + name + "`, but there is no such value",
               near.empty() ? "the values are " + frontend::quoted_list(names) : frontend::did_you_mean({near})};
}

const TableColumn& Result::value(const std::string& name) const {
  const ValuePlace place = find_value(tables, name);
  if (!place.is_found) refuse_value(tables, name, "name");
  const Table& table = tables[place.table];
  if (!table.failed.empty() || table.rows != 1)
    fail(WAVE_FAILED, frontend::kind_of(table.failed).value_or(frontend::DiagnosticKind::output_not_finite),
         "output `" + table.name + "` has no value: it failed");
  return table.columns[place.column];
}

namespace {

const char* word_of(int cell) {
  switch (cell) {
    case WAVE_REAL: return "real numbers";
    case WAVE_INTEGER: return "whole numbers";
    case WAVE_BOOLEAN: return "truth values";
    default: return "texts";
  }
}

[[noreturn]] void refuse_type(const TableColumn& column, int wanted) {
  throw Misuse{"`" + column.head.column.name + "` holds " + word_of(column.head.cell) + ", not " + word_of(wanted)};
}

int kept_as(const TableColumn& column) { return column.head.cell == WAVE_BOOLEAN ? WAVE_INTEGER : column.head.cell; }

bool holds(const TableColumn& column, int cell) {
  return kept_as(column) == cell || (cell == WAVE_REAL && column.head.cell == WAVE_INTEGER);
}

double real_of(const TableColumn& column) {
  return column.si.empty() ? static_cast<double>(column.integers.front()) : column.si.front();
}

// Whole and truth values are read alike.
int checked_cell(int cell) {
  switch (cell) {
    case WAVE_REAL:
    case WAVE_TEXT: return cell;
    case WAVE_INTEGER:
    case WAVE_BOOLEAN: return WAVE_INTEGER;
    default: throw Misuse{"`cell` is " + std::to_string(cell) + ", which is no kind of cell"};
  }
}

const Table& table_at(const Result& result, std::size_t output) {
  need_index(output, result.tables.size(), "output");
  return result.tables[output];
}

const TableColumn& column_at(const Result& result, std::size_t output, std::size_t column) {
  const Table& table = table_at(result, output);
  need_index(column, table.columns.size(), "column");
  return table.columns[column];
}

void check_unit(int unit) {
  if (unit != WAVE_SI && unit != WAVE_ASKED)
    throw Misuse{"`unit` is " + std::to_string(unit) + ": WAVE_SI or WAVE_ASKED may be"};
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_result_describe(const wave_result* result, wave_result_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(info, "info");
    fill(info, wave_result_info{0, found->tables.size(), found->engine.c_str()}, "info");
  });
}

wave_status wave_result_output(const wave_result* result, size_t index, wave_output_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need_index(index, found->tables.size(), "index");
    fill(info, found->tables[index].info(), "info");
  });
}

wave_status wave_result_find(const wave_result* result, const char* name, size_t* index, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(name, "name");
    need(index, "index");
    std::vector<std::string> names;
    for (size_t i = 0; i < found->tables.size(); ++i) {
      names.push_back(found->tables[i].name);
      if (names.back() != name) continue;
      *index = i;
      return;
    }
    const std::string near = wave::frontend::nearest(name, names);
    throw Misuse{
        std::string("`name` is `") + name + "`, but there is no such output",
        near.empty() ? "the outputs are " + wave::frontend::quoted_list(names) : wave::frontend::did_you_mean({near})};
  });
}

wave_status wave_result_column(const wave_result* result, size_t output, size_t column, wave_column_info* info,
                               wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    fill(info, column_at(*found, output, column).head.info(), "info");
  });
}

wave_status wave_result_value(const wave_result* result, const char* name, int cell, void* value, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(name, "name");
    need(value, "value");
    cell = checked_cell(cell);
    const auto& column = found->value(name);
    if (!holds(column, cell)) refuse_type(column, cell);
    switch (cell) {
      case WAVE_REAL: *static_cast<double*>(value) = real_of(column); break;
      case WAVE_INTEGER: *static_cast<std::int64_t*>(value) = column.integers.front(); break;
      default: *static_cast<const char**>(value) = column.texts.front();
    }
  });
}

wave_status wave_result_cells(const wave_result* result, size_t output, size_t column, int cell, int unit,
                              const void** cells, size_t* count, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(cells, "cells");
    need(count, "count");
    cell = checked_cell(cell);
    check_unit(unit);
    const auto& one = column_at(*found, output, column);
    if (kept_as(one) != cell) refuse_type(one, cell);
    switch (cell) {
      case WAVE_REAL: *cells = one.reals(unit).data(); break;
      case WAVE_INTEGER: *cells = one.integers.data(); break;
      default: *cells = one.texts.data();
    }
    *count = one.size();
  });
}

wave_status wave_result_codes(const wave_result* result, size_t output, const int32_t** codes, size_t* count,
                              wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(codes, "codes");
    need(count, "count");
    const Table& table = table_at(*found, output);
    *codes = table.codes.empty() ? nullptr : table.codes.data();
    *count = table.codes.size();
  });
}

}  // extern "C"
