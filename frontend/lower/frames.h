// How arguments enter the frame of a function, and how its results are defined there. Records that share parts are
// looked at once for each part, not for each way that leads to it.
#pragma once

#include "frontend/lower/parts.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wave::frontend::lowering {

// Whether a value may be an argument of a frame. Scalars and records of them travel; anything else is the same for
// every call.
bool can_travel(const ValuePtr& value);

// Whether all that it holds travels.
bool only_scalars(const ValuePtr& value);

// A text for the arguments of a call: those with equal texts enter one frame. Parts that are one are one in both.
class Shapes {
 public:
  explicit Shapes(const Parts& parts) : parts_(parts) {}
  std::string of(const ValuePtr& value);

 private:
  const Parts& parts_;
  std::unordered_map<const Value*, std::size_t> seen_;
};

// The arguments as seen inside a frame, with parameters of the frame in place of what travels.
class Entrance {
 public:
  Entrance(const Parts& parts, ir::FrameId frame) : parts_(parts), frame_(frame) {}
  ValuePtr enter(const ValuePtr& value, const std::string& name);

 private:
  const Parts& parts_;
  ir::FrameId frame_;
  std::unordered_map<const Value*, ValuePtr> entered_;
};

// What is given for those parameters, in the same order.
std::vector<ir::ValueId> scalars_that_travel(const std::vector<ValuePtr>& arguments);

// Declares definitions for a result of which only the type is known, so that a function may call itself. Null if it is
// more than scalars, or more than `Bounds::declared` of them.
ValuePtr declare_result(const Parts& parts, ir::FrameId frame, const std::string& name, const TypeRef& type);
// Their bodies; if `result` is null, there is no value.
void fill_result(const Parts& parts, const ValuePtr& declared, const ValuePtr& result, Location location);

// Definitions for a result of scalars.
ValuePtr define_result(const Parts& parts, ir::FrameId frame, const std::string& name, const ValuePtr& result,
                       Location location);

// How many scalars a value of this type holds, records in each other counted as often as they stand there. Nothing for
// what holds more than scalars.
std::optional<double> scalars_in(const TypeRef& type);

}  // namespace wave::frontend::lowering
