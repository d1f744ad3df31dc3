// The entry points of lower.h: a model, the tests of a module, the costs of a machine.
#include "frontend/lower/lower.h"

#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/parts.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/passes.h"

#include <exception>
#include <pthread.h>

namespace wave::frontend {

namespace lowering {

void with_deep_stack(const std::function<void()>& work) {
  struct Task {
    const std::function<void()>& work;
    std::exception_ptr failure;
  } task{work, nullptr};
  const auto run = [](void* argument) -> void* {
    auto& task = *static_cast<Task*>(argument);
    try {
      task.work();
    } catch (...) {
      task.failure = std::current_exception();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 30);  // reserved, not used
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, run, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) throw std::bad_alloc();
  pthread_join(thread, nullptr);
  if (task.failure) std::rethrow_exception(task.failure);
}

}  // namespace lowering

using lowering::Lowering;
using lowering::Parts;

Lowered lower_model(const Program& program, const Item& model, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics, LoweringOptions options) {
  Lowered lowered;
  lowering::with_deep_stack([&] {
    Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    const Parts& parts = lowering.parts();
    parts.parameters.set_overrides(overrides);
    if (options.literals) parts.literals.list_literals(lowered.literals);
    if (options.uncertain) parts.literals.list_uncertain(lowered.uncertain);
    lowering::Instance& root = parts.instances.make_root(model, {}, model.name.place);
    parts.parameters.list_parameters(root, lowered.parameters);
    for (const auto& member : std::get<item::Model>(model.node).members) {
      if (std::holds_alternative<item::Output>(member->node))
        lowered.outputs.push_back(parts.outputs.output(root, *member));
    }
    if (options.processes) parts.processes.list_processes(root, lowered.processes);
    parts.parameters.tell_what_is_asked(lowered.parameters);
    parts.parameters.report_unused_overrides();
    lowered.system = ir::end_lowering(lowered.system);
  });
  return lowered;
}

LoweredTests lower_tests(const Program& program, Diagnostics& diagnostics) {
  LoweredTests lowered;
  lowering::with_deep_stack([&] {
    Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    const Parts& parts = lowering.parts();
    for (const auto& item : program.main().items) {
      if (std::holds_alternative<item::Test>(item->node)) lowered.tests.push_back(parts.outputs.test(*item));
    }
    lowered.system = ir::end_lowering(lowered.system);
  });
  return lowered;
}

// `wave cost`: what messages of several sizes cost on a machine, the first thing one holds against a ping-pong.

namespace {

using namespace lowering;
using ir::ValueId;

TypeRef quantity(Dimension dimension) { return std::make_shared<Type>(Type{types::Real{dimension}}); }

class CostTable {
 public:
  CostTable(const Parts& parts, Instance& machine, bool local)
      : parts_(parts), machine_(machine), local_(parts.b.boolean(local)), is_local_(local) {}

  OutputInfo lower(const Expr& sizes) {
    OutputInfo info;
    info.name = "cost";
    info.place = sizes.place;
    info.shape = RowsShape::records;
    const TypeRef data = quantity({0, 1, 0});
    const TypeRef time = quantity({1, 0, 0});
    info.columns = {{"size", data, {}},
                    {"send", time, {}},
                    {"receive", time, {}},
                    {"total", time, {}},
                    {"protocol", std::make_shared<Type>(Type{types::String{}}), {}}};
    try {
      ir::Root root{"cost", {}, {}};
      const ValueId holds = parts_.instances.requirements(machine_);
      if (!parts_.b.as_constant(holds)) root.precondition = holds;
      const Symbolic list =
          parts_.values.convert(parts_.expressions.evaluate(sizes, parts_.instances.scope_of(machine_)),
                                std::make_shared<Type>(Type{types::List{data}}));
      for (const Iteration& one : parts_.lists.enumerate(list, false, sizes.place)) {
        root.blocks.push_back(block_of(parts_, one, row(one.element, sizes.place), sizes.place));
      }
      info.root = parts_.b.root(std::move(root));
    } catch (const Abandoned& error) {
      info.failed = error.kind;
    }
    return info;
  }

 private:
  std::vector<ValueId> row(const Symbolic& size, Place place) {
    std::vector<ValueId> cells{parts_.b.to_real(parts_.values.scalar_of(size, place))};
    for (const char* end : {"send", "recv", "total"}) cells.push_back(cost(end, size, place));
    cells.push_back(parts_.messages.protocol_name(machine_, size, local_, place));
    return cells;
  }

  ValueId cost(const std::string& end, const Symbolic& size, Place place) {
    const Symbolic function = parts_.instances.member(machine_, end, place, false);
    std::vector<Named> arguments{{"", size}};
    if (takes_local(function)) arguments.emplace_back("local", make(value::Scalar{local_}));
    return parts_.b.to_real(parts_.values.scalar_of(
        parts_.calls.apply(function, arguments, parts_.instances.scope_of(machine_), place), place));
  }

  bool takes_local(const Symbolic& function) const {
    if (as<value::Derived>(function)) return true;
    const auto* node = as<value::Function>(function);
    const auto* declared = node ? std::get_if<item::Function>(&node->declaration->node) : nullptr;
    if (!declared) return is_local_;
    return std::any_of(declared->parameters.begin(), declared->parameters.end(),
                       [](const Parameter& parameter) { return parameter.name.text == "local"; });
  }

  const Parts& parts_;
  Instance& machine_;
  ValueId local_;
  bool is_local_;
};

}  // namespace

Lowered lower_costs(const Program& program, const Item& machine, const Expr& sizes,
                    const std::vector<Override>& overrides, bool local, Diagnostics& diagnostics) {
  Lowered lowered;
  with_deep_stack([&] {
    Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    const Parts& parts = lowering.parts();
    parts.parameters.set_overrides(overrides);
    Instance& root = parts.instances.make_root(machine, {}, machine.name.place);
    parts.parameters.list_parameters(root, lowered.parameters);
    lowered.outputs.push_back(CostTable(parts, root, local).lower(sizes));
    parts.parameters.report_unused_overrides();
    lowered.system = ir::end_lowering(lowered.system);
  });
  return lowered;
}

}  // namespace wave::frontend
