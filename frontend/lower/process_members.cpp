// What can be asked of a process: `transport.time`, `transport.finish[i, j]`, `transport.phase("x").compute.max`.
#include "frontend/lower/lowering.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::Quantity;
using ir::ValueId;

namespace {

// The parts of such an expression.
struct AskedMeasure {
  const Expr* process = nullptr;
  std::string quantity;
  const Expr* phase = nullptr;
  ir::Over over = ir::Over::one;
  const std::vector<Argument>* indices = nullptr;
};

bool is_process(const Expr& e) { return e.type && std::holds_alternative<types::Process>(e.type->kind); }

std::optional<ir::Over> over_of(const std::string& name) {
  if (name == "max") return ir::Over::greatest;
  if (name == "mean") return ir::Over::mean;
  if (name == "min") return ir::Over::least;
  return std::nullopt;
}

// `transport.phase("x")`
bool ask_phase(const Expr& e, AskedMeasure& asked) {
  const auto* call = std::get_if<expr::Call>(&e.node);
  const auto* member = call ? std::get_if<expr::Member>(&call->callee->node) : nullptr;
  if (!member || member->name.text != "phase" || call->arguments.size() != 1 || !is_process(*member->object))
    return false;
  asked.process = member->object.get();
  asked.quantity = "time";
  asked.phase = call->arguments[0].value.get();
  return true;
}

bool ask(const Expr& e, AskedMeasure& asked) {
  if (ask_phase(e, asked)) return true;
  if (const auto* index = std::get_if<expr::Index>(&e.node)) {
    asked.indices = &index->indices;
    return !std::holds_alternative<expr::Index>(index->object->node) && ask(*index->object, asked);
  }
  const auto* member = std::get_if<expr::Member>(&e.node);
  if (!member) return false;
  if (const auto over = over_of(member->name.text); over && !is_process(*member->object)) {
    asked.over = *over;
    return ask(*member->object, asked);
  }
  if (is_process(*member->object))
    asked.process = member->object.get();
  else if (!ask_phase(*member->object, asked))
    return false;
  asked.quantity = member->name.text;
  return asked.quantity != "phase";
}

std::optional<Quantity> quantity_of(const std::string& name) {
  const std::pair<const char*, Quantity> all[] = {{"time", Quantity::time},       {"finish", Quantity::finish},
                                                  {"compute", Quantity::compute}, {"overhead", Quantity::overhead},
                                                  {"wait", Quantity::wait},       {"messages", Quantity::messages},
                                                  {"bytes", Quantity::bytes}};
  for (const auto& [word, quantity] : all) {
    if (name == word) return quantity;
  }
  return std::nullopt;
}

}  // namespace

Symbolic Lowering::evaluate_measure(const Expr& expr, const Scope& scope) {
  AskedMeasure asked;
  if (!ask(expr, asked)) return nullptr;
  std::optional<std::string> phase;
  if (asked.phase) {
    const auto word = b.as_constant(scalar(*asked.phase, scope));
    if (!word) {
      abandon(DiagnosticKind::not_expressible, asked.phase->place, "the name of a phase is known before the run",
              "this is not");
    }
    phase = text_of_word(word->integer);
  }
  std::vector<Symbolic> indices;
  if (asked.indices) {
    for (const Argument& index : *asked.indices) indices.push_back(evaluate(*index.value, scope));
  }
  const Place place = asked.phase ? asked.phase->place : expr.place;
  return distribute(evaluate(*asked.process, scope), [&](const Symbolic& one) -> Symbolic {
    if (const auto* process = as<value::Process>(one))
      return measure(*process, asked.quantity, phase, asked.over, indices, place);
    LiftedStep step{LiftedStep::Kind::measure, asked.quantity, {}, phase, asked.over};
    for (const Symbolic& index : indices) step.arguments.emplace_back("", index);
    if (const auto* lifted = as<value::Lifted>(one)) return lift(*lifted, std::move(step), scope, place);
    abandon(DiagnosticKind::not_expressible, place, fmt::format("`{}` cannot be read here", asked.quantity));
  });
}

Symbolic Lowering::measure(const value::Process& value, const std::string& name,
                           const std::optional<std::string>& phase, ir::Over over, const std::vector<Symbolic>& indices,
                           Place place) {
  LoweredProcess& process = *value.process;
  const std::string& title = process.declaration->name.text;
  if (process.progress == Progress::fresh) lower_process(process);
  if (process.progress == Progress::abandoned) throw Abandoned{process.error};
  if (process.progress == Progress::evaluating)
    abandon(DiagnosticKind::endless_expansion, place, fmt::format("`{}` needs itself", title));
  const auto quantity = quantity_of(name);
  if (!quantity) abandon(DiagnosticKind::not_expressible, place, fmt::format("a process has no `{}`", name));
  ir::Measure measure;
  measure.process = process.id;
  measure.quantity = *quantity;
  measure.over = over;
  if (phase) {
    const auto& phases = b.system()[process.id].phases;
    const auto found = std::find(phases.begin(), phases.end(), *phase);
    if (found == phases.end()) {
      const std::string near = nearest(*phase, phases);
      abandon(DiagnosticKind::unknown_phase, place, fmt::format("`{}` has no phase \"{}\"", title, *phase),
              "no phase of this name",
              near.empty() ? phases.empty() ? "`phase \"name\" { ... }` around statements of the process makes one" : ""
                           : fmt::format("did you mean \"{}\"?", near));
    }
    measure.phase = ir::PhaseId{static_cast<std::uint32_t>(found - phases.begin())};
  }
  for (const Symbolic& index : indices) measure.indices.push_back(scalar_of(index, place));
  if (!indices.empty()) {
    measure.site = site(FailureKind::index_off_grid, place, title);
    notes_[measure.site.index].operands.assign(indices.size(), nullptr);
  }
  ValueId result = b.measure(std::move(measure));
  if (process.requirements.valid() && !b.as_constant(process.requirements)) {
    result = b.check(process.requirements, result, site(FailureKind::require_failed, process.declaration->name.place));
  }
  const Symbolic measured = make(value::Scalar{result});
  return value.guarded ? guard(measured, *process.self) : measured;
}

}  // namespace wave::frontend::lowering
