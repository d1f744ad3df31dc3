// Compares what is known of processes: the simulator, and every way in which engines evaluate them.
#pragma once

#include "tests/random/processes.h"

#include <cstdint>
#include <map>
#include <string>

namespace wave::parity {

// How programs were evaluated by the JIT.
struct Evaluated {
  std::size_t programs = 0;
  std::size_t failed = 0;
  std::size_t planned = 0;        // taken apart, nothing of it by the engine
  std::size_t batches = 0;        // of these: with requests served in batches
  std::size_t streams = 0;        // of these: with requests served in streams
  std::size_t pieces = 0;         // taken apart, with pieces as compiled programs
  std::size_t compiled = 0;       // as one compiled program
  std::size_t network = 0;        // by the engine, as a whole or in part
  std::size_t also_compiled = 0;  // as one compiled program where they are not taken apart
  void add(const Evaluated& other);
};

struct ProcessCampaign {
  std::string difference;  // of the first program that differs, with its text; empty if none does
  std::size_t programs = 0, outputs = 0;
  std::size_t failed = 0;       // programs that fail in the same way wherever they are evaluated
  std::size_t unsupported = 0;  // outputs that the simulator does not know, with the last reason
  std::string why_unsupported;
  std::size_t swept = 0;                       // evaluations in which the JIT compiled a sweep
  std::size_t on_threads = 0;                  // evaluations in which programs ran on several threads
  std::size_t starved = 0;                     // evaluations that ended at a limit of memory
  std::size_t paths = 0, followed = 0;         // critical paths, and those that were followed back through a plan
  std::size_t recorded = 0;                    // the same, recorded by compiled programs
  std::size_t phases = 0;                      // critical paths of the time in a phase, recorded by these
  std::size_t breakdowns = 0;                  // outputs whose time was divided
  std::size_t derivatives = 0, reordered = 0;  // compared with differences, see PathsChecked
  std::map<std::string, std::size_t> no_derivative;
  std::size_t services = 0, shown = 0;          // of resources; of those, on tracks of a timeline
  std::map<std::string, std::size_t> failures;  // programs by the kind of their failure
  std::map<std::string, Evaluated> by_feature;  // see test::Features; "" stands for all

  void add(const ProcessCampaign& other);
};

// Compares the outputs of the last model of a program. Its parameters have their defaults and, unless `seed` is 0, then
// also random values. Adds to `campaign`; its `difference` says what differs.
void compare_process_program(const test::WrittenProcess& program, ProcessCampaign& campaign, std::uint64_t seed = 0);

// Compares the outputs of all models in a file, with the given parameters. Outputs that the simulator does not know
// count as unsupported.
void compare_process_file(const std::string& path, const std::map<std::string, std::int64_t>& parameters,
                          ProcessCampaign& campaign);

// Compares random models of values (tests/random/values.h) for `count` seeds from `first` on, until one differs.
ProcessCampaign compare_random_values(std::uint64_t first, std::uint64_t count);

// The same for random sweeps whose messages are served (tests/random/streams.h).
ProcessCampaign compare_random_streams(std::uint64_t first, std::uint64_t count);

// Compares random programs for `count` seeds from `first` on, until one differs.
ProcessCampaign compare_random_processes(std::uint64_t first, std::uint64_t count,
                                         test::Resources resources = test::Resources::some);

}  // namespace wave::parity
