// The verbs of the program. See verb.h.
#include "cli/verb.h"

namespace wave::cli {

#define VERB(name) Verb name##_verb();
#define QUESTION(name) VERB(name)
#include "cli/verbs/registry.def"
#undef QUESTION
#undef VERB

namespace {

Verb answering(Verb verb) {
  verb.answers = true;
  return verb;
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
#define VERB(name) name##_verb(),
#define QUESTION(name) answering(name##_verb()),
#include "cli/verbs/registry.def"
#undef QUESTION
#undef VERB
  };
  return all;
}

}  // namespace wave::cli
