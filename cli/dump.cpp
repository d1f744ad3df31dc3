// See dump.h.
#include "cli/dump.h"

#include "backend/processes/plan_outline.h"
#include "cli/evaluation.h"
#include "frontend/parse/parser.h"
#include "ir/printer.h"

namespace wave::cli {

std::string dump_tree(const frontend::Program& program, Dump stage) {
  return print(program.main(), stage == Dump::typed);
}

std::optional<std::string> dump_system(Session& session, const EngineSettings& settings, const ir::System& system,
                                       Dump stage) {
  switch (stage) {
    case Dump::ast:
    case Dump::typed: return dump_tree(session.program(), stage);
    case Dump::system: return ir::print(system);
    case Dump::schedule: return ir::print_schedule(system) + backend::processes::outline_plans(system);
    case Dump::llvm: break;
  }
  return dump_llvm(session, settings, system);
}

}  // namespace wave::cli
