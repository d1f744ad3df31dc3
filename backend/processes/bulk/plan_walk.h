// A stretch of a program that is the same for all processes, apart from conditions on their indices. It is written out
// statement by statement, and its sends are paired with its receives.
#pragma once

#include "backend/processes/bulk/plan_ends.h"
#include "backend/processes/bulk/plan_fields.h"
#include "backend/processes/program/causes.h"
#include "backend/processes/program/shared_levels.h"
#include "backend/processes/program/weight_places.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace wave::backend::processes {

struct Walked {
  enum class Kind : std::uint8_t { compute, send, receive, wait } kind{};
  FieldPtr mask;                         // the processes that come here; null: all
  FieldPtr acting;                       // send, receive: those of them that have a peer, where it is found by rank
  FieldPtr time;                         // compute: on the quantum, 0 for the others
  const ir::Message* message = nullptr;  // send, receive
  std::size_t pair = 0;                  // send, receive: WalkedStretch::pairs
  bool awaited = false;  // send, receive: in the background, and some wait of the process may come for it
  ir::HandleId handle;   // wait: not valid: all
  const ir::Statement* statement = nullptr;
  const Bindings* inside = nullptr;  // as Cause has it, but for the tile of a computation
};

// The k-th send on a channel and the k-th receive.
struct MessagePair {
  std::vector<std::int64_t> offset;  // from the sender to the receiver, by axis
  // Where they meet by rank: the receiver by sender and the sender by receiver. Or null.
  PeerMapPtr targets, sources;
  AlternativesPtr alternatives;
  std::size_t send = 0;  // WalkedStretch::steps
};

struct WalkedStretch {
  std::vector<Walked> steps;
  std::vector<MessagePair> pairs;
};

struct WalkContext {
  const ir::Process& process;
  Fields& fields;
  PlanEnds& ends;
  const SharedLevels& levels;
  // Those that are served in batches (services.h); null: all that is asked for has to be in order (request_order.h).
  const std::set<ResourceKey>* served_by_time = nullptr;
  FieldPtr count;  // by process: that of the moment before the stretch; null: it is not known
  double quantum = 0;
  std::vector<bool> wrap;           // by axis
  std::vector<bool> wanted_phases;  // by PhaseId: the stretch must not be in or around one
  // Set: causes are told apart, and tiles whose operations differ by their cause are not put together.
  WeightPlaces* weight_places = nullptr;
};

// By axis of its grid.
std::vector<bool> wrap_of(const ir::System& system, const ir::Process& process);

// Refused where the stretch is not of this kind (bounds of loops by index, sweeps and collectives inside, a send that
// does not meet its receive in it, ends that disagree); throws Failed.
[[nodiscard]] std::optional<WalkedStretch> walk(std::span<const ir::Statement> statements, const WalkContext& context);

// Calls f for every iteration of the levels, with their binders bound, until it returns false; then it returns false,
// too. Refused where bounds are not the same for all processes, or a step makes no progress.
[[nodiscard]] bool for_each_iteration(std::span<const ir::Level> levels, Fields& fields,
                                      const std::function<bool()>& f);

// How many there are.
[[nodiscard]] std::optional<std::int64_t> count_iterations(std::span<const ir::Level> levels, Fields& fields);

}  // namespace wave::backend::processes
