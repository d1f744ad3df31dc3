// A stretch as a straight line of additions and maxima over registers (backend/processes/bulk/sweep_body.h says what
// the operations do), in an order in which a signal is sent before it is awaited as far as there is one.
#pragma once

#include "backend/processes/bulk/plan_walk.h"
#include "backend/processes/bulk/services.h"
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/program/causes.h"
#include "backend/processes/program/state.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

// For a critical path: what an operation's weights are. Of two times that are as large the target's is followed back.
struct OperationCause {
  Cause::Kind kind{};
  const ir::Statement* statement = nullptr;
  const ResolvedEnds* ends = nullptr;
  const ResolvedStep* step = nullptr;
  bool varies = false;  // by process: `ends` and `step` are those of some of them
  // As Cause has them; but `inside` is without the tile of a computation.
  const Bindings* inside = nullptr;
  const ir::Statement* sized_by = nullptr;
  friend bool operator==(const OperationCause&, const OperationCause&) = default;
};

// A background operation that nobody has waited for yet.
struct PendingOperation {
  // Which call: the statement, how many times it was met before in the stretch, the alternative.
  struct Key {
    const ir::Message* message = nullptr;
    std::uint32_t met = 0, alternative = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Key key;
  ir::HandleId handle;
  FieldPtr mask;   // the processes that called it; null: all
  FieldPtr guard;  // 0 for those that take the alternative, -infinity for the others; null: all do
  struct Charge {
    FieldPtr time;
    OperationCause cause;
    friend bool operator==(const Charge&, const Charge&) = default;
  };
  std::vector<Charge> tail;                  // at the wait
  std::vector<std::int64_t> peer;            // empty: by rank
  const ir::Statement* statement = nullptr;  // of the message
  friend bool operator==(const PendingOperation&, const PendingOperation&) = default;
};

// What a register keeps from one run of the stretch to the next: the clock, or one of these.
struct Carried {
  std::optional<PendingOperation::Key> pending = {};
  std::optional<ResourceKey> resource = {};  // when the process's own is free again
  friend auto operator<=>(const Carried&, const Carried&) = default;
};

inline constexpr std::uint32_t clock_register = 0;

struct PlannedOperation {
  using Kind = SweepBody::Operation::Kind;
  Kind kind{};
  std::uint32_t target = 0, source = 0, signal = 0;
  std::vector<std::uint32_t> weights;  // OperationList::weights
  static constexpr std::uint32_t always = 0xffffffff;
  std::uint32_t peer = always;  // OperationList::peers: happens where this one is on the grid
  static constexpr std::uint32_t by_peer = 0xffffffff;
  std::uint32_t ranks = by_peer;  // await: OperationList::ranks: whose signal it is
  static constexpr std::uint32_t no_service = 0xffffffff;
  // copy: OperationList::services: what is requested at the time of the source; the target is when it begins to serve.
  std::uint32_t service = no_service;
  OperationCause cause = {};
  friend bool operator==(const PlannedOperation&, const PlannedOperation&) = default;
};

struct OperationList {
  std::vector<PlannedOperation> operations;
  std::vector<FieldPtr> weights;
  std::vector<std::vector<std::int64_t>> peers;
  std::vector<PeerMapPtr> ranks;  // where there is no peer, the await has weight -infinity
  std::vector<PlannedService> services;
  FieldPtr count;                // as WalkContext has it, behind the stretch
  std::vector<Carried> carried;  // registers 0 ...; the first is the clock
  std::uint32_t registers = 1, signals = 0;
  bool ordered = true;                    // every signal is sent before it is awaited
  std::vector<PendingOperation> pending;  // at the end
};

// `pending`: of earlier runs of the stretch. Refused as by `walk`, and where there are too many operations, waits that
// not all of those who began an operation come to, or something that happens on arrival; throws Failed.
[[nodiscard]] std::optional<OperationList> list_operations(std::span<const ir::Statement> statements,
                                                           const WalkContext& context,
                                                           std::vector<PendingOperation> pending);

}  // namespace wave::backend::processes
