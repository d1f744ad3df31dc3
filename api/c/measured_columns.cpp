// See measured_columns.h.
#include "api/c/measured_columns.h"

#include "analysis/parameter_headings.h"
#include "analysis/validation/measured_model.h"
#include "analysis/value_text.h"
#include "api/c/columns.h"
#include "frontend/format/quantities.h"
#include "frontend/source/csv.h"

#include <algorithm>
#include <optional>

namespace wave::api {
namespace {

namespace item = frontend::item;
namespace types = frontend::types;

// Positions in a text have 32 bits.
constexpr std::size_t most_bytes_of_table = std::size_t{4000} << 20;

std::optional<frontend::Dimension> dimension_of_output(const item::Output& output) {
  if (!analysis::is_one_value(output)) return std::nullopt;
  if (std::holds_alternative<types::Int>(output.value->type->kind)) return frontend::Dimension{};
  const auto* const real = std::get_if<types::Real>(&output.value->type->kind);
  return real ? std::optional(real->dimension) : std::nullopt;
}

// What measurements in SI units are of: what the output of that name is, or the only quantity that the outputs are.
// Nothing where that is not clear.
std::optional<frontend::Dimension> dimension_measured(const frontend::Item& model, const std::string& name) {
  std::vector<frontend::Dimension> quantities;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* const output = std::get_if<item::Output>(&member->node);
    const auto dimension = output ? dimension_of_output(*output) : std::nullopt;
    if (!dimension) continue;
    if (member->name.text == name) return dimension;
    const bool is_new = std::find(quantities.begin(), quantities.end(), *dimension) == quantities.end();
    if (!dimension->plain() && is_new) quantities.push_back(*dimension);
  }
  return quantities.size() == 1 ? std::optional(quantities.front()) : std::nullopt;
}

// The headings of the table, with the units that the caller left out.
class Headings {
 public:
  Headings(Model& model, const MeasuredColumns& columns, const MeasuredWords& words)
      : model_(model),
        names_(columns.names),
        words_(words),
        measured_(words.measured.empty() ? only_unknown() : words.measured) {}

  std::string line() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : ",") + frontend::csv_field(heading(name));
    return text;
  }

 private:
  static frontend::CsvHeading parts_of(const std::string& given) {
    return split_heading(frontend::CsvCell{given, 0, static_cast<std::uint32_t>(given.size())});
  }
  bool is_measured(const std::string& given) const {
    return frontend::read_heading(given).is_called(frontend::read_heading(measured_).name);
  }
  bool is_ignored(std::string_view name) const {
    return std::find(words_.ignored.begin(), words_.ignored.end(), name) != words_.ignored.end();
  }

  // The column that is no parameter, where there is but one.
  std::string only_unknown() const {
    std::vector<std::string> unknown;
    for (const std::string& given : names_) {
      std::string name(parts_of(given).name);
      const analysis::ParameterHeadings known(model_.program->program(), model_.item, no_names_);
      if (!is_ignored(name) && !known.find(frontend::read_heading(given)).type) unknown.push_back(std::move(name));
    }
    return unknown.size() == 1 ? unknown.front() : "";
  }

  std::string heading(const std::string& given) const {
    const std::string name(parts_of(given).name);
    if (!parts_of(given).unit.empty() || is_ignored(name)) return given;
    const auto dimension = is_measured(given) ? of_measured(name) : analysis::dimension_of(type_of(name));
    // `wall_ms` and `time (s)` have units of their own.
    const auto own = frontend::read_heading(given);
    const auto& own_unit = own.unit.empty() ? own.name_unit : own.unit;
    const bool names_parameter = !is_measured(given) && type_of(name) == nullptr;
    if (names_parameter || (dimension && analysis::is_unit_of(own_unit, *dimension))) return given;
    return dimension ? analysis::heading(given, frontend::standard_scale(*dimension).unit) : given;
  }

  // Null: there is no parameter of that name.
  frontend::TypeRef type_of(const std::string& name) const {
    frontend::Diagnostics aside;
    return parameter_type(model_.program->program(), model_.item, name, {}, aside);
  }

  // An expression may be of any dimension, which a unit then has to say.
  std::optional<frontend::Dimension> of_measured(const std::string& name) const {
    if (words_.show.empty()) return dimension_measured(model_.item, name);
    const auto& members = std::get<item::Model>(model_.item.node).members;
    const bool is_output = std::any_of(members.begin(), members.end(), [&](const auto& one) {
      return one->name.text == words_.show && std::holds_alternative<item::Output>(one->node);
    });
    return is_output ? dimension_measured(model_.item, words_.show) : std::nullopt;
  }

  Model& model_;
  const std::vector<std::string>& names_;
  const MeasuredWords& words_;
  const std::map<std::string, frontend::TypeRef> no_names_ = {};
  const std::string measured_;  // the column of measurements; empty where it is not clear
};

}  // namespace

MeasuredColumns take_columns(const wave_column* columns, std::size_t count, std::size_t rows,
                             const std::function<bool(const std::string& column)>& may_be_missing) {
  need_array(columns, count, "columns");
  if (count == 0) throw Misuse{"`column_count` is 0: there is nothing to compare with"};
  MeasuredColumns taken;
  std::vector<bool> is_optional;
  for (std::size_t i = 0; i < count; ++i) {
    check_column(columns[i], rows);
    taken.names.emplace_back(columns[i].name);
    is_optional.push_back(may_be_missing(taken.names.back()));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < count; ++i)
      taken.rows += (i == 0 ? "" : ",") + frontend::csv_field(cell_text(columns[i], row, is_optional[i]));
    taken.rows += '\n';
    if (taken.rows.size() > most_bytes_of_table)
      fail(WAVE_LIMIT, frontend::DiagnosticKind::out_of_memory, "the columns are too long for a table",
           "give fewer rows");
  }
  return taken;
}

std::string table_text(Model& model, const MeasuredColumns& columns, const MeasuredWords& words) {
  return Headings(model, columns, words).line() + "\n" + columns.rows;
}

}  // namespace wave::api
