// Why a network came to a stop.
#include "backend/processes/network_control.h"
#include "backend/processes/thresholds.h"
#include "ir/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::backend::processes::network {

namespace {

// As the user writes it: `P[2, 1]`.
std::string name_of(const Control& control, Number process) {
  std::string text;
  for (const std::int64_t index : control.places.point(process))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", index);
  return fmt::format("{}[{}]", control.system[control.process.space].name, text);
}

ir::Failure failure_of(const Control& control, ir::FailureKind kind, Number process, const ir::Statement& statement) {
  ir::Failure failure;
  failure.kind = kind;
  failure.location = statement.location;
  const auto& axes = control.system[control.process.space].axes;
  const auto point = control.places.point(process);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) failure.indices.emplace_back(axes[axis].name, point[axis]);
  return failure;
}

// The statement at which a process stands.
const ir::Statement* statement_of(const Instruction& instruction) {
  if (const auto* n = std::get_if<Communicate>(&instruction)) return n->statement;
  if (const auto* n = std::get_if<AwaitPending>(&instruction)) return n->statement;
  if (const auto* n = std::get_if<Synchronise>(&instruction)) return n->statement;
  return nullptr;
}
const ir::Statement* where(const Control& control, Number process) {
  return statement_of(control.program.code[control.standing[process].counter]);
}

// --- sizes that differ ---

std::optional<ir::Failure> find_mismatch(const Control& control) {
  const auto& first = control.mismatch;
  if (!first) return std::nullopt;
  const Envelope::End& sender = first->ends[number_of(Side::send)];
  const Envelope::End& receiver = first->ends[number_of(Side::receive)];
  ir::Failure failure = failure_of(control, ir::FailureKind::size_mismatch, receiver.process, *receiver.statement);
  const double received = first->size[number_of(Side::receive)], sent = first->size[number_of(Side::send)];
  failure.values = {ir::Scalar::of(received), ir::Scalar::of(sent)};
  failure.detail = fmt::format("{} receives {} B here", name_of(control, receiver.process), received);
  failure.labels.emplace_back(sender.statement->location,
                              fmt::format("{} sends {} B here", name_of(control, sender.process), sent));
  return failure;
}

// --- one end without the other ---

struct Alone {
  Number process = none, other = none;
  std::uint32_t call = 0;
  const Envelope::End* end = nullptr;
  Side side{};
};

// A message whose other end is never called.
std::optional<Alone> find_alone(const Control& control) {
  std::optional<Alone> first;
  const auto look_at = [&](const Channel& channel) {
    for (Number number = channel.first; number != none; number = control.messages[number].next) {
      const Envelope& message = control.messages[number];
      const Side side = message.ends[number_of(Side::send)].is_posted ? Side::send : Side::receive;
      const Envelope::End& end = message.ends[number_of(side)];
      const Number due = side == Side::send ? channel.receiver : channel.sender;
      if (!first || std::pair(end.process, end.call) < std::pair(first->process, first->call)) {
        first = Alone{end.process, due, end.call, &end, side};
      }
    }
  };
  for (Number channel = 0; channel < control.channels.count(); ++channel) look_at(control.channels[channel]);
  return first;
}

std::optional<ir::Failure> find_unmatched(const Control& control) {
  const auto alone = find_alone(control);
  if (!alone) return std::nullopt;
  ir::Failure failure = failure_of(control, ir::FailureKind::unmatched_message, alone->process, *alone->end->statement);
  const bool is_send = alone->side == Side::send;
  failure.detail = fmt::format("{} {} {} here, which never {}", name_of(control, alone->process),
                               is_send ? "sends to" : "receives from", name_of(control, alone->other),
                               is_send ? "receives it" : "sends it");
  return failure;
}

// --- processes that wait for each other ---

class Waits {
 public:
  explicit Waits(const Control& control) : control_(control) {}

  // What keeps a process that has not finished.
  Number next(Number process) const {
    const Standing& me = control_.standing[process];
    const Instruction& instruction = control_.program.code[me.counter];
    if (const auto* n = std::get_if<Communicate>(&instruction)) {
      if (me.message == none) return me.window_of;
      return other_end(me.message, n->message->side);
    }
    if (const auto* n = std::get_if<AwaitPending>(&instruction)) {
      for (Number number = me.first_pending; number != none; number = control_.operations[number].next) {
        const Operation& operation = control_.operations[number];
        if (operation.is_complete || (n->handle.valid() && operation.handle != n->handle)) continue;
        return other_end(operation.message, operation.side);
      }
    }
    if (const auto* n = std::get_if<Synchronise>(&instruction)) return missing(process, *n->collective);
    return none;
  }

  // Whether it waits to begin a message.
  bool is_at_window(Number process) const {
    const Standing& me = control_.standing[process];
    return std::holds_alternative<Communicate>(control_.program.code[me.counter]) && me.message == none &&
           me.window_of != none;
  }

 private:
  Number other_end(Number message, Side side) const {
    const Channel& channel = control_.channels[control_.messages[message].channel];
    return side == Side::send ? channel.receiver : channel.sender;
  }

  // The first participant that has not come to a collective.
  Number missing(Number process, const ir::Collective& collective) const {
    const std::uint32_t round = control_.standing[process].rounds;
    const auto has_come = [&](Number other) {
      const Standing& standing = control_.standing[other];
      return standing.rounds > round || (standing.rounds == round && standing.has_arrived);
    };
    std::int64_t first = 0, stride = 1, count = control_.places.count();
    if (collective.along) {
      for (std::size_t axis = *collective.along + 1; axis < control_.places.extents.size(); ++axis) {
        stride *= control_.places.extents[axis];
      }
      first = process - (control_.places.point(process)[*collective.along] - 1) * stride;
      count = control_.places.extents[*collective.along];
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto other = static_cast<Number>(first + i * stride);
      if (!has_come(other)) return other;
    }
    return none;
  }

  const Control& control_;
};

// From the first process that waits, along what each waits for, until one comes again; the cycle begins with its
// first process.
std::vector<Number> find_cycle(const Control& control) {
  Number start = 0;
  while (start < control.standing.size() && control.standing[start].is_finished) ++start;
  if (start == control.standing.size()) return {};
  const Waits waits(control);
  std::vector<Number> path;
  std::vector<std::uint32_t> seen(control.standing.size(), none);
  for (Number process = start; process != none && !control.standing[process].is_finished;
       process = waits.next(process)) {
    if (seen[process] != none) {
      path.erase(path.begin(), path.begin() + seen[process]);
      std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
      return path;
    }
    seen[process] = static_cast<std::uint32_t>(path.size());
    path.push_back(process);
  }
  return path;  // one waits for a process that has finished
}

// At a send that waits for its receiver, else at a receive, else at a wait: what there is to be changed.
std::int64_t waiting_at(const Control& control, const std::vector<Number>& cycle) {
  std::int64_t at = ir::deadlock_at_wait;
  for (const Number process : cycle) {
    const auto* const n = std::get_if<Communicate>(&control.program.code[control.standing[process].counter]);
    if (n) at = std::min(at, n->message->side == Side::send ? ir::deadlock_at_send : ir::deadlock_at_receive);
  }
  return at;
}

ir::Failure of_cycle(const Control& control, const std::vector<Number>& cycle) {
  const ir::Statement* const first = where(control, cycle.front());
  ir::Failure failure = failure_of(control, ir::FailureKind::deadlock, cycle.front(), *first);
  failure.values = {ir::Scalar::of(waiting_at(control, cycle))};
  const Waits waits(control);
  std::set<const ir::Statement*> shown;
  for (const Number process : cycle) {
    const ir::Statement* const statement = where(control, process);
    const Number other = waits.next(process);
    if (!statement || other == none || !shown.insert(statement).second || shown.size() > most_deadlock_labels) continue;
    const std::string kept_by = other == process ? "itself" : name_of(control, other);
    std::string text = fmt::format("{} waits here for {}", name_of(control, process), kept_by);
    if (waits.is_at_window(process)) text += ", to receive earlier messages (the protocol has a `window`)";
    const auto same = static_cast<std::size_t>(
        std::count_if(cycle.begin(), cycle.end(), [&](Number p) { return where(control, p) == statement; }));
    if (same > 1) text += fmt::format(", and {} more likewise", same - 1);
    if (statement == first)
      failure.detail = std::move(text);
    else
      failure.labels.emplace_back(statement->location, std::move(text));
  }
  return failure;
}

}  // namespace

std::optional<ir::Failure> explain_messages(const Control& control) {
  if (auto mismatch = find_mismatch(control)) return mismatch;
  return find_unmatched(control);
}

ir::Failure explain_deadlock(const Control& control) {
  const auto cycle = find_cycle(control);
  if (!cycle.empty() && where(control, cycle.front())) return of_cycle(control, cycle);
  ir::Failure failure;
  failure.kind = ir::FailureKind::deadlock;
  failure.location = control.process.location;
  return failure;
}

ir::Failure explain(const Control& control) {
  if (auto failure = explain_messages(control)) return *failure;
  return explain_deadlock(control);
}

}  // namespace wave::backend::processes::network
