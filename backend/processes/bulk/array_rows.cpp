// See array_rows.h. Compiled once for each width of vectors. `ivdep`: the only overlap is of rows that are the same.
#include "backend/processes/bulk/array_rows.h"

namespace wave::backend::processes {

namespace {

#define WAVE_ROW_LOOPS(name, attributes)                                                                          \
  namespace name {                                                                                                \
  attributes void take(double* to, Row from, std::size_t count) {                                                 \
    _Pragma("GCC ivdep") for (std::size_t i = 0; i < count; ++i) to[i] = from.values[i] + from.plus;              \
  }                                                                                                               \
  attributes void take_weighted(double* to, Row from, const double* weights, std::size_t count) {                 \
    _Pragma("GCC ivdep") for (std::size_t i = 0; i < count; ++i) to[i] = from.values[i] + from.plus + weights[i]; \
  }                                                                                                               \
  attributes void join(double* to, Row a, Row b, std::size_t count) {                                             \
    _Pragma("GCC ivdep") for (std::size_t i = 0; i < count; ++i) {                                                \
      const double x = a.values[i] + a.plus, y = b.values[i] + b.plus;                                            \
      to[i] = x > y ? x : y;                                                                                      \
    }                                                                                                             \
  }                                                                                                               \
  attributes void join_weighted(double* to, Row a, Row b, const double* weights, std::size_t count) {             \
    _Pragma("GCC ivdep") for (std::size_t i = 0; i < count; ++i) {                                                \
      const double x = a.values[i] + a.plus, y = b.values[i] + b.plus + weights[i];                               \
      to[i] = x > y ? x : y;                                                                                      \
    }                                                                                                             \
  }                                                                                                               \
  template <std::size_t distance>                                                                                 \
  attributes void join_close(double* to, Row a, Row b, std::size_t count) {                                       \
    for (std::size_t i = 0; i < count; i += 2 * distance) {                                                       \
      _Pragma("GCC ivdep") for (std::size_t j = i; j < i + distance; ++j) {                                       \
        const double x = a.values[j] + a.plus, y = b.values[j + distance] + b.plus;                               \
        const double u = a.values[j + distance] + a.plus, v = b.values[j] + b.plus;                               \
        to[j] = x > y ? x : y;                                                                                    \
        to[j + distance] = u > v ? u : v;                                                                         \
      }                                                                                                           \
    }                                                                                                             \
  }                                                                                                               \
  attributes void join_swapped(double* to, Row a, Row b, std::size_t distance, std::size_t count) {               \
    switch (distance) {                                                                                           \
      case 1: return join_close<1>(to, a, b, count);                                                              \
      case 2: return join_close<2>(to, a, b, count);                                                              \
      case 4: return join_close<4>(to, a, b, count);                                                              \
      case 8: return join_close<8>(to, a, b, count);                                                              \
      case 16: return join_close<16>(to, a, b, count);                                                            \
      case 32: return join_close<32>(to, a, b, count);                                                            \
      case 64: return join_close<64>(to, a, b, count);                                                            \
      default: break;                                                                                             \
    }                                                                                                             \
    for (std::size_t i = 0; i < count; i += 2 * distance) {                                                       \
      join(to + i, {a.values + i, a.plus}, {b.values + i + distance, b.plus}, distance);                          \
      join(to + i + distance, {a.values + i + distance, a.plus}, {b.values + i, b.plus}, distance);               \
    }                                                                                                             \
  }                                                                                                               \
  constexpr RowLoops loops{take, take_weighted, join, join_weighted, join_swapped};                               \
  }

WAVE_ROW_LOOPS(plain, )
#if defined(__x86_64__)
WAVE_ROW_LOOPS(avx2, __attribute__((target("avx2"))))
WAVE_ROW_LOOPS(avx512, __attribute__((target("avx512f,avx512vl,prefer-vector-width=512"))))
#endif

#undef WAVE_ROW_LOOPS

const RowLoops& choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return avx512::loops;
  if (__builtin_cpu_supports("avx2")) return avx2::loops;
#endif
  return plain::loops;
}

}  // namespace

const RowLoops& row_loops() {
  static const RowLoops& chosen = choose();
  return chosen;
}

}  // namespace wave::backend::processes
