// What changes for those who use a library from one version of it to the next: what they can no longer do, and what
// they can do besides.
#pragma once

#include "frontend/check/program.h"
#include "frontend/project/version.h"

#include <string>
#include <vector>

namespace wave::analysis {

// A library at one time: a checked program, and the modules of it that others import, by the names of those.
struct Api {
  const frontend::Program* program = nullptr;
  struct Named {
    std::string name;  // "halo.ring"; empty if it is compared with a module of another name
    const frontend::Module* module;
  };
  std::vector<Named> modules;
};

struct ApiChange {
  enum class Effect {
    breaks,  // what was right may no longer be
    adds,    // what was wrong may be right now
    other,   // values and texts, on which nothing written relies
  };
  Effect effect;
  std::string what;    // "halo.ring.Ring.n"
  std::string change;  // "is of type time, was real"
};

// Those that break first; then by name.
std::vector<ApiChange> compare_apis(const Api& before, const Api& after);

// What they, or else any difference between the texts, ask of the version.
frontend::Step step_of(const std::vector<ApiChange>& changes, const Api& before, const Api& after);

}  // namespace wave::analysis
