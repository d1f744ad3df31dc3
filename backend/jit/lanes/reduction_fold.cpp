// One loop for each kind.
#include "backend/jit/lanes/reduction_fold.h"

#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <bit>
#include <type_traits>

namespace wave::jit::lanes {

namespace {

using ir::ReduceKind;
using ir::ScalarType;

template <class T>
T value_of(Word word) {
  return std::bit_cast<T>(word);
}
template <class T>
Word word_of(T value) {
  return std::bit_cast<Word>(value);
}

// Calls `take(i)` for iterations that count until it is false.
template <class Take>
std::size_t each(const ReductionColumns& columns, std::size_t count, Take&& take) {
  for (std::size_t i = 0; i < count; ++i) {
    if ((!columns.counts || columns.counts[i]) && !take(i)) return i;
  }
  return count;
}

template <class T>
std::size_t accumulate(bool is_sum, const ReductionColumns& columns, std::size_t count, ReductionState& state) {
  T total = value_of<T>(state.result);
  const std::size_t done = each(columns, count, [&](std::size_t i) {
    const T x = value_of<T>(columns.body[i]);
    if constexpr (std::is_same_v<T, double>) {
      total = is_sum ? total + x : total * x;
      return true;
    } else {
      T next;
      if (is_sum ? __builtin_add_overflow(total, x, &next) : __builtin_mul_overflow(total, x, &next)) return false;
      total = next;
      return true;
    }
  });
  state.result = word_of(total);
  return done;
}

template <class T, bool largest>
T larger(T a, T b) {
  if constexpr (largest)
    return ir::arithmetic::maximum(a, b);
  else
    return ir::arithmetic::minimum(a, b);
}

// Several at a time where the order does not matter: no NaN, and no zeros of both signs for a result.
template <class T, bool largest>
bool extreme_in_any_order(const Word* body, std::size_t count, T& best) {
  constexpr std::size_t chains = 8;
  if (count < 2 * chains || best != best) return false;
  T found[chains];
  for (T& one : found) one = best;
  bool has_nan = false;
  Word signs = word_of(best);
  const auto take = [&](std::size_t i, std::size_t chain) {
    const T x = value_of<T>(body[i]);
    has_nan |= x != x;
    signs |= body[i];
    found[chain] = larger<T, largest>(x, found[chain]);
  };
  std::size_t i = 0;
  for (; i + chains <= count; i += chains) {
    for (std::size_t chain = 0; chain < chains; ++chain) take(i + chain, chain);
  }
  for (; i < count; ++i) take(i, 0);
  T result = found[0];
  for (const T one : found) result = larger<T, largest>(one, result);
  const bool may_be_either_zero = std::is_same_v<T, double> && result == T{} && signs >> 63 != 0;
  if (has_nan || may_be_either_zero) return false;
  best = result;
  return true;
}

template <class T, bool largest>
std::size_t extreme(const ReductionColumns& columns, std::size_t count, ReductionState& state) {
  T best = value_of<T>(state.result);
  std::size_t first = 0;
  if (!columns.counts && !state.found && count > 0) best = value_of<T>(columns.body[first++]), state.found = true;
  const bool quick = !columns.counts && extreme_in_any_order<T, largest>(columns.body + first, count - first, best);
  for (std::size_t i = first; !quick && i < count; ++i) {
    if (columns.counts && !columns.counts[i]) continue;
    const T x = value_of<T>(columns.body[i]);
    best = state.found ? larger<T, largest>(best, x) : x;
    state.found = true;
  }
  state.result = word_of(best);
  return count;
}

template <class T, bool largest>
std::size_t extreme_place(const ReductionColumns& columns, std::size_t count, ReductionState& state) {
  T best = value_of<T>(state.best);
  const std::size_t done = each(columns, count, [&](std::size_t i) {
    const T x = value_of<T>(columns.body[i]);
    if (state.found && !(largest ? x > best : x < best)) return true;
    if (!columns.value_good[i]) return false;
    best = x;
    state.found = true;
    state.result = columns.value[i];
    return true;
  });
  state.best = word_of(best);
  return done;
}

// `fold.operator()<T, largest>()`.
template <class Fold>
std::size_t of_type(ScalarType type, bool largest, const Fold& fold) {
  if (type == ScalarType::real)
    return largest ? fold.template operator()<double, true>() : fold.template operator()<double, false>();
  return largest ? fold.template operator()<std::int64_t, true>() : fold.template operator()<std::int64_t, false>();
}

}  // namespace

Folded fold(const ReductionTypes& types, const ReductionColumns& columns, std::size_t count, ReductionState& state) {
  switch (types.kind) {
    case ReduceKind::sum:
    case ReduceKind::product: {
      const bool is_sum = types.kind == ReduceKind::sum;
      if (types.result == ScalarType::real) return {accumulate<double>(is_sum, columns, count, state)};
      return {accumulate<std::int64_t>(is_sum, columns, count, state)};
    }
    case ReduceKind::maximum:
    case ReduceKind::minimum:
      return {of_type(types.body, types.kind == ReduceKind::maximum,
                      [&]<class T, bool largest>() { return extreme<T, largest>(columns, count, state); })};
    case ReduceKind::arg_max:
    case ReduceKind::arg_min:
      return {of_type(types.body, types.kind == ReduceKind::arg_max,
                      [&]<class T, bool largest>() { return extreme_place<T, largest>(columns, count, state); })};
    case ReduceKind::count:
      for (std::size_t i = 0; i < count; ++i) state.result += columns.counts[i];
      return {count};
    case ReduceKind::any:
    case ReduceKind::all: {
      const Word deciding = types.kind == ReduceKind::any ? 1 : 0;
      const std::size_t done = each(columns, count, [&](std::size_t i) { return columns.body[i] != deciding; });
      if (done == count) return {count};
      state.result = deciding;
      return {done, true};
    }
    case ReduceKind::nth: break;  // not in lanes
  }
  return {};
}

}  // namespace wave::jit::lanes
