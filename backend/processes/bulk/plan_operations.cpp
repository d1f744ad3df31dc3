// From messages to operations: both ends of a message step by step, what goes on in the background on registers of its
// own.
#include "backend/processes/bulk/plan_operations.h"

#include "backend/processes/bulk/check.h"
#include "backend/processes/bulk/plan_order.h"
#include "backend/processes/bulk/request_order.h"
#include "backend/processes/never.h"
#include "backend/processes/program/checked.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace wave::backend::processes {

namespace {

using PlannedKind = PlannedOperation::Kind;

PlannedOperation copy(std::uint32_t target, std::uint32_t source) { return {PlannedKind::copy, target, source, 0, {}}; }

PlannedOperation caused(PlannedOperation operation, const OperationCause& cause) {
  operation.cause = cause;
  return operation;
}

class Lister {
 public:
  Lister(const WalkedStretch& stretch, const WalkContext& context)
      : stretch_(stretch),
        context_(context),
        fields_(context.fields),
        count_(context.count),
        no_count_(context.fields.first_only(context.fields.everywhere(), context.fields.everywhere())),
        receives_(stretch.pairs.size()) {
    for (std::size_t i = 0; i < stretch.steps.size(); ++i) {
      if (stretch.steps[i].kind == Walked::Kind::receive) receives_[stretch.steps[i].pair] = i;
    }
  }

  void take_up(std::vector<PendingOperation> pending);
  [[nodiscard]] bool visit(const Walked& step);
  std::optional<OperationList> finish();

 private:
  // One end of the messages of a statement that take one alternative.
  struct End {
    const std::vector<ResolvedStep>& steps;
    const AlternativeEnd& times;
    FieldPtr mask;
    std::uint32_t peer, ranks;
    std::size_t pair, alternative;
    bool sends;
    ir::EndsId ends;
    const ir::Statement* statement;
    const Bindings* inside;
    std::map<std::size_t, std::uint32_t>& left;  // by `sent` step: the register of when it passes
  };

  bool communicate(const Walked& step);
  [[nodiscard]] bool begin_background(const End& end, const Walked& step, std::uint32_t met);
  bool wait(const Walked& step);
  // The steps [from, to) on `clock`; a busy after the last emit goes to `tail` where there is one.
  std::optional<std::vector<PlannedOperation>> steps(const End& end, std::size_t from, std::size_t to,
                                                     std::uint32_t clock, std::vector<PendingOperation::Charge>* tail);
  [[nodiscard]] bool emit(const End& end, std::size_t number, std::uint32_t clock,
                          std::vector<PlannedOperation>& items);
  void await(const End& end, std::size_t number, std::uint32_t clock, std::vector<PlannedOperation>& items);
  void leave(const End& end, std::size_t number, std::uint32_t from, std::vector<PlannedOperation>& items);
  void acquire(const End& end, std::size_t number, std::uint32_t clock, std::vector<PlannedOperation>& items);
  PlannedOperation later(const End& end, std::size_t number, std::uint32_t from);
  PlannedOperation occupy(const End& end, std::size_t number);
  bool may_ask(const Walked& step, const ResolvedEnds& ends) const;
  bool serves_by_time(const End& end, std::size_t number) const;
  std::uint32_t served(const End& end, std::size_t number, std::uint32_t source, std::vector<PlannedOperation>& items);
  PlannedService service(const End& end, std::size_t number);
  PeerMapPtr peers_of(const End& end) const;
  FieldPtr asking(const End& end) const;
  FieldPtr after_step(const FieldPtr& count, const FieldPtr& time, const FieldPtr& mask);
  void pass(const End& end, std::size_t number, std::uint32_t clock);
  bool takes_time(const FieldPtr& time, const FieldPtr& mask);
  [[nodiscard]] bool place(const std::optional<std::vector<PlannedOperation>>& items) {
    if (!items) return false;
    for (const PlannedOperation& item : *items) {
      if (!order_.place(item)) return false;
    }
    return true;
  }

  OperationCause cause(const End& end, std::size_t number, Cause::Kind kind) const;
  std::optional<bool> is_awaited(const End& end, std::uint32_t signal) const;
  std::uint32_t signal(const End& end, std::uint32_t number);
  std::uint32_t peer(const std::vector<std::int64_t>& offset);
  std::uint32_t resource(const End& end, std::size_t number);
  std::uint32_t temporary() { return next_register_++; }
  std::vector<std::uint32_t> weights(std::initializer_list<FieldPtr> fields);
  FieldPtr guard(const FieldPtr& mask) { return mask ? fields_.guard(mask) : nullptr; }
  FieldPtr for_those(const FieldPtr& time, const FieldPtr& mask) { return time ? fields_.where(time, mask) : nullptr; }
  [[nodiscard]] bool carry_pending();
  [[nodiscard]] bool settle_resources();
  void number_registers();

  const WalkedStretch& stretch_;
  const WalkContext& context_;
  Fields& fields_;
  FieldPtr count_;                     // as WalkContext has it, where the program is
  FieldPtr no_count_;                  // 0 everywhere, always the same, so that what is made of it is found again
  FieldPtr count_of_end_;              // the same for those who come to the end at hand, wherever it goes on
  std::vector<std::size_t> receives_;  // by pair: WalkedStretch::steps
  OperationList list_;
  OperationOrder order_;
  std::map<const ir::Message*, std::uint32_t> met_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::uint32_t> signals_;
  std::map<Carried, std::uint32_t> slots_;  // registers that carry something between runs
  std::map<const Field*, std::uint32_t> weight_numbers_;
  std::uint32_t next_register_ = 1;
};

// --- statements ---

bool Lister::visit(const Walked& step) {
  switch (step.kind) {
    case Walked::Kind::compute:
      if (context_.served_by_time) count_ = after_step(count_, step.time, step.mask);
      return order_.place(caused({PlannedKind::add, clock_register, 0, 0, weights({step.time})},
                                 {Cause::Kind::compute, step.statement, nullptr, nullptr, false, step.inside}));
    case Walked::Kind::send:
    case Walked::Kind::receive: return communicate(step);
    case Walked::Kind::wait: return wait(step);
  }
  return false;
}

bool Lister::communicate(const Walked& step) {
  const MessagePair& pair = stretch_.pairs[step.pair];
  const bool sends = step.kind == Walked::Kind::send;
  std::vector<std::int64_t> offset = pair.offset;
  if (!sends) {
    for (std::int64_t& one : offset) one = -one;
  }
  std::uint32_t ranks = PlannedOperation::by_peer;
  if (pair.targets) {
    ranks = static_cast<std::uint32_t>(list_.ranks.size());
    list_.ranks.push_back(sends ? pair.targets : pair.sources);
  }
  const std::uint32_t other = peer(offset), met = met_[step.message]++;
  for (std::size_t i = 0; i < pair.alternatives->size(); ++i) {
    const Alternative& alternative = (*pair.alternatives)[i];
    if (!may_ask(step, *alternative.shape)) return false;
    const AlternativeEnd& times = sends ? alternative.sender : alternative.receiver;
    std::map<std::size_t, std::uint32_t> left;
    const End end{sends ? alternative.shape->sender : alternative.shape->receiver,
                  times,
                  fields_.both(step.acting, times.mask),
                  other,
                  ranks,
                  step.pair,
                  i,
                  sends,
                  step.message->ends,
                  step.statement,
                  step.inside,
                  left};
    const bool is_listed = step.message->background ? begin_background(end, step, met)
                                                    : place(steps(end, 0, end.steps.size(), clock_register, nullptr));
    if (!is_listed) return false;
  }
  return true;
}

bool Lister::begin_background(const End& end, const Walked& step, std::uint32_t met) {
  const auto is_await = [](const ResolvedStep& one) { return ir::is_awaiting(one.kind); };
  const auto first = std::find_if(end.steps.begin(), end.steps.end(), is_await) - end.steps.begin();
  const auto prefix = static_cast<std::size_t>(first);
  if (!place(steps(end, 0, prefix, clock_register, nullptr))) return false;
  if (prefix == end.steps.size()) return true;  // nothing is left to wait for
  BackgroundOperation one;
  one.clock = temporary();
  one.awaited = step.awaited;
  if (!order_.place(copy(one.clock, clock_register))) return false;
  one.pending = {{step.message, met, static_cast<std::uint32_t>(end.alternative)},
                 step.message->handle,
                 step.mask,
                 guard(end.mask),
                 {},
                 end.peer == PlannedOperation::always ? std::vector<std::int64_t>{} : list_.peers[end.peer],
                 step.statement};
  const auto items = steps(end, prefix, end.steps.size(), one.clock, &one.pending.tail);
  if (!items) return false;
  one.items.assign(items->begin(), items->end());
  order_.background.push_back(std::move(one));
  return true;
}

bool Lister::wait(const Walked& step) {
  std::deque<BackgroundOperation>& background = order_.background;
  for (std::size_t i = 0; i < background.size();) {
    const PendingOperation& pending = background[i].pending;
    if (step.handle.valid() && pending.handle != step.handle) {
      ++i;
      continue;
    }
    if (step.mask && step.mask != pending.mask) return false;  // some would go on, others not
    if (!order_.finish(background[i])) return false;
    const BackgroundOperation done = background[i];
    background.erase(background.begin() + static_cast<std::ptrdiff_t>(i));
    const std::uint32_t other = peer(done.pending.peer);
    const ir::Statement* const message = done.pending.statement;
    count_ = nullptr;
    std::vector<PlannedOperation> items{
        caused({PlannedKind::join, clock_register, done.clock, 0, weights({done.pending.guard}), other},
               {Cause::Kind::wire, message})};
    for (const PendingOperation::Charge& charge : done.pending.tail) {
      items.push_back(caused({PlannedKind::add, clock_register, 0, 0, weights({charge.time}), other}, charge.cause));
      const bool by_all = !done.pending.mask && !done.pending.guard && done.pending.peer.empty();
      count_ = by_all ? after_step(count_, charge.time, nullptr) : nullptr;
    }
    if (!place(std::move(items))) return false;
  }
  return true;
}

// --- the steps of an end ---

std::optional<std::vector<PlannedOperation>> Lister::steps(const End& end, std::size_t from, std::size_t to,
                                                           std::uint32_t clock,
                                                           std::vector<PendingOperation::Charge>* tail) {
  std::size_t last_emit = 0;
  for (std::size_t i = 0; i < end.steps.size(); ++i) {
    if (end.steps[i].kind == ir::Step::Kind::emit) last_emit = i;
  }
  std::vector<PlannedOperation> items;
  count_of_end_ = clock == clock_register ? count_ : nullptr;
  for (std::size_t i = from; i < to; ++i) {
    switch (end.steps[i].kind) {
      case ir::Step::Kind::busy: {
        const FieldPtr time = for_those(end.times.time[i], end.mask);
        if (tail && i > last_emit)
          tail->push_back({time, cause(end, i, Cause::Kind::overhead)});
        else
          items.push_back(
              caused({PlannedKind::add, clock, 0, 0, weights({time}), end.peer}, cause(end, i, Cause::Kind::overhead)));
        break;
      }
      case ir::Step::Kind::emit:
        if (!emit(end, i, clock, items)) return std::nullopt;
        break;
      case ir::Step::Kind::await: await(end, i, clock, items); break;
      case ir::Step::Kind::sent:
        items.push_back({PlannedKind::join, clock, end.left.at(i), 0, weights({guard(end.mask)}), end.peer});
        break;
      case ir::Step::Kind::acquire: acquire(end, i, clock, items); break;
      case ir::Step::Kind::arrival: return std::nullopt;  // never in order
    }
    if (!tail || i <= last_emit || end.steps[i].kind != ir::Step::Kind::busy) pass(end, i, clock);
  }
  return items;
}

bool Lister::emit(const End& end, std::size_t number, std::uint32_t clock, std::vector<PlannedOperation>& items) {
  const ResolvedStep& step = end.steps[number];
  const std::optional<bool> awaited = is_awaited(end, step.signal);
  if (!awaited) return false;
  const bool by_time = serves_by_time(end, number), in_order = step.asks() && !by_time;
  const std::uint32_t from = by_time ? served(end, number, clock, items) : in_order ? resource(end, number) : clock;
  if (in_order) items.push_back({PlannedKind::join, from, clock, 0, weights({guard(end.mask)}), end.peer});
  if (*awaited) {
    const FieldPtr time = end.times.time[number];
    items.push_back(caused({PlannedKind::emit, 0, from, signal(end, step.signal), weights({time}), end.peer},
                           cause(end, number, Cause::Kind::wire)));
  }
  leave(end, number, from, items);
  if (in_order) items.push_back(occupy(end, number));
  return true;
}

// When the bytes of a signal that leaves at `from` have left, for the steps that wait for that.
void Lister::leave(const End& end, std::size_t number, std::uint32_t from, std::vector<PlannedOperation>& items) {
  for (std::size_t i = number + 1; i < end.steps.size(); ++i) {
    if (end.steps[i].kind != ir::Step::Kind::sent || end.steps[i].signal != end.steps[number].signal) continue;
    items.push_back(later(end, i, from));
    end.left[i] = items.back().target;
  }
}

// A register that says when the time of the step has passed since `from`.
PlannedOperation Lister::later(const End& end, std::size_t number, std::uint32_t from) {
  PlannedOperation later = copy(temporary(), from);
  later.weights = weights({for_those(end.times.time[number], end.mask)});
  return caused(std::move(later), cause(end, number, Cause::Kind::wire));
}

void Lister::await(const End& end, std::size_t number, std::uint32_t clock, std::vector<PlannedOperation>& items) {
  const ResolvedStep& step = end.steps[number];
  const bool by_time = serves_by_time(end, number);
  const std::uint32_t awaited = signal(end, step.signal);
  std::uint32_t to = step.asks() && !by_time ? resource(end, number) : clock;
  if (by_time) {  // whatever the clock, it asks when it arrives
    items.push_back(copy(temporary(), clock));
    items.back().weights = weights({fields_.constant(never)});
    to = items.back().target;
  }
  items.push_back(caused({PlannedKind::await, to, 0, awaited, weights({guard(end.mask)}), end.peer, end.ranks},
                         cause(end, number, Cause::Kind::wire)));
  if (!step.asks()) return;
  std::uint32_t passes = by_time ? served(end, number, to, items) : to;
  if (step.has_time) {
    items.push_back(later(end, number, passes));
    passes = items.back().target;
  }
  items.push_back({PlannedKind::join, clock, passes, 0, weights({guard(end.mask)}), end.peer});
  if (!by_time) items.push_back(occupy(end, number));
}

void Lister::acquire(const End& end, std::size_t number, std::uint32_t clock, std::vector<PlannedOperation>& items) {
  const bool by_time = serves_by_time(end, number);
  const std::uint32_t own = by_time ? served(end, number, clock, items) : resource(end, number);
  if (!by_time) items.push_back({PlannedKind::join, own, clock, 0, weights({guard(end.mask)}), end.peer});
  items.push_back({PlannedKind::join, clock, own, 0, weights({guard(end.mask)}), end.peer});
  if (!by_time) items.push_back(occupy(end, number));
}

// In order, or in batches for what there is only one of.
bool Lister::may_ask(const Walked& step, const ResolvedEnds& ends) const {
  const ir::MessageEnds& machine = fields_.system()[step.message->ends];
  if (!context_.served_by_time)
    return asks_in_order(machine, machine.protocols[ends.protocol], *step.message, &context_.levels);
  const auto is_one_of_many = [&](const ResolvedStep& one) {
    return one.asks() && machine.resources[one.uses[0].resource].count.valid();
  };
  return std::ranges::none_of(ends.sender, is_one_of_many) && std::ranges::none_of(ends.receiver, is_one_of_many);
}

bool Lister::serves_by_time(const End& end, std::size_t number) const {
  const ResolvedStep& step = end.steps[number];
  return step.asks() && context_.served_by_time && context_.served_by_time->contains({end.ends, step.uses[0].resource});
}

// A register that says when what is requested at `source` begins to be served.
std::uint32_t Lister::served(const End& end, std::size_t number, std::uint32_t source,
                             std::vector<PlannedOperation>& items) {
  PlannedOperation request = copy(temporary(), source);
  request.peer = end.peer;
  request.service = static_cast<std::uint32_t>(list_.services.size());
  list_.services.push_back(service(end, number));
  list_.services.back().of_program = source == clock_register;
  items.push_back(std::move(request));
  return items.back().target;
}

PlannedService Lister::service(const End& end, std::size_t number) {
  const ResolvedStep& step = end.steps[number];
  const MessagePair& pair = stretch_.pairs[end.pair];
  const Alternative& alternative = (*pair.alternatives)[end.alternative];
  const auto by_process = [&](const FieldPtr& field) { return field->uniform() ? field : fields_.expanded(field); };
  PlannedService service;
  service.resource = {end.ends, step.uses[0].resource};
  service.mask = end.mask;
  service.of_peer = step.kind == ir::Step::Kind::await;
  service.occupied = by_process(end.times.occupied[number]);
  service.peers = peers_of(end);
  // Whose stamp it is, and the step of that end.
  const bool of_sender = end.sends != service.of_peer;
  std::size_t place = number;
  service.count = count_of_end_;
  if (service.of_peer) {
    const std::vector<ResolvedStep>& steps = of_sender ? alternative.shape->sender : alternative.shape->receiver;
    const auto emit = std::ranges::find_if(
        steps, [&](const ResolvedStep& one) { return one.kind == ir::Step::Kind::emit && one.signal == step.signal; });
    place = static_cast<std::size_t>(emit - steps.begin());
    FieldPtr on_way = (of_sender ? alternative.sender : alternative.receiver).time[place];
    if (!on_way->uniform() && service.peers) on_way = fields_.gathered(by_process(on_way), service.peers);
    service.count = takes_time(on_way, asking(end)) ? no_count_ : nullptr;
  } else if (service.count) {
    service.count = by_process(service.count);
  }
  service.order = std::uint64_t{of_sender ? pair.send : receives_[end.pair]} << 32 | place;
  return service;
}

// Null: all have one.
PeerMapPtr Lister::peers_of(const End& end) const {
  if (end.ranks != PlannedOperation::by_peer) return list_.ranks[end.ranks];
  if (end.peer == PlannedOperation::always) return nullptr;
  return fields_.at_offset(list_.peers[end.peer], context_.wrap);
}

// The processes that have such an end; null: all.
FieldPtr Lister::asking(const End& end) const {
  const PeerMapPtr peers = peers_of(end);
  return fields_.both(end.mask, peers ? fields_.with_peer(peers) : nullptr);
}

// The count of the moment after a step of these processes (null: all) that takes so long.
FieldPtr Lister::after_step(const FieldPtr& count, const FieldPtr& time, const FieldPtr& mask) {
  if (!count) return time && !mask && takes_time(time, nullptr) ? no_count_ : nullptr;
  const FieldPtr taken = time ? time : no_count_;
  const FieldPtr of_those =
      !mask ? taken : fields_.combine(taken, mask, [](double t, double m) { return m != 0 ? t : -1; });
  return fields_.combine(count, of_those, [](double c, double t) { return t < 0 ? c : t > 0 ? 0 : c + 1; });
}

// Counts the step of an end. What is waited for goes on one step after the later of two moments.
void Lister::pass(const End& end, std::size_t number, std::uint32_t clock) {
  if (!context_.served_by_time) return;
  const ir::Step::Kind kind = end.steps[number].kind;
  const bool waits = ir::is_awaiting(kind) || kind == ir::Step::Kind::acquire;
  const FieldPtr time = kind == ir::Step::Kind::busy ? end.times.time[number] : nullptr;
  const FieldPtr those = asking(end);
  if (waits)
    count_of_end_ = nullptr;
  else if (time && takes_time(time, those))
    count_of_end_ = no_count_;
  else
    count_of_end_ = after_step(count_of_end_, time, those);
  if (clock == clock_register) count_ = waits ? nullptr : after_step(count_, time, those);
}

// For all of these processes.
bool Lister::takes_time(const FieldPtr& time, const FieldPtr& mask) {
  if (time->uniform()) return time->values[0] > 0;
  const FieldPtr all = fields_.expanded(time), those = mask ? fields_.expanded(mask) : nullptr;
  for (std::size_t process = 0; process < all->values.size(); ++process) {
    if ((!those || those->values[process] != 0) && !(all->values[process] > 0)) return false;
  }
  return true;
}

// The resource of the step begins to serve it when its register says, and is free again so much later.
PlannedOperation Lister::occupy(const End& end, std::size_t number) {
  return {PlannedKind::add, resource(end, number), 0, 0, weights({for_those(end.times.occupied[number], end.mask)}),
          end.peer};
}

std::uint32_t Lister::resource(const End& end, std::size_t number) {
  const auto [slot, is_new] = slots_.try_emplace({{}, ResourceKey{end.ends, end.steps[number].uses[0].resource}}, 0);
  if (is_new) slot->second = temporary();
  return slot->second;
}

OperationCause Lister::cause(const End& end, std::size_t number, Cause::Kind kind) const {
  const Alternative& alternative = (*stretch_.pairs[end.pair].alternatives)[end.alternative];
  const ResolvedEnds& shape = *alternative.shape;
  if (kind == Cause::Kind::wire) {
    const ir::Protocol& protocol = fields_.system()[end.ends].protocols[shape.protocol];
    if (protocol.signals[end.steps[number].signal] != "payload") kind = Cause::Kind::handshake;
  }
  OperationCause cause{kind, end.statement, &shape, &end.steps[number], alternative.varies, end.inside};
  if (!gives_no_size(*end.statement)) return cause;
  const Walked& send = stretch_.steps[stretch_.pairs[end.pair].send];
  cause.inside = send.inside;
  cause.sized_by = send.statement;
  return cause;
}

// Refused where it is emitted or awaited several times.
std::optional<bool> Lister::is_awaited(const End& end, std::uint32_t signal) const {
  const ResolvedEnds& shape = *(*stretch_.pairs[end.pair].alternatives)[end.alternative].shape;
  const auto count = [&](const std::vector<ResolvedStep>& steps, ir::Step::Kind kind) {
    return std::count_if(steps.begin(), steps.end(),
                         [&](const ResolvedStep& step) { return step.kind == kind && step.signal == signal; });
  };
  const auto& here = end.sends ? shape.sender : shape.receiver;
  const auto& there = end.sends ? shape.receiver : shape.sender;
  const auto awaits = count(there, ir::Step::Kind::await);
  if (count(here, ir::Step::Kind::emit) != 1 || awaits > 1) return std::nullopt;
  return awaits == 1;
}

// --- names ---

std::uint32_t Lister::signal(const End& end, std::uint32_t number) {
  return signals_.try_emplace({end.pair, end.alternative, number}, static_cast<std::uint32_t>(signals_.size()))
      .first->second;
}

std::uint32_t Lister::peer(const std::vector<std::int64_t>& offset) {
  if (offset.empty()) return PlannedOperation::always;
  const auto found = std::find(list_.peers.begin(), list_.peers.end(), offset);
  if (found == list_.peers.end()) {
    list_.peers.push_back(offset);
    return static_cast<std::uint32_t>(list_.peers.size() - 1);
  }
  return static_cast<std::uint32_t>(found - list_.peers.begin());
}

std::vector<std::uint32_t> Lister::weights(std::initializer_list<FieldPtr> fields) {
  std::vector<std::uint32_t> result;
  for (const FieldPtr& field : fields) {
    if (!field) continue;
    const auto [entry, is_new] =
        weight_numbers_.try_emplace(field.get(), static_cast<std::uint32_t>(list_.weights.size()));
    if (is_new) list_.weights.push_back(field);
    result.push_back(entry->second);
  }
  return result;
}

// --- between runs ---

void Lister::take_up(std::vector<PendingOperation> pending) {
  for (PendingOperation& one : pending) {
    BackgroundOperation old;
    old.clock = slots_[{one.key, {}}] = temporary();
    old.pending = std::move(one);
    old.is_old = true;
    order_.background.push_back(std::move(old));
  }
}

// What is still pending goes to the register where the next run looks for it.
bool Lister::carry_pending() {
  for (BackgroundOperation& one : order_.background) {
    if (!order_.finish(one)) return false;
  }
  std::set<PendingOperation::Key> taken;
  for (const BackgroundOperation& one : order_.background) {
    if (!one.awaited) continue;
    if (!taken.insert(one.pending.key).second || taken.size() > most_pending) return false;
    list_.pending.push_back(one.pending);
    if (one.is_old) continue;
    const auto [slot, is_new] = slots_.try_emplace({one.pending.key, {}}, 0);
    if (is_new) slot->second = temporary();
    if (!order_.place(copy(slot->second, one.clock))) return false;
  }
  return true;
}

// Nobody asks for a resource any more from a time before the clock (request_order.h), so nobody minds if it is free no
// earlier than that. Then its times rise as clocks do, also where it is not asked for any more (identical_steps.h).
bool Lister::settle_resources() {
  for (const auto& [carried, slot] : slots_) {
    if (carried.resource && !order_.place({PlannedKind::join, slot, clock_register, 0, {}})) return false;
  }
  return true;
}

// Carried registers first, in an order of their own, so that two runs number them alike.
void Lister::number_registers() {
  std::vector<std::uint32_t> number(next_register_, 0);
  list_.carried = {{}};
  for (const auto& [carried, old] : slots_)
    number[old] = static_cast<std::uint32_t>(list_.carried.size()), list_.carried.push_back(carried);
  std::uint32_t next = static_cast<std::uint32_t>(list_.carried.size());
  for (std::uint32_t old = 1; old < next_register_; ++old) {
    if (number[old] == 0) number[old] = next++;
  }
  list_.registers = next;
  for (PlannedOperation& operation : order_.operations) {
    operation.target = number[operation.target];
    operation.source = number[operation.source];
  }
}

std::optional<OperationList> Lister::finish() {
  if (!carry_pending() || !settle_resources()) return std::nullopt;
  number_registers();
  list_.operations = std::move(order_.operations);
  list_.ordered = order_.ordered;
  list_.count = count_;
  list_.signals = static_cast<std::uint32_t>(signals_.size());
  return std::move(list_);
}

}  // namespace

std::optional<OperationList> list_operations(std::span<const ir::Statement> statements, const WalkContext& context,
                                             std::vector<PendingOperation> pending) {
  const std::optional<WalkedStretch> stretch = walk(statements, context);
  if (!stretch) return std::nullopt;
  Lister lister(*stretch, context);
  lister.take_up(std::move(pending));
  for (const Walked& step : stretch->steps) {
    if (!lister.visit(step)) return std::nullopt;
  }
  std::optional<OperationList> list = lister.finish();
  if constexpr (forms_are_checked) {
    if (list) require_whole(find_breach(*list));
  }
  return list;
}

}  // namespace wave::backend::processes
