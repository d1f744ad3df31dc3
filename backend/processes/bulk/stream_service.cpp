// See streaming.h.
#include "backend/processes/bulk/streaming.h"
#include "backend/processes/never.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace wave::backend::processes {

// --- what is served ---

// Serves all requests before which no other can come.
void Streaming::serve(std::uint32_t number) {
  StreamUnit& unit = units_[number];
  bool is_forced = std::exchange(unit.is_forced, false);
  unit.is_waiting = false;
  const std::span<const OfUnit> all(of_units_.data() + unit.first, of_units_.data() + unit.end);
  for (const OfUnit& one : all) pass_unserved(*one.stream);
  while (!is_overtaken_) {
    // The first, and the first that may still come. At one time the one from the lower rank is first.
    const OfUnit *first = nullptr, *unknown = nullptr;
    double time = far, limit = far;
    for (const OfUnit& one : all) {
      Stream& its = *one.stream;
      const bool is_known = its.holds_unserved();
      const double at = is_known ? its.at(its.served) : its.earliest;
      double& least = is_known ? time : limit;
      const OfUnit*& of_least = is_known ? first : unknown;
      if (at > least || (at == least && of_least && one.sender > of_least->sender) || at == far) continue;
      // Which of two signals was sent first is not known here.
      if (is_known && at == least && first && first->sender == one.sender) is_overtaken_ = true;
      least = at;
      of_least = &one;
    }
    if (!first) return;
    const bool is_first = time < limit || (time == limit && unknown && first->sender < unknown->sender);
    if (!is_first && !std::exchange(is_forced, false)) {
      Stream& other = *unknown->stream;
      const double enough = std::nextafter(time, far);
      other.earliest = later(other.earliest, earliest(other, enough, most_neighbours_asked));
      if (other.earliest > limit) continue;
      other.is_watched = true;
      unit.is_waiting = true;
      unit.looks_for = first->sender < unknown->sender ? time : enough;
      return;
    }
    if (!unit.comes_after(time, first->sender, first->stream)) {
      is_overtaken_ = true;
      return;
    }
    unit.last = time;
    unit.last_sender = first->sender;
    unit.last_stream = first->stream;
    serve_first(unit, *first->stream);
  }
}

void Streaming::serve_first(StreamUnit& unit, Stream& first) {
  const double time = first.at(first.served);
  const std::span<double> free = servers_[first.kind]->instances.servers_of(unit.group);
  double& next = free.size() == 1 ? free.front() : *std::ranges::min_element(free);
  const double begin = later(next, time);
  next = begin + first.occupied;
  ++served_;
  const std::uint32_t direction = first.direction;
  if (direction == directions_.self()) {
    const StreamPiece& piece = *pieces_[first.piece];
    const StreamSlot& slot = piece.slots(direction)[first.slot];
    const double after = piece.after_service(first.process, slot);
    const std::uint32_t to = piece.direction_of(slot);
    Stream& out = stream(static_cast<std::uint32_t>(std::int64_t{first.process} - directions_.ranks(to)), to);
    go_on(first);
    first.awaited = first.served;
    --out.requested;
    send(out, begin + after);
    return wake_sender(first);
  }
  first.at(first.served) = begin;
  go_on(first);
  pass_unserved(first);
  if (first.wakes == Stream::Wakes::service && first.has_served_wanted()) {
    first.wakes = Stream::Wakes::nobody;
    put_in_queue(first.process);
  }
}

// --- what cannot come any more ---

// Of a process that waits for a neighbour this is when that neighbour sends, and so on, which is remembered. No further
// than it takes to find that the clock is not before `enough`.
double Streaming::earliest_clock(std::uint32_t process, double enough, int depth) {
  StreamedProcess& it = processes_[process];
  const double clock = std::max(registers(process)[0], it.floor);
  if (clock >= enough || it.waits != StreamedProcess::Waits::arrival || !it.is_bound || depth == 0) return clock;
  Stream& from = stream(process, it.other);
  if (from.has_served_wanted()) return clock;
  if (!from.holds_unserved()) from.earliest = std::max(from.earliest, earliest(from, enough, depth - 1));
  it.floor = std::max(clock, from.holds_unserved() ? from.at(from.served) : from.earliest);
  return it.floor;
}

double Streaming::earliest(const Stream& stream, double enough, int depth) {
  const std::uint32_t direction = stream.direction;
  const std::uint32_t sender = neighbour(stream.process, direction);
  if (stream.requested > 0) return earliest_asked(this->stream(sender, directions_.self()), direction);
  const double until = least_until(sender, direction, stream.process);
  return earliest_clock(sender, enough - until, depth) + until;
}

// When what is sent that way behind the first of those requests that has any arrives at the earliest.
double Streaming::earliest_asked(const Stream& requests, std::uint32_t direction) {
  Stream ahead = requests;
  const auto arrives = [&](double after) {
    const auto& free = servers_[ahead.kind]->instances.servers_of(units_[ahead.unit].group);
    return later(std::ranges::min(free), ahead.at(ahead.served)) + after;
  };
  for (std::size_t looked = 0;; ++looked) {
    const StreamPiece& piece = *pieces_[ahead.piece];
    const StreamSlot& slot = piece.slots(directions_.self())[ahead.slot];
    if (piece.direction_of(slot) == direction) return arrives(piece.after_service(ahead.process, slot));
    if (looked == most_pieces_asked) return arrives(0);
    go_on(ahead);
  }
}

// What passes at least from where the sender is until what it sends the receiver next arrives there.
double Streaming::least_until(std::uint32_t sender, std::uint32_t direction, std::uint32_t receiver) {
  const StreamedProcess& it = processes_[sender];
  double sum = 0;
  std::int64_t tile = it.tile;
  std::size_t from = it.of_body, looked = 0;
  for (std::uint32_t number = it.piece; number < pieces_.size(); ++number, tile = 0, from = 0) {
    const StreamPiece& piece = *pieces_[number];
    const std::size_t all = piece.piece().body.operations.size();
    if (tile >= piece.tiles()) continue;
    const std::vector<StreamSlot>& slots = piece.slots(direction);
    const auto next = [&](std::size_t begin) {
      return std::ranges::find_if(slots, [&](const StreamSlot& slot) {
        return slot.emit >= begin && piece.is_sent(slot, direction, receiver);
      });
    };
    const auto until = [&](auto sends, std::size_t begin) {
      return sum + piece.work(sender, begin, sends->emit) + piece.on_way(sender, sends->emit);
    };
    if (const auto sends = next(from); sends != slots.end()) return until(sends, from);
    sum += piece.work(sender, from, all);
    if (const auto sends = next(0); sends != slots.end() && tile + 1 < piece.tiles()) return until(sends, 0);
    if (++looked > most_pieces_asked) return sum;
    if (tile + 1 < piece.tiles()) sum += static_cast<double>(piece.tiles() - tile - 1) * piece.work(sender, 0, all);
  }
  return far;
}

// Nobody can go on, as far as each has asked: those whose neighbours have come further ask again. If that is of no use,
// the least request of all is the first, since whatever is sent arrives later than what led to it. False: given up.
bool Streaming::look_again() {
  setting_.look_at_clock();
  visits_ += count_;
  StreamUnit* first = nullptr;
  for (StreamUnit& unit : units_) {
    if (unit.is_waiting && (!first || unit.looks_for < first->looks_for)) first = &unit;
  }
  if (first && std::exchange(seen_at_, operations_ + served_) < operations_ + served_) {
    for (std::uint32_t number = 0; number < units_.size(); ++number) {
      if (units_[number].is_waiting) put_unit_in_queue(number);
    }
    return true;
  }
  for (std::uint32_t process = 0; process < count_; ++process) {
    if (processes_[process].waits == StreamedProcess::Waits::room) put_in_queue(process);
  }
  if (!next_.empty()) {
    room_ *= 2;
    return room_ < most_waiting_at_all;
  }
  if (!first) return false;  // they wait for each other
  first->is_forced = true;
  put_unit_in_queue(static_cast<std::uint32_t>(first - units_.data()));
  return true;
}

}  // namespace wave::backend::processes
