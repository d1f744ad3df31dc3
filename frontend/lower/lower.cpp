// The entry points of lower.h: a model, the tests of a module, the costs of a machine.
#include "frontend/lower/lower.h"

#include "frontend/lower/lifted.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/rows.h"
#include "frontend/lower/specialisation.h"
#include "ir/passes.h"

#include <exception>
#include <pthread.h>

namespace wave::frontend {

namespace lowering {

Lowering::Lowering(const Program& program, ir::System& system, std::vector<std::string>& words, SiteNotes& notes,
                   Diagnostics& diagnostics)
    : program(program), b(system), facts(system), diagnostics(diagnostics), words_(words), notes_(notes) {
  find_generic_functions();
}

Lowering::~Lowering() = default;

void Lowering::abandon(DiagnosticKind kind, Place place, const std::string& message, const std::string& label,
                       const std::string& help) {
  Diagnostic& diagnostic = diagnostics.add(kind, place, message, label);
  if (!help.empty()) diagnostic.help.push_back(help);
  throw Abandoned{kind};
}

ir::SiteId Lowering::site(ir::FailureKind kind, Place place, const std::string& text, std::vector<Place> related) {
  auto& site = sites_[{static_cast<int>(kind), place.file, place.begin, place.end, text}];
  if (site.valid()) return site;
  site = b.site(kind, place, text, std::move(related));
  const auto operands = operands_at_.find({place.file, place.begin, place.end});
  if (operands != operands_at_.end()) notes_[site.index].operands = operands->second;
  return site;
}

ir::SiteId Lowering::site(const ir::Operation& operation, Place place, const std::string& text) {
  return operation.failure ? site(*operation.failure, place, text) : ir::SiteId{};
}

Instance& Lowering::make_root(const Item& declaration) {
  const Naming naming{"", "", true, false};
  root_ = &new_instance(declaration, {}, &naming, declaration.name.place);
  return *root_;
}

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

Lowered lower_model(const Program& program, const Item& model, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics, LoweringOptions options) {
  Lowered lowered;
  lowering::with_deep_stack([&] {
    Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    lowering.set_overrides(overrides);
    if (options.literals) lowering.list_literals(lowered.literals);
    if (options.uncertain) lowering.list_uncertain(lowered.uncertain);
    lowering::Instance& root = lowering.make_root(model);
    lowering.list_parameters(root, lowered.parameters);
    for (const auto& member : std::get<item::Model>(model.node).members) {
      if (std::holds_alternative<item::Output>(member->node)) lowered.outputs.push_back(lowering.output(root, *member));
    }
    if (options.processes) lowering.list_processes(root, lowered.processes);
    lowering.tell_what_is_asked(lowered.parameters);
    lowering.report_unused_overrides();
    lowered.system = ir::end_lowering(lowered.system);
  });
  return lowered;
}

LoweredTests lower_tests(const Program& program, Diagnostics& diagnostics) {
  LoweredTests lowered;
  lowering::with_deep_stack([&] {
    Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    for (const auto& item : program.main().items) {
      if (std::holds_alternative<item::Test>(item->node)) lowered.tests.push_back(lowering.test(*item));
    }
    lowered.system = ir::end_lowering(lowered.system);
  });
  return lowered;
}

}  // namespace wave::frontend
