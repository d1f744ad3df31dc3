// See benchmark_names.h. docs/fit-a-machine.md has this table for people.
#include "analysis/machine_fit/benchmark_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

constexpr Tool osu = Tool::osu, imb = Tool::imb, nccl = Tool::nccl;
constexpr SizeIs same = SizeIs::same, whole = SizeIs::whole, part = SizeIs::part;

// The files are those of osu-micro-benchmarks 7.4 (c/mpi/collective/blocking), of intel/mpi-benchmarks 2021.11 (src_c)
// and of NVIDIA/nccl-tests (src), which prints the larger one of what a rank sends and receives (common.cu, TimeTest).
// clang-format off
constexpr CollectiveName names[] = {
  {osu, "bcast",                            "broadcast",      same,  0, 0, "osu_bcast.c"},
  {osu, "broadcast",                        "broadcast",      same,  0, 0, "osu_bcast.c"},
  {osu, "reduce",                           "reduce",         same,  0, 0, "osu_reduce.c"},
  {osu, "allreduce",                        "allreduce",      same,  0, 0, "osu_allreduce.c"},
  {osu, "gather",                           "gather",         same,  0, 0, "osu_gather.c: what each sends"},
  {osu, "scatter",                          "scatter",        same,  0, 0, "osu_scatter.c: what each receives"},
  {osu, "allgather",                        "allgather",      same,  0, 0, "osu_allgather.c: what each sends"},
  {osu, "alltoall",                         "total_exchange", same,  0, 0, "osu_alltoall.c: what each sends to each"},
  {osu, "all-to-all",                       "total_exchange", same,  0, 0, "osu_alltoall.c: what each sends to each"},
  {osu, "all-to-all personalized exchange", "total_exchange", same,  0, 0, "osu_alltoall.c: what each sends to each"},
  {osu, "reduce_scatter",                   "reduce_scatter", same,  0, 0, "osu_reduce_scatter.c: recvcounts add up to it"},
  {osu, "reduce-scatter",                   "reduce_scatter", same,  0, 0, "osu_xccl_reduce_scatter.c"},
  {osu, "barrier",                          "barrier",        same,  0, 0, "osu_barrier.c"},
  {imb, "bcast",                            "broadcast",      same,  0, 0, "IMB_bcast.c"},
  {imb, "reduce",                           "reduce",         same,  0, 0, "IMB_reduce.c"},
  {imb, "allreduce",                        "allreduce",      same,  0, 0, "IMB_allreduce.c"},
  {imb, "gather",                           "gather",         same,  0, 0, "IMB_gather.c: what each sends"},
  {imb, "scatter",                          "scatter",        same,  0, 0, "IMB_scatter.c: what each receives"},
  {imb, "allgather",                        "allgather",      same,  0, 0, "IMB_allgather.c: what each sends"},
  {imb, "alltoall",                         "total_exchange", same,  0, 0, "IMB_alltoall.c: what each sends to each"},
  {imb, "reduce_scatter",                   "reduce_scatter", same,  0, 2018, "IMB_reduce_scatter.c, IMB2018: recvcounts add up to it"},
  {imb, "reduce_scatter",                   "reduce_scatter", part,  2019, 0, "IMB_reduce_scatter.c: each of the recvcounts; manual of 2021"},
  {imb, "reduce_scatter_block",             "reduce_scatter", part,  0, 0, "IMB_reduce_scatter_block.c: recvcount; since 2019"},
  {imb, "barrier",                          "barrier",        same,  0, 0, "IMB_barrier.c"},
  {nccl, "all_reduce",                      "allreduce",      same,  0, 0, "all_reduce.cu"},
  {nccl, "broadcast",                       "broadcast",      same,  0, 0, "broadcast.cu"},
  {nccl, "reduce",                          "reduce",         same,  0, 0, "reduce.cu"},
  {nccl, "reduce_scatter",                  "reduce_scatter", same,  0, 0, "reduce_scatter.cu: sendcount is nranks parts"},
  {nccl, "all_gather",                      "allgather",      whole, 0, 0, "all_gather.cu: recvcount is nranks parts"},
  {nccl, "alltoall",                        "total_exchange", whole, 0, 0, "alltoall.cu: sendcount is nranks parts"},
  {nccl, "gather",                          "gather",         whole, 0, 0, "gather.cu: recvcount is nranks parts"},
  {nccl, "scatter",                         "scatter",        whole, 0, 0, "scatter.cu: sendcount is nranks parts"},
  {nccl, "hypercube",                       "hypercube",      same,  0, 0, "hypercube.cu; std.comm has no such operation"},
};
// clang-format on

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> those) {
  return std::find(those.begin(), those.end(), name) != those.end();
}

}  // namespace

const CollectiveName* find_collective(Tool tool, std::string_view name, int version) {
  const auto found = std::find_if(std::begin(names), std::end(names), [&](const CollectiveName& one) {
    return one.tool == tool && one.name == name && (one.to_version == 0 || version <= one.to_version) &&
           version >= one.from_version;
  });
  return found == std::end(names) ? nullptr : &*found;
}

bool is_operation_of_machines(std::string_view operation) {
  static const std::set<std::string_view> operations = {
      "barrier",        "broadcast",      "reduce",         "gather", "scatter",  "allgather",
      "reduce_scatter", "total_exchange", "circular_shift", "scan",   "allreduce"};
  return operations.contains(operation);
}

bool depends_on_version(Tool tool, std::string_view name) {
  return std::any_of(std::begin(names), std::end(names), [&](const CollectiveName& one) {
    return one.tool == tool && one.name == name && (one.to_version != 0 || one.from_version != 0);
  });
}

std::string why_unused(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (name.starts_with("mpi_") || is_one_of(name.substr(0, name.find(' ')), {"openshmem", "upc", "upc++", "caf"}) ||
      has("_put") || has("_get") || has("accumulate") || has("accu") || has("window") || has("fetch_and_op") ||
      has("compare_and_swap") || has("one_put") || has("one_get"))
    return "it measures no message that one process sends and another receives";
  if (has("persist")) return "its requests are made before the clock starts, so that part of each message is left out";
  if (has("partitioned")) return "it measures parts of a message that become ready one by one";
  const bool is_immediate = name.starts_with("i") && find_collective(imb, name.substr(1), 0) != nullptr;
  if (is_immediate || has("non-blocking") || has("nonblocking") || has("_pure"))
    return "it measures how communication and computation overlap";
  if (has("neighbo")) return "each process exchanges with a few neighbours";
  if (has("congestion") || has("fan in") || has("fan out") || has("fan-in") || has("fan-out"))
    return "it measures many senders or receivers at one node, not a pair";
  if (has("bi-directional") || has("bibw")) return "of what both directions share, nothing follows for one message";
  if (has("multi-threaded") || has("multi-process") || name.ends_with("mt"))
    return "several threads or processes take turns at an end";
  if (is_one_of(name, {"gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw", "all-to-allv", "all-to-allw",
                       "all-to-allv personalized exchange", "all-to-allw personalized exchange"}))
    return "its parts may differ in size, and no machine is fitted to it";
  return "no machine is fitted to it";
}

}  // namespace wave::analysis::machine_fit
