// Costs that read one index each. Apart from what every path gains, a step along x gains a number that depends only on
// y, and the other way round. Only the vertices of the upper hulls of these numbers matter, in the order of their
// slopes.
#include "backend/closed_form/paths.h"
#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

struct Vertex {
  std::int64_t place = 0, value = 0;
};

// Is `middle` on or below the line from `left` to `right`?
bool is_below(Vertex left, Vertex middle, Vertex right) {
  return Wide{middle.value - left.value} * (right.place - left.place) <=
         Wide{right.value - left.value} * (middle.place - left.place);
}

// The upper hulls of the graph of a function from place 0 to any other: every point knows the vertex before it on the
// hull that ends with it.
class Hulls {
 public:
  explicit Hulls(const IndexFunction& function) {
    std::int32_t top = none;
    for (const Piece& piece : function.pieces()) {
      parts_.push_back({&piece, top, static_cast<std::int32_t>(nodes_.size())});
      for_each_candidate(piece, piece.last, [&](Vertex next) { top = push(top, next); });
      if (repeats(piece)) longest_ += 2 * static_cast<std::size_t>(piece.period());
    }
  }

  // Vertices at most, and points looked at for them.
  std::size_t longest() const { return longest_; }

  std::vector<Vertex> until(std::int64_t place) const {
    const auto after = std::upper_bound(parts_.begin(), parts_.end(), place,
                                        [](std::int64_t at, const Part& part) { return at < part.piece->first; });
    const Part& part = *(after - 1);
    if (!repeats(*part.piece)) return chain(part.first_node + static_cast<std::int32_t>(place - part.piece->first));
    std::vector<Vertex> hull = chain(part.before);
    for_each_candidate(*part.piece, place, [&](Vertex next) {
      while (hull.size() > 1 && is_below(hull[hull.size() - 2], hull.back(), next)) hull.pop_back();
      hull.push_back(next);
    });
    return hull;
  }

 private:
  static constexpr std::int32_t none = -1;
  struct Node {
    Vertex vertex;
    std::int32_t before;
    std::int32_t depth;
  };
  struct Part {
    const Piece* piece;
    std::int32_t before;  // the last node of earlier pieces
    std::int32_t first_node;
  };

  static bool repeats(const Piece& piece) { return piece.length() > 2 * piece.period(); }

  // Of a piece that repeats, the first period and the last: a point in between lies on the line through the points of
  // its residue in these.
  template <class Visit>
  static void for_each_candidate(const Piece& piece, std::int64_t last, Visit visit) {
    std::int64_t at = piece.first;
    if (repeats(piece)) {
      for (; at <= std::min(last, piece.first + piece.period() - 1); ++at) visit({at, piece.at(at)});
      at = std::max(at, last - piece.period() + 1);
    }
    for (; at <= last; ++at) visit({at, piece.at(at)});
  }

  std::int32_t push(std::int32_t top, Vertex next) {
    while (top != none && nodes_[index(top)].before != none &&
           is_below(nodes_[index(nodes_[index(top)].before)].vertex, nodes_[index(top)].vertex, next)) {
      top = nodes_[index(top)].before;
    }
    nodes_.push_back({next, top, top == none ? 1 : nodes_[index(top)].depth + 1});
    longest_ = std::max(longest_, index(nodes_.back().depth));
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }

  static std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

  std::vector<Vertex> chain(std::int32_t last) const {
    std::vector<Vertex> result;
    for (std::int32_t at = last; at != none; at = nodes_[index(at)].before) result.push_back(nodes_[index(at)].vertex);
    std::reverse(result.begin(), result.end());
    return result;
  }

  std::vector<Node> nodes_;
  std::vector<Part> parts_;
  std::size_t longest_ = 0;
};

// Is the slope from a to b greater than that from c to d?
bool is_steeper(Vertex a, Vertex b, Vertex c, Vertex d) {
  return Wide{b.value - a.value} * (d.place - c.place) > Wide{d.value - c.value} * (b.place - a.place);
}

// The best path to the last vertices of both: steps along x gain the value at their place along y, and the other way
// round.
Wide merge(const std::vector<Vertex>& over_x, const std::vector<Vertex>& over_y) {
  Wide gain = 0;
  std::size_t i = 0, j = 0;
  while (i + 1 < over_x.size() || j + 1 < over_y.size()) {
    const bool along_y = i + 1 == over_x.size() ||
                         (j + 1 < over_y.size() && is_steeper(over_y[j], over_y[j + 1], over_x[i], over_x[i + 1]));
    if (along_y) {
      gain += Wide{over_x[i].value} * (over_y[j + 1].place - over_y[j].place);
      ++j;
    } else {
      gain += Wide{over_y[j].value} * (over_x[i + 1].place - over_x[i].place);
      ++i;
    }
  }
  return gain;
}

class ByHulls final : public PathSolution {
 public:
  ByHulls(std::shared_ptr<const Paths> paths, std::size_t x, std::size_t y)
      : PathSolution("separable sums", std::move(paths)),
        x_(x),
        y_(y),
        wx_(*paths_->along(x)),
        wy_(*paths_->along(y)),
        own_x_(wx_.parts[x]),
        own_y_(wy_.parts[y]),
        over_x_(wy_.parts[x]),
        over_y_(wx_.parts[y]) {}

  Wide quanta(const Places& target) const override {
    Places place = target;
    const std::int64_t px = place[x_], py = place[y_];
    Wide value = own_x_.over(1, px) + own_y_.over(1, py) + merge(over_x_.until(px), over_y_.until(py));
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      if (axis == x_ || axis == y_) continue;
      value += Wide{px} * wx_.parts[axis].at(place[axis]) + Wide{py} * wy_.parts[axis].at(place[axis]);
    }
    place[x_] = place[y_] = 0;
    return value + paths_->start.at(place);
  }
  double seconds_per_read() const override {
    return seconds_per_read_of_hulls + seconds_per_vertex * static_cast<double>(over_x_.longest() + over_y_.longest());
  }

 private:
  std::size_t x_, y_;
  const CellFunction &wx_, &wy_;
  Sums own_x_, own_y_;
  Hulls over_x_, over_y_;
};

}  // namespace

Verdict solve_by_hulls(std::shared_ptr<const Paths> paths) {
  if (paths->steps.size() != 2) return {};
  const Step &x = paths->steps[0], &y = paths->steps[1];
  if (x.weight.table || y.weight.table) return {};
  return {std::make_unique<ByHulls>(std::move(paths), x.axis, y.axis)};
}

}  // namespace wave::backend::closed_form
