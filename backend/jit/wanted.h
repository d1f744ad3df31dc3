// What a module is compiled for. Plain data: the name of code in the cache is a digest of it.
#pragma once

#include "backend/jit/lanes/batch_plan.h"
#include "backend/jit/lanes/strip_plan.h"
#include "backend/processes/engine/programs.h"
#include "ir/ids.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace wave::jit {

// Quick code takes a sixth of the time to make, and several times longer to run.
enum class Care : std::uint8_t { quick, full };

// When going on to compile is of no use any more.
using GiveUp = std::optional<std::chrono::steady_clock::time_point>;

struct Wanted {
  enum Kind { rows, definition, value, group, strips, batch, reduction, program } kind;
  std::uint32_t id = 0;
  ir::FrameId frame{};          // of a reduction
  lanes::StripShape shape{};    // of the strips of a group; of a reduction its lanes
  lanes::BatchShape columns{};  // of a batch
  const backend::processes::engine::ProcessProgram* processes = nullptr;  // of a program
  Care care = Care::full;
  GiveUp give_up = {};  // code that is made does not depend on it
  // The function that is asked for; of strips, which are several, a name for all of them.
  std::string symbol() const;
};

// Functions by their names, with their addresses.
using CompiledFunctions = std::unordered_map<std::string, void*>;

}  // namespace wave::jit
