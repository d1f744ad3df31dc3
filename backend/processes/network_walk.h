// A walk over one process's program without times: the first scalar in it that fails, and what all its weights come to.
#pragma once

#include "backend/processes/known_values.h"
#include "backend/processes/peers.h"
#include "backend/processes/resolved_ends.h"
#include "ir/dependences.h"

#include <functional>
#include <map>
#include <set>
#include <span>

namespace wave::backend::processes {

// The weights of one process as they are, not rounded.
struct Load {
  double time = 0;   // the sum of them in ps, as on a path through all processes that sweeps cross
  double count = 0;  // how many they are, of this process alone
};

class ProgramWalk {
 public:
  // `most_iterations`: of loops that have to be walked again and again, in one walk; beyond it one stands for the rest.
  ProgramWalk(Scalars& scalars, const ir::Process& process, const Places& places, const ir::FreeBinders& binders,
              std::function<void()> look_at_clock, double most_iterations);

  // Throws Failed: the first failure of this process in program order.
  Load load(const std::vector<std::int64_t>& point);

 private:
  struct Visit;
  Load walk(ir::BlockId block);
  Load message(const ir::Message& message);
  Load sweep(const ir::Sweep& sweep);
  Load levels(std::span<const ir::Level> levels, ir::BlockId body);
  Load iterations(double count, bool is_same, const std::function<bool()>& next, const std::function<Load()>& body);
  Load weight(ir::ValueId time, const ir::Statement& statement);
  bool looks_at(ir::BlockId block, ir::BinderId binder);
  bool looks_at(std::span<const ir::Level> levels, ir::BlockId body, ir::BinderId binder);
  void bind(ir::BinderId binder, std::int64_t value);
  const std::set<ir::BinderId>& uses(ir::BlockId block);
  void look_at_clock();

  Scalars& scalars_;
  const ir::Process& process_;
  const Places& places_;
  const ir::FreeBinders& binders_;
  std::function<void()> look_at_clock_;
  double most_iterations_, iterations_left_ = 0;
  KnownValues values_;
  EndsResolver ends_;
  std::vector<std::int64_t> point_;
  std::map<ir::BlockId, std::set<ir::BinderId>> uses_;
  std::uint64_t ticks_ = 0;
};

}  // namespace wave::backend::processes
