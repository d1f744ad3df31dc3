// The verbs of the program. See verb.h.
#include "cli/verb.h"

namespace wave::cli {

#define VERB(name) Verb name##_verb();
#include "cli/verbs/registry.def"
#undef VERB

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
#define VERB(name) name##_verb(),
#include "cli/verbs/registry.def"
#undef VERB
  };
  return all;
}

}  // namespace wave::cli
