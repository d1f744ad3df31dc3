// See inputs.h.
#include "analysis/inputs.h"

#include "analysis/reach.h"

#include <algorithm>

namespace wave::analysis {

namespace {

int time_in(const frontend::TypeRef& type) {
  const auto* real = type ? std::get_if<frontend::types::Real>(&type->kind) : nullptr;
  return real ? real->dimension.time : 0;
}

}  // namespace

std::vector<Input> inputs_of(const frontend::Lowered& lowered, const std::vector<std::string>& wanted) {
  std::set<ir::DefinitionId> parameters;
  const auto is_wanted = [&](const frontend::ParameterInfo& one) {
    return std::find(wanted.begin(), wanted.end(), one.path) != wanted.end();
  };
  for (const auto& one : lowered.parameters) {
    if (one.definition.valid() && (time_in(one.type) != 0 || is_wanted(one))) parameters.insert(one.definition);
  }
  const auto is_parameter = [&](ir::DefinitionId id) { return parameters.count(id) != 0; };
  std::vector<Input> inputs;
  for (const auto& one : lowered.parameters) {
    if (!one.definition.valid() || !is_parameter(one.definition)) continue;
    const Reached inside = reach(lowered.system, lowered.system[one.definition].body, is_parameter);
    const bool is_derived = std::any_of(inside.definitions.begin(), inside.definitions.end(), is_parameter);
    if (is_derived && !is_wanted(one)) continue;
    inputs.push_back({Input::Kind::parameter, one.path, {}, time_in(one.type), one.definition, {}, 0});
  }
  for (const auto& one : lowered.literals) {
    const auto kind = one.table.valid() ? Input::Kind::table : Input::Kind::literal;
    inputs.push_back({kind, one.text, one.place, one.time, one.definition, one.table, 0});
  }
  return inputs;
}

void add_cuts(std::vector<Input>& inputs, const std::vector<frontend::CutInfo>& cuts) {
  for (const auto& cut : cuts) {
    if (!cut.definition.valid() || cut.time == 0) continue;
    const auto same = [&](const Input& input) { return input.definition == cut.definition; };
    std::erase_if(inputs, same);
    inputs.push_back({Input::Kind::cut, cut.name, {}, cut.time, cut.definition, {}, 0});
  }
}

}  // namespace wave::analysis
