// Loop nests and what is folded over them, once for every domain of values. Beside what ir/evaluate.h asks of a domain:
//
//   bound(ValueId)            an optional std::int64_t: a bound or a step; nothing if it is absent
//   counts(ValueId)           an optional bool: a filter; nothing if it is absent
//   fail(level, range)        the step makes no progress
//   Rounds(domain, level, range)   binds the variable while it lives: `begin(at)` before each round (false: what comes
//                             of the loop is missing), `end(at)` after it
//   accumulate(Value& total, op, x, site)   by one more
//   nothing(reduce)           an extremum of nothing
#pragma once

#include "ir/evaluate.h"
#include "ir/walk.h"

#include <span>

namespace wave::ir {

// What a round of a loop asks for, and how the loop has ended.
enum class LoopEnd : std::uint8_t { go_on, stop, absent };

template <class Domain, class Round>
LoopEnd run(Domain& in, std::span<const Level> levels, const Round& round) {
  if (levels.empty()) return round();
  const Level& level = levels.front();
  const std::optional<std::int64_t> first = in.bound(level.first);
  if (!first) return LoopEnd::absent;
  const std::optional<std::int64_t> last = in.bound(level.last);
  if (!last) return LoopEnd::absent;
  const std::optional<std::int64_t> step = in.bound(level.step);
  if (!step) return LoopEnd::absent;
  const LoopRange range{*first, *last, *step, level.geometric};
  if (!range.makes_progress()) {
    in.fail(level, range);
    return LoopEnd::absent;
  }
  typename Domain::Rounds rounds(in, level, range);
  for (auto at = range.begin(); at; at = range.after(*at)) {
    if (!rounds.begin(*at)) return LoopEnd::absent;
    const std::optional<bool> counts = level.filter.valid() ? in.counts(level.filter) : std::optional(true);
    if (!counts) return LoopEnd::absent;
    const LoopEnd end = *counts ? run(in, levels.subspan(1), round) : LoopEnd::go_on;
    if (end != LoopEnd::go_on) return end;
    rounds.end(*at);
  }
  return LoopEnd::go_on;
}

// A sum or a product, from the left.
template <class Domain>
typename Domain::Value accumulate(Domain& in, const Reduce& node, ScalarType type) {
  const bool is_sum = node.kind == ReduceKind::sum;
  const std::int64_t unit = is_sum ? 0 : 1;
  auto total = in.of(Constant{type == ScalarType::real ? Scalar::of(static_cast<double>(unit)) : Scalar::of(unit)});
  const LoopEnd end = run(in, node.levels, [&] {
    const auto x = in.evaluate(node.body);
    if (in.is_missing(x)) return LoopEnd::absent;
    in.accumulate(total, is_sum ? BinaryOp::add : BinaryOp::multiply, in.present(x), node.site);
    return LoopEnd::go_on;
  });
  return end == LoopEnd::absent ? typename Domain::Value() : total;
}

// The greatest or the least.
template <class Domain>
typename Domain::Value extremum(Domain& in, const Reduce& node) {
  typename Domain::Value best{};
  const LoopEnd end = run(in, node.levels, [&] {
    in.extend(best, node.kind, in.evaluate(node.body));
    return LoopEnd::go_on;
  });
  if (end == LoopEnd::absent) return {};
  return best ? best : in.nothing(node);
}

}  // namespace wave::ir
