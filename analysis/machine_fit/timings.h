// Measured times as benchmarks print them: what was measured, and at what sizes. Times in microseconds, sizes in bytes.
#pragma once

#include "frontend/source/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

enum class Tool { osu, imb, netgauge, csv };

std::string_view name_of(Tool tool);    // "osu"
std::string_view long_name(Tool tool);  // "the OSU micro-benchmarks"
std::optional<Tool> tool_named(std::string_view name);

enum class Measure {
  latency,           // one way, from the start of both ends to the end of the receiver
  gap,               // from one message to the next of a stream
  send_overhead,     // of the sender's processor
  receive_overhead,  // of the receiver's
  collective,        // until the last participant is done
};

struct Sample {
  double size = 0;
  double time = 0;
  double resolution = 0;  // half a unit of the last digit, as a time
  int processes = 2;
  frontend::Place place;  // of the time
};

// All that was measured of one thing, in the order in which it was read.
struct Series {
  Measure measure = Measure::latency;
  std::string operation;  // of a collective: "broadcast", as std.comm has it, or the benchmark's own name
  bool sized = true;      // a barrier has no data
  std::vector<Sample> samples;
};

struct Timings {
  std::vector<Series> series;
  std::vector<std::string> remarks;  // what was passed over, and why

  Series& of(Measure measure, const std::string& operation = {}, bool sized = true);
  const Series* find(Measure measure) const;
};

inline constexpr std::size_t most_samples = 1000000;

struct ReadOptions {
  std::optional<int> processes;  // of collectives, where the file does not say
  std::string operation;         // of collectives in CSV, where no column says
};

// Adds what the file holds. Rows repeated at one size are repeated measurements. After an error the timings are
// incomplete.
void read_timings(Tool tool, const frontend::Sources& sources, std::uint32_t file, const ReadOptions& options,
                  Timings& timings, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::machine_fit
