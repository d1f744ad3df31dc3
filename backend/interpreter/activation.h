// What the interpreter remembers while an activation of a frame lives.
#pragma once

#include "backend/closed_form/recurrence.h"
#include "ir/exact.h"
#include "ir/system.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wave::backend::interpreter {

// A scalar, or nothing: absent.
using Presence = std::optional<ir::Scalar>;

// A space with its actual extents; cells are numbered row-major.
struct Box {
  std::vector<std::int64_t> first, last, extent, stride;
  std::vector<bool> wrap;
  double count = 0;  // may exceed 2^63
};

enum class Progress : std::uint8_t { none, running, done };

// The values of an event.
class EventValues {
 public:
  EventValues(ir::ScalarType type, std::size_t count);

  // The bits of all cells, those of booleans 0 and 1.
  const std::uint64_t* words() const { return reinterpret_cast<const std::uint64_t*>(cells_.get()); }
  bool is_known(std::size_t cell) const { return progress_[cell] == Progress::done; }
  Progress progress(std::size_t cell) const { return progress_[cell]; }
  void set_progress(std::size_t cell, Progress progress) { progress_[cell] = progress; }
  void set(std::size_t cell, ir::Scalar value);
  ir::Scalar get(std::size_t cell) const;
  double real(std::size_t cell) const { return cells_[cell].real; }

  static constexpr std::size_t bytes_per_cell = sizeof(double) + sizeof(Progress);

 private:
  union Bits {
    double real;
    std::int64_t integer;
  };
  ir::ScalarType type_;
  std::unique_ptr<Bits[]> cells_;
  std::vector<Progress> progress_;
};

class ActiveKernel;    // active_kernel.h
struct ActiveProcess;  // processes.h

// A group of events in an activation.
struct GroupState {
  Progress progress = Progress::none;
  std::optional<ir::Failure> failure;  // done, and this came of it
  ir::Exactness exactness;
  std::size_t bytes = 0;  // of the columns
  std::unordered_map<ir::EventId, std::unique_ptr<EventValues>> columns;
  std::unique_ptr<closed_form::Solution> solution;  // in place of columns
  ActiveKernel* kernel = nullptr;                   // the same: it has evaluated the cells
  // Hoisted scalars, on the quantum; by weight. A weight that is not here is evaluated in its cells.
  std::unordered_map<ir::ValueId, double> hoisted;
};

struct DefinitionState {
  Progress progress = Progress::none;
  ir::Scalar value;
};

// A remembered value holds as long as no binder that it looks at has moved.
struct Memory {
  std::uint64_t at = 0;  // 0: nothing is remembered
  Presence value;
};

// The memories of an activation. The root's are by number, a function's, of which there are many, by need.
class Memories {
 public:
  explicit Memories(std::size_t dense_count = 0) : dense_(dense_count) {}
  Memory& of(std::uint32_t number) { return dense_.empty() ? sparse_[number] : dense_[number]; }
  // What was remembered up to now is forgotten.
  void forget(std::uint64_t now) { forgotten_ = now; }
  bool holds(const Memory& memory) const { return memory.at > forgotten_; }

 private:
  std::vector<Memory> dense_;
  std::unordered_map<std::uint32_t, Memory> sparse_;
  std::uint64_t forgotten_ = 0;
};

struct Activation {
  Activation();
  Activation(const Activation&) = delete;
  ~Activation();

  ir::FrameId frame;
  Activation* outer = nullptr;
  std::vector<ir::Scalar> arguments;
  std::vector<DefinitionState> definitions;
  Memories memory[2];  // outside events, inside events
  std::unordered_map<ir::SpaceId, Box> boxes;
  std::unordered_map<std::uint32_t, GroupState> groups;  // by number in PreparedSystem::groups
  std::unordered_map<ir::ProcessId, std::unique_ptr<ActiveProcess>> processes;
  std::unordered_map<std::uint32_t, std::unique_ptr<ActiveKernel>> kernels;  // of recurrences, by component
};

}  // namespace wave::backend::interpreter
