// A question to the checker: what may stand at a place? The text has a word there that stands nowhere else. Where the
// checker would look that word up, it answers instead of reporting that there is no such name.
#pragma once

#include "frontend/check/signature.h"

#include <string>
#include <vector>

namespace wave::frontend {

struct Probe {
  std::string word;
  Location place{};  // of the word

  // --- the answer ---
  bool is_answered = false;
  std::string wanted;  // "value", "type", "interface", "machine", "model", "member", "statement", "grid", "net", ...
  TypeRef expected;    // of a value; null where any may stand
  // What can be seen from there, the innermost first.
  struct Visible {
    std::string name;
    TypeRef type;  // null for what is no value
    const Item* item = nullptr;
    const Module* module = nullptr;  // an imported one
  };
  std::vector<Visible> names;
  const Item* owner = nullptr;          // the machine, model or interface around
  const Item* machine = nullptr;        // of the process around
  TypeRef object;                       // what stands before the dot
  const Module* module = nullptr;       // or the module that does
  std::vector<std::string> of_process;  // and what can be asked there of a process
  // The calls around, the outermost first.
  struct Call {
    check::Signature signature;
    std::vector<std::string> given;  // the parameters that other arguments are for
    std::size_t active = 0;          // the parameter that is given here; the number of parameters if it is none
  };
  std::vector<Call> calls;
};

}  // namespace wave::frontend
