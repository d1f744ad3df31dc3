// Results for people: single values beside each other's names, everything longer as a table of its own.
#include "cli/cells.h"
#include "cli/display.h"
#include "cli/results.h"
#include "cli/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::ColumnInfo;
using frontend::RowsShape;

constexpr std::size_t widest_doc = 100;
constexpr frontend::Dimension data_dimension{0, 1, 0};

// The first paragraph of a documentation comment, on one line.
std::string summary(const std::string& doc) {
  std::string text = sanitize(doc.substr(0, doc.find("\n\n")));
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (display_width(text) <= widest_doc) return text;
  const auto cut = text.rfind(' ', widest_doc);
  return text.substr(0, cut == std::string::npos ? 0 : cut) + " …";
}

// A plain number, a ratio say, has no unit that would bring it near 1; it gets more digits.
int digits_for(frontend::Dimension dimension, int digits) {
  return dimension.plain() ? std::max(digits, plain_digits) : digits;
}

std::string table_text(ir::Scalar value, const ColumnInfo& column, const std::vector<std::string>& words, int digits) {
  if (value.type != ir::ScalarType::real) return sanitize(discrete_text(value, column.type, words));
  const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
  return format_quantity(value.real, dimension, column.unit, digits_for(dimension, digits));
}

bool on_one_line(const OutputResult& output) {
  const auto shape = output.info->shape;
  return output.status != OutputStatus::evaluated || shape == RowsShape::single || shape == RowsShape::record;
}

// Numbers are lined up at their points.
struct ValueRow {
  std::string name, whole, rest, doc;
};

ValueRow make_value_row(const std::string& name, const std::string& value, const std::string& doc) {
  const auto end_of_whole = value.find_first_of(". ");
  const bool number = !value.empty() && (std::isdigit(static_cast<unsigned char>(value[0])) || value[0] == '-');
  if (!number || end_of_whole == std::string::npos) return {name, value, "", doc};
  return {name, value.substr(0, end_of_whole), value.substr(end_of_whole), doc};
}

void add_value_rows(std::vector<ValueRow>& rows, const OutputResult& output, const Results& results, int digits) {
  const auto& info = *output.info;
  if (output.status != OutputStatus::evaluated) {
    rows.push_back({info.name, fmt::format("failed ({})", output.failure), "", summary(info.doc)});
    return;
  }
  for (std::size_t i = 0; i < info.columns.size() && i < output.rows.cells.size(); ++i) {
    const auto& column = info.columns[i];
    const std::string name = info.shape == RowsShape::record ? info.name + "." + column.name : info.name;
    rows.push_back(make_value_row(name, table_text(output.rows.cells[i], column, results.words, digits),
                                  i == 0 ? summary(info.doc) : ""));
  }
}

bool is_number_row(const ValueRow& row) {
  return !row.rest.empty() || (!row.whole.empty() && row.whole.find_first_not_of("-0123456789") == std::string::npos);
}

std::string render_values(const std::vector<ValueRow>& rows) {
  std::size_t whole = 0;
  for (const auto& row : rows) {
    if (is_number_row(row)) whole = std::max(whole, display_width(row.whole));
  }
  Table table{{}, {Align::left, Align::left, Align::left}, {}};
  for (const auto& row : rows) {
    const std::string value = is_number_row(row) ? pad_left(row.whole, whole) + row.rest : row.whole;
    table.rows.push_back({row.name, value, row.doc});
  }
  return render(table);
}

// One column of a table: its cells, and the unit in its heading.
struct Cells {
  std::string heading;
  Align align = Align::right;
  std::vector<std::string> texts;
};

// The unit of a column. Data are whole bytes, so that the smallest of them can decide, however large the others are.
Scale column_scale(const std::vector<double>& values, frontend::Dimension dimension) {
  if (dimension != data_dimension) return readable_scale(dimension, values);
  double least = 0;
  for (const double value : values) {
    if (value != 0 && (least == 0 || std::abs(value) < least)) least = std::abs(value);
  }
  return readable_scale(dimension, least);
}

Cells real_cells(const std::vector<ir::Scalar>& values, const ColumnInfo& column, int digits) {
  const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
  std::vector<double> base;
  for (const auto& value : values) base.push_back(value.real);
  const Scale scale = column.unit ? scale_of(*column.unit) : column_scale(base, dimension);
  std::vector<double> finite;
  for (const double value : base) {
    if (std::isfinite(value)) finite.push_back(scale.shown(value));
  }
  const int decimals = common_decimals(finite, digits_for(dimension, digits));
  Cells cells{heading(column.name, scale.unit), Align::right, {}};
  for (const double value : base) {
    cells.texts.push_back(std::isnan(value)   ? "no value"
                          : std::isinf(value) ? "no limit"
                                              : format_decimals(scale.shown(value), decimals));
  }
  return cells;
}

// The sizes of a series stand each with its own unit: 1 B, 4 KiB, 1 MiB.
Cells size_cells(const std::vector<ir::Scalar>& values, const ColumnInfo& column, int digits) {
  Cells cells{column.name, Align::right, {}};
  for (const auto& value : values) {
    cells.texts.push_back(format_quantity(value.real, data_dimension, std::nullopt, std::max(digits, 6)));
  }
  return cells;
}

Cells make_cells(const std::vector<ir::Scalar>& values, const ColumnInfo& column, RowsShape shape,
                 const Results& results, int digits) {
  if (!values.empty() && values.front().type == ir::ScalarType::real) {
    const bool sizes = shape == RowsShape::series && dimension_of(column.type) == data_dimension;
    return sizes && !column.unit ? size_cells(values, column, digits) : real_cells(values, column, digits);
  }
  Cells cells{column.name, is_text(column.type) ? Align::left : Align::right, {}};
  for (const auto& value : values) cells.texts.push_back(sanitize(discrete_text(value, column.type, results.words)));
  return cells;
}

std::string render_rows(const OutputResult& output, const Results& results, int digits) {
  const auto& info = *output.info;
  std::string result = info.name + (info.doc.empty() ? "" : "  " + summary(info.doc)) + "\n";
  const std::size_t count = output.rows.count();
  if (count == 0) return result + "  (empty)\n";
  Table table;
  table.rows.resize(count);
  if (info.shape == RowsShape::list) {
    table.header.push_back("#");
    table.align.push_back(Align::right);
    for (std::size_t row = 0; row < count; ++row) table.rows[row].push_back(fmt::format("{}", row + 1));
  }
  for (std::size_t i = 0; i < info.columns.size(); ++i) {
    std::vector<ir::Scalar> values;
    for (std::size_t row = 0; row < count; ++row) values.push_back(output.rows.cells[row * output.rows.columns + i]);
    Cells cells = make_cells(values, info.columns[i], info.shape, results, digits);
    table.header.push_back(cells.heading);
    table.align.push_back(cells.align);
    for (std::size_t row = 0; row < count; ++row) table.rows[row].push_back(std::move(cells.texts[row]));
  }
  return result + render(table, "  ");
}

// A proof that has spared a few milliseconds is no news: those who want to know ask with `--verbose`.
constexpr double cells_worth_a_line = 1e7;

// "start, finish: closed form: equal paths".
std::string render_shortcuts(const Results& results) {
  std::vector<std::pair<std::string, std::string>> lines;  // the shortcut and whose values it gave
  for (const auto& one : shortcuts_of(results)) {
    if (one.cells < cells_worth_a_line) continue;
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == one.text; });
    if (same == lines.end())
      lines.emplace_back(one.text, one.of);
    else
      same->second += ", " + one.of;
  }
  std::string text;
  for (const auto& [shortcut, names] : lines) text += fmt::format("{}: {}\n", sanitize(names), shortcut);
  return text;
}

}  // namespace

std::string render_table(const Results& results, int digits) {
  std::vector<std::string> blocks;
  std::vector<ValueRow> values;
  const auto finish_values = [&] {
    if (!values.empty()) blocks.push_back(render_values(values));
    values.clear();
  };
  for (const auto& output : results.outputs) {
    if (on_one_line(output)) {
      add_value_rows(values, output, results, digits);
    } else {
      finish_values();
      blocks.push_back(render_rows(output, results, digits));
    }
  }
  finish_values();
  if (const std::string shortcuts = render_shortcuts(results); !shortcuts.empty()) blocks.push_back(shortcuts);
  return fmt::format("{}", fmt::join(blocks, "\n"));
}

std::string render_reports(const Results& results) {
  std::string text = fmt::format("engine: {}\n", results.engine);
  if (!results.code.empty()) text += fmt::format("code: {}\n", results.code);
  for (const auto& fallback : results.fallbacks) {
    text += fmt::format("`{}`: interpreted, {}\n", fallback.what, fallback.reason);
  }
  for (const auto& r : results.reports) {
    text += fmt::format("`{}`: {} cells, {}\n", r.event, format_number(r.cells, 6), r.schedule);
    if (r.quantum == 0) {
      text += "  evaluated in plain double precision\n";
      continue;
    }
    text += fmt::format(
        "  exact (times in ps): no value above {}, weights rounded to multiples of 2^{}, error at most {}\n",
        format_number(r.bound, 4), std::ilogb(r.quantum), format_number(r.error, 2));
  }
  return text;
}

}  // namespace wave::cli
