// What stands in a trace of ScalaTrace (scalatrace.h), not yet unfolded.
#pragma once

#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace wave::analysis::recorded::scalatrace {

// Parameters that say what a call does (ScalaTrace, record/common/inc/paramtype.h).
enum ParameterKey : int {
  recvcounts = 1,
  array_of_requests = 12,
  communicator = 16,
  count = 18,
  datatype = 20,
  recvcount = 21,
  recvtype = 22,
  destination = 26,
  request = 28,
  source = 43,
};

// RankValues of some ranks, which these take in turn.
struct RankValues {
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> ranks;  // ascending
};
// One of them at most is of a rank.
struct FoldedParameter {
  std::vector<RankValues> values;
  bool is_histogram = false;  // who had which value is gone
  Location location;
};

struct FoldedLoop {
  FoldedParameter events, iterations;
};

struct FoldedCall {
  int call = 0;
  std::string_view place;
  std::vector<std::uint32_t> ranks;  // ascending
  std::vector<FoldedLoop> loops;     // from the outermost one
  std::map<int, FoldedParameter> parameters;
  std::map<std::string_view, double> since_ns, inside_ns;  // means, by the place of the call before
  Location location;
};

struct FoldedTrace {
  std::vector<FoldedCall> events;
  std::uint32_t ranks = 0;
};

// Nothing, with a diagnostic, if it cannot be read. Lists of ranks and values together take `most_bytes` at most.
std::optional<FoldedTrace> read_trace(const frontend::Sources& sources, std::uint32_t file, std::size_t most_bytes,
                                      frontend::Diagnostics& diagnostics);

// Of this rank; null: it has none.
const RankValues* find_values(const FoldedParameter& parameter, std::uint32_t rank);

}  // namespace wave::analysis::recorded::scalatrace
