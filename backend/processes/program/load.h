// A walk over one process's program without times: the first scalar in it that fails, and what all its weights come to.
// It counts the statements of one process, in whatever order others do theirs, so it has no use for the parts of all
// (plan_parts.h), which not every program has.
#pragma once

#include "backend/processes/program/bound_scalars.h"
#include "backend/processes/program/ends.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/program/uses.h"

#include <functional>

namespace wave::backend::processes {

// The weights of one process as they are, not rounded.
struct Load {
  double time = 0;   // the sum of them in ps, as on a path through all processes that sweeps cross
  double count = 0;  // how many they are, of this process alone

  friend Load operator+(Load a, Load b) { return {a.time + b.time, a.count + b.count}; }
  friend Load operator*(double factor, Load a) { return {factor * a.time, factor * a.count}; }
};

class LoadWalk {
 public:
  // `most_iterations`: of loops that have to be walked again and again, in one walk; beyond it one stands for the rest.
  LoadWalk(Scalars& scalars, const ir::Process& process, const Places& places, const ir::FreeBinders& binders,
           std::function<void()> look_at_clock, double most_iterations);

  // Throws Failed: the first failure of this process in program order.
  Load load(const std::vector<std::int64_t>& point);

 private:
  struct Statements;
  Load message(const ir::Message& message);
  Load iterations(double count, bool is_same, const std::function<bool()>& next, const std::function<Load()>& body);
  Load weight(ir::ValueId time, const ir::Statement& statement);
  bool is_root(const ir::Collective& collective) const;
  void look_at_clock();

  Scalars& scalars_;
  const ir::Process& process_;
  const Places& places_;
  std::function<void()> look_at_clock_;
  double most_iterations_, iterations_left_ = 0;
  BoundScalars values_;
  EndsResolver ends_;
  ProgramUses uses_;
  std::vector<std::int64_t> point_;
  std::uint64_t ticks_ = 0;
};

}  // namespace wave::backend::processes
