// See recorded_path.h.
#include "backend/processes/path/recorded_path.h"

#include "backend/processes/engine/instructions.h"
#include "backend/processes/engine/runtime.h"
#include "backend/processes/engine/served.h"
#include "backend/processes/engine/whole_program.h"
#include "backend/processes/path/follower.h"
#include "backend/processes/program/uses.h"
#include "backend/processes/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace wave::backend::processes::engine {

namespace {

struct Asked {
  const ProgramInput& input;
  const program::Bytecode& bytecode;
  const PathTarget& target;
  bool in_detail;
};

// What a record takes, until it is given back.
class Claims {
 public:
  explicit Claims(const ProgramInput& input) : input_(input) {}
  ~Claims() { input_.claim_memory(-claimed_); }
  Claims(const Claims&) = delete;
  void operator()(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }

 private:
  const ProgramInput& input_;
  std::int64_t claimed_ = 0;
};

ProcessState fresh_state(const Asked& asked) {
  ProcessState state;
  const auto count = static_cast<std::size_t>(asked.input.places.count());
  state.clocks.resize(count);
  state.phases.resize(asked.input.process.phases.size());
  if (!asked.target.phase.valid()) return state;
  ProcessState::PhaseClocks& phase = state.phases[asked.target.phase.index];
  phase.spent.resize(count);
  phase.left.resize(count);
  return state;
}

CriticalPath follow(const Asked& asked, const ProcessState& state, const RecordedRun& run) {
  const auto last = std::ranges::max_element(state.clocks);
  const std::int64_t which = asked.target.rank.value_or(last - state.clocks.begin());
  const auto rank = static_cast<std::size_t>(which);
  CriticalPath found = follow_back(asked.input, run, which, state.clocks[rank], asked.target, asked.in_detail);
  found.last_finish = *last;
  return found;
}

std::optional<CriticalPath> record(const Asked& asked, const ProgramCode& code) {
  ProcessState state = fresh_state(asked);
  Claims claims(asked.input);
  Recording recording(state.clocks.size(), std::ref(claims), asked.target.phase);
  Runtime runtime(asked.input, asked.bytecode, 1, &recording);
  if (!runtime.run({&code, 1}, state)) return std::nullopt;
  const auto in_background = [&](std::int64_t rank, const Listing& listing, std::uint32_t number) -> const Choices* {
    const auto key = listing.unawaited.find(number);
    if (key == listing.unawaited.end()) return nullptr;
    const Listing::Call& call = listing.calls[number];
    const std::int64_t sender = call.side == Side::send ? rank : call.peer;
    const std::int64_t receiver = call.side == Side::send ? call.peer : rank;
    const Ring& channel = runtime.channel(static_cast<Number>(sender), static_cast<Number>(receiver), key->second);
    const auto found = recording.in_background.find({&channel, call.ordinal, call.side});
    return found == recording.in_background.end() ? nullptr : &found->second;
  };
  return follow(asked, state, {recording, nullptr, in_background});
}

ir::Failure too_many_awaits(const ProgramInput& input) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::memory_limit;
  failure.location = input.process.location;
  failure.detail =
      fmt::format("the path through a protocol with more than {} `await`s is not recorded", choices_in_word);
  return failure;
}

// As Pieces::run_served.
std::optional<CriticalPath> record_served(const Asked& asked, const ProgramCode& code,
                                          std::int64_t receptions_kept = 0) {
  using Result = Served::Result;
  for (const bool is_one_desk : {false, true}) {
    ProcessState state = fresh_state(asked);
    Claims claims(asked.input);
    Recording recording(state.clocks.size(), std::ref(claims), asked.target.phase);
    Served served(asked.input, asked.bytecode, state,
                  {.recording = &recording, .is_one_desk = is_one_desk, .receptions_kept = receptions_kept});
    if (served.resources().most_awaits() > choices_in_word) throw Failed{too_many_awaits(asked.input)};
    const Result result = served.run(code);
    if (result == Result::overtaken) continue;
    if (result == Result::stopped) return std::nullopt;
    const auto in_background = [&](std::int64_t rank, const Listing&, std::uint32_t call) {
      return recording.choices_in_background(static_cast<Number>(rank), call);
    };
    return follow(asked, state, {recording, &served.resources(), in_background});
  }
  return std::nullopt;
}

}  // namespace

CriticalPath find_critical_path(const ProgramInput& input, Programs* programs, const PathTarget& target,
                                bool in_detail) {
  const ir::System& system = input.scalars.system();
  const ResourceUse resources = resource_use(system, input.process);
  const std::vector<ir::Statement>& statements = input.process.blocks[input.process.body.index];
  const program::Bytecode bytecode(system, input.process, input.binders, statements);
  std::optional<CriticalPath> path;
  const Asked asked{input, bytecode, target, in_detail};
  const auto use = [&](std::span<const ProgramCode> codes) {
    path = resources.differs() ? record_served(asked, codes.front()) : record(asked, codes.front());
    return path.has_value();
  };
  // Where resources serve, code leaves to the runtime whatever is recorded.
  const ProcessProgram program{system, input.process, bytecode, resources, !resources.differs()};
  constexpr double worth_it = std::numeric_limits<double>::infinity();
  if (programs && !statements.empty()) programs->run(program, statements.data(), worth_it, 1, use);
  if (path) return *path;
  Instructions instructions(input, bytecode);
  const ProgramCode code = instructions.code();
  if (use({&code, 1})) return *path;
  instructions.rethrow();
  if ((path = record_served(asked, code, receptions_kept))) return *path;
  ProcessState state = fresh_state(asked);
  double operations = 0;
  run_whole_program(input, state, operations);  // throws why not
  return {};
}

}  // namespace wave::backend::processes::engine
