// The entry points of lower.h. Each puts the parts together and asks them for what it returns.
#include "frontend/lower/lower.h"

#include "base/big_stack.h"
#include "frontend/check/members.h"
#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/passes.h"

#include <functional>

namespace wave::frontend {

using namespace lowering;
using ir::ValueId;

Lowered::Lowered() = default;
Lowered::Lowered(Lowered&&) noexcept = default;
Lowered& Lowered::operator=(Lowered&&) noexcept = default;
Lowered::~Lowered() = default;

namespace {

// Puts the parts together. One object lowers one program into one system.
class Lowering {
 public:
  Lowering(const Program& program, ir::System& system, std::vector<std::string>& words, SiteNotes& notes,
           Diagnostics& diagnostics)
      : builder_(system),
        facts_(system),
        parts_{program,      builder_,  facts_,  diagnostics, sites_,     values_,     expressions_,
               literals_,    lists_,    calls_,  functions_,  instances_, parameters_, lifting_,
               recurrences_, messages_, levels_, processes_,  studies_,   outputs_},
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
};

// Lowers what `work` asks the parts for into the system, the words and the notes of `into`.
template <class Result>
void lower(const Program& program, Result& into, Diagnostics& diagnostics,
           const std::function<void(const Parts&)>& work) {
  constexpr std::size_t enough = std::size_t{1} << 30;  // for `Bounds::evaluations`
  run_on_big_stack(
      [&](std::size_t) {
        const Lowering lowering(program, into.system, into.words, into.notes, diagnostics);
        work(lowering.parts());
      },
      enough);
}

// For `wave cost`: what messages of several sizes cost on a machine, which is what one compares with a ping-pong first.
class CostTable {
 public:
  CostTable(const Parts& parts, Instance& machine, const CostOf& of)
      : parts_(parts), machine_(machine), of_(of), within_(parts.levels.word(of.within)) {}

  OutputInfo lower(const Expr& sizes) {
    OutputInfo info;
    info.name = "cost";
    info.location = sizes.location;
    info.shape = RowsShape::records;
    const TypeRef data = check::data_type();
    const TypeRef time = check::time_type();
    info.columns = {{"size", data, {}},
                    {"send", time, {}},
                    {"receive", time, {}},
                    {"total", time, {}},
                    {"protocol", check::string_type(), {}}};
    try {
      ir::Root root = parts_.instances.guarded_root("cost", machine_);
      const ValuePtr list = parts_.values.convert(
          parts_.expressions.evaluate(sizes, parts_.instances.scope_of(machine_)), check::list_of(data));
      for (const Iteration& one : parts_.lists.enumerate(list, false, sizes.location)) {
        root.blocks.push_back(block_of(parts_, one, row(one.element, sizes.location), sizes.location));
      }
      info.root = parts_.b.root(std::move(root));
    } catch (const Abandoned& error) {
      info.failed = error.kind;
    }
    return info;
  }

 private:
  std::vector<ValueId> row(const ValuePtr& size, Location location) {
    std::vector<ValueId> cells{parts_.b.to_real(parts_.values.scalar_of(size, location))};
    for (const char* end : {"send", "recv", "total"}) cells.push_back(cost(end, size, location));
    cells.push_back(parts_.messages.protocol_name(machine_, size, within_, location));
    return cells;
  }

  ValueId cost(const std::string& end, const ValuePtr& size, Location location) {
    const ValuePtr function = parts_.instances.member(machine_, end, location, false);
    std::vector<Named> arguments{{"", size}};
    if (takes(function, "within", of_.within != "none")) arguments.emplace_back("within", number(within_));
    if (of_.sharing != 1 && end != "recv" && takes(function, "sharing", true))
      arguments.emplace_back("sharing", number(parts_.b.integer(of_.sharing)));
    return parts_.b.to_real(parts_.values.scalar_of(
        parts_.calls.apply(function, arguments, parts_.instances.scope_of(machine_), location), location));
  }

  // `otherwise`: of what has no parameters to look at.
  static bool takes(const ValuePtr& function, const char* name, bool otherwise) {
    if (as<value::Derived>(function)) return true;
    const auto* node = as<value::Function>(function);
    const auto* declared = node ? std::get_if<item::Function>(&node->declaration->node) : nullptr;
    if (!declared) return otherwise;
    return std::any_of(declared->parameters.begin(), declared->parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name.text == name; });
  }

  const Parts& parts_;
  Instance& machine_;
  const CostOf& of_;
  ValueId within_;
};

}  // namespace

Lowered lower_model(const Program& program, const Item& model, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics, LoweringOptions options) {
  Lowered lowered;
  lower(program, lowered, diagnostics, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    if (options.literals) parts.literals.list_literals(lowered.literals);
    if (options.uncertain) parts.literals.list_uncertain(lowered.uncertain);
    Instance& root = parts.instances.make_root(model, {}, model.name.location);
    parts.parameters.list_parameters(root, lowered.parameters);
    for (const auto& member : std::get<item::Model>(model.node).members) {
      if (std::holds_alternative<item::Output>(member->node))
        lowered.outputs.push_back(parts.outputs.output(root, *member));
    }
    if (options.processes) parts.processes.list_processes(root, lowered.processes);
    parts.parameters.tell_what_is_asked(lowered.parameters);
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
  lower(program, model, diagnostics, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    try {
      Instance& root = parts.studies.make_study_root(node, choices);
      parts.studies.refuse_double_settings();
      parts.parameters.list_parameters(root, model.parameters);
      for (const auto& vary : node.vary) lowered.variables.push_back(parts.studies.variable(root, vary));
      if (asks == StudyAsks::conditions) {
        for (const auto& condition : node.where) model.outputs.push_back(parts.studies.condition(root, *condition));
      } else {
        for (const auto& show : node.show) model.outputs.push_back(parts.studies.shown(root, show));
      }
    } catch (const Abandoned&) {}
    parts.parameters.report_unused_overrides();
    model.system = ir::end_lowering(std::move(model.system));
  });
  return lowered;
}

LoweredTests lower_tests(const Program& program, Diagnostics& diagnostics) {
  LoweredTests lowered;
  lower(program, lowered, diagnostics, [&](const Parts& parts) {
    for (const auto& item : program.main().items) {
      if (std::holds_alternative<item::Test>(item->node)) lowered.tests.push_back(parts.outputs.test(*item));
    }
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

Lowered lower_flops(const Program& program, const Item* owner, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics) {
  Lowered lowered;
  lower(program, lowered, diagnostics, [&](const Parts& parts) {
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
                    const std::vector<Override>& overrides, const CostOf& of, Diagnostics& diagnostics) {
  Lowered lowered;
  lower(program, lowered, diagnostics, [&](const Parts& parts) {
    parts.parameters.set_overrides(overrides);
    Instance& root = parts.instances.make_root(machine, {}, machine.name.location);
    parts.parameters.list_parameters(root, lowered.parameters);
    lowered.outputs.push_back(CostTable(parts, root, of).lower(sizes));
    parts.parameters.report_unused_overrides();
    lowered.system = ir::end_lowering(std::move(lowered.system));
  });
  return lowered;
}

}  // namespace wave::frontend
