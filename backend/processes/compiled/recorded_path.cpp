// See recorded_path.h.
#include "backend/processes/compiled/recorded_path.h"

#include "backend/processes/compiled/listing.h"
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

namespace wave::backend::processes::compiled {

namespace {

using Kind = ir::Step::Kind;

// Goes from process to process, always to what was the later.
class Follower {
 public:
  Follower(const NetworkInput& input, Runtime& runtime, const Recording& recording, bool in_detail)
      : input_(input),
        runtime_(runtime),
        recording_(recording),
        accountant_(input.scalars, input.process, input.binders, input.places.extents, input.quantum,
                    input.look_at_clock),
        times_(in_detail ? most_weights(input.places) : 0, [&](PathTerm& term, std::uint32_t process) {
          if (term.weight) term.at = input.places.point(process);
        }) {}
  ~Follower() { input_.claim_memory(-claimed_); }
  Follower(const Follower&) = delete;

  // From the end of this process.
  CriticalPath run(std::int64_t rank) {
    stand_at(rank);
    item_ = here_->items.size();
    for (std::size_t steps = 0; item_ > 0; ++steps) {
      if (steps % walk_steps_between_clock_reads == 0) input_.look_at_clock();
      pass(here_->items[--item_]);
    }
    CriticalPath path = path_to(sums_, times_.terms());
    path.tied = is_tied_;
    path.finisher = input_.places.point(rank);
    return path;
  }

 private:
  using Call = Listing::Call;
  using Item = Listing::Item;

  void stand_at(std::int64_t rank) {
    rank_ = rank;
    if (!listings_.contains(rank)) {
      if (claimed_ > bytes_of_listings) forget();
      auto listing = std::make_unique<Listing>(input_, rank);
      accountant_.list(input_.places.point(rank), *listing);
      const std::int64_t bytes = listing->bytes();
      input_.claim_memory(bytes);
      claimed_ += bytes;
      listings_[rank] = std::move(listing);
    }
    here_ = listings_[rank].get();
  }
  void forget() {
    listings_.clear();
    input_.claim_memory(-std::exchange(claimed_, 0));
  }

  LaterTime choice(std::uint64_t number) const { return recording_.choice(static_cast<Number>(rank_), number); }
  // Whether the path goes on with the other.
  bool takes_other(const LaterTime& choice) {
    is_tied_ = is_tied_ || choice.is_tied;
    return choice.is_other;
  }
  void add(double weight, const Cause& cause) {
    if (weight > 0) times_.advance(sums_, weight, cause);
  }
  Cause cause(Cause::Kind kind, const ir::Statement* statement) const {
    return {kind, static_cast<std::uint32_t>(rank_), statement};
  }
  Cause cause(Cause::Kind kind, const Call& call, std::size_t step) const {
    return {kind, static_cast<std::uint32_t>(rank_), call.statement, call.ends, &call.steps()[step]};
  }

  void pass(const Item& item) {
    switch (item.kind) {
      case Item::Kind::compute: return add(item.weight, cause(Cause::Kind::compute, item.statement));
      case Item::Kind::busy: {
        const Call& call = here_->calls[item.number];
        return add(call.steps()[item.step].time, cause(Cause::Kind::overhead, call, item.step));
      }
      case Item::Kind::charge:
        return add(item.weight, cause(Cause::Kind::overhead, here_->calls[item.number].statement));
      case Item::Kind::signal:
        if (takes_other(choice(item.choice))) go_to_signal(here_->calls[item.number], item.step);
        return;
      case Item::Kind::pending:
        if (takes_other(choice(item.choice))) go_through_background(item.number);
        return;
      case Item::Kind::window:
        if (takes_other(choice(item.choice))) go_to_reception(here_->calls[item.number]);
        return;
      case Item::Kind::collective: return go_through_collective(item);
    }
  }

  // To where the other end emits what this step awaits.
  void go_to_signal(const Call& call, std::size_t await) {
    const std::uint32_t signal = call.steps()[await].signal;
    const std::int64_t receiver = std::exchange(rank_, call.peer);
    const std::int64_t channel = call.channel;
    const Side side = other(call.side);
    const std::uint32_t ordinal = call.ordinal;
    stand_at(rank_);
    const Call* const from = here_->find(receiver, channel, side, ordinal);
    if (!from) return lose();
    for (std::size_t step = from->steps().size(); step-- > 0;) {
      if (from->steps()[step].kind != Kind::emit || from->steps()[step].signal != signal) continue;
      const bool is_payload =
          input_.scalars.system()[from->ends->machine].protocols[from->ends->protocol].signals[signal] == "payload";
      add(from->steps()[step].time, cause(is_payload ? Cause::Kind::wire : Cause::Kind::handshake, *from, step));
      if (step >= from->background_from) return go_through_background(number_of(*from), step);
      item_ = Listing::item_of_step(*from, static_cast<std::uint32_t>(step));
      return;
    }
    lose();
  }

  // From before a step of a call in the background, or its end, to its beginning.
  void go_through_background(std::uint32_t number, std::size_t step = std::numeric_limits<std::size_t>::max()) {
    const Call& call = here_->calls[number];
    const std::vector<ResolvedStep>& steps = call.steps();
    const auto is_await = [](const ResolvedStep& one) { return one.kind == Kind::await; };
    step = std::min(step, steps.size());
    const auto begin = steps.begin() + call.background_from;
    auto awaits = std::count_if(begin, steps.begin() + static_cast<std::ptrdiff_t>(step), is_await);
    while (step-- > call.background_from) {
      if (steps[step].kind == Kind::busy && !is_charged_at_wait(steps, step))
        add(steps[step].time, cause(Cause::Kind::overhead, call, step));
      if (!is_await(steps[step])) continue;
      if (takes_other(choice_in_background(call, number, static_cast<std::uint32_t>(--awaits))))
        return go_to_signal(call, step);
    }
    item_ = Listing::item_of_step(call, call.background_from);
  }

  LaterTime choice_in_background(const Call& call, std::uint32_t number, std::uint32_t await) const {
    if (call.choices_from != Listing::no_choice) return choice(call.choices_from + await);
    const auto key = here_->unawaited.find(number);
    if (key == here_->unawaited.end()) return {};
    const std::int64_t sender = call.side == Side::send ? rank_ : call.peer;
    const std::int64_t receiver = call.side == Side::send ? call.peer : rank_;
    const Ring& channel = runtime_.channel(static_cast<Number>(sender), static_cast<Number>(receiver), key->second);
    const auto found = recording_.in_background.find({&channel, call.ordinal, call.side});
    return found == recording_.in_background.end() ? LaterTime{} : LaterTime::at(found->second.word, await);
  }

  // To where the message before which a window has room was received.
  void go_to_reception(const Call& call) {
    const std::int64_t sender = rank_, channel = call.channel;
    const std::uint32_t protocol = call.ends->protocol;
    const auto before = call.ordinal_in_window - static_cast<std::uint32_t>(call.ends->window);
    stand_at(call.peer);
    const Call* const received = here_->find_in_window(sender, channel, protocol, before);
    if (!received) return lose();
    const std::vector<ResolvedStep>& steps = received->steps();
    if (received->background_from == steps.size()) {
      item_ = Listing::item_of_step(*received, received->background_from);
    } else if (has_charge_at_wait(steps)) {
      item_ = received->waited_item;
    } else {
      go_through_background(number_of(*received));
    }
  }

  void go_through_collective(const Item& item) {
    using Root = ir::Collective::Root;
    const Listing::Gathering& gathering = here_->gatherings[item.number];
    const ir::Collective& collective = *gathering.collective;
    const LaterTime chosen = choice(item.choice);
    const double cost = recording_.cost(static_cast<Number>(rank_), gathering.paid);
    const Cause paid = cause(Cause::Kind::collective, gathering.statement);
    if (collective.root == Root::from) {
      is_tied_ = is_tied_ || (chosen.is_tied && rank_ != gathering.root);
      if (!chosen.is_other) return;
      add(cost, paid);
      return go_to_collective(gathering.root, item.number);
    }
    add(cost, paid);
    const auto axis = collective.along ? static_cast<std::uint32_t>(*collective.along) : none;
    const auto last = recording_.gatherings.find({static_cast<Number>(gathering.root), axis, item.number});
    if (last == recording_.gatherings.end()) return lose();
    is_tied_ = is_tied_ || last->second.is_tied;
    if (chosen.is_other) go_to_collective(last->second.process, item.number);
  }
  void go_to_collective(std::int64_t rank, std::uint32_t round) {
    stand_at(rank);
    if (round >= here_->gatherings.size()) return lose();
    item_ = here_->gatherings[round].item;
  }

  std::uint32_t number_of(const Call& call) const { return static_cast<std::uint32_t>(&call - here_->calls.data()); }
  // Never; but if so, the path is shorter than the time, and the network knows.
  void lose() { item_ = 0; }

  const NetworkInput& input_;
  Runtime& runtime_;
  const Recording& recording_;
  Accountant accountant_;
  TracedTimes times_;
  TracedTimes::Clock sums_;
  std::map<std::int64_t, std::unique_ptr<Listing>> listings_;
  std::int64_t claimed_ = 0;
  // Where the path has come to: behind so many items of this process.
  std::int64_t rank_ = 0;
  const Listing* here_ = nullptr;
  std::size_t item_ = 0;
  bool is_tied_ = false;
};

}  // namespace

std::optional<CriticalPath> record_critical_path(const NetworkInput& input, Programs& programs,
                                                 std::optional<std::int64_t> rank, bool in_detail) {
  const ir::System& system = input.scalars.system();
  if (resource_use(system, input.process).any) return std::nullopt;  // a service has to remember which came before
  const std::vector<ir::Statement>& statements = input.process.blocks[input.process.body.index];
  if (statements.empty()) return std::nullopt;
  const network::Bytecode bytecode(system, input.process, input.binders, statements);
  std::optional<CriticalPath> path;
  const auto use = [&](const ProgramCode& code) {
    ProcessState state;
    state.clocks.resize(static_cast<std::size_t>(input.places.count()));
    state.phases.resize(input.process.phases.size());
    std::int64_t claimed = 0;
    const auto claim = [&](std::int64_t bytes) {
      input.claim_memory(bytes);
      claimed += bytes;
    };
    Recording recording(state.clocks.size(), claim);
    Runtime runtime(input, bytecode, &recording);
    if (runtime.run(code, state)) {
      const auto last = std::ranges::max_element(state.clocks);
      const std::int64_t which = rank.value_or(last - state.clocks.begin());
      CriticalPath found = Follower(input, runtime, recording, in_detail).run(which);
      found.last_finish = *last;
      if (found.total == state.clocks[static_cast<std::size_t>(which)]) path = std::move(found);
    }
    input.claim_memory(-claimed);
    return path.has_value();
  };
  constexpr double worth_it = std::numeric_limits<double>::infinity();  // the network carries all sums along
  programs.run({system, input.process, bytecode, {}, true}, statements.data(), worth_it, use);
  return path;
}

}  // namespace wave::backend::processes::compiled
