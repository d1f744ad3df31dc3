// See parameter_headings.h.
#include "analysis/parameter_headings.h"

#include "analysis/value_text.h"
#include "frontend/check/type_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace wave::analysis {
bool is_unit_of(const std::string& unit, frontend::Dimension dimension) {
  return !unit.empty() && frontend::check::dimension_of_unit(unit) == std::optional(dimension);
}

frontend::TypeRef ParameterHeadings::type_of(const std::string& path) const {
  const auto other = names_.find(path);
  if (other != names_.end()) return other->second;
  frontend::Diagnostics aside;
  return parameter_type(program_, model_, path, {}, aside);
}

// The only parameter of the model that has this name but for its capitals; empty if there is none.
std::string ParameterHeadings::with_other_capitals(const std::string& name) const {
  constexpr std::size_t shortest = 3;  // `N` may well be another thing than `n`
  std::vector<std::string> found;
  if (name.size() < shortest) return "";
  for (const auto& member : std::get<frontend::item::Model>(model_.node).members) {
    if (std::holds_alternative<frontend::item::Param>(member->node) && frontend::is_same_name(member->name.text, name))
      found.push_back(member->name.text);
  }
  return found.size() == 1 ? found.front() : "";
}

ParameterHeading ParameterHeadings::find(const frontend::TableHeading& heading) const {
  ParameterHeading found;
  const auto fits = [](const frontend::TypeRef& type, const std::string& unit) {
    const auto dimension = type ? dimension_of(type) : std::nullopt;
    return dimension && !dimension->plain() && is_unit_of(unit, *dimension);
  };
  const auto take = [&](const std::string& path, bool needs_unit) {
    auto type = path.empty() ? nullptr : type_of(path);
    if (!type || (needs_unit && !fits(type, heading.name_unit))) return false;
    found.path = path;
    found.type = std::move(type);
    return true;
  };
  const auto given =
      std::find_if(columns_.begin(), columns_.end(), [&](const auto& one) { return heading.is_called(one.second); });
  const std::string& name = given == columns_.end() ? heading.name : given->first;
  const bool is_known = take(name, false) || (given == columns_.end() &&
                                              (take(heading.stem, true) || take(with_other_capitals(name), false) ||
                                               take(with_other_capitals(heading.stem), true)));
  if (!is_known) {
    frontend::Diagnostics aside;
    parameter_type(program_, model_, name, {}, aside);
    if (!aside.all().empty()) found.hints = aside.all().front().help;
    return found;
  }
  found.unit = heading.unit;
  if (found.unit.empty() && fits(found.type, heading.name_unit)) found.unit = heading.name_unit;
  if (found.path != heading.name)
    found.note = fmt::format("`{}` is read as `{}`{}", heading.written, found.path,
                             found.unit.empty() ? "" : ", in " + found.unit);
  else if (!found.unit.empty() && !heading.is_usual)
    found.note = frontend::note_on_unit(heading.written, found.unit, heading.written);
  return found;
}

}  // namespace wave::analysis
