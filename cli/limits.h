// Limits what one run of the program may take. Engines keep their limits by themselves, and say more when they fail.
// These limits hold for everything else, including the front end.
#pragma once

#include "backend/engine.h"
#include "base/measures.h"
#include "cli/options.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wave::cli {

// Ends the program with a diagnostic some time after the time limit, whatever it is doing. Allocations fail beyond the
// memory limit and what every run takes, whoever asks for them: the front end, tables, LLVM. That ends the program with
// a diagnostic, too.
void start_watching(const CommonOptions& options);
// From here on only a time limit holds that the user has given. Verbs that usually have none have read the model, or
// the result is whole and waits for its reader.
void watch_given_limit();
// For what runs until somebody ends it.
void stop_watching();
// For work that can stop cleanly: where the user has given a limit, `ask_to_stop` is called at that, and the program
// goes on. Null takes that back, and leaves a moment for what is still to be done.
void call_at_given_limit(void (*ask_to_stop)(int));
// What is said where the time or the memory is out, as it goes to standard error.
std::string_view time_is_out_words();
std::string_view memory_is_out_words();

// What is said where memory is out.
struct OutOfMemory {
  std::string message, help;
};
OutOfMemory out_of_memory(const CommonOptions& options);

// The stack on which models are read, which descends as deep as they nest. Raises `ulimit -s` to what suffices for the
// deepest that is allowed. If the system does not allow that, the result says what is missing.
std::optional<OutOfMemory> make_room_on_stack();

// For an engine, counted from the beginning of the verb.
backend::Limits engine_limits(const CommonOptions& options);

using wave::parse_bytes;
using wave::parse_seconds;

// In units that suit them: "20 s", "80 GB".
std::string format_seconds(double seconds);
std::string format_bytes(std::size_t bytes);

}  // namespace wave::cli
