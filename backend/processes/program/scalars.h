// What the evaluation of a process asks of an engine: scalars in the activation that the process belongs to.
#pragma once

#include "backend/failed.h"
#include "ir/system.h"

#include <cstdint>
#include <mutex>
#include <span>

namespace wave::backend::processes {

class Scalars {
 public:
  virtual ~Scalars() = default;
  virtual const ir::System& system() const = 0;
  // Holds until it is bound again: the indices of a process, tiles, loop variables.
  virtual void bind(ir::BinderId binder, std::int64_t value) = 0;
  // Failures do not show it any more, until it is bound again.
  virtual void release(ir::BinderId) {}
  // Throws Failed.
  virtual ir::Scalar value(ir::ValueId value) = 0;
  // Between enter and leave, `value` is evaluated in a fresh activation of `frame` with these arguments (MessageEnds).
  virtual void enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) = 0;
  virtual void leave() = 0;
  // Held by one of several threads while it asks, or has code that may ask.
  virtual std::recursive_mutex& asking() = 0;
};

}  // namespace wave::backend::processes
