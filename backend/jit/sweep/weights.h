// The weights of contracted constraints: sums and maxima of the weights of a body, each counted only where the
// neighbour that it is for exists. Hash-consed, so that equal expressions have one id.
#pragma once

#include "backend/jit/strips/lags.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace wave::jit::sweep {

using strips::Offset;  // in the grid, turned so that the sweep rises; missing axes have extent 1
using strips::plus;

using WeightId = std::uint32_t;

class Weights {
 public:
  static constexpr WeightId zero = 0, never = 1;  // never: -infinity

  Weights();
  WeightId given(std::uint32_t weight);  // of the call
  WeightId sum(WeightId left, WeightId right);
  WeightId largest(WeightId left, WeightId right);
  WeightId minus(WeightId of);
  // `there` where the process at `offset` is on the grid, `else_` elsewhere.
  WeightId gated(const Offset& offset, WeightId there, WeightId else_);
  // `weight` where it is larger than `bound`, else -infinity. Far from the borders it never is: whoever asks for this
  // knows.
  WeightId above(WeightId weight, WeightId bound);
  // The same weight at the process at `by`.
  WeightId moved(WeightId weight, const Offset& by);
  // Far from the borders: every gate is open, and what has a bound is below it.
  WeightId inside(WeightId weight);
  // Whether it depends on where its process is.
  bool is_gated(WeightId weight) { return inside(weight) != weight; }

  // How far below and above its process the gates of `weight` look; widens `low` and `high`.
  void widen(WeightId weight, Offset& low, Offset& high) const;
  // Far from the borders, of all expressions that have come since `values` were evaluated.
  void evaluate(std::vector<double>& values, std::span<const double> given) const;
  // Whether it may be -infinity near some border, where those given are not.
  bool may_be_never(WeightId weight) const;

  enum class Kind : std::uint8_t { zero, never, given, sum, largest, minus, gated, above };
  struct Node {
    Kind kind{};
    WeightId a = 0, b = 0;  // given: a is the weight's number
    Offset offset{};
    auto operator<=>(const Node&) const = default;
  };
  const Node& operator[](WeightId weight) const { return nodes_[weight]; }

 private:
  WeightId add(const Node& node);
  template <class Change>
  WeightId rebuild(WeightId weight, std::map<WeightId, WeightId>& known, const Change& change);

  std::vector<Node> nodes_;  // operands before their users
  std::map<Node, WeightId> ids_;
};

}  // namespace wave::jit::sweep
