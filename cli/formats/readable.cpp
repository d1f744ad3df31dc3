// Tables as people read them. See readable.h.
#include "cli/formats/readable.h"

#include "base/text.h"
#include "cli/formats/document.h"
#include "cli/formats/rows.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace wave::cli {

namespace {

using analysis::CellKind;
using analysis::Column;
using frontend::RowsShape;

// Texts of models and of files may hold what a terminal takes for orders.
std::vector<std::string> harmless(const std::vector<std::string>& row) {
  std::vector<std::string> cells;
  cells.reserve(row.size());
  for (const auto& cell : row) cells.push_back(display(cell).text);
  return cells;
}

constexpr std::size_t widest_doc = 100;
constexpr frontend::Dimension data_dimension{0, 1, 0};
constexpr const char* error_heading = "error";

// As it is: `render` takes care of what a terminal would obey.
std::string plain(std::string_view text) { return std::string(text); }
std::string joined(const std::vector<std::string>& words) { return join_texts(words, "; "); }
const Notation notation{plain, joined, "", ""};

// A plain number, a ratio say, has no unit that would bring it near 1; it gets more digits.
int digits_for(const Column& column, int digits) {
  return column.dimension.plain() ? std::max(digits, plain_digits) : digits;
}

// The rows that are shown of a table, column by column.
struct Shown {
  std::vector<std::vector<double>> reals;  // missing ones are NaN
  std::vector<std::vector<bool>> missing;
  std::vector<std::vector<std::string>> texts;  // of what is no real number
  std::vector<std::string> errors;
  bool has_errors = false;
};

Shown shown_rows(const OutputTable& table, std::uint64_t most_rows) {
  const std::size_t columns = table.columns.size(), listed = listed_columns(table);
  Shown shown;
  shown.reals.resize(columns);
  shown.missing.resize(columns);
  shown.texts.resize(columns);
  RowTexts texts(table, notation);
  table.each_range([&](const RowRange& range) {
    texts.take(range);
    const std::size_t rows = std::min<std::uint64_t>(range.size(), most_rows - shown.errors.size());
    for (std::size_t row = 0; row < rows; ++row) {
      const auto* const error = range.error(row);
      shown.has_errors |= error != nullptr;
      shown.errors.push_back(error == nullptr ? "" : display(*error).text);
    }
    for (std::size_t i = 0; i < columns; ++i) {
      const Column& column = table.columns[i].column;
      const bool is_real = column.kind == CellKind::real && table.columns[i].lists.empty();
      for (std::size_t row = 0; row < rows; ++row) {
        if (!is_real) {
          texts.append(shown.texts[i].emplace_back(), i, row);
          continue;
        }
        const std::uint64_t number = range.begin() + row;
        if (i < listed) {
          shown.reals[i].push_back(std::get<std::vector<double>>(*column.listed)[texts.listed_place(i, row)]);
          shown.missing[i].push_back(false);
          continue;
        }
        const auto& cells = range.cells(i);
        const bool is_missing = std::binary_search(cells.missing.begin(), cells.missing.end(), number);
        shown.reals[i].push_back(is_missing ? std::nan("") : std::get<std::vector<double>>(cells.values)[row]);
        shown.missing[i].push_back(is_missing);
      }
    }
    return true;
  });
  return shown;
}

void add_column(ReadableTable& table, std::string heading, Align align, const std::vector<std::string>& texts) {
  table.header.push_back(std::move(heading));
  table.align.push_back(align);
  for (std::size_t row = 0; row < texts.size(); ++row) table.rows[row].push_back(texts[row]);
}

// The unit of a column of an output. Data are whole bytes, so that the smallest of them can decide, however large the
// others are.
Scale scale_of_outputs(const Column& column, const std::vector<double>& values) {
  if (column.unit_was_asked || column.dimension != data_dimension) return readable_scale(column, values);
  double least = 0;
  for (const double value : values) {
    if (value != 0 && (least == 0 || std::abs(value) < least)) least = std::abs(value);
  }
  return readable_scale(column.dimension, least);
}

Scale scale_of_points(const Column& column, const std::vector<double>& values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double one) { return std::isfinite(one); });
  return readable_scale(column, finite);
}

void add_reals(ReadableTable& table, const Column& column, const Scale& scale, const std::vector<double>& values,
               const std::vector<bool>& missing, int digits) {
  std::vector<double> finite;
  for (const double value : values) {
    if (std::isfinite(value)) finite.push_back(scale.shown(value));
  }
  const int decimals = common_decimals(finite, digits_for(column, digits));
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < values.size(); ++row) {
    texts.push_back(missing[row]              ? ""
                    : std::isnan(values[row]) ? "no value"
                    : std::isinf(values[row]) ? "no limit"
                                              : format_decimals(scale.shown(values[row]), decimals));
  }
  add_column(table, heading(column.name, scale.unit), Align::right, texts);
}

bool is_left(const TableColumn& one) { return one.column.kind == CellKind::word; }

// The first paragraph of a documentation comment, on one line.
std::string summary(const std::string& doc) {
  std::string text = sanitize(doc.substr(0, doc.find("\n\n")));
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (display_width(text) <= widest_doc) return text;
  const auto cut = text.rfind(' ', widest_doc);
  return text.substr(0, cut == std::string::npos ? 0 : cut) + " …";
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

std::string single_text(const OutputTable& table, std::size_t column, RowTexts& texts, int digits) {
  const Column& of = table.columns[column].column;
  const auto& cells = table.columns[column].cells;
  if (const auto* const reals = std::get_if<std::vector<double>>(&cells.values)) {
    const double value = reals->front();
    const Scale scale = of.unit_was_asked ? readable_scale(of, *reals) : readable_scale(of.dimension, value);
    const std::string number = format_number(scale.shown(value), digits_for(of, digits));
    return scale.unit.empty() ? number : number + " " + scale.unit;
  }
  std::string text;
  texts.append(text, column, 0);
  return sanitize(text);
}

void add_value_rows(std::vector<ValueRow>& rows, const OutputTable& table, int digits) {
  if (!table.is_whole()) {
    const std::string status = fmt::format("failed ({})", table.failed);
    rows.push_back({table.name, status, "", summary(table.doc)});
    return;
  }
  if (table.rows == 0) return;
  RowTexts texts(table, notation);
  table.each_range([&](const RowRange& range) {
    texts.take(range);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      rows.push_back(make_value_row(value_name(table.shape, table.name, table.columns[i].column.name),
                                    single_text(table, i, texts, digits), i == 0 ? summary(table.doc) : ""));
    }
    return true;
  });
}

bool is_number_row(const ValueRow& row) {
  return !row.rest.empty() || (!row.whole.empty() && row.whole.find_first_not_of("-0123456789") == std::string::npos);
}

ReadableTable table_of_values(const std::vector<ValueRow>& rows) {
  std::size_t whole = 0;
  for (const auto& row : rows) {
    if (is_number_row(row)) whole = std::max(whole, display_width(row.whole));
  }
  ReadableTable table{{}, {Align::left, Align::left, Align::left}, {}};
  for (const auto& row : rows) {
    const std::string value = is_number_row(row) ? pad_left(row.whole, whole) + row.rest : row.whole;
    table.rows.push_back({row.name, value, row.doc});
  }
  return table;
}

Passage passage_of_rows(const OutputTable& given, int digits) {
  Passage passage{given.name + (given.doc.empty() ? "" : "  " + summary(given.doc)) + "\n", {}, "  "};
  if (given.rows == 0) {
    passage.text += "  (empty)\n";
    return passage;
  }
  const Shown shown = shown_rows(given, given.rows);
  passage.table.rows.resize(given.rows);
  if (given.shape == RowsShape::list) {
    std::vector<std::string> numbers;
    for (std::size_t row = 0; row < given.rows; ++row) numbers.push_back(fmt::format("{}", row + 1));
    add_column(passage.table, "#", Align::right, numbers);
  }
  for (std::size_t i = 0; i < given.columns.size(); ++i) {
    const Column& column = given.columns[i].column;
    if (column.kind != CellKind::real) {
      add_column(passage.table, column.name, is_left(given.columns[i]) ? Align::left : Align::right, shown.texts[i]);
    } else if (given.shape == RowsShape::series && column.dimension == data_dimension && !column.unit_was_asked) {
      // The sizes of a series stand each with its own unit: 1 B, 4 KiB, 1 MiB.
      std::vector<std::string> sizes;
      for (const double value : shown.reals[i])
        sizes.push_back(format_quantity(value, data_dimension, std::nullopt, std::max(digits, plain_digits)));
      add_column(passage.table, column.name, Align::right, sizes);
    } else {
      add_reals(passage.table, column, scale_of_outputs(column, shown.reals[i]), shown.reals[i], shown.missing[i],
                digits);
    }
  }
  return passage;
}

}  // namespace

std::string render(const ReadableTable& given, std::string_view indent) {
  ReadableTable table{harmless(given.header), given.align, {}};
  for (const auto& row : given.rows) table.rows.push_back(harmless(row));
  std::vector<std::size_t> widths(table.align.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);

  std::string result;
  const auto write = [&](const std::vector<std::string>& row) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += table.align[i] == Align::left ? pad_right(row[i], widths[i]) : pad_left(row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  if (!table.header.empty()) write(table.header);
  for (const auto& row : table.rows) write(row);
  return result;
}

ReadableTable readable(const OutputTable& table, int digits, std::uint64_t most_rows) {
  const Shown shown = shown_rows(table, most_rows);
  ReadableTable result;
  result.rows.resize(shown.errors.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const TableColumn& one = table.columns[i];
    if (one.column.kind != CellKind::real || !one.lists.empty()) {
      add_column(result, one.column.heading(), is_left(one) ? Align::left : Align::right, shown.texts[i]);
      continue;
    }
    add_reals(result, one.column, scale_of_points(one.column, shown.reals[i]), shown.reals[i], shown.missing[i],
              digits);
  }
  if (shown.has_errors) add_column(result, error_heading, Align::left, shown.errors);
  return result;
}

Passages readable(const std::vector<OutputTable>& tables, int digits) {
  Passages page;
  std::vector<ValueRow> values;
  const auto finish_values = [&] {
    if (!values.empty()) page.push_back({page.empty() ? "" : "\n", table_of_values(values)});
    values.clear();
  };
  for (const auto& table : tables) {
    if (!table.is_whole() || is_one_row(table.shape)) {
      add_value_rows(values, table, digits);
      continue;
    }
    finish_values();
    Passage passage = passage_of_rows(table, digits);
    if (!page.empty()) passage.text.insert(0, "\n");
    page.push_back(std::move(passage));
  }
  finish_values();
  return page;
}

}  // namespace wave::cli
