// The parts of the abstract interpreter behind lower.h: expressions become values (value.h), and scalars among them
// nodes of the system. The parts see each other by their headers alone; each takes from here those that it asks.
#pragma once

#include "frontend/lower/value.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::ir {
class Builder;
}
namespace wave::frontend {
struct Program;
class Diagnostics;
}  // namespace wave::frontend

namespace wave::frontend::lowering {

// Bounds on what is resolved here: more is a diagnostic.
struct Bounds {
  static constexpr std::size_t nodes = 3'000'000;         // of the system
  static constexpr std::size_t elements = 10'000;         // of a list that is written out element by element
  static constexpr std::size_t evaluations = 20'000;      // expressions inside each other, over all calls
  static constexpr std::size_t inlined = 200;             // calls inside each other that have no frame of their own
  static constexpr std::size_t instances = 60;            // machines and models inside each other
  static constexpr std::size_t specialisations = 20'000;  // frames
};

using Named = std::pair<std::string, Symbolic>;  // an argument; an empty name: by position

// Where -D finds the instance that a call makes.
struct Naming {
  std::string path;
  std::string title;
  bool addressable = false;
  bool through_parameter = false;
};

// Some iterations of a list or of binders: loops, or a single one where `levels` is empty.
struct Iteration {
  std::optional<ir::ValueId> guard;  // they count only if it is true; depends on no level
  std::vector<ir::Level> levels;
  Symbolic element;  // of a list
  Scope scope;       // with binders: where their names are known
};

class FactTable;
class Sites;
class Values;
class Expressions;
class Literals;
class Lists;
class Calls;
class Functions;
class Instances;
class Parameters;
class Lifting;
class Recurrences;
class Messages;
class Processes;
class Studies;
class Outputs;

struct Parts {
  const Program& program;
  ir::Builder& b;
  FactTable& facts;
  Diagnostics& diagnostics;
  Sites& sites;
  Values& values;
  Expressions& expressions;
  Literals& literals;
  Lists& lists;
  Calls& calls;
  Functions& functions;
  Instances& instances;
  Parameters& parameters;
  Lifting& lifting;
  Recurrences& recurrences;
  Messages& messages;
  Processes& processes;
  Studies& studies;
  Outputs& outputs;
};

}  // namespace wave::frontend::lowering
