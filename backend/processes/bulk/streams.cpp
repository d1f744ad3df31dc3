// See streams.h.
#include "backend/processes/bulk/streams.h"

#include "backend/processes/bulk/stream_form.h"
#include "backend/processes/claimed.h"
#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace wave::backend::processes {

namespace {

using StreamKind = StreamOperation::Kind;
constexpr double far = std::numeric_limits<double>::infinity();

// Memory for rings, by their capacity, a power of two. What is given back is used again.
class RingPool {
 public:
  explicit RingPool(const std::function<void(std::int64_t)>& claim) : claim_(claim) {}
  ~RingPool() { claim_(-claimed_); }
  RingPool(const RingPool&) = delete;

  double* take(std::uint32_t capacity) {
    std::vector<double*>& free = free_[static_cast<std::size_t>(std::countr_zero(capacity))];
    if (free.empty()) {
      const std::size_t size = std::max<std::size_t>(capacity, times_of_stream_chunk);
      const auto bytes = static_cast<std::int64_t>(size * sizeof(double));
      claim_(bytes);
      claimed_ += bytes;
      chunks_.push_back(std::make_unique<double[]>(size));
      for (std::size_t at = 0; at < size; at += capacity) free.push_back(chunks_.back().get() + at);
    }
    double* const ring = free.back();
    free.pop_back();
    return ring;
  }
  void give_back(double* ring, std::uint32_t capacity) {
    free_[static_cast<std::size_t>(std::countr_zero(capacity))].push_back(ring);
  }

 private:
  const std::function<void(std::int64_t)>& claim_;
  std::int64_t claimed_ = 0;
  std::vector<double*> free_[32];
  std::vector<std::unique_ptr<double[]>> chunks_;
};

double later(double a, double b) { return a < b ? b : a; }

// What arrives at a process from one direction: the times at which it does, and of those that have been served when
// that began. Numbers count from the begin and may overflow.
struct Stream {
  double* times = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t awaited = 0;  // the first of the tile that its process is in
  std::uint32_t served = 0;   // the first that has not been served; what nothing serves has been
  std::uint32_t arrived = 0;  // the first that has not arrived
  // The slot of `served`: its piece, and how many of this piece there are from it on.
  std::uint32_t item = 0, slot = 0;
  std::int64_t left = 0;
  double occupied = StreamPiece::of_nobody;  // how long it is served
  double earliest = never;                   // what has not arrived arrives then or later
  std::uint32_t kind = 0;                    // of what serves it
  bool wakes = false;                        // its process waits for what arrives
  bool is_watched = false;                   // or for `earliest`
  bool is_full = false;                      // its sender waits for its process

  double& at(std::uint32_t number) { return times[number & (capacity - 1)]; }
  bool holds_unserved() const { return served != arrived; }
  std::uint32_t waiting() const { return arrived - awaited; }
};

struct Process {
  std::uint32_t item = 0;       // the piece that it is in
  std::uint32_t operation = 0;  // StreamCode
  std::uint32_t of_body = 0;    // the same one in SweepBody
  std::int64_t tile = 0;
  double floor = never;     // its clock is no less when it goes on
  double looks_for = 0;     // Waits::other: until nothing comes before that
  std::uint32_t other = 0;  // Waits::other: the direction
  enum class Waits : std::uint8_t { no, arrival, other, room } waits{};
  bool is_bound = true;  // what it waits for makes its clock no less
  bool is_queued = false, is_loaded = false, is_done = false;
  bool is_forced = false;  // nothing comes before its first request any more
};

class Streaming {
 public:
  using Pieces = std::vector<std::unique_ptr<StreamPiece>>;
  Streaming(const StreamedSweeps::Setting& setting, const Pieces& pieces, const std::vector<ResourceKey>& kinds,
            const Directions& directions);
  bool run();

 private:
  void advance(std::uint32_t process);
  [[nodiscard]] bool run_tiles(std::uint32_t process, StreamPiece& piece);
  [[nodiscard]] bool run_tile(std::uint32_t process, const StreamCode& code, std::uint32_t tile);
  void take_weights(std::int64_t tile);
  void load(std::uint32_t process, const SweepPiece& piece);
  void store(std::uint32_t process, const SweepPiece& piece);
  [[nodiscard]] bool has_room(Stream* own, const StreamCode& code);
  void end_visit(std::uint32_t process);

  void send(Stream& to, double time);
  void grow(Stream& stream);
  // Serves until number `awaited` of that direction has been. False: the process waits.
  [[nodiscard]] bool serve(std::uint32_t process, std::uint32_t direction, std::uint32_t awaited);
  void pass_unserved(Stream& stream, std::uint32_t process, std::uint32_t direction);
  void take_slot(Stream& stream, std::uint32_t process, std::uint32_t direction);
  void find_item(Stream& stream, std::uint32_t process, std::uint32_t direction, std::uint32_t from);
  void go_on(Stream& stream, std::uint32_t process, std::uint32_t direction);
  // When the next from that direction arrives at the earliest, as far as `depth` neighbours tell.
  double earliest(std::uint32_t process, std::uint32_t direction, double enough, int depth);
  double earliest_clock(std::uint32_t process, double enough, int depth);
  double least_until(const Process& it, std::uint32_t sender, std::uint32_t direction);
  bool wait(std::uint32_t process, Process::Waits waits) {
    processes_[process].waits = waits;
    return false;
  }

  void put_in_queue(std::uint32_t process) {
    Process& it = processes_[process];
    if (it.is_queued || it.is_done) return;
    it.is_queued = true;
    queue_.push_back(process);
  }
  [[nodiscard]] bool look_again();

  Stream& stream(std::uint32_t process, std::uint32_t direction) {
    return streams_[std::size_t{process} * directions_.count() + direction];
  }
  std::uint32_t neighbour(std::uint32_t process, std::uint32_t direction) const {
    return static_cast<std::uint32_t>(process + directions_.ranks(direction));
  }
  double* registers(std::uint32_t process) { return registers_.data() + process * width_; }
  template <class Function>
  void for_each_direction(std::uint32_t process, Function&& f) const {
    for (std::uint32_t there = directions_.of_process(process); there != 0; there &= there - 1)
      f(static_cast<std::uint32_t>(std::countr_zero(there)));
  }

  const StreamedSweeps::Setting& setting_;
  const Pieces& pieces_;
  const Directions& directions_;
  std::size_t width_ = 1;
  std::size_t count_;
  Claimed claimed_;
  RingPool pool_;
  std::vector<Process> processes_;
  std::vector<Stream> streams_;              // by receiver and direction
  std::vector<double> registers_;            // by process
  std::vector<std::vector<double*>> state_;  // by piece and carried register
  struct Server {
    double *free, *last;  // by process
  };
  std::vector<Server> servers_;              // by kind
  std::vector<double> last_;                 // by process: the last time of a request
  std::vector<std::uint32_t> queue_, next_;  // those that may go on now, and after them
  StreamCode of_tile_;                       // with the weights of one, where these vary; those that do not in `before`
  std::size_t done_ = 0;
  std::uint32_t room_ = most_waiting_in_stream;
  double operations_ = 0, served_ = 0, looked_at_ = 0, seen_at_ = -1;
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint64_t looks_for_room_ = 0;
  bool is_overtaken_ = false;
};

std::size_t width_of(const std::vector<std::unique_ptr<StreamPiece>>& pieces) {
  std::size_t width = 1;
  for (const auto& piece : pieces) width = std::max<std::size_t>(width, piece->piece().body.registers);
  return width;
}

Streaming::Streaming(const StreamedSweeps::Setting& setting, const Pieces& pieces,
                     const std::vector<ResourceKey>& kinds, const Directions& directions)
    : setting_(setting),
      pieces_(pieces),
      directions_(directions),
      width_(width_of(pieces)),
      count_(setting.grid.count()),
      claimed_(setting.claim,
               static_cast<std::int64_t>(count_ * (sizeof(Process) + sizeof(Stream) * directions.count() +
                                                   sizeof(double) * (width_ + 1) + 2 * sizeof(std::uint32_t)))),
      pool_(setting.claim),
      processes_(count_),
      streams_(count_ * directions.count()),
      registers_(count_ * width_),
      last_(count_, never) {
  for (const auto& piece : pieces_) {
    state_.emplace_back();
    for (const Carried& carried : piece->piece().carried) state_.back().push_back(setting_.times.of(carried).data());
  }
  for (const ResourceKey& key : kinds) {
    Servers::Kind& kind = setting_.servers.of(key);
    servers_.push_back({kind.instances.servers_of(0).data(), kind.last.data()});
    // A request at the time of one that was served before may have to be before it.
    for (std::size_t process = 0; process < count_; ++process)
      last_[process] = std::max(last_[process], std::nextafter(kind.last[process], far));
  }
  for (std::uint32_t process = 0; process < count_; ++process) {
    if (process % clocks_between_clock_reads == 0) setting_.look_at_clock();
    registers(process)[0] = setting_.times.clocks()[process];
    for_each_direction(process,
                       [&](std::uint32_t direction) { find_item(stream(process, direction), process, direction, 0); });
  }
}

bool Streaming::run() {
  queue_.resize(count_);
  for (std::uint32_t process = 0; process < count_; ++process)
    queue_[process] = process, processes_[process].is_queued = true;
  while (true) {
    for (std::size_t at = 0; at < queue_.size() && !is_overtaken_; ++at) {
      const std::uint32_t process = queue_[at];
      processes_[process].is_queued = false;
      next_.swap(queue_);
      advance(process);
      next_.swap(queue_);
    }
    if (is_overtaken_) return false;
    queue_.clear();
    queue_.swap(next_);
    if (!queue_.empty()) continue;
    if (done_ == count_) break;
    if (!look_again()) return false;
  }
  for (std::uint32_t process = 0; process < count_; ++process) {
    setting_.times.clocks()[process] = registers(process)[0];
    for (const Server& server : servers_) server.last[process] = std::max(server.last[process], last_[process]);
  }
  return true;
}

// --- a process ---

void Streaming::advance(std::uint32_t process) {
  Process& it = processes_[process];
  it.waits = Process::Waits::no;
  for (; it.item < pieces_.size(); ++it.item) {
    StreamPiece& piece = *pieces_[it.item];
    if (!std::exchange(it.is_loaded, true)) load(process, piece.piece());
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
void Streaming::load(std::uint32_t process, const SweepPiece& piece) {
  for (std::size_t i = 1; i < piece.carried.size(); ++i)
    registers(process)[i] = state_[processes_[process].item][i][process];
}

void Streaming::store(std::uint32_t process, const SweepPiece& piece) {
  for (std::size_t i = 1; i < piece.carried.size(); ++i)
    state_[processes_[process].item][i][process] = registers(process)[i];
}

bool Streaming::run_tiles(std::uint32_t process, StreamPiece& piece) {
  Process& it = processes_[process];
  const StreamCode* code = &piece.code(process);
  if (!code->by_tile.empty()) {
    of_tile_.operations = code->operations;
    of_tile_.by_tile = code->by_tile;
    of_tile_.streams = code->streams;
    code = &of_tile_;
  }
  Stream* const own = &stream(process, 0);
  const std::int64_t begin = it.tile;
  bool goes_on = true;
  for (; goes_on && it.tile < piece.tiles(); it.tile += goes_on) {
    if (it.operation == 0 && (it.tile - begin) % tiles_between_looks_for_room == 0) {
      if (++looks_for_room_ % looks_between_clock_reads == 0) setting_.look_at_clock();
      if (!has_room(own, *code)) {
        goes_on = wait(process, Process::Waits::room);
        break;
      }
    }
    if (!code->by_tile.empty()) take_weights(it.tile);
    goes_on = run_tile(process, *code, static_cast<std::uint32_t>(it.tile - begin));
  }
  const auto done = static_cast<std::uint32_t>(it.tile - begin);
  for_each_direction(process, [&](std::uint32_t direction) {
    own[direction].awaited += done * static_cast<std::uint32_t>(piece.slots(direction).size());
  });
  operations_ += static_cast<double>(done) * static_cast<double>(code->operations.size());
  return goes_on;
}

void Streaming::take_weights(std::int64_t tile) {
  for (StreamOperation& one : of_tile_.operations) {
    if (one.by_tile == StreamOperation::no_table) continue;
    one.weight = one.before;
    for (const double* const values : of_tile_.by_tile[one.by_tile]) one.weight += values[tile];
  }
}

// `tile`: of those that have been run since it was the turn of the process.
bool Streaming::run_tile(std::uint32_t process, const StreamCode& code, std::uint32_t tile) {
  Process& it = processes_[process];
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
      case StreamKind::add: set(value(one.target) + one.weight); break;
      case StreamKind::copy: set(value(one.source) + one.weight); break;
      case StreamKind::join: set(later(value(one.target), value(one.source) + one.weight)); break;
      case StreamKind::emit: send(own[one.stream], value(one.source) + one.weight); break;
      case StreamKind::send: {
        clock += one.before;
        const double leaves = later(r[one.target], clock);
        send(own[one.stream], leaves + one.weight);
        r[one.target] = leaves + one.after;
        break;
      }
      case StreamKind::take:
      case StreamKind::await:
      case StreamKind::receive: {
        Stream& from = own[one.direction];
        const std::uint32_t number = from.awaited + tile * one.slots + one.slot;
        if (static_cast<std::int32_t>(from.served - number) <= 0) {
          it.operation = i;
          it.of_body = one.of_body;
          it.is_bound = !one.is_never;
          r[0] = clock;
          if (!serve(process, one.direction, number)) return false;
          it.operation = it.of_body = 0;
        }
        const double passes = from.at(number) + one.weight;
        if (one.kind == StreamKind::receive)
          clock = later(clock, passes) + one.after;
        else
          set(one.kind == StreamKind::take ? passes : later(value(one.target), passes));
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

void Streaming::end_visit(std::uint32_t process) {
  for_each_direction(process, [&](std::uint32_t direction) {
    Stream& in = stream(process, direction);
    if (in.is_full && in.waiting() <= room_ / 2) {
      in.is_full = false;
      put_in_queue(neighbour(process, direction));
    }
    if (in.capacity > 0 && in.waiting() == 0) {
      pool_.give_back(in.times, in.capacity);
      in.times = nullptr;
      in.capacity = 0;
    }
  });
  // Those who wait for what this process cannot send any more.
  for (std::uint32_t direction = 0; direction < directions_.count(); ++direction) {
    const std::int64_t receiver = std::int64_t{process} - directions_.ranks(direction);
    if (receiver < 0 || receiver >= static_cast<std::int64_t>(count_)) continue;
    const auto other = static_cast<std::uint32_t>(receiver);
    if (!(directions_.of_process(other) >> direction & 1)) continue;
    Stream& out = stream(other, direction);
    if (!out.is_watched) continue;
    if (!out.holds_unserved())
      out.earliest = std::max(out.earliest, earliest(other, direction, processes_[other].looks_for, 2));
    if (!out.holds_unserved() && out.earliest < processes_[other].looks_for) continue;
    out.is_watched = false;
    put_in_queue(other);
  }
}

// --- what arrives ---

void Streaming::send(Stream& to, double time) {
  if (to.waiting() == to.capacity) grow(to);
  to.at(to.arrived++) = time;
  if (!to.wakes) return;
  to.wakes = false;
  const auto index = static_cast<std::size_t>(&to - streams_.data());
  put_in_queue(static_cast<std::uint32_t>(index / directions_.count()));
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
void Streaming::find_item(Stream& stream, std::uint32_t process, std::uint32_t direction, std::uint32_t from) {
  stream.slot = 0;
  for (stream.item = from; stream.item < pieces_.size(); ++stream.item) {
    const StreamPiece* const piece = pieces_[stream.item].get();
    if (piece->slots(direction).empty()) continue;
    stream.left = piece->tiles() * static_cast<std::int64_t>(piece->slots(direction).size());
    return take_slot(stream, process, direction);
  }
  stream.earliest = far;
}

void Streaming::take_slot(Stream& stream, std::uint32_t process, std::uint32_t direction) {
  const StreamPiece& piece = *pieces_[stream.item];
  const StreamSlot& slot = piece.slots(direction)[stream.slot];
  stream.occupied = piece.occupied(slot, process);
  stream.kind = static_cast<std::uint32_t>(slot.kind);
}

// Its first is served now.
void Streaming::go_on(Stream& stream, std::uint32_t process, std::uint32_t direction) {
  ++stream.served;
  if (--stream.left == 0) return find_item(stream, process, direction, stream.item + 1);
  const std::size_t slots = pieces_[stream.item]->slots(direction).size();
  if (slots == 1) return;
  if (++stream.slot == slots) stream.slot = 0;
  take_slot(stream, process, direction);
}

void Streaming::pass_unserved(Stream& stream, std::uint32_t process, std::uint32_t direction) {
  while (stream.occupied < 0 && stream.holds_unserved()) go_on(stream, process, direction);
}

// Everything of which is known that nothing comes before it, until number `awaited` of that direction is among it.
bool Streaming::serve(std::uint32_t process, std::uint32_t direction, std::uint32_t awaited) {
  Process& it = processes_[process];
  Stream* const own = &stream(process, 0);
  Stream& goal = own[direction];
  bool is_forced = std::exchange(it.is_forced, false);
  const auto is_done = [&] { return static_cast<std::int32_t>(goal.served - awaited) > 0; };
  for_each_direction(process, [&](std::uint32_t one) { pass_unserved(own[one], process, one); });
  while (true) {
    if (!is_done() && !goal.holds_unserved()) {
      goal.wakes = true;
      it.other = direction;
      return wait(process, Process::Waits::arrival);
    }
    // The first, and the first that may still come. At one time the lower direction is first.
    Stream* first = nullptr;
    std::uint32_t of_first = 0, unknown = 0;
    double time = far, limit = far;
    for_each_direction(process, [&](std::uint32_t one) {
      const bool is_known = own[one].holds_unserved();
      const double its = is_known ? own[one].at(own[one].served) : own[one].earliest;
      if (is_known && its < time) first = &own[one], of_first = one, time = its;
      if (!is_known && its < limit) limit = its, unknown = one;
    });
    if (!first) return true;
    if (!(time < limit || (time == limit && of_first < unknown)) && !std::exchange(is_forced, false)) {
      if (is_done()) return true;
      if (it.is_bound) it.floor = later(it.floor, time);
      const double enough = std::nextafter(time, far);
      own[unknown].earliest = later(own[unknown].earliest, earliest(process, unknown, enough, most_neighbours_asked));
      if (own[unknown].earliest > limit) continue;
      own[unknown].wakes = own[unknown].is_watched = true;
      it.other = unknown;
      it.looks_for = time;
      return wait(process, Process::Waits::other);
    }
    if (time < last_[process]) {
      is_overtaken_ = true;
      return wait(process, Process::Waits::other);
    }
    last_[process] = time;
    double& free = servers_[first->kind].free[process];
    const double begin = later(free, time);
    free = begin + first->occupied;
    first->at(first->served) = begin;
    ++served_;
    go_on(*first, process, of_first);
    pass_unserved(*first, process, of_first);
  }
}

// --- what cannot come any more ---

// Of a process that waits for a neighbour this is when that neighbour sends, and so on, which is remembered. No further
// than it takes to find that the clock is not before `enough`.
double Streaming::earliest_clock(std::uint32_t process, double enough, int depth) {
  Process& it = processes_[process];
  const double clock = std::max(registers(process)[0], it.floor);
  if (clock >= enough || it.waits != Process::Waits::arrival || !it.is_bound || depth == 0) return clock;
  Stream& from = stream(process, it.other);
  if (!from.holds_unserved()) from.earliest = std::max(from.earliest, earliest(process, it.other, enough, depth - 1));
  it.floor = std::max(clock, from.holds_unserved() ? from.at(from.served) : from.earliest);
  return it.floor;
}

double Streaming::earliest(std::uint32_t process, std::uint32_t direction, double enough, int depth) {
  const std::uint32_t sender = neighbour(process, direction);
  const Process& it = processes_[sender];
  const double later = least_until(it, sender, direction);
  return earliest_clock(sender, enough - later, depth) + later;
}

// What passes at least from where the sender is until what it sends to the process next arrives there.
double Streaming::least_until(const Process& it, std::uint32_t sender, std::uint32_t direction) {
  double sum = 0;
  std::int64_t tile = it.tile;
  std::size_t from = it.of_body, looked = 0;
  for (std::uint32_t item = it.item; item < pieces_.size(); ++item, tile = 0, from = 0) {
    const StreamPiece& piece = *pieces_[item];
    const std::size_t all = piece.piece().body.operations.size();
    const std::vector<StreamSlot>& slots = piece.slots(direction);
    if (tile >= piece.tiles()) continue;
    const auto sends = std::ranges::find_if(slots, [&](const StreamSlot& slot) { return slot.emit >= from; });
    if (sends != slots.end()) return sum + piece.work(sender, from, sends->emit) + piece.on_way(sender, sends->emit);
    sum += piece.work(sender, from, all);
    if (!slots.empty() && tile + 1 < piece.tiles())
      return sum + piece.work(sender, 0, slots[0].emit) + piece.on_way(sender, slots[0].emit);
    if (++looked > most_pieces_asked) return sum;
    if (tile + 1 < piece.tiles()) sum += static_cast<double>(piece.tiles() - tile - 1) * piece.work(sender, 0, all);
  }
  return far;
}

// Nobody can go on, as far as each has asked: those whose neighbours have come further ask again. If that is of no use,
// the least request of all is the first, since whatever is sent arrives later than what led to it. False: given up.
bool Streaming::look_again() {
  setting_.look_at_clock();
  looked_at_ += static_cast<double>(count_);
  if (looked_at_ > 8 * operations_ + least_looks_of_streams * static_cast<double>(count_)) return false;
  const auto put_all = [&](Process::Waits waits) {
    for (std::uint32_t process = 0; process < count_; ++process) {
      if (processes_[process].waits == waits) put_in_queue(process);
    }
    return !queue_.empty();
  };
  if (std::exchange(seen_at_, operations_ + served_) < operations_ + served_ && put_all(Process::Waits::other))
    return true;
  if (put_all(Process::Waits::room)) {
    room_ *= 2;
    return true;
  }
  std::uint32_t first = none;
  for (std::uint32_t process = 0; process < count_; ++process) {
    const Process& it = processes_[process];
    if (it.waits == Process::Waits::other && (first == none || it.looks_for < processes_[first].looks_for))
      first = process;
  }
  if (first == none) return false;  // they wait for each other
  processes_[first].is_forced = true;
  put_in_queue(first);
  return true;
}

}  // namespace

StreamedSweeps::StreamedSweeps(Setting setting) : setting_(std::move(setting)) {}
StreamedSweeps::~StreamedSweeps() = default;

bool StreamedSweeps::add(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising) {
  pieces_.push_back(StreamPiece::of(std::move(piece), rising, setting_.grid, setting_.levels, setting_.system, kinds_));
  return pieces_.back() != nullptr;
}

bool StreamedSweeps::is_long() const { return pieces_.size() >= most_pieces_of_streams; }

bool StreamedSweeps::run() {
  const auto pieces = std::exchange(pieces_, {});
  const auto kinds = std::exchange(kinds_, {});
  std::vector<std::vector<std::int64_t>> offsets;
  for (const auto& piece : pieces) {
    piece->add_offsets(offsets);
  }
  const Directions directions(setting_.grid, std::move(offsets));
  if (directions.count() > Directions::most) return false;
  const Claimed claimed(setting_.claim, static_cast<std::int64_t>(directions.bytes()));
  for (const auto& piece : pieces) {
    piece->number(directions);
  }
  return Streaming(setting_, pieces, kinds, directions).run();
}

}  // namespace wave::backend::processes
