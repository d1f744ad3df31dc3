// From operations on registers to times that are written once.
#include "backend/processes/bulk/array_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace wave::backend::processes {

namespace {

using Kind = PlannedOperation::Kind;

class Composer {
 public:
  Composer(const OperationList& list, Fields& fields, const std::vector<bool>& wrap, bool keeps_choices)
      : list_(list),
        fields_(fields),
        wrap_(wrap),
        keeps_choices_(keeps_choices),
        registers_(list.registers),
        signals_(list.signals),
        at_offset_(list.peers.size()) {
    for (std::uint32_t i = 0; i < list.carried.size(); ++i) registers_[i] = ArrayTime{i, 0};
    times_.inputs = times_.arrays = list.carried.size();
    // Registers that are read before anything is written to them.
    const auto read = [&](std::uint32_t number) {
      if (!registers_[number]) registers_[number] = ArrayTime{static_cast<std::uint32_t>(times_.inputs++), 0};
    };
    std::vector<bool> written(list.registers, false);
    for (const PlannedOperation& operation : list.operations) {
      const bool reads_target = operation.kind != Kind::emit && operation.service == PlannedOperation::no_service &&
                                (operation.kind != Kind::copy || operation.peer != PlannedOperation::always);
      const bool reads_source = operation.kind != Kind::add && operation.kind != Kind::await;
      if (reads_target && !written[operation.target]) read(operation.target);
      if (reads_source && !written[operation.source]) read(operation.source);
      if (operation.kind != Kind::emit) written[operation.target] = true;
    }
    times_.arrays = times_.inputs;
  }

  ArrayTimes run() {
    times_.steps.reserve(list_.operations.size());
    times_.made.reserve(list_.operations.size());
    for (const PlannedOperation& operation : list_.operations) visit(operation);
    end();
    drop_unused();
    number_rounds();
    return std::move(times_);
  }

 private:
  using Term = std::pair<std::uint32_t, double>;  // peers, and what is added where there is one

  void visit(const PlannedOperation& operation);
  void serve(const PlannedOperation& operation);
  bool goes_into_last(const PlannedOperation& operation, double plus, std::uint32_t where);
  bool is_kept_apart(const PlannedOperation& operation, double plus, std::uint32_t where);
  ArrayTime in_full(const ArrayTime& time);
  bool is_at_least(const ArrayTime& time, const ArrayTime& other) const;
  void look_through(TimeStep& step) const;
  std::uint32_t happens_where(const PlannedOperation& operation);
  const PeerMapPtr& at_offset(std::uint32_t peer);
  std::uint32_t number_of(const PeerMapPtr& peers);
  ArrayTime make(TimeStep step);
  void end();
  void drop_unused();
  void number_rounds();

  const OperationList& list_;
  Fields& fields_;
  const std::vector<bool>& wrap_;
  const bool keeps_choices_;
  ArrayTimes times_;
  std::vector<std::optional<ArrayTime>> registers_;
  std::vector<ArrayTime> signals_;
  std::vector<PeerMapPtr> at_offset_;  // by OperationList::peers
  bool is_last_shared_ = false;        // several registers and signals have had the array of the last step
  std::map<const PeerMap*, std::uint32_t> numbers_;
  std::map<std::vector<Term>, std::uint32_t> runs_of_;  // `nothing`: there are too many
  std::vector<std::vector<Term>> terms_;                // of the runs
};

const PeerMapPtr& Composer::at_offset(std::uint32_t peer) {
  PeerMapPtr& peers = at_offset_[peer];
  if (!peers) peers = fields_.at_offset(list_.peers[peer], wrap_);
  return peers;
}

std::uint32_t Composer::number_of(const PeerMapPtr& peers) {
  const auto [entry, is_new] = numbers_.try_emplace(peers.get(), static_cast<std::uint32_t>(times_.peers.size()));
  if (is_new) times_.peers.push_back(peers);
  return entry->second;
}

// Signals are for those who await them: wherever nobody does, any time will do.
std::uint32_t Composer::happens_where(const PlannedOperation& operation) {
  if (operation.kind == Kind::await) {
    const bool is_by_rank = operation.ranks != PlannedOperation::by_peer;
    return number_of(is_by_rank ? list_.ranks[operation.ranks] : at_offset(operation.peer));
  }
  if (operation.peer == PlannedOperation::always || operation.kind == Kind::emit) return TimeStep::everywhere;
  const PeerMapPtr& peers = at_offset(operation.peer);
  return peers->everywhere() ? TimeStep::everywhere : number_of(peers);
}

ArrayTime Composer::make(TimeStep step) {
  if (step.peers != TimeStep::everywhere && !times_.peers[step.peers]->in_runs()) {
    if (step.own.runs != ArrayTime::nothing) step.else_plus = 0;
    step.own = in_full(step.own);
    step.other = in_full(step.other);
  }
  times_.steps.push_back(std::move(step));
  times_.made.push_back(static_cast<std::uint32_t>(times_.arrays));
  is_last_shared_ = false;
  return {static_cast<std::uint32_t>(times_.arrays++), 0};
}

// What is added where the last step has happened is a part of it, as long as nobody has looked at what it made.
bool Composer::goes_into_last(const PlannedOperation& operation, double plus, std::uint32_t where) {
  if (keeps_choices_ || operation.kind != Kind::add || times_.steps.empty()) return false;
  const ArrayTime& time = *registers_[operation.target];
  TimeStep& last = times_.steps.back();
  if (time.array != times_.made.back() || is_last_shared_ || time.plus != 0 || time.runs != ArrayTime::nothing ||
      last.peers != where)
    return false;
  last.own.plus += plus;
  last.other.plus += plus;
  return true;
}

// What is added where there are peers stays beside the array, as long as it is the same for many processes in a row.
bool Composer::is_kept_apart(const PlannedOperation& operation, double plus, std::uint32_t where) {
  if (operation.kind != Kind::add || !std::isfinite(plus) || !times_.peers[where]->in_runs()) return false;
  ArrayTime& time = *registers_[operation.target];
  std::vector<Term> terms{{where, plus}};
  if (time.runs != ArrayTime::nothing) terms.insert(terms.end(), terms_[time.runs].begin(), terms_[time.runs].end());
  std::sort(terms.begin(), terms.end());
  const auto [entry, is_new] = runs_of_.try_emplace(terms, ArrayTime::nothing);
  if (is_new) {
    std::vector<PlusRuns::Term> of;
    for (const auto& [peers, one] : terms) of.push_back({times_.peers[peers].get(), one});
    if (std::optional<PlusRuns> runs = PlusRuns::of(of, static_cast<std::int32_t>(fields_.grid().count()))) {
      entry->second = static_cast<std::uint32_t>(times_.runs.size());
      times_.runs.push_back(fields_.make(std::move(*runs)));
      terms_.push_back(terms);
    }
  }
  if (entry->second == ArrayTime::nothing) return false;
  time.runs = entry->second;
  return true;
}

ArrayTime Composer::in_full(const ArrayTime& time) {
  if (time.runs == ArrayTime::nothing) return time;
  TimeStep step;
  step.other = time;
  return make(std::move(step));
}

// For all processes, as far as can be seen.
bool Composer::is_at_least(const ArrayTime& time, const ArrayTime& other) const {
  if (time.array != other.array || time.plus < other.plus) return false;
  const auto terms = [&](const ArrayTime& of) {
    return of.runs == ArrayTime::nothing ? std::vector<Term>{} : terms_[of.runs];
  };
  const std::vector<Term> more = terms(time), less = terms(other);
  return std::all_of(more.begin(), more.end(), [](const Term& term) { return term.second >= 0; }) &&
         std::includes(more.begin(), more.end(), less.begin(), less.end());
}

// A maximum with what itself is a maximum of two times, the one of which cannot be the largest: a wait for what began
// when the clock was earlier. Then only the other is looked at.
void Composer::look_through(TimeStep& step) const {
  if (step.other.array < times_.inputs || !step.weights.empty() || step.other.runs != ArrayTime::nothing) return;
  const TimeStep& inner = times_.steps[step.other.array - times_.inputs];  // up to now, every step makes the next array
  const bool is_there =
      inner.peers == step.peers || (step.peers == TimeStep::everywhere && times_.peers[inner.peers]->everywhere());
  ArrayTime earlier = inner.own;
  earlier.plus += step.other.plus;
  if (!inner.joins || !is_there || !is_at_least(step.own, earlier)) return;
  const double plus = step.other.plus;
  step.other = inner.other;
  step.other.plus += plus;
  step.weights = inner.weights;
  step.peers = inner.peers;
  step.of_peer = inner.of_peer;
}

// Wherever nobody asks, any time will do.
void Composer::serve(const PlannedOperation& operation) {
  TimeStep step;
  step.other = in_full(*registers_[operation.source]);
  step.service = operation.service;
  registers_[operation.target] = make(std::move(step));
}

void Composer::visit(const PlannedOperation& operation) {
  if (operation.service != PlannedOperation::no_service) return serve(operation);
  double plus = 0;
  TimeStep step;
  for (const std::uint32_t weight : operation.weights) {
    if (list_.weights[weight]->uniform())
      plus += list_.weights[weight]->values[0];
    else
      step.weights.push_back(weight);
  }
  step.joins = operation.kind == Kind::join || operation.kind == Kind::await;
  step.of_peer = operation.kind == Kind::await;
  step.peers = happens_where(operation);
  const bool varies = !step.weights.empty() || step.peers != TimeStep::everywhere;
  switch (operation.kind) {
    case Kind::add: step.other = *registers_[operation.target]; break;
    case Kind::copy:
    case Kind::emit:
    case Kind::join: step.other = *registers_[operation.source]; break;
    case Kind::await: step.other = signals_[operation.signal]; break;
  }
  if (operation.kind != Kind::emit && step.looks_at_own()) {
    step.own = *registers_[operation.target];
    step.else_plus = step.own.plus;
  }
  if (step.weights.empty() && step.peers != TimeStep::everywhere &&
      (goes_into_last(operation, plus, step.peers) || is_kept_apart(operation, plus, step.peers)))
    return;
  step.other.plus += plus;
  ArrayTime result;
  if (!step.joins && !varies) {
    result = step.other;
    if (operation.kind != Kind::add && !times_.made.empty() && result.array == times_.made.back())
      is_last_shared_ = true;
  } else if (!keeps_choices_ && !varies && step.own.array == step.other.array && step.own.runs == step.other.runs) {
    result = step.own;
    result.plus = std::max(step.own.plus, step.other.plus);
  } else {
    if (operation.kind == Kind::join && !keeps_choices_) look_through(step);
    if (step.joins) step.operation = static_cast<std::uint32_t>(&operation - list_.operations.data());
    result = make(std::move(step));
  }
  if (operation.kind == Kind::emit)
    signals_[operation.signal] = result;
  else
    registers_[operation.target] = result;
}

// The registers that the next run looks at, each in an array of its own.
void Composer::end() {
  std::vector<std::uint32_t> taken;
  for (std::uint32_t i = 0; i < list_.carried.size(); ++i) {
    const ArrayTime time = *registers_[i];
    const bool is_input = time.array < times_.inputs;
    const bool is_taken = std::find(taken.begin(), taken.end(), time.array) != taken.end();
    if (time.plus == 0 && time.runs == ArrayTime::nothing && !is_taken && (!is_input || time.array == i)) {
      times_.after.push_back(time.array);
    } else {
      TimeStep step;
      step.other = time;
      times_.after.push_back(make(std::move(step)).array);
    }
    taken.push_back(times_.after.back());
  }
}

void Composer::drop_unused() {
  std::vector<bool> used(times_.arrays, false);
  for (const std::uint32_t array : times_.after) used[array] = true;
  for (std::size_t i = times_.steps.size(); i-- > 0;) {
    const TimeStep& step = times_.steps[i];
    if (step.is_service()) used[times_.made[i]] = true;  // others wait for it
    if (!used[times_.made[i]]) continue;
    used[step.other.array] = true;
    if (step.looks_at_own()) used[step.own.array] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < times_.steps.size(); ++i) {
    if (!used[times_.made[i]]) continue;
    if (kept != i) times_.steps[kept] = std::move(times_.steps[i]);
    times_.made[kept++] = times_.made[i];
  }
  times_.steps.resize(kept);
  times_.made.resize(kept);
}

// As early as possible. Times that are there before are from round 0 on everybody's to look at.
void Composer::number_rounds() {
  std::vector<std::uint32_t> next(times_.arrays, 0);  // by array: the first round in which others may look at it
  const auto own_round = [&](std::uint32_t array) { return next[array] == 0 ? 0 : next[array] - 1; };
  for (std::size_t i = 0; i < times_.steps.size(); ++i) {
    TimeStep& step = times_.steps[i];
    // Who asks shares what serves with others.
    step.round = step.of_peer || step.is_service() ? next[step.other.array] : own_round(step.other.array);
    if (step.looks_at_own()) step.round = std::max(step.round, own_round(step.own.array));
    next[times_.made[i]] = step.round + 1;
  }
  std::vector<std::uint32_t> order(times_.steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const TimeStep &one = times_.steps[a], &other = times_.steps[b];
    return one.round != other.round ? one.round < other.round : one.is_service() && !other.is_service();
  });
  std::vector<TimeStep> steps;
  std::vector<std::uint32_t> made;
  steps.reserve(order.size());
  made.reserve(order.size());
  for (const std::uint32_t i : order) {
    steps.push_back(std::move(times_.steps[i]));
    made.push_back(times_.made[i]);
  }
  times_.steps = std::move(steps);
  times_.made = std::move(made);
}

}  // namespace

ArrayTimes array_times(const OperationList& list, Fields& fields, const std::vector<bool>& wrap, bool keeps_choices) {
  return Composer(list, fields, wrap, keeps_choices).run();
}

}  // namespace wave::backend::processes
