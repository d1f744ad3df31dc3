// The tiles of a sweep, gathered as long as their operations are the same.
#include "backend/processes/bulk/sweep_form.h"

#include "backend/processes/bulk/check.h"
#include "backend/processes/program/checked.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>

namespace wave::backend::processes {

namespace {

// Upwind is -1.
std::optional<std::vector<std::int8_t>> turned(const std::vector<std::int64_t>& offset,
                                               const std::vector<bool>& rising) {
  std::vector<std::int8_t> result;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    const std::int64_t one = rising[axis] ? offset[axis] : -offset[axis];
    if (one < std::numeric_limits<std::int8_t>::min() || one > std::numeric_limits<std::int8_t>::max())
      return std::nullopt;
    result.push_back(static_cast<std::int8_t>(one));
  }
  return result;
}

std::optional<SweepBody> body_of(const OperationList& list, const std::vector<bool>& rising) {
  if (!list.ranks.empty()) return std::nullopt;
  SweepBody body;
  body.axes = rising.size();
  body.registers = list.registers;
  body.carried = static_cast<std::uint32_t>(list.carried.size());
  body.signals = list.signals;
  body.weights = static_cast<std::uint32_t>(list.weights.size());
  for (const PlannedOperation& operation : list.operations) {
    SweepBody::Operation& one = body.operations.emplace_back();
    one.kind = operation.kind;
    one.target = operation.target;
    one.source = operation.source;
    one.signal = operation.signal;
    one.weights = operation.weights;
    if (operation.peer == PlannedOperation::always) continue;
    const std::vector<std::int64_t>& peer = list.peers[operation.peer];
    if (std::all_of(peer.begin(), peer.end(), [](std::int64_t d) { return d == 0; })) return std::nullopt;
    auto there = turned(peer, rising);
    if (!there) return std::nullopt;
    one.peer = std::move(*there);
  }
  return body;
}

bool same_weight(const FieldPtr& a, const FieldPtr& b) {
  return a == b || (a->uniform() && b->uniform()) || (a->axes == b->axes && a->values == b->values);
}

class Gatherer {
 public:
  Gatherer(const ir::Sweep& sweep, const WalkContext& context, const ListOfTile& list,
           std::vector<PendingOperation> pending, const std::function<bool(SweepPiece)>& f)
      : sweep_(sweep), context_(context), list_(list), give_(f), pending_(std::move(pending)) {}

  // What is open after the sweep.
  std::optional<std::vector<PendingOperation>> run() {
    Fields& fields = context_.fields;
    const std::optional<ir::Scalar> count = fields.uniform(sweep_.tiles);
    if (!count) return std::nullopt;
    const std::int64_t tiles = count->integer;
    fields.set_tile(sweep_.tile);
    for (std::int64_t tile = 1; tile <= tiles; ++tile) {
      fields.bind(sweep_.tile, tile);
      fields.tile_seen = false;
      fields.look_at_clock();
      const std::vector<PendingOperation> before = pending_;
      std::optional<SweepPiece> piece = one_tile(tile);
      if (!piece || !add(std::move(*piece))) return std::nullopt;
      // From here on all tiles are the same.
      if (fields.tile_seen || before != pending_) continue;
      piece_.tiles += tiles - tile;
      break;
    }
    if (piece_.tiles > 0 && !give_(std::move(piece_))) return std::nullopt;
    return pending_;
  }

 private:
  std::optional<SweepPiece> one_tile(std::int64_t tile) {
    const ir::Front& front = sweep_.fronts.front();
    const std::shared_ptr<const OperationList> list = list_(context_.process.blocks[front.body.index], pending_);
    if (!list) return std::nullopt;
    pending_ = list->pending;
    std::optional<SweepPiece> piece = piece_of(*list, front.rising, context_.fields);
    if (piece) piece->tile = sweep_.tile, piece->first_tile = tile;
    return piece;
  }

  [[nodiscard]] bool add(SweepPiece next) {
    const bool goes_on =
        piece_.tiles > 0 && piece_.tiles < most_tiles_of_piece && piece_.body == next.body &&
        piece_.carried == next.carried && piece_.services == next.services &&
        (!context_.weight_places || piece_.causes == next.causes) &&
        std::equal(piece_.weights.begin(), piece_.weights.end(), next.weights.begin(), next.weights.end(), same_weight);
    if (!goes_on) {
      if (piece_.tiles > 0 && !give_(std::move(piece_))) return false;
      piece_ = std::move(next);
      return true;
    }
    for (std::size_t i = 0; i < piece_.by_tile.size(); ++i) {
      piece_.by_tile[i].insert(piece_.by_tile[i].end(), next.by_tile[i].begin(), next.by_tile[i].end());
    }
    ++piece_.tiles;
    return true;
  }

  const ir::Sweep& sweep_;
  const WalkContext& context_;
  const ListOfTile& list_;
  const std::function<bool(SweepPiece)>& give_;
  std::vector<PendingOperation> pending_;
  SweepPiece piece_;
};

}  // namespace

std::optional<SweepPiece> piece_of(const OperationList& list, const std::vector<bool>& rising, Fields& fields) {
  std::optional<SweepBody> body = body_of(list, rising);
  if (!body) return std::nullopt;
  if constexpr (forms_are_checked) require_whole(find_breach(*body));
  SweepPiece piece;
  piece.body = std::move(*body);
  piece.carried = list.carried;
  for (const PlannedOperation& operation : list.operations) {
    if (operation.service != PlannedOperation::no_service) {
      PlannedService& service =
          piece.services.emplace_back(piece.causes.size(), list.services[operation.service]).service;
      if (service.mask && !service.mask->uniform()) service.mask = fields.expanded(service.mask);
    }
    piece.causes.push_back(operation.cause);
  }
  for (const FieldPtr& weight : list.weights) {
    piece.weights.push_back(weight->uniform() ? weight : fields.expanded(weight));
    piece.by_tile.push_back(weight->uniform() ? weight->values : std::vector<double>{});
  }
  piece.tiles = 1;
  return piece;
}

bool may_have_pieces(const ir::Sweep& sweep, const std::vector<bool>& wrap) {
  return sweep.fronts.size() == 1 && std::none_of(wrap.begin(), wrap.end(), [](bool wraps) { return wraps; });
}

bool for_each_piece(const ir::Sweep& sweep, const WalkContext& context, const ListOfTile& list,
                    std::vector<PendingOperation>& pending, const std::function<bool(SweepPiece)>& f) {
  if (!may_have_pieces(sweep, context.wrap)) return false;
  std::optional<std::vector<PendingOperation>> open = Gatherer(sweep, context, list, pending, f).run();
  if (!open) return false;
  pending = std::move(*open);
  return true;
}

}  // namespace wave::backend::processes
