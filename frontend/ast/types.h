// Types as the checker knows them. A quantity is a real with a dimension.
#pragma once

#include "ir/location.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::frontend {

struct Item;  // ast.h

// Exponents of the base dimensions; base units are ps, byte and flop.
struct Dimension {
  std::int8_t time = 0, data = 0, work = 0;
  bool plain() const { return time == 0 && data == 0 && work == 0; }
  friend bool operator==(Dimension, Dimension) = default;
};
Dimension operator*(Dimension a, Dimension b);
Dimension operator/(Dimension a, Dimension b);
std::string to_string(Dimension d);  // "time/data", "1/time", "work^2*time"; "real" for a plain one

struct Type;
using TypeRef = std::shared_ptr<const Type>;

namespace types {
struct Unknown {};  // after an error; it agrees with everything and nothing is reported about it
struct Int {
  bool literal_zero = false;
};  // the literal 0 takes the dimension of what it meets
struct Real {
  Dimension dimension;
};
struct Bool {};
struct String {};
struct Choice {
  std::vector<std::string> words;
};
struct Corner {};
struct Axis {};  // along which processes lie: a parameter of a procedure, or one of the grid around. Read, it is an int
struct Level {};  // what processes share, by name: `node`, or `none`
struct Order {};
struct List {
  TypeRef element;
};
struct Record {
  const Item* declaration;
};
struct Table {
  std::vector<TypeRef> keys;
  TypeRef value;
};
struct Function {
  std::vector<std::pair<std::string, TypeRef>> parameters;
  TypeRef result;
};
// A machine as a value. `declaration` is an interface or a machine. `parameters` are those required besides, as in
// `Machine { L: time }`; `reads` says where those are read that are required for that, though nobody wrote so.
struct Machine {
  const Item* declaration;
  std::vector<std::pair<std::string, TypeRef>> parameters;
  std::map<std::string, Location> reads = {};
};
struct Model {
  const Item* declaration;
};
struct Recurrence {
  std::size_t axes;
  TypeRef value;
};  // `start` before it is indexed
struct Grid {
  std::size_t axes;
};
struct Place {
  std::size_t axes;
};  // `P[i-1, j]`, for `within` and the places of processes; in a protocol `sender`, without axes
struct Process {};  // `transport`
struct Any {};      // a `fn` parameter without a type
}  // namespace types

struct Type {
  std::variant<types::Unknown, types::Int, types::Real, types::Bool, types::String, types::Choice, types::Corner,
               types::Axis, types::Level, types::Order, types::List, types::Record, types::Table, types::Function,
               types::Machine, types::Model, types::Recurrence, types::Grid, types::Place, types::Process, types::Any>
      kind;
};

std::string to_string(const Type& type);  // as a user would write it

}  // namespace wave::frontend
