// Where the time of an output goes. An output of dimension time is homogeneous in everything that carries time. So it
// is the sum of (exponent of time x value x derivative) over everything that carries time into it.
#pragma once

#include "analysis/inputs.h"
#include "backend/engine.h"
#include "backend/processes/path/critical.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace wave::analysis {

struct Share {
  Input of;
  double time = 0;        // ps
  double derivative = 0;  // of the output with respect to the input, in ps and bytes
};

// A time of a process that an output consists of, among others.
struct PathOfProcess {
  std::string process;  // with its place, if several times of it are asked for
  backend::processes::CriticalPath path;
  double times = 1;  // how often the output counts it: its derivative by this time
};

struct Breakdown {
  const frontend::OutputInfo* output = nullptr;
  double total = 0;           // ps
  std::vector<Share> shares;  // without those that are 0
  // Rounding, and what jumps (`floor`, `div`). The total is exactly the sum of the shares and this.
  double rest = 0;
  // The critical paths of the processes whose times the output consists of: those that its evaluation came to and that
  // count, not those that lost a maximum. None if there are too many.
  std::vector<PathOfProcess> paths;
  // Why there is no breakdown, if there is none.
  std::optional<ir::Failure> failure;
  std::string why_not;
};

using MakeEngine = std::function<std::unique_ptr<backend::Engine>(const ir::System&)>;

// The breakdowns of the outputs of dimension time that are single values. `lowered` has its literals as definitions,
// and its system is added to. `known` are outputs that have been evaluated already, by name, in ps.
std::vector<Breakdown> break_down(frontend::Lowered& lowered, const MakeEngine& make_engine,
                                  const backend::Limits& limits, const std::map<std::string, double>& known = {});

// Whether an output asks where a time goes: it is no single value.
bool is_breakdown(const frontend::item::Output& output);

// Rounds parts to a quantum on which their sum does not round. Returns the rest: with it, the parts are `whole`
// exactly.
double settle(std::span<double> parts, double whole);

// What time on a path is spent on. What processes share is waited for by its name.
using PathKind = std::pair<backend::processes::Cause::Kind, std::string>;
PathKind kind_of(const backend::processes::PathTerm& term);
// `compute`, `overhead`, ..., `waiting at nic of node`
const char* word_of(backend::processes::Cause::Kind kind);
std::string word_of(const PathKind& kind);

}  // namespace wave::analysis
