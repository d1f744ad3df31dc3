// The values of expressions as the simulator computes them, and how a computation ends early.
#pragma once

#include "frontend/ast/ast.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::simulator {

struct Instance;
struct Value;
struct Result;

struct Choice {
  std::size_t ordinal;
};
struct Corner {
  std::vector<bool> rising;
};
// Along which axis of the grid, by its number there; where a process lies along it, and how many do.
struct Axis {
  std::size_t number;
  std::int64_t position, extent;
};
struct List {
  std::vector<Value> elements;
};
struct Record {
  const frontend::Item* declaration;
  std::map<std::string, Value> fields;
};
// A function or a collective: of a module (no instance), or of a machine or model.
struct Function {
  const frontend::Item* item;
  std::shared_ptr<Instance> self;
};
// `send`, `recv` or `total` of a machine, as its protocols give it.
struct DerivedCost {
  std::string end;
  std::shared_ptr<Instance> machine;
  const frontend::Item* declaration;  // whose protocols they are: the machine's, or those of one that it extends
};
// Values at keys, which rise, and at all others.
struct Table {
  std::vector<std::pair<double, double>> entries;
  double otherwise;
};
// What two processes share: the name of a level, or `none`.
struct Level {
  std::string name;
};
struct GridPoint {
  const frontend::Item* grid;
  std::vector<std::int64_t> indices;
};
// A process that has been simulated, or one quantity that can be asked of it.
struct Measured {
  std::shared_ptr<const Result> result;
  std::string quantity;
  std::string phase;
  bool in_phase = false;
  std::string over = {};  // "max", "mean", "min"; empty for a single process
  // Of a phase: the process in front of what is asked, and where that is written.
  std::vector<std::int64_t> place = {};
  Location location = {};
};

// Something that the language calls an error, named after its diagnostic: `division_by_zero`. As a value it is an
// element of a list or a field of a record that nobody has looked at yet: these are evaluated by need.
struct Failed {
  std::string kind;
  Location location;
};

struct Value {
  std::variant<std::int64_t, double, bool, std::string, Choice, Level, Corner, Axis, std::shared_ptr<List>,
               std::shared_ptr<Record>, std::shared_ptr<Table>, Function, DerivedCost, std::shared_ptr<Instance>,
               GridPoint, Measured, Failed>
      is;
};

// A machine or a model with its parameters.
struct Instance {
  const frontend::Item* declaration = nullptr;
  std::map<std::string, Value> given;
  std::map<std::string, Value> known;    // members, evaluated when they are first needed
  std::map<std::string, Failed> failed;  // those that cannot be: a process is not simulated again for each that asks
};

// Something that the simulator does not support.
struct Unsupported {
  std::string what;
};

}  // namespace wave::simulator
