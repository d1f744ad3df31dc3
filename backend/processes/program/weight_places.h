// What weights look at while they take their time: tiles and loop variables, besides the place of the process.
#pragma once

#include "backend/processes/program/causes.h"
#include "ir/dependences.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes {

// Of a computation its time, of a collective its cost, of a message its size; not valid: none is given.
ir::ValueId value_of_weight(const ir::Statement& statement);
inline bool gives_no_size(const ir::Statement& statement) {
  return std::holds_alternative<ir::Message>(statement.node) && !value_of_weight(statement).valid();
}

class WeightPlaces {
 public:
  WeightPlaces(const ir::Process& process, const ir::System& system, const ir::FreeBinders& binders)
      : axes_(system[process.space].axes), binders_(binders) {}

  struct LooksAt {
    std::vector<std::size_t> axes;
    std::vector<ir::BinderId> inside;  // tiles and loop variables
  };
  const LooksAt& looks_at(const ir::Statement& statement);

  // What the statement's weight looks at inside of the program, with the values that these have, except `without`.
  // Equal ones are one. Null: nothing.
  const Bindings* inside(const ir::Statement& statement, const std::function<std::int64_t(ir::BinderId)>& value_of,
                         ir::BinderId without = {});
  // With this one, too.
  const Bindings* with(const Bindings* inside, ir::BinderId binder, std::int64_t value);

 private:
  const Bindings* only(Bindings bindings) {
    return bindings.empty() ? nullptr : &*known_.insert(std::move(bindings)).first;
  }

  const std::vector<ir::Axis>& axes_;
  const ir::FreeBinders& binders_;
  std::unordered_map<const ir::Statement*, LooksAt> looks_at_;
  std::set<Bindings> known_;
};

}  // namespace wave::backend::processes
