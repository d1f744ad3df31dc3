// The ends of messages as machine code, for what happens nearly always: the channel has been used before, there is room
// on it, sizes agree, and nothing is told to others but that they may go on. Everything else is left to the runtime,
// before anything has happened.
#pragma once

#include "backend/jit/module_emitter.h"
#include "backend/processes/engine/programs.h"

namespace wave::jit::programs {

// What a statement does, but for its peer and its size.
struct MessageCode {
  const ir::System& system;  // of the program
  ir::EndsId ends;
  ir::Message::Side side{};
  bool background = false;
  bool has_size = true;
  bool may_overtake = false;  // does the program have messages in the background?
  bool is_inlined = false;
  bool records = false;  // which of two times is the later (backend/processes/engine/recording.h)
};

// A function (shared, standing, site, receiver, clock, is_resumed) that gives the clock afterwards and an outcome:
// goes_on, waits, failed, or one of these.
struct MessageOutcome {
  static constexpr std::uint32_t leaves = 16;   // the rest is for the background
  static constexpr std::uint32_t unusual = 17;  // it is left to the runtime
};
llvm::Function* message_function(ModuleEmitter& module, const MessageCode& code);

}  // namespace wave::jit::programs
