// One walk, for what sweeps and arrays record.
#include "backend/processes/path/critical_back.h"

#include <algorithm>
#include <optional>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;

// The place at this distance; false: off the grid.
template <class Offsets>
bool move(std::vector<std::int64_t>& place, const Offsets& offsets, const PlanGrid& grid,
          const std::vector<bool>& wrap) {
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    const std::int64_t extent = grid.extents()[axis];
    place[axis] += offsets[axis];
    if (!wrap.empty() && wrap[axis]) place[axis] = (place[axis] % extent + extent) % extent;
    if (place[axis] < 0 || place[axis] >= extent) return false;
  }
  return true;
}

std::size_t rank_of(const std::vector<std::int64_t>& place, const PlanGrid& grid) {
  return processes::place(place, grid.strides(grid.all()));
}

// A tile of a sweep.
class TileOperations {
 public:
  using Operation = SweepBody::Operation;
  TileOperations(const SweepPiece& piece, const std::vector<bool>& rising, const PlanGrid& grid,
                 const SweepRecord& record)
      : piece_(piece), rising_(rising), grid_(grid), record_(record) {}
  void set_tile(std::int64_t tile, std::int64_t recorded) { tile_ = tile, recorded_ = recorded; }

  const std::vector<Operation>& operations() const { return piece_.body.operations; }
  const std::vector<Carried>& carried() const { return piece_.carried; }
  std::uint32_t signals() const { return piece_.body.signals; }
  const OperationCause& cause(std::size_t at) const { return piece_.causes[at]; }
  std::optional<std::int64_t> tile() const {
    return piece_.tile.valid() ? std::optional(piece_.first_tile + tile_) : std::nullopt;
  }

  // Nothing: there is no such process, so that the operation does not happen.
  std::optional<std::size_t> peer(const Operation& operation, const PathPoint& point) const {
    if (operation.peer.empty()) return point.process;
    std::vector<std::int64_t> place = point.place, offset(operation.peer.begin(), operation.peer.end());
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (!rising_[axis]) offset[axis] = -offset[axis];
    }
    if (!move(place, offset, grid_, {})) return std::nullopt;
    return rank_of(place, grid_);
  }
  double weight(const Operation& operation, const PathPoint& point) const {
    double sum = 0;
    for (const std::uint32_t index : operation.weights) {
      const std::vector<double>& by_tile = piece_.by_tile[index];
      const auto tile = static_cast<std::size_t>(tile_);
      if (!piece_.weights[index]->uniform())
        sum += piece_.weights[index]->values[point.process];
      else
        sum += tile < by_tile.size() ? by_tile[tile] : by_tile.front();
    }
    return sum;
  }
  SweepRecord::Choice choice(std::size_t at, const PathPoint& point) const {
    return record_.of(at, recorded_, point.place);
  }

 private:
  const SweepPiece& piece_;
  const std::vector<bool>& rising_;
  const PlanGrid& grid_;
  const SweepRecord& record_;
  std::int64_t tile_ = 0, recorded_ = 0;
};

class ListOperations {
 public:
  using Operation = PlannedOperation;
  ListOperations(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                 const ArrayRecord& record)
      : list_(list), grid_(grid), wrap_(wrap), record_(record) {}

  const std::vector<Operation>& operations() const { return list_.operations; }
  const std::vector<Carried>& carried() const { return list_.carried; }
  std::uint32_t signals() const { return list_.signals; }
  const OperationCause& cause(std::size_t at) const { return list_.operations[at].cause; }
  std::optional<std::int64_t> tile() const { return std::nullopt; }

  std::optional<std::size_t> peer(const Operation& operation, const PathPoint& point) const {
    if (operation.kind == Kind::await && operation.ranks != PlannedOperation::by_peer) {
      return list_.ranks[operation.ranks]->of(point.process);
    }
    if (operation.peer == PlannedOperation::always) return point.process;
    std::vector<std::int64_t> place = point.place;
    if (!move(place, list_.peers[operation.peer], grid_, wrap_)) return std::nullopt;
    return rank_of(place, grid_);
  }
  double weight(const Operation& operation, const PathPoint& point) const {
    double sum = 0;
    for (const std::uint32_t index : operation.weights) sum += value_at(*list_.weights[index], grid_, point.place);
    return sum;
  }
  SweepRecord::Choice choice(std::size_t at, const PathPoint& point) const {
    const std::uint8_t choice = record_.choices[at][point.process];
    return {(choice & ArrayRecord::source) != 0, (choice & ArrayRecord::tie) != 0};
  }

 private:
  const OperationList& list_;
  const PlanGrid& grid_;
  const std::vector<bool>& wrap_;
  const ArrayRecord& record_;
};

template <class Operations>
class BackWalk {
 public:
  BackWalk(const Operations& operations, const PlanGrid& grid, PathPoint& point, const OnPathWeight& on_weight)
      : all_(operations), grid_(grid), point_(point), on_weight_(on_weight), emits_(operations.signals(), 0) {
    for (std::size_t at = 0; at < all_.operations().size(); ++at) {
      if (all_.operations()[at].kind == Kind::emit) emits_[all_.operations()[at].signal] = at;
    }
  }

  // Through all of them. False: it was told to stop.
  bool run() {
    const auto& carried = all_.carried();
    const auto found = std::find(carried.begin(), carried.end(), point_.at);
    if (found == carried.end()) return true;  // a pending operation that they leave alone
    register_ = static_cast<std::uint32_t>(found - carried.begin());
    for (std::size_t at = all_.operations().size(); at-- > 0;) {
      if (!pass(at)) return false;
    }
    if (register_ >= carried.size()) return false;  // never: others are written before they are read
    point_.at = carried[register_];
    return true;
  }

 private:
  // `at` becomes the place of the emit where a signal is followed back.
  bool pass(std::size_t& at) {
    const auto& operation = all_.operations()[at];
    if (operation.kind == Kind::emit || operation.target != register_) return true;
    const std::optional<std::size_t> peer = all_.peer(operation, point_);
    if (!peer) return true;
    if (operation.kind == Kind::join || operation.kind == Kind::await) {
      const SweepRecord::Choice choice = all_.choice(at, point_);
      point_.tied = point_.tied || (choice.tie && point_.time != 0);
      if (!choice.source) return true;
    }
    if (!add(at)) return false;
    if (operation.kind == Kind::copy || operation.kind == Kind::join) register_ = operation.source;
    if (operation.kind != Kind::await) return true;
    point_.move_to(*peer, grid_);
    at = emits_[operation.signal];
    register_ = all_.operations()[at].source;
    return add(at);
  }

  bool add(std::size_t at) {
    const double weight = all_.weight(all_.operations()[at], point_);
    point_.time -= weight;
    return weight == 0 || on_weight_(weight, all_.cause(at), point_.process, all_.tile());
  }

  const Operations& all_;
  const PlanGrid& grid_;
  PathPoint& point_;
  const OnPathWeight& on_weight_;
  std::vector<std::size_t> emits_;  // by signal
  std::uint32_t register_ = 0;
};

}  // namespace

void PathPoint::move_to(std::size_t to, const PlanGrid& grid) {
  process = to;
  place.resize(grid.axes());
  for (std::size_t axis = grid.axes(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(grid.extents()[axis]);
    place[axis] = static_cast<std::int64_t>(to % extent);
    to /= extent;
  }
}

bool walk_back(const SweepPiece& piece, const std::vector<bool>& rising, const PlanGrid& grid, std::int64_t begin,
               std::int64_t end, const SweepRecord& record, PathPoint& point, const OnPathWeight& on_weight) {
  TileOperations operations(piece, rising, grid, record);
  BackWalk walk(operations, grid, point, on_weight);
  for (std::int64_t tile = end - 1; tile >= begin; --tile) {
    operations.set_tile(tile, tile - begin);
    if (!walk.run()) return false;
  }
  return true;
}

bool walk_back(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
               const ArrayRecord& record, PathPoint& point, const OnPathWeight& on_weight) {
  const ListOperations operations(list, grid, wrap, record);
  return BackWalk(operations, grid, point, on_weight).run();
}

double value_at(const Field& field, const PlanGrid& grid, const std::vector<std::int64_t>& place) {
  return field.values[processes::place(place, grid.strides(field.axes))];
}

}  // namespace wave::backend::processes
