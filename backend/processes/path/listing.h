// What one process has done, as an evaluation that records has left it: everything that moves its clock, in the order
// of its program, without times. Each item that waits knows which of the process's choices (recording.h) is its own.
#pragma once

#include "backend/processes/engine/channels.h"
#include "backend/processes/engine/served_resources.h"
#include "backend/processes/program/accounts.h"
#include "backend/processes/program/input.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace wave::backend::processes::engine {

class Listing final : public ProgramListener {
 public:
  using Side = ir::Message::Side;
  static constexpr std::uint64_t no_choice = 0xffffffffffffffff;

  // An end of a message.
  struct Call {
    const ir::Statement* statement = nullptr;
    const ResolvedEnds* ends = nullptr;
    Side side{};
    std::int64_t peer = 0, channel = 0;
    const Bindings* inside = nullptr;        // as Cause has it
    std::uint32_t ordinal = 0;               // on its channel
    std::uint32_t ordinal_in_window = 0;     // among those of its protocol there, if that has a window
    std::size_t first_item = 0;              // of its steps
    std::uint32_t background_from = 0;       // the first step that is done in the background; all: there is none
    std::uint64_t choices_from = no_choice;  // of the background, among the process's; none: nothing waits for it
    std::size_t waited_item = 0;             // behind the wait for it
    const std::vector<ResolvedStep>& steps() const { return side == Side::send ? ends->sender : ends->receiver; }
    const std::vector<ResolvedStep>& other_steps() const { return side == Side::send ? ends->receiver : ends->sender; }
  };
  struct Item {
    enum class Kind : std::uint8_t {
      compute,     // adds the weight
      busy,        // adds the step's time
      charge,      // adds the times of the steps that are charged at the wait for the call
      enter,       // a collective, or a choice: uses the processor, for no time
      acquire,     // when the resource that the step asks for has served it
      emit,        // the same, of a signal; the clock goes on. Only where whoever asks is served at once
      signal,      // the later of the clock and what the step awaits
      pending,     // the later of the clock and the end of the call in the background
      window,      // the later of the clock and the reception of an earlier message
      collective,  // a gathering that the process leaves later than it comes
    } kind{};
    std::uint32_t number = 0;  // of the call, or of the gathering
    std::uint32_t step = 0;
    std::uint32_t use = none;  // of the processor, which; none: it is no resource, or had been acquired
    double weight = 0;
    std::uint64_t choice = no_choice;
    const ir::Statement* statement = nullptr;  // of a computation
    const Bindings* inside = nullptr;          // as Cause has it, of a computation
  };
  struct Gathering {
    const ir::Statement* statement = nullptr;
    const ir::Collective* collective = nullptr;
    std::int64_t root = 0;             // of its line
    std::size_t item = 0;              // where the process comes to it
    std::size_t paid = 0;              // which of those that the process pays for
    const Bindings* inside = nullptr;  // as Cause has it
  };

  // `resources`: null, nothing asks for any. `marked`: a phase; not valid: none.
  Listing(const ProgramInput& input, const ServedResources* resources, std::int64_t rank, ir::PhaseId marked);

  void compute(const ir::Statement& statement, double time) override;
  void message(const ProgramListener::Call& call) override;
  void wait(const ir::Statement&, std::span<const std::uint32_t> numbers) override;
  void choose(const ir::Statement& statement) override;
  void collective(const ir::Statement& statement, const ir::Collective& collective) override;
  void enter_phase(ir::PhaseId phase) override;
  void leave_phase(ir::PhaseId phase) override;

  std::vector<Item> items;
  std::vector<Call> calls;
  std::vector<Gathering> gatherings;  // by round
  std::vector<std::size_t> uses;      // of the processor, as a resource: which item
  // The runs of the marked phase, in the order of their ends: behind how many items they begin and end.
  struct Marks {
    std::size_t begin = 0, end = 0;
  };
  std::vector<Marks> marks;
  // By the number of a call that goes on in the background, where nothing waits for it: its channel.
  std::map<std::uint32_t, ChannelKey> unawaited;
  // The call that is the n-th on a channel; null: there is none.
  const Call* find(std::int64_t peer, std::int64_t channel, Side side, std::uint32_t ordinal) const;
  const Call* find_in_window(std::int64_t peer, std::int64_t channel, std::uint32_t protocol,
                             std::uint32_t ordinal) const;
  // Of a step that is done at the call: behind which item.
  std::size_t item_of_step(const Call& call, std::uint32_t step) const;
  // Whether a step asks for a resource that serves whoever asks at once; or serves later, in the order of time.
  bool is_served_at_once(const Call& call, const ResolvedStep& step) const {
    return step.asks() && resources_ && resources_->is_at_once(resource(call, step));
  }
  bool is_served_by_time(const Call& call, const ResolvedStep& step) const {
    return step.asks() && resources_ && !resources_->is_at_once(resource(call, step));
  }
  Number resource(const Call& call, const ResolvedStep& step, std::size_t use = 0) const {
    return resources_->number(call.ends->machine, step.uses[use].resource);
  }
  std::int64_t bytes() const;

 private:
  using ChannelEnd = std::tuple<std::int64_t, std::int64_t, Side>;                // peer, channel
  using WindowEnd = std::tuple<std::int64_t, std::int64_t, Side, std::uint32_t>;  // and protocol

  bool processor_serves() const { return resources_ && resources_->processor_serves(); }
  // The next item uses the processor.
  std::uint32_t use() {
    if (!processor_serves()) return none;
    uses.push_back(items.size());
    return static_cast<std::uint32_t>(uses.size() - 1);
  }
  void list_step(std::uint32_t number, const Call& call, std::uint32_t step, bool& has_processor);

  const ProgramInput& input_;
  const ServedResources* const resources_;
  const std::int64_t rank_;
  const ir::PhaseId marked_;
  const std::vector<std::int64_t> point_;
  std::vector<std::size_t> entered_;  // runs of the marked phase that go on: behind how many items
  std::map<ChannelEnd, std::vector<std::uint32_t>> by_channel_;
  std::map<WindowEnd, std::vector<std::uint32_t>> by_window_;
  std::uint64_t choices_ = 0;
  std::size_t paid_ = 0;
};

}  // namespace wave::backend::processes::engine
