// Which engine evaluates. See evaluation.h.
#include "cli/evaluation.h"

namespace wave::cli {

std::unique_ptr<backend::Engine> open_engine(Session&, EngineChoice, const ir::System& system) {
  return backend::make_interpreter(system);
}

}  // namespace wave::cli
