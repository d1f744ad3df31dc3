// See scalatrace_calls.h.
#include "analysis/recorded/scalatrace_calls.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace wave::analysis::recorded::scalatrace {

namespace {

constexpr std::array known_calls{KnownCall{1002, "allgather", Does::collective},
                                 KnownCall{1003, "allgatherv", Does::uneven},
                                 KnownCall{1004, "allreduce", Does::collective},
                                 KnownCall{1005, "total_exchange", Does::collective},
                                 KnownCall{1006, "alltoallv", Does::uneven},
                                 KnownCall{1010, "barrier", Does::uneven},
                                 KnownCall{1011, "broadcast", Does::collective},
                                 KnownCall{1012, "Bsend", Does::sends},
                                 KnownCall{1013, "Bsend_init", Does::is_unknown},
                                 KnownCall{1018, "Cart_create", Does::is_passed_over},
                                 KnownCall{1023, "Cart_sub", Does::is_passed_over},
                                 KnownCall{1026, "Comm_create", Does::is_passed_over},
                                 KnownCall{1027, "Comm_dup", Does::is_passed_over},
                                 KnownCall{1036, "Comm_split", Does::is_passed_over},
                                 KnownCall{1047, "gather", Does::collective},
                                 KnownCall{1048, "Gatherv", Does::is_passed_over},
                                 KnownCall{1072, "Ibsend", Does::starts_to_send},
                                 KnownCall{1089, "Iprobe", Does::is_passed_over},
                                 KnownCall{1090, "Irecv", Does::posts_a_receive},
                                 KnownCall{1091, "Irsend", Does::starts_to_send},
                                 KnownCall{1092, "Isend", Does::starts_to_send},
                                 KnownCall{1093, "Issend", Does::starts_to_send},
                                 KnownCall{1101, "Probe", Does::is_passed_over},
                                 KnownCall{1102, "Recv", Does::receives},
                                 KnownCall{1103, "Recv_init", Does::is_unknown},
                                 KnownCall{1104, "reduce", Does::collective},
                                 KnownCall{1105, "reduce_scatter", Does::reduce_scatter},
                                 KnownCall{1108, "Rsend", Does::sends},
                                 KnownCall{1109, "Rsend_init", Does::is_unknown},
                                 KnownCall{1110, "scan", Does::collective},
                                 KnownCall{1111, "scatter", Does::gathered},
                                 KnownCall{1112, "Scatterv", Does::is_passed_over},
                                 KnownCall{1113, "Send", Does::sends},
                                 KnownCall{1114, "Send_init", Does::is_unknown},
                                 KnownCall{1115, "Sendrecv", Does::exchanges},
                                 KnownCall{1116, "Sendrecv_replace", Does::exchanges_in_place},
                                 KnownCall{1117, "Ssend", Does::sends},
                                 KnownCall{1118, "Ssend_init", Does::is_unknown},
                                 KnownCall{1119, "Start", Does::is_unknown},
                                 KnownCall{1120, "Startall", Does::is_unknown},
                                 KnownCall{1123, "Test", Does::is_unknown},
                                 KnownCall{1125, "Testall", Does::is_unknown},
                                 KnownCall{1126, "Testany", Does::is_unknown},
                                 KnownCall{1127, "Testsome", Does::is_unknown},
                                 KnownCall{1148, "Wait", Does::waits},
                                 KnownCall{1149, "Waitall", Does::waits_for_all},
                                 KnownCall{1150, "Waitany", Does::is_unknown},
                                 KnownCall{1151, "Waitsome", Does::is_unknown}};

// Bytes of MPI's types, by their place in ScalaTrace's list (record/common/src/PtrHandler.C). Those behind it differ
// from MPI to MPI; 0: it has none.
constexpr std::array<int, 30> bytes_of_types{0, 1, 2, 4,  8, 1, 2, 4,  8,  4, 8, 16, 1, 1,  4,
                                             4, 8, 8, 16, 4, 1, 8, 12, 12, 8, 6, 20, 8, 16, 8};

}  // namespace

KnownCall known_call(int number) {
  const auto found =
      std::find_if(known_calls.begin(), known_calls.end(), [&](const KnownCall& one) { return one.number == number; });
  return found == known_calls.end() ? KnownCall{number, "", Does::nothing} : *found;
}

int bytes_of_type(std::int64_t type) {
  const bool is_known = type >= 0 && type < static_cast<std::int64_t>(bytes_of_types.size());
  return is_known ? bytes_of_types[static_cast<std::size_t>(type)] : 0;
}

}  // namespace wave::analysis::recorded::scalatrace
