// From a program and its model to the description of a study. See description.h.
#include "analysis/study/description.h"
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace wave::analysis {
namespace {

namespace types = frontend::types;

constexpr std::string_view library_prefix = "std.";

std::string digits_of(std::string_view text) { return hexadecimal(digest(text)); }

void add_data_files(const frontend::Expr& e, std::map<std::string, std::string>& files) {
  if (const auto* table = std::get_if<frontend::expr::TableFile>(&e.node))
    files[table->path.text] += digits_of(table->text);
  for_each_child(e, [&](const frontend::Expr& child) { add_data_files(child, files); });
}

void add_data_files(const frontend::Item& item, std::map<std::string, std::string>& files) {
  for_each_expression(item, [&](const frontend::Expr& e) { add_data_files(e, files); });
  if (const auto* members = frontend::check::members_of(item)) {
    for (const auto& member : *members) add_data_files(*member, files);
  }
}

CellKind kind_of(const frontend::TypeRef& type, bool has_labels) {
  if (has_labels || !type) return has_labels ? CellKind::word : CellKind::real;
  if (std::holds_alternative<types::Int>(type->kind)) return CellKind::integer;
  if (std::holds_alternative<types::Bool>(type->kind)) return CellKind::truth;
  if (std::holds_alternative<types::Real>(type->kind)) return CellKind::real;
  return CellKind::word;
}

StudyColumn column_of(const std::string& name, const std::string& doc, const frontend::TypeRef& type,
                      const std::optional<frontend::Unit>& unit, const std::vector<std::string>& labels) {
  StudyColumn column;
  column.name = name;
  column.doc = doc;
  column.kind = kind_of(type, !labels.empty());
  column.words = labels;
  if (column.kind == CellKind::real) {
    if (const auto* const real = type ? std::get_if<types::Real>(&type->kind) : nullptr)
      column.dimension = real->dimension;
    column.unit_was_asked = unit.has_value();
    const auto scale = unit ? frontend::scale_of(*unit) : frontend::standard_scale(column.dimension);
    column.unit = scale.unit;
    column.multiplier = scale.multiplier;
    column.divisor = scale.divisor;
  }
  if (labels.empty() && type) {
    if (const auto* choice = std::get_if<types::Choice>(&type->kind)) column.words = choice->words;
  }
  return column;
}

}  // namespace

std::vector<StudyInput> inputs_of(const frontend::Program& program) {
  std::vector<StudyInput> inputs;
  std::map<std::string, std::string> library, files;
  for (const auto& module : program.modules) {
    const std::string text(program.sources.text(module->file));
    const std::string name = std::filesystem::path(module->name).filename().string();
    if (module->name.rfind(library_prefix, 0) == 0 && module.get() != &program.main())
      library[module->name] = text;
    else if (module.get() == &program.main())
      inputs.push_back({"the model file", digits_of(text)});
    else
      inputs.push_back({fmt::format("the module `{}`", name), digits_of(text)});
    for (const auto& item : module->items) add_data_files(*item, files);
  }
  std::string all;
  for (const auto& [name, text] : library) all += name + " " + digits_of(text) + "\n";
  inputs.push_back({"the library", digits_of(all)});
  for (const auto& [name, digits] : files)
    inputs.push_back({fmt::format("the data file `{}`", name), digits_of(digits)});
  std::sort(inputs.begin(), inputs.end(), [](const StudyInput& a, const StudyInput& b) {
    return std::tie(a.what, a.value) < std::tie(b.what, b.value);
  });
  return inputs;
}

std::vector<StudyColumn> columns_of(const StudyModel& model) {
  std::vector<StudyColumn> columns;
  for (const auto& variable : model.variables()) {
    columns.push_back(column_of(variable.name, variable.doc, variable.type, variable.unit, variable.labels));
    columns.back().listed = variable.listed;
  }
  for (const auto& shown : model.shown())
    columns.push_back(column_of(shown.name, shown.doc, shown.type, shown.unit, {}));
  return columns;
}

}  // namespace wave::analysis
