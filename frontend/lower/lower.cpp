// The entry points of lower.h. Each puts the parts together and asks them for what it returns.
#include "frontend/lower/lower.h"

#include "base/big_stack.h"
#include "frontend/check/members.h"
#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/message_costs.h"
#include "frontend/lower/observations.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/passes.h"
#include "ir/verify.h"

#include <functional>

namespace wave::frontend {

using namespace lowering;

Lowered::Lowered() = default;
Lowered::Lowered(Lowered&&) noexcept = default;
Lowered& Lowered::operator=(Lowered&&) noexcept = default;
Lowered::~Lowered() = default;

namespace {

// Puts the parts together. One object lowers one program into one system.
class Lowering {
 public:
  Lowering(const Program& program, ir::System& system, std::vector<std::string>& words, SiteNotes& notes,
           Diagnostics& diagnostics, const LoweringOptions& options)
      : builder_(system),
        facts_(system),
        parts_{program, builder_,   facts_,     diagnostics, sites_,        values_,  expressions_, literals_,
               lists_,  calls_,     functions_, instances_,  parameters_,   lifting_, recurrences_, messages_,
               levels_, processes_, studies_,   outputs_,    observations_, options},
        sites_(parts_, words, notes) {}
  Lowering(const Lowering&) = delete;
  Lowering& operator=(const Lowering&) = delete;

  const Parts& parts() const { return parts_; }

 private:
  ir::Builder builder_;
  FactTable facts_;
  Parts parts_;
  Sites sites_;
  Values values_{parts_};
  Expressions expressions_{parts_};
  Literals literals_{parts_};
  Lists lists_{parts_};
  Calls calls_{parts_};
  Functions functions_{parts_};
  Instances instances_{parts_};
  Parameters parameters_{parts_};
  Lifting lifting_{parts_};
  Recurrences recurrences_{parts_};
  Levels levels_{parts_};
  Messages messages_{parts_};
  Processes processes_{parts_};
  Studies studies_{parts_};
  Outputs outputs_{parts_};
  Observations observations_{parts_};
};

// Lowers what `work` asks the parts for into the system, the words and the notes of `into`, and verifies the system.
template <class Result>
void lower(const Program& program, Result& into, Diagnostics& diagnostics, const LoweringOptions& options,
           const std::function<void(const Parts&)>& work) {
  constexpr std::size_t enough = std::size_t{1} << 30;  // for `Bounds::evaluations`
  const bool was_refused = diagnostics.has_errors();    // by the checker, so that anything may come of it
  run_on_big_stack(
      [&](std::size_t) {
        const Lowering lowering(program, into.system, into.words, into.notes, diagnostics, options);
        work(lowering.parts());
        if (!was_refused) ir::require_valid(into.system);
      },
      enough);
}

// For `wave cost`: a row for each size.
OutputInfo cost_table(const Parts& parts, Instance& machine, const Expr& sizes, const CostOf& of) {
  OutputInfo info;
  info.name = "cost";
  info.location = sizes.location;
  info.shape = RowsShape::records;
  info.columns = MessageCosts::columns();
  MessageCosts costs(parts, machine, of);
  try {
    ir::Root root = parts.instances.guarded_root("cost", machine);
    const ValuePtr list = parts.values.convert(parts.expressions.evaluate(sizes, parts.instances.scope_of(machine)),
                                               check::list_of(check::data_type()));
    for (const Iteration& one : parts.lists.enumerate(list, false, sizes.location)) {
      root.blocks.push_back(block_of(parts, one, costs.row(one.element, sizes.location), sizes.location));
    }
    info.root = parts.b.root(std::move(root));
  } catch (const Abandoned& error) {
    info.failed = error.kind;
  }
  return info;
}

}  // namespace

Lowered lower_model(const Program& program, const Item& model, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics, LoweringOptions options) {
  Lowered lowered;
  lower(program, lowered, diagnostics, options, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    if (options.literals) parts.literals.list_literals(lowered.literals);
    if (options.uncertain) parts.literals.list_uncertain(lowered.uncertain);
    Instance& root = parts.instances.make_root(model, {}, model.name.location);
    parts.parameters.list_parameters(root, lowered.parameters);
    for (const auto& member : *check::members_of(model)) {
      if (std::holds_alternative<item::Output>(member->node))
        lowered.outputs.push_back(parts.outputs.output(root, *member));
    }
    if (options.processes) parts.processes.list_processes(root, lowered.processes);
    parts.parameters.tell_what_is_asked(lowered.parameters);
    if (options.observations) parts.observations.list(root, lowered.observations);
    parts.parameters.report_unused_overrides();
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

LoweredStudy lower_study(const Program& program, const Item& study, const std::vector<Override>& overrides,
                         const std::vector<std::size_t>& choices, Diagnostics& diagnostics, StudyAsks asks) {
  LoweredStudy lowered;
  Lowered& model = lowered.model;
  const auto& node = std::get<item::Study>(study.node);
  lower(program, model, diagnostics, {.uncertain = asks.draws}, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    if (asks.draws) parts.literals.list_uncertain(model.uncertain);
    try {
      Instance& root = parts.studies.make_study_root(node, choices);
      parts.studies.refuse_double_settings();
      parts.parameters.list_parameters(root, model.parameters);
      for (const auto& vary : node.vary) lowered.variables.push_back(parts.studies.variable(root, vary));
      switch (asks.what) {
        case StudyAsks::What::results:
          for (const auto& show : node.show)
            model.outputs.push_back(parts.studies.shown(root, show, model.outputs.size() < asks.guarded));
          break;
        case StudyAsks::What::conditions:
          for (const auto& condition : node.where) model.outputs.push_back(parts.studies.condition(root, *condition));
          break;
        case StudyAsks::What::parameters:
          for (const auto& one : *asks.parameters) parts.studies.add_parameter(one, model.outputs);
          break;
      }
    } catch (const Abandoned&) {}
    parts.parameters.report_unused_overrides();
    model.system = ir::end_lowering(std::move(model.system));
  });
  return lowered;
}

LoweredTests lower_tests(const Program& program, Diagnostics& diagnostics, LoweringOptions options) {
  LoweredTests lowered;
  lower(program, lowered, diagnostics, options, [&](const Parts& parts) {
    for (const auto& item : program.main().items) {
      if (std::holds_alternative<item::Test>(item->node)) lowered.tests.push_back(parts.outputs.test(*item));
    }
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

Lowered observe_globals(const Program& program, Diagnostics& diagnostics, LoweringOptions options) {
  Lowered lowered;
  lower(program, lowered, diagnostics, options, [&](const Parts& parts) {
    parts.observations.list_globals(program.main(), lowered.observations);
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

Lowered lower_flops(const Program& program, const Item* owner, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics) {
  Lowered lowered;
  lower(program, lowered, diagnostics, {}, [&](const Parts& parts) {
    if (!owner) {
      parts.outputs.list_flops(program.main().items, nullptr, lowered.flops);
      return;
    }
    parts.parameters.set_overrides(overrides);
    Instance& root = parts.instances.make_root(*owner, {}, owner->name.location);
    parts.parameters.list_parameters(root, lowered.parameters);
    parts.outputs.list_flops(*check::members_of(*owner), &root, lowered.flops);
    parts.parameters.report_unused_overrides();
  });
  return lowered;
}

Lowered lower_costs(const Program& program, const Item& machine, const Expr& sizes,
                    const std::vector<Override>& overrides, const CostOf& of, Diagnostics& diagnostics,
                    LoweringOptions options) {
  Lowered lowered;
  lower(program, lowered, diagnostics, options, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    Instance& root = parts.instances.make_root(machine, {}, machine.name.location);
    parts.parameters.list_parameters(root, lowered.parameters);
    lowered.outputs.push_back(cost_table(parts, root, sizes, of));
    parts.parameters.report_unused_overrides();
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

}  // namespace wave::frontend
