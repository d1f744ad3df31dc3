// See recorded_path.h.
#include "backend/processes/compiled/recorded_path.h"

#include "backend/processes/compiled/follower.h"
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/compiled/served.h"
#include "backend/processes/program_uses.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace wave::backend::processes::compiled {

namespace {

struct Asked {
  const NetworkInput& input;
  const network::Bytecode& bytecode;
  const PathTarget& target;
  bool in_detail;
};

// What a record takes, until it is given back.
class Claims {
 public:
  explicit Claims(const NetworkInput& input) : input_(input) {}
  ~Claims() { input_.claim_memory(-claimed_); }
  Claims(const Claims&) = delete;
  void operator()(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }

 private:
  const NetworkInput& input_;
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

// The time that is asked for.
double time_of(const ProcessState& state, const PathTarget& target, std::size_t rank) {
  if (!target.phase.valid()) return state.clocks[rank];
  const ProcessState::PhaseClocks& phase = state.phases[target.phase.index];
  return (target.is_left_last ? phase.left : phase.spent)[rank];
}

std::optional<CriticalPath> follow(const Asked& asked, const ProcessState& state, const RecordedRun& run) {
  const auto last = std::ranges::max_element(state.clocks);
  const std::int64_t which = asked.target.rank.value_or(last - state.clocks.begin());
  const auto rank = static_cast<std::size_t>(which);
  CriticalPath found = follow_back(asked.input, run, which, state.clocks[rank], asked.target, asked.in_detail);
  found.last_finish = *last;
  if (found.total != time_of(state, asked.target, rank)) return std::nullopt;
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

// As Pieces::run_served.
std::optional<CriticalPath> record_served(const Asked& asked, const ProgramCode& code) {
  using Result = Served::Result;
  for (const bool by_moments : {false, true}) {
    ProcessState state = fresh_state(asked);
    Claims claims(asked.input);
    Recording recording(state.clocks.size(), std::ref(claims), asked.target.phase);
    Served served(asked.input, asked.bytecode, state, &recording);
    if (served.resources().most_awaits() > choices_in_word) return std::nullopt;
    const Result result = served.run(code, by_moments);
    if (result == Result::overtaken) continue;
    if (result == Result::failed) return std::nullopt;
    const auto in_background = [&](std::int64_t rank, const Listing&, std::uint32_t call) {
      return recording.choices_in_background(static_cast<Number>(rank), call);
    };
    return follow(asked, state, {recording, &served.resources(), in_background});
  }
  return std::nullopt;
}

}  // namespace

std::optional<CriticalPath> record_critical_path(const NetworkInput& input, Programs& programs,
                                                 const PathTarget& target, bool in_detail) {
  const ir::System& system = input.scalars.system();
  const ResourceUse resources = resource_use(system, input.process);
  if (resources.is_shared || resources.reads_ranks) return std::nullopt;
  const std::vector<ir::Statement>& statements = input.process.blocks[input.process.body.index];
  if (statements.empty()) return std::nullopt;
  const network::Bytecode bytecode(system, input.process, input.binders, statements);
  std::optional<CriticalPath> path;
  const Asked asked{input, bytecode, target, in_detail};
  const auto use = [&](std::span<const ProgramCode> codes) {
    path = resources.any ? record_served(asked, codes.front()) : record(asked, codes.front());
    return path.has_value();
  };
  // Where resources serve, code leaves to the runtime whatever is recorded.
  const ProcessProgram program{system, input.process, bytecode, resources, !resources.any};
  constexpr double worth_it = std::numeric_limits<double>::infinity();  // the network carries all sums along
  try {
    programs.run(program, statements.data(), worth_it, 1, use);
  } catch (const Failed& failed) {
    // A record grows with the messages, and what the network carries along does not.
    if (failed.failure.kind != ir::FailureKind::memory_limit) throw;
    return std::nullopt;
  }
  return path;
}

}  // namespace wave::backend::processes::compiled
