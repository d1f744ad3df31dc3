// What calls in a trace of ScalaTrace do, and what their datatypes take.
#pragma once

#include <cstdint>

namespace wave::analysis::recorded::scalatrace {

// What a call does (numbers: ScalaTrace, record/inc/umpi_mpi_ops.h).
enum class Does : std::uint8_t {
  nothing,  // that others see
  sends,
  starts_to_send,
  receives,
  posts_a_receive,
  waits,
  waits_for_all,
  exchanges,
  exchanges_in_place,
  collective,  // with one count for all
  gathered,    // with a count of what is received
  uneven,      // with a count for each part
  reduce_scatter,
  is_passed_over,
  is_unknown,  // what it ends or begins is not in the trace
};
struct KnownCall {
  int number;
  const char* name;  // of a collective as models call it
  Does does;
};
KnownCall known_call(int number);

// 0: it has none, or differs from MPI to MPI.
int bytes_of_type(std::int64_t type);

}  // namespace wave::analysis::recorded::scalatrace
