// One object lowers one program into one system: it puts the parts together (parts.h).
#pragma once

#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/parts.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Lowering {
 public:
  Lowering(const Program& program, ir::System& system, std::vector<std::string>& words, SiteNotes& notes,
           Diagnostics& diagnostics)
      : builder_(system),
        facts_(system),
        parts_{program,      builder_,  facts_,     diagnostics, sites_,     values_,     expressions_,
               literals_,    lists_,    calls_,     functions_,  instances_, parameters_, lifting_,
               recurrences_, messages_, processes_, studies_,    outputs_},
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
  Messages messages_{parts_};
  Processes processes_{parts_};
  Studies studies_{parts_};
  Outputs outputs_{parts_};
};

// Runs `work` on a stack large enough for `Bounds::evaluations`.
void with_deep_stack(const std::function<void()>& work);

}  // namespace wave::frontend::lowering
