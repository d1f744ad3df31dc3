// Tables from the columns of a file: with a value for every combination of keys, for some of them, or with rows.
#include "frontend/lower/expressions.h"
#include "frontend/parse/quantity_reader.h"
#include "frontend/parse/units.h"
#include "frontend/source/text_table.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

// The rows of a file, one behind the other.
struct FileEntries {
  std::size_t width = 0, keys = 0;
  std::vector<double> cells;

  std::size_t size() const { return cells.size() / width; }
  const double* row(std::size_t number) const { return cells.data() + number * width; }
  bool same_keys(std::size_t a, std::size_t b) const { return std::equal(row(a), row(a) + keys, row(b)); }

  void sort() {
    const auto is_before = [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(row(a), row(a) + keys, row(b), row(b) + keys);
    };
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::is_sorted(order.begin(), order.end(), is_before)) return;
    std::stable_sort(order.begin(), order.end(), is_before);
    std::vector<double> sorted;
    sorted.reserve(cells.size());
    for (const std::size_t number : order) sorted.insert(sorted.end(), row(number), row(number) + width);
    cells = std::move(sorted);
  }
};

namespace {

struct DataColumn {
  std::size_t position = 0;
  QuantityReader reader;  // `elapsed [us]`
};

class FileReader {
 public:
  FileReader(const Parts& parts, const expr::TableFile& node, Location location)
      : parts_(parts), node_(node), location_(location), table_(node.text) {}

  // The keys in the order of the columns, then the values, sorted by keys. Rows of equal keys keep their order.
  FileEntries read() {
    std::vector<DataColumn> columns;
    for (const Identifier& key : node_.keys) columns.push_back(find(key));
    for (const Identifier& value : node_.values) columns.push_back(find(value));
    FileEntries entries{columns.size(), node_.keys.size(), {}};
    const auto lines = static_cast<std::size_t>(std::count(node_.text.begin(), node_.text.end(), '\n'));
    entries.cells.reserve(columns.size() * (lines + 1));
    while (table_.next()) {
      if (table_.trouble()) complain(*table_.trouble());
      for (const DataColumn& column : columns) entries.cells.push_back(cell(column));
    }
    if (entries.cells.empty()) complain("the file has no entries");
    entries.sort();
    return entries;
  }

 private:
  [[noreturn]] void complain(const std::string& message, const std::string& help = "") {
    parts_.sites.abandon(DiagnosticKind::bad_data_file, location_, fmt::format("`{}`: {}", node_.path.text, message),
                         "", help);
  }
  [[noreturn]] void complain(const TableTrouble& trouble) {
    std::string message = fmt::format("line {}: {}", line(trouble.begin), trouble.message);
    for (const std::string& note : trouble.notes) message += "; " + note;
    complain(message, trouble.help.empty() ? "" : trouble.help.front());
  }
  std::ptrdiff_t line(std::uint32_t at) const {
    return 1 + std::count(node_.text.begin(), node_.text.begin() + at, '\n');
  }

  DataColumn find(const Identifier& name) {
    if (table_.header().empty()) complain("the file is empty");
    if (table_.trouble()) complain(*table_.trouble());
    for (std::size_t i = 0; i < table_.header().size(); ++i) {
      const CsvHeading heading = split_heading(table_.header()[i]);
      if (heading.name != name.text) continue;
      std::optional<Unit> unit;
      if (!heading.unit.empty()) {
        unit = read_unit(heading.unit, name.location, "1", parts_.diagnostics);
        if (!unit) throw Abandoned{DiagnosticKind::unknown_unit};
      }
      return {i, QuantityReader(std::move(unit))};
    }
    complain(fmt::format("there is no column `{}`", name.text));
  }

  double cell(const DataColumn& column) {
    const CsvCell& at = table_.cells()[column.position];
    const std::string_view text = at.text;
    if (text.empty())
      complain(fmt::format("line {} has an empty cell in column {}", line(at.begin), column.position + 1));
    const auto value = column.reader.read(text);
    if (value) return *value;
    const NumberRefusal why = column.reader.why_not(text, false);
    complain(fmt::format("line {}: {}", line(at.begin), why.message), why.help);
  }

  const Parts& parts_;
  const expr::TableFile& node_;
  Location location_;
  TextTable table_;
};

// The keys of each value, as an exact table has them.
void fill(const FileEntries& entries, ir::Table& table) {
  for (std::size_t axis = 0; axis < entries.keys; ++axis) {
    auto& keys = table.keys.emplace_back();
    keys.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) keys.push_back(entries.row(i)[axis]);
  }
  table.values.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) table.values.push_back(entries.row(i)[entries.keys]);
}

// The keys of each axis, where there is a value for every combination of them.
void make_grid(const Parts& parts, const std::string& column, ir::Table& table, Location location) {
  std::size_t cells = 1;
  for (auto& keys : table.keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    cells *= keys.size();
  }
  if (table.values.size() == cells) return;
  parts.sites.abandon(
      DiagnosticKind::bad_data_file, location,
      fmt::format("`{}` has {} values for {} x {} keys: every pair of keys needs one", table.name, table.values.size(),
                  table.keys.front().size(), table.keys.back().size()),
      "",
      fmt::format("`value {0} else ...` has a value for all other pairs; `value [{0}]` has a list of rows for each key",
                  column));
}

// By the keys of the file, the number of their first row and of their last; no rows for all others.
std::pair<ir::Table, ir::Table> ends_of_rows(const FileEntries& entries, const std::string& name) {
  ir::Table first{name, {}, {}, ir::Interpolation::exact, false, 1.0};
  first.keys.resize(entries.keys);
  ir::Table last = first;
  last.otherwise = 0.0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto number = static_cast<double>(i + 1);
    if (i > 0 && entries.same_keys(i - 1, i)) {
      last.values.back() = number;
      continue;
    }
    for (std::size_t axis = 0; axis < entries.keys; ++axis) first.keys[axis].push_back(entries.row(i)[axis]);
    first.values.push_back(number);
    last.values.push_back(number);
  }
  last.keys = first.keys;
  return {std::move(first), std::move(last)};
}

}  // namespace

ValuePtr Literals::rows(const expr::TableFile& node, const FileEntries& entries) {
  auto [first, last] = ends_of_rows(entries, node.path.text);
  value::Rows rows{b_.table(std::move(first)), b_.table(std::move(last)), {}, node.row.get()};
  const auto& types = std::get<item::Record>(node.row->node).checked_types;
  for (std::size_t column = 0; column < types.size(); ++column) {
    ir::Table values{node.path.text, {{}}, {}, ir::Interpolation::step};
    values.keys.front().reserve(entries.size());
    values.values.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      values.keys.front().push_back(static_cast<double>(i + 1));
      values.values.push_back(entries.row(i)[entries.keys + column]);
    }
    const ir::TableId id = b_.table(std::move(values));
    note_table_of_times(id, types[column], node.values[column].location);
    rows.columns.push_back({id, 1, as<types::Int>(types[column]) != nullptr});
  }
  return make(value::Table{{}, entries.keys, false, std::make_shared<const value::Rows>(std::move(rows))});
}

ValuePtr Literals::table(const expr::TableFile& node, const TypeRef& type, const Scope& scope, Location location) {
  const FileEntries entries = FileReader(parts_, node, location).read();
  if (node.has_rows) return rows(node, entries);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (!entries.same_keys(i - 1, i)) continue;
    sites_.abandon(DiagnosticKind::bad_data_file, location,
                   fmt::format("`{}` has two values for one key", node.path.text), "",
                   fmt::format("`value [{}]` has a list of rows for each key", node.values.front().text));
  }
  ir::Table table{node.path.text, {}, {}, interpolation_of(node.interpolation), node.extend};
  fill(entries, table);
  if (node.otherwise)
    set_otherwise(*node.otherwise, scope, table);
  else
    make_grid(parts_, node.values.front().text, table, location);
  check_positive(table, location);
  const ir::TableId id = b_.table(std::move(table));
  const TypeRef value = as<types::Table>(type) ? as<types::Table>(type)->value : nullptr;
  note_table_of_times(id, value, location);
  return make(value::Table{id, node.keys.size(), value && as<types::Int>(value)});
}

// The value at keys. Whole numbers of a file are integers, which as doubles are exact.
ValueId Literals::read_table(const value::Table& table, std::vector<ValueId> keys, Location location) {
  const ir::SiteId outside =
      sites_.site(FailureKind::outside_table, location, b_.system().tables[table.table.index].name);
  sites_.note_table(outside, table.table);
  const ValueId found = b_.lookup(table.table, std::move(keys), outside);
  if (!table.is_integer) return found;
  return b_.unary(ir::UnaryOp::to_integer, found, sites_.site(FailureKind::not_representable, location));
}

ValuePtr Literals::look_up_table(const value::Table& table, const std::vector<Named>& arguments, Location location) {
  std::vector<ValueId> keys;
  for (const Named& argument : arguments)
    keys.push_back(values_.scalar_of(argument.second, ir::ScalarType::real, location));
  if (keys.size() != table.keys) sites_.abandon(DiagnosticKind::not_expressible, location, "the table has other keys");
  if (!table.rows) return number(read_table(table, std::move(keys), location));
  const ValueId first = read_table({table.rows->first, table.keys, true}, keys, location);
  const ValueId last = read_table({table.rows->last, table.keys, true}, keys, location);
  return make(value::Range{first, last, b_.integer(1), false, false, location, table.rows});
}

ValuePtr Literals::row(const value::Rows& rows, ValueId position, Location location) {
  value::Record record{rows.record, {}};
  const ValueId key = b_.to_real(position);
  for (const value::Table& column : rows.columns) record.fields.push_back(number(read_table(column, {key}, location)));
  return make(std::move(record));
}

}  // namespace wave::frontend::lowering
