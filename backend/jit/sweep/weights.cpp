// Expressions over weights.
#include "backend/jit/sweep/weights.h"

#include <algorithm>
#include <limits>

namespace wave::jit::sweep {

Weights::Weights() {
  add({.kind = Kind::zero});
  add({.kind = Kind::never});
}

WeightId Weights::add(const Node& node) {
  const auto [known, is_new] = ids_.try_emplace(node, static_cast<WeightId>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return known->second;
}

WeightId Weights::given(std::uint32_t weight) { return add({.kind = Kind::given, .a = weight}); }

WeightId Weights::sum(WeightId left, WeightId right) {
  if (left == never || right == never) return never;
  if (left == zero) return right;
  if (right == zero) return left;
  return add({.kind = Kind::sum, .a = std::min(left, right), .b = std::max(left, right)});
}

WeightId Weights::largest(WeightId left, WeightId right) {
  if (left == never || left == right) return right;
  if (right == never) return left;
  return add({.kind = Kind::largest, .a = std::min(left, right), .b = std::max(left, right)});
}

WeightId Weights::minus(WeightId of) { return of == zero ? zero : add({.kind = Kind::minus, .a = of}); }

WeightId Weights::gated(const Offset& offset, WeightId there, WeightId else_) {
  if (offset == Offset{} || there == else_) return there;
  return add({.kind = Kind::gated, .a = there, .b = else_, .offset = offset});
}

WeightId Weights::above(WeightId weight, WeightId bound) {
  return weight == never ? never : add({.kind = Kind::above, .a = weight, .b = bound});
}

// The expression with its gates and bounds replaced by what `change` makes of them.
template <class Change>
WeightId Weights::rebuild(WeightId weight, std::map<WeightId, WeightId>& known, const Change& change) {
  if (const auto found = known.find(weight); found != known.end()) return found->second;
  const Node node = nodes_[weight];
  const auto again = [&](WeightId operand) { return rebuild(operand, known, change); };
  WeightId result = weight;
  switch (node.kind) {
    case Kind::zero:
    case Kind::never:
    case Kind::given: break;
    case Kind::sum: result = sum(again(node.a), again(node.b)); break;
    case Kind::largest: result = largest(again(node.a), again(node.b)); break;
    case Kind::minus: result = minus(again(node.a)); break;
    case Kind::gated:
    case Kind::above: result = change(node, again(node.a), again(node.b)); break;
  }
  known[weight] = result;
  return result;
}

WeightId Weights::moved(WeightId weight, const Offset& by) {
  if (by == Offset{}) return weight;
  std::map<WeightId, WeightId> known;
  return rebuild(weight, known, [&](const Node& node, WeightId a, WeightId b) {
    return node.kind == Kind::above ? above(a, b) : gated(plus(node.offset, by), a, b);
  });
}

WeightId Weights::inside(WeightId weight) {
  std::map<WeightId, WeightId> known;
  return rebuild(weight, known,
                 [](const Node& node, WeightId a, WeightId) { return node.kind == Kind::above ? never : a; });
}

void Weights::widen(WeightId weight, Offset& low, Offset& high) const {
  std::vector<WeightId> open{weight};
  std::vector<bool> seen(nodes_.size(), false);
  while (!open.empty()) {
    const WeightId at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Node& node = nodes_[at];
    if (node.kind == Kind::zero || node.kind == Kind::never || node.kind == Kind::given) continue;
    open.push_back(node.a);
    if (node.kind != Kind::minus) open.push_back(node.b);
    if (node.kind != Kind::gated) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::max(low[axis], -node.offset[axis]);
      high[axis] = std::max(high[axis], node.offset[axis]);
    }
  }
}

void Weights::evaluate(std::vector<double>& values, std::span<const double> given) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  while (values.size() < nodes_.size()) {
    const Node& node = nodes_[values.size()];
    const auto a = [&] { return values[node.a]; };
    const auto b = [&] { return values[node.b]; };
    switch (node.kind) {
      case Kind::zero: values.push_back(0); break;
      case Kind::never: values.push_back(-infinity); break;
      case Kind::given: values.push_back(given[node.a]); break;
      case Kind::sum: values.push_back(a() + b()); break;
      case Kind::largest: values.push_back(std::max(a(), b())); break;
      case Kind::minus: values.push_back(-a()); break;
      case Kind::gated: values.push_back(a()); break;
      case Kind::above: values.push_back(a() > b() ? a() : -infinity); break;
    }
  }
}

bool Weights::may_be_never(WeightId weight) const {
  const Node& node = nodes_[weight];
  switch (node.kind) {
    case Kind::zero:
    case Kind::given: return false;
    case Kind::never:
    case Kind::above: return true;
    case Kind::minus: return may_be_never(node.a);
    case Kind::sum:
    case Kind::gated: return may_be_never(node.a) || may_be_never(node.b);
    case Kind::largest: return may_be_never(node.a) && may_be_never(node.b);
  }
  return true;
}

}  // namespace wave::jit::sweep
