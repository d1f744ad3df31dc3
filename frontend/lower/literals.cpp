// What was measured: numbers, values with their spread, and tables, written out or from the columns of a file.
#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/processes.h"
#include "frontend/parse/units.h"
#include "frontend/source/csv.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

ir::ValueId Literals::literal(const expr::Number& node, Location location) {
  if (!literals_ || node.dimension.time == 0) return b_.real(node.value);
  ir::DefinitionId& definition = literal_at_[{location.file, location.begin}];
  if (!definition.valid()) {
    definition = b_.define(ir::System::root_frame, node.text, b_.real(node.value), location, true);
    literals_->push_back({node.text, location, node.dimension.time, definition, {}});
  }
  return b_.reference(definition);
}

void Literals::note_table_of_times(ir::TableId table, const TypeRef& values, Location location) {
  const auto* real = as<types::Real>(values);
  if (!literals_ || !real || real->dimension.time == 0) return;
  literals_->push_back({"table", location, real->dimension.time, {}, table});
}

// The draw belongs to the location in the text and not to where the value is used: a parameter of a machine that two
// parts of a model share was measured once.
ValuePtr Literals::uncertain(const expr::Uncertain& node, const Scope& scope, Location location) {
  if (!uncertain_) return number(expressions_.real(*node.mean, scope));
  const auto [known, is_new] = uncertain_at_.try_emplace({location.file, location.begin}, uncertain_->size());
  const std::string text(program_.sources.text(location));
  if (is_new) uncertain_->push_back({text, location, {}});
  if (!has_draws_) return number(expressions_.real(*node.mean, scope));
  ir::DefinitionId& draw = (*uncertain_)[known->second].draw;
  if (!draw.valid()) draw = b_.define(ir::System::root_frame, "draw of " + text, b_.real(0), location, true);
  const ir::ValueId mean = expressions_.real(*node.mean, scope);
  const ir::ValueId deviation =
      processes_.not_negative(expressions_.real(*node.deviation, scope), node.deviation->location, node.deviation->type,
                              "the deviation of `±`");
  return number(b_.add(mean, b_.multiply(deviation, b_.reference(draw))));
}

using ir::ValueId;

using ir::FailureKind;

namespace {

ir::Interpolation interpolation_of(const std::string& word) {
  if (word == "step") return ir::Interpolation::step;
  if (word == "log") return ir::Interpolation::logarithmic;
  return ir::Interpolation::linear;
}

struct DataColumn {
  std::size_t position = 0;
  std::optional<Unit> unit;  // `elapsed [us]`
};

class FileReader {
 public:
  FileReader(const Parts& parts, const expr::TableFile& node, Location location)
      : parts_(parts), node_(node), location_(location), table_(node.text) {}

  // Returns rows of key cells, in the order of the columns, with the value last.
  std::vector<std::vector<double>> read() {
    std::vector<DataColumn> columns;
    for (const Identifier& key : node_.keys) columns.push_back(find(key));
    columns.push_back(find(node_.value));
    std::vector<std::vector<double>> entries;
    while (table_.next()) {
      if (table_.trouble()) complain(*table_.trouble());
      std::vector<double> entry;
      for (const DataColumn& column : columns) entry.push_back(cell(column));
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  [[noreturn]] void complain(const std::string& message, const std::string& help = "") {
    parts_.sites.abandon(DiagnosticKind::bad_data_file, location_, fmt::format("`{}`: {}", node_.path.text, message),
                         "", help);
  }
  [[noreturn]] void complain(const CsvTrouble& trouble) {
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
      DataColumn column{i, std::nullopt};
      if (!heading.unit.empty()) {
        column.unit = read_unit(heading.unit, name.location, "1", parts_.diagnostics);
        if (!column.unit) throw Abandoned{DiagnosticKind::unknown_unit};
      }
      return column;
    }
    complain(fmt::format("there is no column `{}`", name.text));
  }

  double cell(const DataColumn& column) {
    const CsvCell& at = table_.cells()[column.position];
    const std::string_view text = at.text;
    if (text.empty())
      complain(fmt::format("line {} has an empty cell in column {}", line(at.begin), column.position + 1));
    const bool negative = text.front() == '-';
    const std::string_view digits = negative || text.front() == '+' ? text.substr(1) : text;
    if (!is_number(digits)) complain(fmt::format("`{}` in line {} is no number", text, line(at.begin)));
    const auto value = nearest_value(digits, column.unit ? &*column.unit : nullptr);
    if (!value) complain(fmt::format("`{}` in line {} is too large", text, line(at.begin)));
    return negative ? -*value : *value;
  }

  // As 12, 1.5, .5, 2e-3.
  static bool is_number(std::string_view text) {
    std::size_t at = 0;
    std::size_t digits = 0;
    const auto run = [&] {
      while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at, ++digits;
    };
    run();
    if (at < text.size() && text[at] == '.') ++at, run();
    if (digits == 0) return false;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      ++at;
      if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
      digits = 0;
      run();
    }
    return digits > 0 && at == text.size();
  }

  const Parts& parts_;
  const expr::TableFile& node_;
  Location location_;
  CsvTable table_;
};

// Makes the table of the system from entries on a grid of keys, which may be in any order.
ir::Table arrange(const Parts& parts, std::vector<std::vector<double>> entries, std::size_t keys,
                  const std::string& name, Location location) {
  ir::Table table;
  table.name = name;
  table.keys.resize(keys);
  const auto complain = [&](const std::string& message) {
    parts.sites.abandon(DiagnosticKind::bad_data_file, location, message);
  };
  for (const auto& entry : entries) {
    for (std::size_t k = 0; k < keys; ++k) table.keys[k].push_back(entry[k]);
  }
  std::size_t cells = 1;
  for (auto& axis : table.keys) {
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
    cells *= axis.size();
  }
  if (entries.empty()) complain(fmt::format("`{}` has no entries", name));
  std::sort(entries.begin(), entries.end());  // by their keys, in row-major order
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool again = i > 0 && std::equal(entries[i].begin(), entries[i].end() - 1, entries[i - 1].begin());
    if (again) complain(fmt::format("`{}` has two values for one key", name));
    table.values.push_back(entries[i].back());
  }
  if (table.values.size() != cells) {
    complain(fmt::format("`{}` has {} values for {} x {} keys: every pair of keys needs one", name, table.values.size(),
                         table.keys.front().size(), table.keys.back().size()));
  }
  return table;
}

}  // namespace

static void check_positive(const Parts& parts, const ir::Table& table, Location location) {
  if (table.interpolation != ir::Interpolation::logarithmic) return;
  const auto positive = [](double x) { return x > 0; };
  bool all = std::all_of(table.values.begin(), table.values.end(), positive);
  for (const auto& axis : table.keys) all &= std::all_of(axis.begin(), axis.end(), positive);
  if (all) return;
  parts.sites.abandon(DiagnosticKind::bad_table, location, "a `log` table needs keys and values above zero",
                      "one of them is zero or less", "use `linear` or `step`");
}

ValuePtr Literals::table(const expr::TableLiteral& node, const Scope& scope, Location location) {
  ir::Table table{"table", {{}}, {}, interpolation_of(node.interpolation), node.extend};
  {
    const ConstantLiterals constant(*this);
    read_entries(node, scope, table);
  }
  check_positive(parts_, table, location);
  const ir::TableId id = b_.table(std::move(table));
  if (!node.entries.empty()) note_table_of_times(id, node.entries[0].second->type, location);
  return make(value::Table{id, 1});
}

void Literals::read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table) {
  for (const auto& [key_expr, value_expr] : node.entries) {
    const auto key = b_.as_constant(expressions_.real(*key_expr, scope));
    const auto value = b_.as_constant(expressions_.real(*value_expr, scope));
    if (!key || !value) {
      const Expr& unknown = key ? *value_expr : *key_expr;
      sites_.abandon(DiagnosticKind::bad_table, unknown.location, "the entries of a table are constants",
                     "this depends on a parameter, or fails", "use a function with `if` or `when` instead");
    }
    if (!table.keys[0].empty() && !(key->real > table.keys[0].back())) {
      sites_.abandon(DiagnosticKind::bad_table, key_expr->location, "the keys of a table rise",
                     "this one is not greater than the one before");
    }
    table.keys[0].push_back(key->real);
    table.values.push_back(value->real);
  }
}

ValuePtr Literals::table(const expr::TableFile& node, const TypeRef& type, Location location) {
  auto entries = FileReader(parts_, node, location).read();
  ir::Table table = arrange(parts_, std::move(entries), node.keys.size(), node.path.text, location);
  table.interpolation = interpolation_of(node.interpolation);
  table.extend = node.extend;
  check_positive(parts_, table, location);
  const ir::TableId id = b_.table(std::move(table));
  if (const auto* known = as<types::Table>(type)) note_table_of_times(id, known->value, location);
  return make(value::Table{id, node.keys.size()});
}

ValuePtr Literals::look_up_table(const value::Table& table, const std::vector<Named>& arguments, Location location) {
  std::vector<ValueId> keys;
  for (const Named& argument : arguments)
    keys.push_back(values_.scalar_of(argument.second, ir::ScalarType::real, location));
  if (keys.size() != table.keys) sites_.abandon(DiagnosticKind::not_expressible, location, "the table has other keys");
  const ir::SiteId outside =
      sites_.site(FailureKind::outside_table, location, b_.system().tables[table.table.index].name);
  sites_.note_table(outside, table.table);
  return number(b_.lookup(table.table, std::move(keys), outside));
}

}  // namespace wave::frontend::lowering
