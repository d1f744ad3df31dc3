// Compares the simulator, the interpreter and the JIT on processes: three opinions on the same program.
#pragma once

#include "tests/random/processes.h"

#include <cstdint>
#include <map>
#include <string>

namespace wave::parity {

struct ProcessCampaign {
  std::string difference;  // of the first program that differs, with its text; empty if none does
  std::size_t programs = 0, outputs = 0;
  std::size_t failed = 0;                       // programs that fail in all three in the same way
  std::size_t unsupported = 0;                  // outputs that the simulator does not know
  std::size_t with_resources = 0;               // programs whose protocols ask for some
  std::size_t on_arrival = 0;                   // programs in which something is done when signals arrive
  std::size_t swept = 0;                        // evaluations in which the JIT compiled a sweep
  std::map<std::string, std::size_t> failures;  // programs by the kind of their failure

  void add(const ProcessCampaign& other);
};

// Compares the outputs of the last model of a program. Its parameters have their defaults and, unless `seed` is 0, then
// also random values. Adds to `campaign`; its `difference` says what differs.
void compare_process_program(const std::string& text, ProcessCampaign& campaign, std::uint64_t seed = 0);

// Compares the outputs of all models in a file, with the given parameters. Outputs that the simulator does not know
// count as unsupported.
void compare_process_file(const std::string& path, const std::map<std::string, std::int64_t>& parameters,
                          ProcessCampaign& campaign);

// Compares random programs for `count` seeds from `first` on, until one differs.
ProcessCampaign compare_random_processes(std::uint64_t first, std::uint64_t count,
                                         test::Resources resources = test::Resources::some);

}  // namespace wave::parity
