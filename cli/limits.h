// Limits what one run of the program may take. Engines keep their limits by themselves, and say more when they fail.
// These limits hold for everything else, including the front end.
#pragma once

#include "backend/engine.h"
#include "base/measures.h"
#include "cli/options.h"

#include <cstddef>
#include <optional>
#include <string>

namespace wave::cli {

// Ends the program with a diagnostic some time after the time limit, unless stop_watching() is called first. Verbs
// without a time limit call it when they have read the model. Allocations fail beyond the memory limit and what every
// run takes, whoever asks for them: the front end, tables, LLVM. That ends the program with a diagnostic, too.
void start_watching(const CommonOptions& options);
void stop_watching();
// Sends SIGALRM to this program after this many seconds. An alarm that was set before is dropped.
void set_alarm(double seconds);

// What is said where memory is out.
struct OutOfMemory {
  std::string message, help;
};
OutOfMemory out_of_memory(const CommonOptions& options);

// The stack on which models are read, which descends as deep as they nest. Raises `ulimit -s` to what suffices for the
// deepest that is allowed. If the system does not allow that, the result says what is missing.
std::optional<OutOfMemory> make_room_on_stack();

// For an engine, counted from the start of the program.
backend::Limits engine_limits(const CommonOptions& options);

using wave::parse_bytes;
using wave::parse_seconds;

// In units that suit them: "20 s", "80 GB".
std::string format_seconds(double seconds);
std::string format_bytes(std::size_t bytes);

}  // namespace wave::cli
