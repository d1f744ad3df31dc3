// See inspection.h.
#include "backend/interpreter/inspection.h"

#include "backend/interpreter/big_stack.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_table.h"

namespace wave::backend {

std::optional<ir::Failure> inspect_process(const ir::System& system, const std::vector<Binding>& bindings,
                                           const Limits& limits, ir::ProcessId process,
                                           const std::function<void(processes::Run&)>& use,
                                           const KernelSource& source) {
  const interpreter::PreparedSystem prepared(system, {});
  interpreter::KernelTable table(prepared, source.policy, source.provider);
  std::optional<ir::Failure> failure;
  interpreter::run_on_big_stack([&](std::size_t stack_bytes) {
    interpreter::Evaluator evaluator(prepared, table, bindings, limits);
    evaluator.set_deepest(stack_bytes / interpreter::stack_bytes_per_level);
    try {
      evaluator.inspect(process, use);
    } catch (const Failed& failed) {
      failure = failed.failure;
    }
  });
  return failure;
}

}  // namespace wave::backend
