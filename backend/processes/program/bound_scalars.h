// Scalars under indices, tiles and loop variables that change again and again. The engine that evaluates them remembers
// each until a binder that it looks at moves.
#pragma once

#include "backend/processes/program/ends.h"
#include "backend/processes/program/scalars.h"

#include <unordered_map>

namespace wave::backend::processes {

class BoundScalars {
 public:
  explicit BoundScalars(Scalars& scalars) : scalars_(scalars) {}

  void bind(ir::BinderId binder, std::int64_t value) {
    scalars_.bind(binder, value);
    bound_[binder] = value;
  }
  std::int64_t bound(ir::BinderId binder) const { return bound_.at(binder); }
  // What is bound now; `restore` binds it again.
  using Bindings = std::unordered_map<ir::BinderId, std::int64_t>;
  Bindings bindings() const { return bound_; }
  void restore(const Bindings& before) {
    for (const auto& [binder, value] : before) bind(binder, value);
  }
  // Throw Failed.
  ir::Scalar value(ir::ValueId id) { return scalars_.value(id); }
  double real(ir::ValueId id) { return value(id).real; }
  std::int64_t integer(ir::ValueId id) { return value(id).integer; }
  bool boolean(ir::ValueId id) { return value(id).boolean; }

 private:
  Scalars& scalars_;
  Bindings bound_;
};

// As the machine of a message asks for it, at the place that is bound.
inline Route route_of(BoundScalars& values, const ir::Message& message) {
  Route route{values.integer(message.within)};
  if (message.sender.valid())
    route.sender = values.integer(message.sender), route.receiver = values.integer(message.receiver);
  return route;
}

}  // namespace wave::backend::processes
