// The entry points of lower.h: a model, the tests of a module, the costs of a machine.
#include "frontend/lower/lower.h"

#include "frontend/check/program.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/literals.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/parameters.h"
#include "frontend/lower/processes.h"
#include "ir/passes.h"

#include <exception>
#include <pthread.h>

namespace wave::frontend {

Lowered::Lowered() = default;
Lowered::Lowered(Lowered&&) noexcept = default;
Lowered& Lowered::operator=(Lowered&&) noexcept = default;
Lowered::~Lowered() = default;

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

}  // namespace wave::frontend
