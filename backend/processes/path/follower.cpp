// See follower.h.
#include "backend/processes/path/follower.h"

#include "backend/processes/path/listed_processes.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <utility>

namespace wave::backend::processes::engine {

namespace {

using Kind = ir::Step::Kind;

// Goes from process to process.
class Follower {
 public:
  Follower(const ProgramInput& input, const RecordedRun& run, ir::PhaseId phase, bool in_detail)
      : input_(input),
        run_(run),
        phase_(phase),
        processes_(input, run.recording, run.resources, phase),
        in_detail_(in_detail),
        sums_(input, in_detail) {}
  ~Follower() { input_.claim_memory(-bytes_of_paths_); }
  Follower(const Follower&) = delete;

  CriticalPath run(std::int64_t rank, double finish, bool is_left_last) {
    stand_at(rank);
    if (phase_.valid())
      begin_at_phases(is_left_last);
    else
      begin_at_end(finish);
    for (std::size_t steps = 0; take_latest();) {
      do {
        if (steps++ % walk_steps_between_clock_reads == 0) input_.look_at_clock();
        go_back();
      } while (!is_at_beginning() && (paths_.empty() || left_ > paths_.rbegin()->first.left));
      put_back();
    }
    CriticalPath path = sums_.path();
    if (phase_.valid()) path.of = CriticalPath::Of::phase;
    path.tied = is_tied_;
    path.finisher = input_.places.point(rank);
    return path;
  }

 private:
  using Call = Listing::Call;
  using Item = Listing::Item;

  // --- where a path has come to ---
  enum class At : std::uint8_t {
    program,     // behind so many of its items
    background,  // behind some steps of a call
    service,     // where a service by time begins
    use,         // where the service of an item begins that is served at once
  };
  void go_to(std::size_t number, At at = At::program, std::uint32_t call = 0) {
    at_ = at, number_ = number, call_ = call;
  }
  void go_to_background(std::uint32_t call, std::size_t step) { go_to(step, At::background, call); }
  void go_to_service(std::size_t service) { go_to(service, At::service); }
  bool is_at_beginning() const { return at_ == At::program && number_ == 0; }
  // Before a step.
  void go_to_step(std::uint32_t number, std::uint32_t step) {
    const Call& call = here_->calls[number];
    if (step >= call.background_from) return go_to_background(number, step);
    go_to(here_->item_of_step(call, step));
  }
  // Never; but if so, the path is shorter than the time.
  void lose() { go_to(0); }

  void go_back() {
    switch (at_) {
      case At::program: return pass(here_->items[--number_]);
      case At::background: return pass_in_background();
      case At::service: return pass_service();
      case At::use: return pass_use();
    }
  }

  // --- several paths ---
  // How much time is left of a path, and where it has come to. Those that have come to the same place are one.
  struct Waypoint {
    double left = 0;
    std::int64_t rank = 0;
    At at = At::program;
    std::size_t number = 0;
    std::uint32_t call = 0;
    auto operator<=>(const Waypoint&) const = default;
  };
  bool take_latest() {
    if (paths_.empty()) return false;
    const auto latest = paths_.extract(std::prev(paths_.end()));
    const Waypoint& from = latest.key();
    stand_at(from.rank);
    go_to(from.number, from.at, from.call);
    left_ = from.left;
    times_on_path_ = latest.mapped();
    return true;
  }
  void put_back() {
    if (is_at_beginning()) return;
    const auto found = paths_.try_emplace({left_, rank_, at_, number_, call_}, 0).first;
    found->second += times_on_path_;
    if (found->second == 0) paths_.erase(found);
  }
  void begin(std::size_t item, double left, double times) {
    go_to(item);
    left_ = left;
    times_on_path_ = times;
  }
  void begin_at_end(double finish) {
    begin(here_->items.size(), finish, 1);
    if (run_.recording.ends_with_processor(number_of_rank())) go_to_processor(services().size());
    put_back();
  }
  // To the ends of its runs, less those to their beginnings.
  void begin_at_phases(bool is_left_last) {
    const std::vector<Listing::Marks>& marks = here_->marks;
    const std::vector<Recording::Phase>& phases = run_.recording.phases(number_of_rank());
    if (marks.size() != phases.size()) return;
    const std::size_t first = is_left_last && !marks.empty() ? marks.size() - 1 : 0;
    bytes_of_paths_ = static_cast<std::int64_t>(2 * (marks.size() - first) * bytes_of_sorted_entry);
    input_.claim_memory(bytes_of_paths_);
    for (std::size_t i = first; i < marks.size(); ++i) {
      begin(marks[i].end, phases[i].end, 1);
      put_back();
      if (is_left_last) continue;
      begin(marks[i].begin, phases[i].begin, -1);
      put_back();
    }
  }

  // --- processes ---
  void stand_at(std::int64_t rank) {
    rank_ = rank;
    process_ = &processes_.at(rank);
    here_ = process_->listing.get();
  }
  Number number_of_rank() const { return static_cast<Number>(rank_); }
  std::uint32_t number_of(const Call& call) const { return static_cast<std::uint32_t>(&call - here_->calls.data()); }
  const std::vector<Service>& services() const { return run_.recording.services(number_of_rank()); }
  // Of a step that asks for several things one after the other, the last; of the program, a use of its processor.
  void find_service(std::uint32_t call, std::uint16_t step) {
    std::size_t use = 0;
    if (step != Service::of_program) {
      const ResolvedStep& of = here_->calls[call].steps()[step];
      if (of.asks()) use = of.uses.size() - 1;
    }
    find_service(call, step, use);
  }
  void find_service(std::uint32_t call, std::uint16_t step, std::size_t use) {
    const auto service = process_->service({call, step, static_cast<std::uint16_t>(use)});
    if (!service) return lose();
    go_to_service(*service);
  }

  // --- choices and weights ---
  LaterTime choice(std::uint64_t number) const { return run_.recording.choice(number_of_rank(), number); }
  // Whether the path goes on with the other.
  bool takes_other(const LaterTime& choice) {
    is_tied_ = is_tied_ || choice.is_tied;
    return choice.is_other;
  }
  void add(double weight, const Cause& cause) {
    if (!(weight > 0)) return;
    sums_.add(weight, cause, times_on_path_);
    left_ -= weight;
  }
  Cause cause(Cause::Kind kind, const ir::Statement* statement, const Bindings* inside) const {
    return {kind, number_of_rank(), statement, nullptr, nullptr, 0, inside};
  }
  Cause cause(Cause::Kind kind, const Call& call, std::size_t step, std::uint32_t use = 0) {
    Cause cause{kind, number_of_rank(), call.statement, call.ends, &call.steps()[step], use, call.inside};
    if (!in_detail_ || !gives_no_size(*call.statement)) return cause;
    const Listing& sender = *processes_.beside(call.peer).listing;
    const Call* const sent = sender.find(rank_, call.channel, other(call.side), call.ordinal);
    if (!sent) return cause;
    cause.inside = sent->inside;
    cause.sized_by = sent->statement;
    cause.sized_at = static_cast<std::uint32_t>(call.peer);
    return cause;
  }

  // --- programs ---
  void pass(const Item& item) {
    switch (item.kind) {
      case Item::Kind::compute:
        add(item.weight, cause(Cause::Kind::compute, item.statement, item.inside));
        return leave_processor(item);
      case Item::Kind::busy: {
        const Call& call = here_->calls[item.number];
        add(call.steps()[item.step].time, cause(Cause::Kind::overhead, call, item.step));
        return leave_processor(item);
      }
      case Item::Kind::charge: charge(here_->calls[item.number]); return leave_processor(item);
      case Item::Kind::enter: return leave_processor(item);
      case Item::Kind::acquire:
        if (item.choice != Listing::no_choice) return go_to(number_, At::use);
        return find_service(item.number, static_cast<std::uint16_t>(item.step));
      case Item::Kind::emit: return;
      case Item::Kind::signal:
        if (takes_other(choice(item.choice))) go_to_signal(item.number, item.step);
        return;
      case Item::Kind::pending:
        if (takes_other(choice(item.choice))) go_to_end_of_background(item.number);
        return;
      case Item::Kind::window:
        if (takes_other(choice(item.choice))) go_to_reception(here_->calls[item.number]);
        return;
      case Item::Kind::collective: return pass_collective(item);
    }
  }
  void charge(const Call& call) {
    const std::vector<ResolvedStep>& steps = call.steps();
    for (std::size_t at = call.background_from; at < steps.size(); ++at) {
      if (steps[at].kind == Kind::busy && is_charged_at_wait(steps, at))
        add(steps[at].time, cause(Cause::Kind::overhead, call, at));
    }
  }
  void leave_processor(const Item& item) {
    if (item.use != none) find_service(item.use, Service::of_program);
  }

  // To what lets this step pass.
  void go_to_signal(std::uint32_t number, std::size_t await) {
    const Call& call = here_->calls[number];
    const std::vector<ResolvedStep>& steps = call.steps();
    if (steps[await].kind == Kind::sent) return go_to_departure(call, await);
    if (run_.resources) {
      if (steps[await].asks()) {
        add(steps[await].time, cause(transfer_of(call, steps[await].signal), call, await));
        return find_service(number, static_cast<std::uint16_t>(await));
      }
      for (std::size_t step = 0; step < steps.size(); ++step) {
        if (steps[step].kind == Kind::arrival && steps[step].signal == steps[await].signal)
          return find_service(number, static_cast<std::uint16_t>(step));
      }
    }
    go_to_emission(call, steps[await].signal);
  }

  // To where the other end emits a signal.
  void go_to_emission(const Call& call, std::uint32_t signal) {
    const std::int64_t to = rank_, channel = call.channel;
    const Side side = other(call.side);
    const std::uint32_t ordinal = call.ordinal;
    stand_at(call.peer);
    const Call* const from = here_->find(to, channel, side, ordinal);
    if (!from) return lose();
    for (std::size_t at = from->steps().size(); at-- > 0;) {
      const ResolvedStep& step = from->steps()[at];
      if (step.kind != Kind::emit || step.signal != signal) continue;
      add(step.time, cause(transfer_of(*from, signal), *from, at));
      return go_to_emit(*from, at);
    }
    lose();
  }
  Cause::Kind transfer_of(const Call& call, std::uint32_t signal) const {
    const ir::Protocol& protocol = input_.scalars.system()[call.ends->machine].protocols[call.ends->protocol];
    return protocol.signals[signal] == "payload" ? Cause::Kind::wire : Cause::Kind::handshake;
  }
  // To where it is served, or where its end comes to it.
  void go_to_emit(const Call& call, std::size_t at) {
    const ResolvedStep& step = call.steps()[at];
    const auto number = static_cast<std::uint32_t>(at);
    if (here_->is_served_by_time(call, step)) return find_service(number_of(call), static_cast<std::uint16_t>(at));
    if (here_->is_served_at_once(call, step)) return go_to(here_->item_of_step(call, number), At::use);
    go_to_step(number_of(call), number);
  }
  // To where what has been sent began to leave, at the same end.
  void go_to_departure(const Call& call, std::size_t sent) {
    const std::vector<ResolvedStep>& steps = call.steps();
    for (std::size_t at = 0; at < sent; ++at) {
      if (steps[at].kind != Kind::emit || steps[at].signal != steps[sent].signal) continue;
      add(steps[sent].time, cause(transfer_of(call, steps[sent].signal), call, sent));
      return go_to_emit(call, at);
    }
    lose();
  }

  // --- the background ---
  void go_to_end_of_background(std::uint32_t number) { go_to_background(number, here_->calls[number].steps().size()); }

  void pass_in_background() {
    const Call& call = here_->calls[call_];
    const std::vector<ResolvedStep>& steps = call.steps();
    if (number_ == call.background_from) return go_to(here_->item_of_step(call, call.background_from));
    const std::size_t at = --number_;
    const ResolvedStep& step = steps[at];
    if (step.kind == Kind::busy && !is_charged_at_wait(steps, at))
      add(step.time, cause(Cause::Kind::overhead, call, at));
    if (step.kind == Kind::acquire) return find_service(call_, static_cast<std::uint16_t>(at));
    if (ir::is_awaiting(step.kind) && takes_other(choice_in_background(call, at))) go_to_signal(call_, at);
  }

  LaterTime choice_in_background(const Call& call, std::size_t await) const {
    const auto is_await = [](const ResolvedStep& one) { return ir::is_awaiting(one.kind); };
    const auto begin = call.steps().begin();
    const auto before =
        std::count_if(begin + call.background_from, begin + static_cast<std::ptrdiff_t>(await), is_await);
    if (call.choices_from != Listing::no_choice) return choice(call.choices_from + static_cast<std::uint64_t>(before));
    const Choices* const choices = run_.choices_in_background(rank_, *here_, number_of(call));
    return choices ? LaterTime::at(choices->word, static_cast<std::uint32_t>(before)) : LaterTime{};
  }

  // --- services ---
  // To what the service has waited for: as it joins them, the processor last.
  void pass_service() {
    const Service& service = services()[number_];
    if (takes_other(service.processor())) return go_to_processor(number_);
    if (takes_other(service.resource())) return go_to_resource(number_);
    if (service.step == Service::of_program) return go_to(here_->uses[service.call]);
    if (service.use > 0) return find_service(service.call, service.step, service.use - 1u);
    const Call& call = here_->calls[service.call];
    const ResolvedStep& step = call.steps()[service.step];
    if (step.kind == Kind::await || step.kind == Kind::arrival) return go_to_emission(call, step.signal);
    go_to_step(service.call, service.step);
  }

  // To the last service before that has kept this one's resource.
  void go_to_resource(std::size_t before) {
    if (const auto shared = run_.recording.before({number_of_rank(), static_cast<Number>(before)})) {
      stand_at(shared->process);
      return leave_resource(shared->service);
    }
    const auto resource_of = [&](const Service& service) {
      if (service.step == Service::of_program) return none;
      const Call& call = here_->calls[service.call];
      const ResolvedStep& step = call.steps()[service.step];
      return step.asks() ? here_->resource(call, step, service.use) : none;
    };
    const Number resource = resource_of(services()[before]);
    while (before-- > 0) {
      if (resource_of(services()[before]) == resource) return leave_resource(before);
    }
    lose();
  }
  // From where a service ends to where it begins.
  void leave_resource(std::size_t number) {
    const Service& service = services()[number];
    const Call& call = here_->calls[service.call];
    add(call.steps()[service.step].uses[service.use].occupied,
        cause(Cause::Kind::gap, call, service.step, service.use));
    go_to_service(number);
  }

  // To the last one before that has kept the processor. Behind that, a program stands where its item ends.
  void go_to_processor(std::size_t before) {
    while (before-- > 0) {
      const Service& service = services()[before];
      if (service.step == Service::of_program) return go_to(here_->uses[service.call] + 1);
      const Call& call = here_->calls[service.call];
      const std::vector<ResolvedStep>& steps = call.steps();
      std::size_t work = service.step;
      if (steps[work].kind == Kind::acquire && service.step < call.background_from) {
        while (work < steps.size() && steps[work].kind != Kind::busy) ++work;
      } else if (steps[work].kind != Kind::arrival) {
        continue;
      }
      if (work < steps.size()) add(steps[work].time, cause(Cause::Kind::overhead, call, work));
      return go_to_service(before);
    }
    lose();
  }

  // Of a resource that only programs ask for, the service before is that of an earlier item.
  void pass_use() {
    const auto resource_of = [&](const Item& item) {
      if (item.choice == Listing::no_choice || (item.kind != Item::Kind::acquire && item.kind != Item::Kind::emit))
        return none;
      const Call& call = here_->calls[item.number];
      return here_->resource(call, call.steps()[item.step]);
    };
    const Item& item = here_->items[number_];
    if (!takes_other(choice(item.choice))) return go_to(number_);
    const Number resource = resource_of(item);
    while (number_-- > 0) {
      const Item& earlier = here_->items[number_];
      if (resource_of(earlier) != resource) continue;
      const Call& call = here_->calls[earlier.number];
      return add(call.steps()[earlier.step].uses.front().occupied, cause(Cause::Kind::gap, call, earlier.step));
    }
    lose();
  }

  // --- windows and collectives ---
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
      go_to(here_->item_of_step(*received, received->background_from));
    } else if (has_charge_at_wait(steps)) {
      go_to(received->waited_item);
    } else {
      go_to_end_of_background(number_of(*received));
    }
  }

  void pass_collective(const Item& item) {
    using Root = ir::Collective::Root;
    const Listing::Gathering& gathering = here_->gatherings[item.number];
    const ir::Collective& collective = *gathering.collective;
    const LaterTime chosen = choice(item.choice);
    const double cost = run_.recording.cost(number_of_rank(), gathering.paid);
    const Cause paid = cause(Cause::Kind::collective, gathering.statement, gathering.inside);
    if (collective.root == Root::from) {
      is_tied_ = is_tied_ || (chosen.is_tied && rank_ != gathering.root);
      if (!chosen.is_other) return;
      add(cost, paid);
      return go_to_collective(gathering.root, item.number);
    }
    add(cost, paid);
    const auto axis = collective.along ? static_cast<std::uint32_t>(*collective.along) : none;
    const auto& all = run_.recording.gatherings;
    const auto last = all.find({static_cast<Number>(gathering.root), axis, item.number});
    if (last == all.end()) return lose();
    is_tied_ = is_tied_ || last->second.is_tied;
    if (chosen.is_other) go_to_collective(last->second.process, item.number);
  }
  void go_to_collective(std::int64_t rank, std::uint32_t round) {
    stand_at(rank);
    if (round >= here_->gatherings.size()) return lose();
    go_to(here_->gatherings[round].item);
  }

  const ProgramInput& input_;
  const RecordedRun& run_;
  const ir::PhaseId phase_;
  ListedProcesses processes_;
  const bool in_detail_;
  PathSums sums_;
  std::int64_t bytes_of_paths_ = 0;
  // Each with how often it counts, but the one that is followed.
  std::map<Waypoint, double> paths_;
  std::int64_t rank_ = 0;
  const ListedProcess* process_ = nullptr;
  const Listing* here_ = nullptr;
  At at_ = At::program;
  std::size_t number_ = 0;  // of items or steps, or which service or item
  std::uint32_t call_ = 0;  // in the background
  double left_ = 0, times_on_path_ = 1;
  bool is_tied_ = false;
};

}  // namespace

CriticalPath follow_back(const ProgramInput& input, const RecordedRun& run, std::int64_t rank, double finish,
                         const PathTarget& target, bool in_detail) {
  return Follower(input, run, target.phase, in_detail).run(rank, finish, target.is_left_last);
}

}  // namespace wave::backend::processes::engine
