// See model_steps.h.
#include "analysis/recorded/model_steps.h"

#include "backend/interpreter/inspection.h"

#include <numeric>
#include <optional>
#include <span>

namespace wave::analysis::recorded {

namespace {

class Listener final : public backend::processes::ProgramListener {
 public:
  Listener(ir::PhaseId phase, std::size_t most_bytes) : phase_(phase), most_bytes_(most_bytes) {}

  void open(Steps& steps) {
    steps_ = &steps;
    places_.clear();
    inside_ = phase_.valid() ? 0 : 1;
  }

  void compute(const ir::Statement&, double) override {}
  void message(const Call& call) override {
    const ir::Message& message = call.message;
    places_.emplace_back();
    if (message.context != 0) return;
    const bool is_send = message.side == ir::Message::Side::send;
    Step step{message.background ? is_send ? Step::Kind::started_send : Step::Kind::posted_receive
              : is_send          ? Step::Kind::send
                                 : Step::Kind::receive};
    step.peer = call.peer;
    step.size = call.size;
    step.location = call.statement.location;
    if (message.handle.valid()) step.name_of_call = message.handle.index;
    places_.back() = add(std::move(step));
  }
  void wait(const ir::Statement& statement, std::span<const std::uint32_t> calls) override {
    Step step{Step::Kind::wait};
    step.location = statement.location;
    for (const std::uint32_t call : calls) {
      if (places_[call]) step.ended.push_back(*places_[call]);
    }
    if (const auto* const node = std::get_if<ir::Wait>(&statement.node); node && node->is_any) {
      step.chosen = step.ended;
      for (const ir::HandleId handle : node->handles) step.names.push_back(handle.index);
    }
    if (!step.ended.empty()) add(std::move(step));
  }
  void collective(const ir::Statement&, const ir::Collective&) override {}
  void call(const ir::CollectiveCall& call, std::optional<double> size, std::int64_t participants) override {
    Step step{Step::Kind::collective};
    step.name = call.name.substr(call.name.rfind('.') + 1);
    step.size = size.value_or(-1);
    step.participants = participants;
    step.location = call.location;
    add(std::move(step));
  }
  void enter_phase(ir::PhaseId phase) override { inside_ += phase_.valid() && phase.index == phase_.index; }
  void leave_phase(ir::PhaseId phase) override { inside_ -= phase_.valid() && phase.index == phase_.index; }

 private:
  std::optional<std::size_t> add(Step step) {
    if (inside_ == 0) return std::nullopt;
    bytes_ += sizeof(Step) + (step.ended.size() + step.chosen.size() + step.names.size()) * sizeof(std::size_t);
    if (bytes_ > most_bytes_) throw TooManySteps{};
    steps_->push_back(std::move(step));
    return steps_->size() - 1;
  }

  const ir::PhaseId phase_;
  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  int inside_ = 0;  // the phase, how often
  Steps* steps_ = nullptr;
  std::vector<std::optional<std::size_t>> places_;  // by call; nothing: it is no step
};

}  // namespace

std::vector<Steps> steps_of(backend::processes::Run& run, ir::PhaseId phase, std::size_t most_bytes) {
  const auto count = static_cast<std::size_t>(run.places().count());
  if (count > most_bytes / sizeof(Steps)) throw TooManySteps{};
  std::vector<std::int64_t> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Steps> result(ranks.size());
  Listener listener(phase, most_bytes);
  const auto open = [&](std::int64_t rank) -> backend::processes::ProgramListener& {
    listener.open(result[static_cast<std::size_t>(rank)]);
    return listener;
  };
  run.list(ranks, open, backend::processes::Run::Times::unknown);
  return result;
}

std::optional<ir::Failure> calls_of(const ir::System& system, const backend::Limits& limits, ir::ProcessId process,
                                    ir::PhaseId phase, std::size_t most_bytes, ModelCalls& calls) {
  return backend::inspect_process(system, {}, limits, process, [&](backend::processes::Run& run) {
    calls.extents = run.places().extents;
    calls.steps = steps_of(run, phase, most_bytes);
  });
}

}  // namespace wave::analysis::recorded
