// See streaming.h.
#include "backend/processes/bulk/streaming.h"

#include "backend/processes/never.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

using Does = StreamOperation::Kind;

std::size_t width_of(const std::vector<std::shared_ptr<StreamPiece>>& pieces) {
  std::size_t width = 1;
  for (const auto& piece : pieces) width = std::max<std::size_t>(width, piece->piece().body.registers);
  return width;
}

std::int64_t bytes_of(std::size_t processes, std::size_t width, std::size_t directions) {
  const std::size_t of_direction = sizeof(Stream) + 2 * sizeof(void*);
  const std::size_t of_process = sizeof(StreamedProcess) + 2 * sizeof(StreamUnit) + 6 * sizeof(std::uint32_t);
  return static_cast<std::int64_t>(processes * (of_process + of_direction * directions + sizeof(double) * width));
}

}  // namespace

Streaming::Streaming(const StreamedSweeps::Setting& setting, const Pieces& pieces, const std::vector<StreamKind>& kinds,
                     const Directions& directions)
    : setting_(setting),
      pieces_(pieces),
      kinds_(kinds),
      directions_(directions),
      width_(width_of(pieces)),
      count_(setting.grid.count()),
      claimed_(setting.claim, bytes_of(count_, width_, directions.count())),
      pool_(setting.claim),
      processes_(count_),
      streams_(count_ * directions.count()),
      registers_(count_ * width_) {
  for (const auto& piece : pieces_) {
    state_.emplace_back();
    for (const Carried& carried : piece->piece().carried) state_.back().push_back(setting_.times.of(carried).data());
  }
  for (const StreamKind& kind : kinds) servers_.push_back(&setting_.servers.of(kind.resource));
  for (std::uint32_t process = 0; process < count_; ++process) {
    if (process % clocks_between_clock_reads == 0) setting_.look_at_clock();
    registers(process)[0] = setting_.times.clocks()[process];
    for_each_direction(process, [&](std::uint32_t direction) {
      Stream& one = stream(process, direction);
      one.process = process;
      one.direction = direction;
      find_piece(one, 0);
    });
  }
}

void Streaming::set_up_units(const Sharing& sharing) {
  of_units_.reserve(streams_.size());
  add_units(sharing.on_arrival, true);
  if (directions_.self() != Directions::none) add_units(sharing.by_program, false);
}

void Streaming::add_units(const SharedLevels::Groups* groups, bool on_arrival) {
  const std::size_t count = groups ? groups->count : count_;
  std::vector<std::vector<std::uint32_t>> members(groups ? count : 0);
  for (std::uint32_t process = 0; groups && process < count_; ++process)
    members[groups->of[process]].push_back(process);
  for (std::uint32_t group = 0; group < count; ++group) {
    if (group % clocks_between_clock_reads == 0) setting_.look_at_clock();
    StreamUnit unit;
    unit.group = group;
    unit.on_arrival = on_arrival;
    unit.first = of_units_.size();
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (kinds_[kind].on_arrival == on_arrival) unit.last = std::max(unit.last, servers_[kind]->last[group]);
    }
    const auto add = [&](std::uint32_t process, std::uint32_t direction) {
      Stream& one = stream(process, direction);
      if ((direction != directions_.self()) != on_arrival || !is_ever_served(one)) return;
      one.unit = static_cast<std::uint32_t>(units_.size());
      of_units_.push_back({&one, neighbour(process, direction)});
    };
    const auto add_all = [&](std::uint32_t process) {
      for_each_direction(process, [&](std::uint32_t direction) { add(process, direction); });
    };
    if (!groups) add_all(group);
    if (groups) std::ranges::for_each(members[group], add_all);
    unit.end = of_units_.size();
    units_.push_back(unit);
  }
}

// Yes, too, where there are many pieces to look through.
bool Streaming::is_ever_served(const Stream& stream) {
  if (pieces_.size() > most_pieces_asked) return true;
  return std::ranges::any_of(pieces_, [&](const auto& piece) {
    return std::ranges::any_of(piece->slots(stream.direction), [&](const StreamSlot& slot) {
      return piece->occupied(slot, stream.process) != StreamPiece::of_nobody;
    });
  });
}

bool Streaming::run(const Sharing& sharing) {
  set_up_units(sharing);
  for (std::uint32_t process = 0; process < count_; ++process) put_in_queue(process);
  while (true) {
    // Processes first: the more they have sent, the more of it can be served at once.
    const bool are_units = next_.empty();
    queue_.clear();
    queue_.swap(are_units ? next_units_ : next_);
    for (const std::uint32_t one : queue_) {
      if (++visits_ % visits_between_clock_reads == 0) setting_.look_at_clock();
      (are_units ? units_[one].is_queued : processes_[one].is_queued) = false;
      if (are_units)
        serve(one);
      else
        advance(one);
      if (is_overtaken_) return false;
    }
    if (!is_worth_it()) return false;
    if (!queue_.empty()) continue;
    if (done_ == count_) break;
    if (!look_again()) return false;
  }
  for (std::uint32_t process = 0; process < count_; ++process) setting_.times.clocks()[process] = registers(process)[0];
  for (const StreamUnit& unit : units_) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (kinds_[kind].on_arrival != unit.on_arrival) continue;
      double& last = servers_[kind]->last[unit.group];
      last = std::max(last, unit.last);
    }
  }
  return true;
}

// --- a process ---

void Streaming::advance(std::uint32_t process) {
  StreamedProcess& it = processes_[process];
  it.waits = StreamedProcess::Waits::no;
  for (; it.piece < pieces_.size(); ++it.piece) {
    StreamPiece& piece = *pieces_[it.piece];
    if (!std::exchange(it.is_loaded, true)) load(process, piece);
    if (!run_tiles(process, piece)) return end_visit(process);
    store(process, piece.piece());
    it.is_loaded = false;
    it.tile = 0;
  }
  it.is_done = true;
  ++done_;
  end_visit(process);
}

// The clock is always in its register.
void Streaming::load(std::uint32_t process, StreamPiece& piece) {
  processes_[process].code = piece.code(process);
  for (std::size_t i = 1; i < piece.piece().carried.size(); ++i)
    registers(process)[i] = state_[processes_[process].piece][i][process];
}

void Streaming::store(std::uint32_t process, const SweepPiece& piece) {
  for (std::size_t i = 1; i < piece.carried.size(); ++i)
    state_[processes_[process].piece][i][process] = registers(process)[i];
}

bool Streaming::run_tiles(std::uint32_t process, StreamPiece& piece) {
  StreamedProcess& it = processes_[process];
  const StreamCode* code = it.code ? it.code : &(made_ = piece.make_code(process));
  const std::vector<std::uint32_t>& arrives = code->arrives;
  is_overtaken_ = is_overtaken_ || !code->is_whole;
  if (!code->by_tile.empty()) {
    of_tile_.operations = code->operations;
    of_tile_.by_tile = code->by_tile;
    of_tile_.streams = code->streams;
    code = &of_tile_;
  }
  Stream* const own = &stream(process, 0);
  const std::int64_t begin = it.tile;
  std::int64_t looks_at = begin;
  bool goes_on = true;
  for (; goes_on && it.tile < piece.tiles(); it.tile += goes_on) {
    if (it.operation == 0 && it.tile >= looks_at) {
      looks_at = it.tile + tiles_between_looks_for_room;
      if (++looks_for_room_ % looks_between_clock_reads == 0) setting_.look_at_clock();
      if (!has_room(own, *code)) {
        it.waits = StreamedProcess::Waits::room;
        goes_on = false;
        break;
      }
    }
    if (!code->by_tile.empty()) take_weights(it.tile);
    goes_on = run_tile(process, *code, static_cast<std::uint32_t>(it.tile - begin));
  }
  const auto done = static_cast<std::uint32_t>(it.tile - begin);
  for_each_direction(process, [&](std::uint32_t direction) {
    if (direction != directions_.self()) own[direction].awaited += done * arrives[direction];
  });
  operations_ += static_cast<double>(done) * static_cast<double>(code->operations.size());
  return goes_on;
}

void Streaming::take_weights(std::int64_t tile) {
  for (StreamOperation& one : of_tile_.operations) {
    if (one.by_tile == StreamOperation::no_table) continue;
    one.weight = one.fixed;
    for (const double* const values : of_tile_.by_tile[one.by_tile]) one.weight += values[tile];
  }
}

// `tile`: of those that have been run since it was the turn of the process.
bool Streaming::run_tile(std::uint32_t process, const StreamCode& code, std::uint32_t tile) {
  StreamedProcess& it = processes_[process];
  double* const r = registers(process);
  Stream* const own = &stream(process, 0);
  double clock = r[0];
  it.of_body = 0;
  const auto count = static_cast<std::uint32_t>(code.operations.size());
  for (std::uint32_t i = std::exchange(it.operation, 0); i < count; ++i) {
    const StreamOperation& one = code.operations[i];
    // Registers other than the clock are in memory.
    const auto value = [&](std::uint32_t number) { return number == 0 ? clock : r[number]; };
    const auto set = [&](double time) { (one.target == 0 ? clock : r[one.target]) = time; };
    switch (one.kind) {
      case Does::add: set(value(one.target) + one.weight); break;
      case Does::copy: set(value(one.source) + one.weight); break;
      case Does::join: set(later(value(one.target), value(one.source) + one.weight)); break;
      case Does::emit: leave(own[one.stream], value(one.source) + one.weight); break;
      case Does::request:
        send(own[one.stream], value(one.source) + one.weight);
        ++own[one.then].requested;
        break;
      case Does::send: {
        clock += one.before;
        const double leaves = later(r[one.target], clock);
        leave(own[one.stream], leaves + one.weight);
        r[one.target] = leaves + one.after;
        break;
      }
      case Does::take:
      case Does::await:
      case Does::receive: {
        Stream& from = own[one.direction];
        const std::uint32_t number = from.awaited + tile * one.slots + one.slot;
        if (static_cast<std::int32_t>(from.served - number) <= 0) {
          it.operation = i;
          it.of_body = one.of_body;
          it.is_bound = !one.is_never && one.target == 0;
          r[0] = clock;
          if (!is_served(process, one.direction, number)) return false;
          it.operation = it.of_body = 0;
        }
        const double passes = from.at(number) + one.weight;
        if (one.kind == Does::receive)
          clock = later(clock, passes) + one.after;
        else
          set(one.kind == Does::take ? passes : later(value(one.target), passes));
        break;
      }
    }
  }
  r[0] = clock;
  return true;
}

// A sender that is far ahead waits for its receivers, so that what is on its way stays small.
bool Streaming::has_room(Stream* own, const StreamCode& code) {
  const auto full = std::ranges::find_if(code.streams, [&](std::int64_t to) { return own[to].waiting() >= room_; });
  if (full != code.streams.end()) own[*full].is_full = true;
  return full == code.streams.end();
}

// Serves what it can until that number from there has been served. Where it cannot be, the process waits.
bool Streaming::is_served(std::uint32_t process, std::uint32_t direction, std::uint32_t number) {
  StreamedProcess& it = processes_[process];
  Stream& from = stream(process, direction);
  from.wanted = number;
  pass_unserved(from);
  if (from.has_served_wanted()) return true;
  from.wakes = Stream::Wakes::arrival;
  if (from.holds_unserved()) {
    from.wakes = Stream::Wakes::nobody;
    serve(from.unit);
    if (from.has_served_wanted()) return true;
    if (from.holds_unserved() && it.is_bound) it.floor = later(it.floor, from.at(from.served));
    from.wakes = from.holds_unserved() ? Stream::Wakes::service : Stream::Wakes::arrival;
  }
  it.other = direction;
  it.waits = StreamedProcess::Waits::arrival;
  return false;
}

void Streaming::end_visit(std::uint32_t process) {
  const StreamedProcess& it = processes_[process];
  for_each_direction(process, [&](std::uint32_t direction) {
    Stream& in = stream(process, direction);
    if (direction == directions_.self()) {
      if (!in.holds_unserved()) return;
      const StreamUnit& unit = units_[in.unit];
      if (!unit.is_waiting || in.at(in.served) < unit.looks_for) put_unit_in_queue(in.unit);
      return;
    }
    wake_sender(in);
    if (in.capacity > 0 && in.waiting() == 0) {
      pool_.give_back(in.times, in.capacity);
      in.times = nullptr;
      in.capacity = 0;
    }
  });
  if (!it.is_queued) look_again_for(process);
}

// Wakes the interfaces that wait until this process can send nothing earlier.
void Streaming::look_again_for(std::uint32_t process) {
  for (std::uint32_t direction = 0; direction < directions_.count(); ++direction) {
    const std::int64_t receiver = std::int64_t{process} - directions_.ranks(direction);
    if (receiver < 0 || receiver >= static_cast<std::int64_t>(count_)) continue;
    const auto other = static_cast<std::uint32_t>(receiver);
    if (!(directions_.of_process(other) >> direction & 1)) continue;
    Stream& out = stream(other, direction);
    if (!out.is_watched) continue;
    const double looks_for = units_[out.unit].looks_for;
    if (!out.holds_unserved()) out.earliest = std::max(out.earliest, earliest(out, looks_for, 2));
    if (!out.holds_unserved() && out.earliest < looks_for) continue;
    out.is_watched = false;
    put_unit_in_queue(out.unit);
  }
}

// --- what arrives ---

void Streaming::send(Stream& to, double time) {
  if (to.waiting() == to.capacity) grow(to);
  to.at(to.arrived++) = time;
  if (to.wakes == Stream::Wakes::arrival) {
    to.wakes = Stream::Wakes::nobody;
    put_in_queue(to.process);
  }
  if (to.is_watched) {
    to.is_watched = false;
    put_unit_in_queue(to.unit);
  }
}

void Streaming::grow(Stream& stream) {
  const std::uint32_t capacity = std::max(2 * stream.capacity, least_times_of_stream);
  double* const times = pool_.take(capacity);
  for (std::uint32_t number = stream.awaited; number != stream.arrived; ++number)
    times[number & (capacity - 1)] = stream.at(number);
  if (stream.capacity > 0) pool_.give_back(stream.times, stream.capacity);
  stream.times = times;
  stream.capacity = capacity;
}

// The first piece from `from` on in which something arrives there.
void Streaming::find_piece(Stream& stream, std::uint32_t from) {
  for (stream.piece = from; stream.piece < pieces_.size(); ++stream.piece) {
    const StreamPiece& piece = *pieces_[stream.piece];
    const std::vector<StreamSlot>& slots = piece.slots(stream.direction);
    const auto is_sent = [&](const StreamSlot& slot) { return piece.is_sent(slot, stream.direction, stream.process); };
    const auto count = std::ranges::count_if(slots, is_sent);
    if (count == 0) continue;
    stream.has_one_slot = count == 1;
    stream.slot = static_cast<std::uint32_t>(std::ranges::find_if(slots, is_sent) - slots.begin());
    stream.left = piece.tiles() * count;
    return take_slot(stream);
  }
  stream.earliest = far;
}

void Streaming::take_slot(Stream& stream) {
  const StreamPiece& piece = *pieces_[stream.piece];
  const StreamSlot& slot = piece.slots(stream.direction)[stream.slot];
  stream.occupied = piece.occupied(slot, stream.process);
  stream.kind = static_cast<std::uint32_t>(slot.kind);
}

// The first of the stream has been served.
void Streaming::go_on(Stream& stream) {
  ++stream.served;
  if (--stream.left == 0) return find_piece(stream, stream.piece + 1);
  if (stream.has_one_slot) return;
  const std::uint32_t direction = stream.direction;
  const StreamPiece& piece = *pieces_[stream.piece];
  const std::vector<StreamSlot>& slots = piece.slots(direction);
  do {
    if (++stream.slot == slots.size()) stream.slot = 0;
  } while (!piece.is_sent(slots[stream.slot], direction, stream.process));
  take_slot(stream);
}

// A sender that waits for room goes on when there is much of it.
void Streaming::wake_sender(Stream& stream) {
  if (!stream.is_full || stream.waiting() > room_ / 2) return;
  stream.is_full = false;
  put_in_queue(neighbour(stream.process, stream.direction));
}

void Streaming::pass_unserved(Stream& stream) {
  while (stream.occupied < 0 && stream.holds_unserved()) go_on(stream);
}

}  // namespace wave::backend::processes
