// See recorded_path.h.
#include "bench/recorded_path.h"

#include "backend/interpreter/inspection.h"

#include <optional>
#include <vector>

namespace wave::bench {

double recorded_path(const Model& model, const Model::Integers& bound) {
  std::vector<backend::Binding> bindings;
  for (const auto& [name, value] : bound) bindings.emplace_back(model.definition(name), ir::Scalar::of(value));
  double total = 0;
  const auto follow = [&](backend::processes::Run& run) {
    run.use_program_only(
        [&](const backend::processes::ProgramInput& input, backend::processes::SweepKernels&) {
          const auto path = run.find_critical_path(input, backend::processes::PathTarget{}, true);
          total = 0;
          for (const auto& term : path.terms) total += term.sum;
          return std::optional(path.last_finish);
        },
        [](const backend::processes::ProgramInput&) { return 0.0; });
  };
  const auto failed = backend::inspect_process(model.lowered().system, bindings, {}, ir::ProcessId{0}, follow,
                                               backend::kernel_source(model.engine()));
  return failed ? 0 : total;
}

}  // namespace wave::bench
