// Processes as they are asked for, by expressions as `transport.time`, `transport.finish[i, j]`,
// `transport.phase("x").compute.max`, `transport.phase("x")[i].wait` and `transport.peak("x")[i]`.
#include "frontend/lower/processes.h"

#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/recurrences.h"
#include "frontend/source/diagnostics.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::Metric;
using ir::ValueId;

namespace {

// The parts of such an expression.
struct AskedMeasure {
  const Expr* process = nullptr;
  std::string metric;
  const Expr* part = nullptr;  // the name of a phase, or of what is held
  ir::Over over = ir::Over::one;
  const std::vector<Argument>* indices = nullptr;
};

bool is_process(const Expr& e) { return as<types::Process>(e.type); }

std::optional<ir::Over> over_of(const std::string& name) {
  if (name == "max") return ir::Over::greatest;
  if (name == "mean") return ir::Over::mean;
  if (name == "min") return ir::Over::least;
  return std::nullopt;
}

// `transport.phase("x")`, `transport.peak("x")`
bool ask_part(const Expr& e, AskedMeasure& asked) {
  const auto* call = std::get_if<expr::Call>(&e.node);
  const auto* member = call ? std::get_if<expr::Member>(&call->callee->node) : nullptr;
  if (!member || call->arguments.size() != 1 || !is_process(*member->object)) return false;
  if (member->name.text != "phase" && member->name.text != "peak") return false;
  asked.process = member->object.get();
  asked.metric = member->name.text == "peak" ? "peak" : "time";
  asked.part = call->arguments[0].value.get();
  return true;
}

// `transport.phase("x")[i]`, of which something is asked.
bool ask_part_of_one(const Expr& e, AskedMeasure& asked) {
  const auto* index = std::get_if<expr::Index>(&e.node);
  if (!index || asked.indices || !ask_part(*index->object, asked)) return false;
  asked.indices = &index->indices;
  return true;
}

bool ask(const Expr& e, AskedMeasure& asked) {
  if (ask_part(e, asked)) return true;
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
  else if (!ask_part(*member->object, asked) && !ask_part_of_one(*member->object, asked))
    return false;
  asked.metric = member->name.text;
  return asked.metric != "phase";
}

std::optional<Metric> metric_of(const std::string& name) {
  const std::pair<const char*, Metric> all[] = {{"time", Metric::time},       {"finish", Metric::finish},
                                                {"compute", Metric::compute}, {"overhead", Metric::overhead},
                                                {"wait", Metric::wait},       {"messages", Metric::messages},
                                                {"bytes", Metric::bytes},     {"peak", Metric::peak}};
  for (const auto& [word, metric] : all) {
    if (name == word) return metric;
  }
  return std::nullopt;
}

}  // namespace

ValuePtr Processes::evaluate_measure(const Expr& expr, const Scope& scope) {
  AskedMeasure asked;
  if (!ask(expr, asked)) return nullptr;
  std::optional<std::string> part;
  if (asked.part) {
    const auto word = b_.as_constant(expressions_.integer(*asked.part, scope));
    if (!word) {
      sites_.abandon(DiagnosticKind::not_expressible, asked.part->location,
                     "the name of a phase, or of what is held, is known before the run", "this is not");
    }
    part = sites_.text_of_word(word->integer);
  }
  std::vector<ValuePtr> indices;
  if (asked.indices) {
    for (const Argument& index : *asked.indices) indices.push_back(expressions_.evaluate(*index.value, scope));
  }
  const Location location = asked.part ? asked.part->location : expr.location;
  return values_.distribute(expressions_.evaluate(*asked.process, scope), [&](const ValuePtr& one) -> ValuePtr {
    if (const auto* process = as<value::Process>(one))
      return measure(*process, asked.metric, part, asked.over, indices, location);
    LiftedStep step{LiftedStep::Kind::measure, asked.metric, {}, part, asked.over};
    for (const ValuePtr& index : indices) step.arguments.emplace_back("", index);
    if (const auto* lifted = as<value::Lifted>(one)) return lifting_.lift(*lifted, std::move(step), scope, location);
    sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("`{}` cannot be read here", asked.metric));
  });
}

void Processes::no_part(const std::string& process, const char* kind, const std::string& name,
                        const std::vector<std::string>& there_are, const char* how, Location location) {
  const std::string near = nearest(name, there_are);
  sites_.abandon(DiagnosticKind::unknown_phase, location, fmt::format("`{}` has no {} \"{}\"", process, kind, name),
                 fmt::format("no {} of this name", kind),
                 !near.empty()       ? fmt::format("did you mean \"{}\"?", near)
                 : there_are.empty() ? how
                                     : "");
}

ValuePtr Processes::measure(const value::Process& value, const std::string& name,
                            const std::optional<std::string>& part, ir::Over over, const std::vector<ValuePtr>& indices,
                            Location location) {
  LoweredProcess& process = *value.process;
  const std::string& title = process.declaration->name.text;
  if (process.progress == Progress::fresh) lower_process(process);
  if (process.progress == Progress::abandoned) throw Abandoned{process.error};
  if (process.progress == Progress::evaluating)
    sites_.abandon(DiagnosticKind::endless_expansion, location, fmt::format("`{}` needs itself", title));
  const auto metric = metric_of(name);
  if (!metric) sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("a process has no `{}`", name));
  ir::Measure measure;
  measure.process = process.id;
  measure.metric = *metric;
  measure.over = over;
  const ir::Process& lowered = b_.system()[process.id];
  if (part && metric == Metric::peak) {
    const auto& memories = lowered.memories;
    const auto found = std::find(memories.begin(), memories.end(), *part);
    if (found == memories.end())
      no_part(title, "memory", *part, memories, "`hold(8 B, \"name\")` in the process holds some", location);
    measure.memory = ir::MemoryId{static_cast<std::uint32_t>(found - memories.begin())};
  } else if (part) {
    const auto found = std::find(lowered.phases.begin(), lowered.phases.end(), *part);
    if (found == lowered.phases.end())
      no_part(title, "phase", *part, lowered.phases,
              "`phase \"name\" { ... }` around statements of the process makes one", location);
    measure.phase = ir::PhaseId{static_cast<std::uint32_t>(found - lowered.phases.begin())};
  }
  for (const ValuePtr& index : indices)
    measure.indices.push_back(values_.scalar_of(index, ir::ScalarType::integer, location));
  if (!indices.empty()) {
    measure.site = sites_.site(FailureKind::index_off_grid, location, title);
    sites_.note_types(measure.site, std::vector<TypeRef>(indices.size()));
  }
  ValueId result = b_.measure(std::move(measure));
  if (process.requirements.valid() && !b_.as_constant(process.requirements)) {
    result = b_.check(process.requirements, result,
                      sites_.site(FailureKind::require_failed, process.declaration->name.location));
  }
  const ValuePtr measured = number(result);
  return value.guarded ? instances_.guard(measured, *process.self) : measured;
}

LoweredProcess& Processes::process(Instance& instance, const Item& declaration) {
  auto& slot = instance.processes[declaration.name.text];
  if (!slot) {
    slot = std::make_unique<LoweredProcess>();
    slot->declaration = &declaration;
    slot->self = &instance;
  }
  return *slot;
}

// The space of a grid. Its axes have indices that all processes on the grid share.
static ir::SpaceId space_of_grid(const Parts& parts, const value::Grid& grid) {
  const auto& node = std::get<item::Grid>(grid.declaration->node);
  ir::Space space{grid.self->title + grid.declaration->name.text, grid.self->frame, {}};
  const auto extents = parts.recurrences.extents(grid);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const auto& [name, extent, wrap] = node.axes[axis];
    space.axes.push_back({name.text, parts.b.binder(name.text), parts.b.integer(1), extents[axis], wrap,
                          extent->location,
                          parts.sites.site(FailureKind::extent_not_positive, extent->location, name.text)});
  }
  return parts.b.space(std::move(space));
}

void Processes::lower_process(LoweredProcess& process) {
  const Item& declaration = *process.declaration;
  const auto& node = std::get<item::Process>(declaration.node);
  Instance& instance = *process.self;
  process.progress = Progress::evaluating;
  try {
    const Item* grid = find_member(*instance.declaration, node.grid.text);
    if (!grid || !std::holds_alternative<item::Grid>(grid->node)) {
      sites_.abandon(DiagnosticKind::not_expressible, node.grid.location, "there is no such grid here");
    }
    const value::Grid where{grid, &instance};
    ProcessLowering lowering(parts_, instance.title + declaration.name.text, instance.frame,
                             space_of_grid(parts_, where), declaration.name.location);
    lowering.set_grid(where);
    lowering.run_process(node, instance, declaration);
    process.requirements = lowering.requirements();
    process.id = lowering.finish();
    process.progress = Progress::done;
  } catch (const Abandoned& error) {
    process.progress = Progress::abandoned;
    process.error = error.kind;
  }
}

ValueId Processes::not_negative(ValueId value, Location location, const TypeRef& type, const std::string& what) {
  value = b_.to_real(value);
  const ir::SiteId negative = sites_.site(FailureKind::negative_quantity, location, what);
  sites_.note_types(negative, {type, type});
  return b_.check(b_.less_equal(b_.real(0), value), value, negative);
}

namespace {

class ProcessList {
 public:
  ProcessList(const Parts& parts, Instance& root, std::vector<ProcessInfo>& into)
      : parts_(parts), root_(root), into_(into) {}

  void add(Instance& model, const std::string& prefix) {
    const bool is_new = seen_.insert(&model).second;
    if (!is_new || !model.declaration || !std::holds_alternative<item::Model>(model.declaration->node)) return;
    const auto& members = std::get<item::Model>(model.declaration->node).members;
    for (const auto& item : members) {
      if (std::holds_alternative<item::Process>(item->node)) add_process(model, *item, prefix);
    }
    for (const auto& item : members) {
      const auto found = model.members.find(item->name.text);
      if (found == model.members.end() || found->second.progress != Progress::done) continue;
      if (const auto* inner = as<value::Object>(found->second.value))
        add(*inner->instance, prefix + item->name.text + ".");
    }
  }

 private:
  void add_process(Instance& model, const Item& item, const std::string& prefix) {
    try {
      LoweredProcess& lowered = parts_.processes.process(model, item);
      if (lowered.progress == Progress::fresh && &model == &root_) parts_.processes.lower_process(lowered);
      if (lowered.progress != Progress::done) return;
      ProcessInfo info{prefix + item.name.text, item.doc, item.name.location, {}, lowered.id, {}};
      ir::Builder& b = parts_.b;
      ir::ValueId holds = parts_.instances.requirements(root_);
      if (&model != &root_) holds = b.logical_and(holds, parts_.instances.requirements(model));
      if (lowered.requirements.valid()) holds = b.logical_and(holds, lowered.requirements);
      ir::Root root;
      root.name = info.name;
      root.blocks.push_back({{}, {holds}});
      info.requirements = b.root(std::move(root));
      for (const ir::Axis& axis : b.system()[b.system()[lowered.id].space].axes) info.axes.push_back(axis.name);
      into_.push_back(std::move(info));
    } catch (const Abandoned&) {  // has been reported
    }
  }

  const Parts& parts_;
  Instance& root_;
  std::vector<ProcessInfo>& into_;
  std::set<const Instance*> seen_;
};

}  // namespace

void Processes::list_processes(Instance& model, std::vector<ProcessInfo>& into) {
  ProcessList(parts_, model, into).add(model, "");
}

}  // namespace wave::frontend::lowering
