// A sweep from one corner as compiled sweeps know it: a body of operations for as many tiles as it is the same for,
// with weights by process or by tile, and the state that one such piece hands to the next.
#pragma once

#include "backend/processes/bulk/plan_operations.h"
#include "backend/processes/bulk/sweep_body.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

// Tiles in a row.
struct SweepPiece {
  SweepBody body;
  std::vector<Carried> carried;   // what the carried registers are
  std::vector<FieldPtr> weights;  // along all axes, or uniform
  std::vector<std::vector<double>>
      by_tile;  // per weight that is uniform: its values by tile; fewer where all are equal
  std::int64_t tiles = 0;
  // Which they are; not valid: of no sweep.
  ir::BinderId tile = {};
  std::int64_t first_tile = 1;
  std::vector<OperationCause> causes;  // by operation of the body
  // Of copies in the body: what is requested at the time of their source. Kernels take no piece that has any. Its mask
  // is by process, or uniform.
  struct Service {
    std::size_t operation = 0;
    PlannedService service;
    friend bool operator==(const Service&, const Service&) = default;
  };
  std::vector<Service> services;
};

// Operations that happen once. Refused where messages find each other by rank, or by far offsets.
[[nodiscard]] std::optional<SweepPiece> piece_of(const OperationList& list, const std::vector<bool>& rising,
                                                 Fields& fields);

// May it have such a form? From one corner, over a grid that does not wrap.
bool may_have_pieces(const ir::Sweep& sweep, const std::vector<bool>& wrap);

// The operations of a tile; null: refused.
using ListOfTile = std::function<std::shared_ptr<const OperationList>(std::span<const ir::Statement>,
                                                                      const std::vector<PendingOperation>& pending)>;

// Calls f with the pieces of the sweep, in order, until it returns false; then the result is false, too. `pending` are
// the operations that are open before it, and then those after it. Refused where the sweep has no such form, possibly
// after pieces have been given to f.
[[nodiscard]] bool for_each_piece(const ir::Sweep& sweep, const WalkContext& context, const ListOfTile& list,
                                  std::vector<PendingOperation>& pending, const std::function<bool(SweepPiece)>& f);

}  // namespace wave::backend::processes
