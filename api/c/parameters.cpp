// See parameters.h.
#include "api/c/parameters.h"

#include "analysis/evaluate_outputs.h"
#include "analysis/study/study_model.h"
#include "frontend/check/members.h"
#include "frontend/format/quantities.h"

#include <cmath>

namespace wave::api {
namespace {

namespace types = frontend::types;

// As it is written in the source.
std::string source_of(const frontend::Sources& sources, const frontend::ExprPtr& expression) {
  return expression ? std::string(sources.text(expression->location)) : "";
}

std::string range_text(const frontend::Sources& sources, const frontend::item::Param& param) {
  if (!param.has_range) return "";
  return source_of(sources, param.lower) + ".." + source_of(sources, param.upper);
}

double number_of(const ir::Scalar& scalar, const ColumnHead& head) {
  switch (scalar.type) {
    case ir::ScalarType::real: return head.scale.si(scalar.real);
    case ir::ScalarType::integer: return static_cast<double>(scalar.integer);
    case ir::ScalarType::boolean: return scalar.boolean ? 1 : 0;
  }
  return 0;
}

void set_known(const std::optional<double>& value, const ColumnHead& head, int& is_known, double& into) {
  is_known = value && std::isfinite(*value);
  if (is_known) into = head.scale.si(*value);
}

}  // namespace

ParameterList::ParameterList(Model& model, const backend::Limits& limits) {
  Prepared& prepared = model.prepare(limits);
  const auto evaluation = prepared.engine->start(model.bindings(prepared), limits);
  for (const auto& parameter : prepared.lowered.parameters) add(model, parameter, *evaluation);
  add_ranges(model, limits);
}

void ParameterList::add(Model& model, const frontend::ParameterInfo& parameter, backend::Evaluation& evaluation) {
  const auto lock = model.program->reading();
  const auto& sources = model.program->program().sources;
  const std::string name = parameter.path.substr(parameter.path.rfind('.') + 1);
  const frontend::Item* const item = parameter.owner ? frontend::check::find_member(*parameter.owner, name) : nullptr;
  const auto* const param = item ? std::get_if<frontend::item::Param>(&item->node) : nullptr;
  const ColumnHead& head = heads_.emplace_back(head_of({parameter.path, parameter.type, {}}));
  wave_parameter_info info{};
  info.name = keep(parameter.path);
  info.type = keep(parameter.type ? to_string(*parameter.type) : "");
  info.doc = keep(parameter.doc);
  info.source = keep(parameter.source);
  info.cell = cell_of(parameter.type);
  info.unit = keep(info.cell == WAVE_REAL ? head.si_unit : "");
  info.default_text = keep(param ? source_of(sources, param->default_value) : "");
  info.range_text = keep(param ? range_text(sources, *param) : "");
  const auto* const choice = parameter.type ? std::get_if<types::Choice>(&parameter.type->kind) : nullptr;
  info.words = keep(choice ? lines_of(choice->words) : "");
  info.time = head.column.dimension.time;
  info.data = head.column.dimension.data;
  info.work = head.column.dimension.work;
  info.is_given = model.values.count(parameter.path) != 0;
  if (const auto value = analysis::evaluate_parameter(parameter, evaluation); value && info.cell < WAVE_TEXT) {
    info.has_value = 1;
    info.value = number_of(*value, head);
  }
  all_.push_back(info);
}

// What the numbers are that defaults and ranges come to; unknown where they depend on other parameters.
void ParameterList::add_ranges(Model& model, const backend::Limits& limits) {
  frontend::Asked asked{{}, {{"--show", "shown = 1"}}};
  for (const auto& info : all_) {
    if (info.cell < WAVE_TEXT) asked.vary.push_back({"--vary", info.name});
  }
  if (asked.vary.empty()) return;
  const auto lock = model.program->reading();
  frontend::Diagnostics ignored;
  std::unique_ptr<frontend::Item> study;
  std::unique_ptr<analysis::StudyModel> points;
  read_within(limits, [&] {
    study = ask(model.program->program(), model.item, asked, ignored);
    if (!study) return;
    const auto engines = [&](const ir::System& system) { return engine_of(model.settings, system); };
    points = analysis::StudyModel::make(model.program->program(), *study, {}, engines, 1, limits, ignored);
  });
  if (!points) return;
  for (const auto& variable : points->variables()) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (variable.name != all_[i].name) continue;
      set_known(variable.usual, heads_[i], all_[i].has_default, all_[i].default_value);
      set_known(variable.lower, heads_[i], all_[i].has_lower, all_[i].lower);
      set_known(variable.upper, heads_[i], all_[i].has_upper, all_[i].upper);
    }
  }
}

}  // namespace wave::api
