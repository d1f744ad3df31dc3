// Protocols with numbers in them: what a message of one size does at its two ends.
#pragma once

#include "backend/processes/program/rounding.h"
#include "backend/processes/program/scalars.h"
#include "base/hash_index.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wave::backend::processes {

struct ResolvedUse {
  std::uint32_t resource = 0;  // MessageEnds::resources
  double occupied = 0;         // ps, on the quantum
  std::int64_t number = 0;     // of those that stand side by side
};

struct ResolvedStep {
  ir::Step::Kind kind{};
  std::uint32_t signal = 0;
  std::uint32_t slot = 0;  // of what awaits (ir::is_awaiting): which of those of both ends, the sender's first
  bool has_time = false;   // whether one is written
  double time = 0;         // ps, on the quantum
  std::vector<ResolvedUse> uses;
  bool asks() const { return !uses.empty(); }
};

// Where the ends of a message are, as its machine asks: which level they share, and their ranks, from 0, if
// MessageEnds::reads_ranks.
struct Route {
  std::int64_t within = 0;  // 0: none
  std::int64_t sender = 0, receiver = 0;
  bool operator==(const Route&) const = default;
};

struct ResolvedEnds {
  std::uint32_t number = 0;  // in the order in which its resolver came to it
  ir::EndsId machine;        // of a message of this size
  double size = 0;
  Route route;
  std::uint32_t protocol = 0;  // MessageEnds::protocols
  std::int64_t window = 0;     // 0: none
  std::vector<ResolvedStep> sender, receiver;
  double sender_overhead = 0, receiver_overhead = 0;  // what occupies an end's processor
  double largest = 0;                                 // the largest time among its steps, before rounding
  std::size_t bytes() const;                          // about
};

std::uint64_t hash_of(ir::EndsId machine, double size, const Route& route);

// In the background, where a `busy` before a later `emit` only delays it: what is after the last `emit` is charged at
// the wait.
bool is_charged_at_wait(const std::vector<ResolvedStep>& steps, std::size_t step);
// Whether anything is. What comes before the first `await` was at the call.
bool has_charge_at_wait(const std::vector<ResolvedStep>& steps);

// Remembers what it has resolved, by machine, size and route. Where machines look at ranks, that may be as many as
// there are pairs that exchange messages.
class EndsResolver {
 public:
  // Claims memory for what is remembered, or gives it back (negative); may throw Failed. Empty: nobody counts it.
  using ClaimMemory = std::function<void(std::int64_t bytes)>;
  // `quantum` 0: times are kept as they are.
  EndsResolver(Scalars& scalars, double quantum, ClaimMemory claim_memory = {})
      : scalars_(scalars), quantum_(quantum), claim_memory_(std::move(claim_memory)) {}
  ~EndsResolver();
  EndsResolver(const EndsResolver&) = delete;
  EndsResolver& operator=(const EndsResolver&) = delete;
  // Throws Failed: no protocol's condition holds (error_called at the ends' site), a time that is not finite, ... The
  // reference stays valid.
  const ResolvedEnds& resolve(ir::EndsId ends, double size, const Route& route);
  // The same, but nothing is kept: the reference is valid until the next call.
  const ResolvedEnds& resolve_once(ir::EndsId ends, double size, const Route& route);

  // How many of a resource stand side by side, and how many requests each serves at once. Throws Failed.
  struct Instances {
    std::int64_t count = 1, servers = 1;
  };
  Instances instances(ir::EndsId ends, std::uint32_t resource);

  // Forgets all if there are more than this, and what was returned before.
  void keep_at_most(std::size_t count);

  // Of all weights of the process; others add theirs.
  Rounding rounding;
  bool has_fractional_sizes = false;  // some size was no whole number of bytes

 private:
  void compute(ir::EndsId machine, double size, const Route& route, ResolvedEnds& result);
  void steps(const std::vector<ir::Step>& steps, std::vector<ResolvedStep>& result, double& overhead, double& largest);
  double time(ir::ValueId value, const ir::Step& step, double& largest);

  Scalars& scalars_;
  double quantum_;
  ClaimMemory claim_memory_;
  std::uint32_t made_ = 0;
  std::int64_t claimed_ = 0;
  ResolvedEnds once_;
  HashIndex index_;  // of `known_`
  std::vector<std::unique_ptr<ResolvedEnds>> known_;
};

}  // namespace wave::backend::processes
