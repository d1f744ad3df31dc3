// See inspection.h.
#include "backend/interpreter/inspection.h"

#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_table.h"
#include "base/big_stack.h"

namespace wave::backend {

namespace {

std::optional<ir::Failure> with_evaluator(const ir::System& system, const std::vector<Binding>& bindings,
                                          const Limits& limits, const KernelSource& source,
                                          const std::function<void(interpreter::Evaluator&)>& use) {
  const interpreter::PreparedSystem prepared(system, {});
  interpreter::KernelTable table(prepared, source.policy, source.provider);
  std::optional<ir::Failure> failure;
  run_on_big_stack([&](std::size_t stack_bytes) {
    interpreter::Evaluator evaluator(prepared, table, bindings, limits);
    evaluator.set_deepest(stack_bytes / stack_bytes_per_level);
    try {
      use(evaluator);
    } catch (const Failed& failed) {
      failure = failed.failure;
    }
  });
  return failure;
}

}  // namespace

std::optional<ir::Failure> inspect_process(const ir::System& system, const std::vector<Binding>& bindings,
                                           const Limits& limits, ir::ProcessId process,
                                           const std::function<void(processes::Run&)>& use,
                                           const KernelSource& source) {
  return with_evaluator(system, bindings, limits, source,
                        [&](interpreter::Evaluator& evaluator) { evaluator.inspect(process, use); });
}

std::optional<ir::Failure> listen_to_measures(const ir::System& system, const Limits& limits, ir::DefinitionId asked,
                                              const interpreter::AnswerListener& listen, const KernelSource& source) {
  return with_evaluator(system, {}, limits, source, [&](interpreter::Evaluator& evaluator) {
    evaluator.listen(listen);
    evaluator.definition(asked);
  });
}

std::optional<ir::Failure> listen_to_measures(const ir::System& system, const Limits& limits, ir::RootId asked,
                                              const interpreter::AnswerListener& listen) {
  return with_evaluator(system, {}, limits, {}, [&](interpreter::Evaluator& evaluator) {
    evaluator.listen(listen);
    evaluator.rows(asked);
  });
}

}  // namespace wave::backend
