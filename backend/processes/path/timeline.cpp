// See timeline.h.
#include "backend/processes/path/timeline.h"

#include "backend/processes/engine/whole_program.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace wave::backend::processes {

namespace {

const char* stretch_word(const Slice& stretch) {
  switch (stretch.cause) {
    case Cause::Kind::compute: return "compute";
    case Cause::Kind::overhead: return "overhead";
    case Cause::Kind::gap: return stretch.waiting ? "wait for the network" : "gap";
    case Cause::Kind::wire: return "wait for data";
    case Cause::Kind::handshake: return "wait for the other end";
    case Cause::Kind::collective: return stretch.waiting ? "wait for a collective" : "collective";
  }
  return "";
}

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

// Puts slices and arrows together.
class Recorder final : public ProgramWatcher {
 public:
  using IsWanted = std::function<bool(std::uint32_t, std::size_t)>;

  Recorder(const ProgramInput& input, const IsWanted& is_wanted)
      : input_(input), standing_(static_cast<std::size_t>(input.places.count())), is_wanted_(is_wanted) {}

  Timeline timeline;

  void move_clock(const Cause& cause, bool waiting, double begin, double end) override {
    Slice slice;
    slice.kind = Slice::Kind::stretch;
    slice.process = cause.process;
    slice.statement = cause.statement;
    slice.cause = cause.kind;
    slice.waiting = waiting;
    slice.begin = begin;
    slice.end = end;
    add(slice);
    if (waiting) standing_[cause.process].arrived = end;
  }

  void serve(const Service& service) override {
    if (!(service.end > service.begin)) return;
    if (const auto rank = wanted_sharer(service.by); rank && is_wanted_(*rank, recorded()))
      timeline.services.push_back(service);
  }

  void enter_phase(std::uint32_t process, ir::PhaseId phase, double time) override {
    Slice slice;
    slice.kind = Slice::Kind::phase;
    slice.phase = phase;
    open(process, slice, time);
  }
  void leave_phase(std::uint32_t process, double time) override { close(process, time); }

  void begin_call(std::uint32_t process, const void* message, const ir::Statement& statement, double time) override {
    const std::size_t slice = begin(process, Slice::Kind::call, message, statement, time);
    const bool is_send = std::get<ir::Message>(statement.node).side == ir::Message::Side::send;
    Flight& flight = flights_[message];
    bool& is_called = is_send ? flight.is_sent : flight.is_received;
    if (is_called) flight = {};  // the address is used again
    is_called = true;
    if (is_send) flight.slice = slice, flight.sent = time;
  }
  void end_call(std::uint32_t process, double time, bool is_done) override { end(process, time, is_done); }
  void begin_wait(std::uint32_t process, const void* message, const ir::Statement& statement, double time) override {
    begin(process, Slice::Kind::wait, message, statement, time);
  }
  void end_wait(std::uint32_t process, double time) override { end(process, time, true); }

 private:
  struct Standing {
    std::vector<std::size_t> open;  // slices, the innermost last; `nowhere`: not wanted
    const void* message = nullptr;  // of the innermost, where it is of one
    const ir::Statement* statement = nullptr;
    double begin = 0, arrived = 0;
  };
  struct Flight {
    bool is_sent = false, is_received = false;
    std::size_t slice = nowhere;  // of the send
    double sent = 0;
  };

  std::size_t recorded() const { return timeline.slices.size() + timeline.services.size(); }
  std::size_t add(const Slice& slice) {
    if (!is_wanted_(slice.process, recorded())) return nowhere;
    timeline.slices.push_back(slice);
    return timeline.slices.size() - 1;
  }
  std::size_t open(std::uint32_t process, Slice slice, double time) {
    slice.process = process;
    slice.begin = time;
    const std::size_t number = add(slice);
    standing_[process].open.push_back(number);
    return number;
  }
  std::size_t close(std::uint32_t process, double time) {
    const std::size_t number = standing_[process].open.back();
    standing_[process].open.pop_back();
    if (number != nowhere) timeline.slices[number].end = time;
    return number;
  }
  std::size_t begin(std::uint32_t process, Slice::Kind kind, const void* message, const ir::Statement& statement,
                    double time) {
    Slice slice;
    slice.kind = kind;
    slice.statement = &statement;
    Standing& standing = standing_[process];
    standing.message = message;
    standing.statement = &statement;
    standing.begin = standing.arrived = time;
    return open(process, slice, time);
  }
  void end(std::uint32_t process, double time, bool is_done) {
    const std::size_t slice = close(process, time);
    const Standing& standing = standing_[process];
    const bool is_send = std::get<ir::Message>(standing.statement->node).side == ir::Message::Side::send;
    const Flight& flight = flights_[standing.message];
    if (!is_done || is_send || !flight.is_sent || flight.slice == nowhere || slice == nowhere) return;
    // What ends with the arrival is left a moment before, so that the arrow ends inside of it.
    constexpr double moment = 1000;
    double arrival = standing.arrived;
    if (arrival == time) arrival -= std::min(moment, (time - standing.begin) / 2);
    arrival = std::max(arrival, flight.sent);
    if (arrival <= time) timeline.arrows.push_back({flight.slice, slice, flight.sent, arrival});
  }

  // Of those who share an instance, the first that is wanted; nothing, too, where the resource is of no level.
  std::optional<std::uint32_t> wanted_sharer(const ResourceInstance& by) {
    const ir::MessageEnds& machine = input_.scalars.system()[by.resource.first];
    if (!machine.resources[by.resource.second].level) return std::nullopt;
    const SharedLevels::Groups* const groups = input_.levels.sharers(machine, by.resource.second);
    if (!groups) return by.group;
    std::vector<std::optional<std::uint32_t>>& wanted = wanted_sharers_[groups];
    if (wanted.empty()) {
      wanted.resize(groups->count);
      for (std::uint32_t rank = 0; rank < groups->of.size(); ++rank) {
        std::optional<std::uint32_t>& first = wanted[groups->of[rank]];
        if (!first && is_wanted_(rank, recorded())) first = rank;
      }
    }
    return wanted[by.group];
  }

  const ProgramInput& input_;
  std::map<const SharedLevels::Groups*, std::vector<std::optional<std::uint32_t>>> wanted_sharers_;  // by group
  std::vector<Standing> standing_;
  std::unordered_map<const void*, Flight> flights_;  // by message
  const IsWanted& is_wanted_;
};

// The order of slices does not depend on which process was run first.
void sort_by_process(Timeline& timeline) {
  std::vector<Slice>& slices = timeline.slices;
  std::vector<std::size_t> order(slices.size()), place(slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t slice) { return slices[slice].process; });
  std::vector<Slice> sorted;
  sorted.reserve(slices.size());
  for (const std::size_t slice : order) {
    place[slice] = sorted.size();
    sorted.push_back(slices[slice]);
  }
  slices = std::move(sorted);
  for (Arrow& arrow : timeline.arrows) arrow.from = place[arrow.from], arrow.to = place[arrow.to];
  std::ranges::sort(timeline.arrows, {}, [](const Arrow& arrow) { return std::pair(arrow.to, arrow.from); });
}

}  // namespace

const char* slice_kind(const Slice& slice) {
  switch (slice.kind) {
    case Slice::Kind::phase: return "phase";
    case Slice::Kind::call: return "message";
    case Slice::Kind::wait: return "wait";
    case Slice::Kind::stretch: return stretch_word(slice);
  }
  return "";
}

Timeline record_timeline(const ProgramInput& input,
                         const std::function<bool(std::uint32_t process, std::size_t slices)>& is_wanted) {
  Recorder recorder(input, is_wanted);
  engine::run_whole_program(input, recorder);
  sort_by_process(recorder.timeline);
  return std::move(recorder.timeline);
}

}  // namespace wave::backend::processes
