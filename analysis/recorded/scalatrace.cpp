// See scalatrace.h.
#include "analysis/recorded/scalatrace.h"

#include "analysis/recorded/scalatrace_calls.h"
#include "analysis/recorded/scalatrace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;
using scalatrace::Does;
using scalatrace::FoldedCall;
using scalatrace::FoldedTrace;
using scalatrace::KnownCall;
using scalatrace::ParameterKey;
using scalatrace::RankValues;

namespace {

// One rank, from its first event to its last.
class Unfolding {
 public:
  // `steps_left` is for this rank and those that follow.
  Unfolding(const FoldedTrace& trace, const std::vector<std::size_t>& members, std::uint32_t rank,
            std::size_t& steps_left, frontend::Diagnostics& diagnostics)
      : trace_(trace), members_(members), rank_(rank), steps_left_(steps_left), diagnostics_(diagnostics) {
    for (const std::size_t member : members) {
      Member& made = own_.emplace_back();
      for (const scalatrace::FoldedLoop& loop : trace.events[member].loops) {
        const RankValues *const events = find_values(loop.events, rank), *const iterations =
                                                                             find_values(loop.iterations, rank);
        if (events && iterations) made.loops.emplace_back(events, iterations);
      }
    }
  }

  bool unfold() {
    frames_.push_back({0, members_.size() - 1, nullptr, 1});
    std::size_t at = 0;
    if (!enter_loops(at)) return false;
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.left <= 0) {
        if (!count_visit(at)) return false;
        at = frame.last;  // it is not run
      } else if (!run(at)) {
        return false;
      }
      if (!go_on(at)) return false;
    }
    return true;
  }

  Steps steps;
  std::vector<Times> times;
  std::map<std::string, std::size_t> passed_over;

 private:
  // RankValues that a rank takes in turn.
  struct InTurn {
    const RankValues* values = nullptr;
    std::size_t next = 0;
    std::int64_t take() {
      if (!values) return 0;
      const std::int64_t value = values->values[next];
      next = (next + 1) % values->values.size();
      return value;
    }
  };
  struct OwnLoop {
    InTurn events, iterations;
    OwnLoop(const RankValues* events_of, const RankValues* iterations_of)
        : events{events_of}, iterations{iterations_of} {}
  };
  struct Member {
    std::vector<OwnLoop> loops;
    std::map<int, InTurn> parameters;
  };
  struct Frame {
    std::size_t first = 0, last = 0;  // members
    const OwnLoop* loop = nullptr;
    std::int64_t left = 0;  // iterations
  };

  const FoldedCall& event(std::size_t at) const { return trace_.events[members_[at]]; }

  bool refuse(Location where, const std::string& message, const std::string& label, const std::string& help) {
    diagnostics_.add(DiagnosticKind::unreadable_recording, where, message, label).help.push_back(help);
    return false;
  }
  bool refuse_damaged(std::size_t at, const std::string& message) {
    return refuse(event(at).location, message, fmt::format("of rank {}", rank_),
                  "the trace is damaged, or of another version of ScalaTrace: trace the program again");
  }
  bool refuse_large(std::size_t at) {
    return refuse(event(at).location, "the trace is too large for this memory when its loops are written out", "here",
                  "raise `--memory-limit`, or trace a run of fewer steps");
  }
  // Loops that do nothing take time, too.
  bool count_visit(std::size_t at) {
    constexpr std::size_t visits_per_step = 16;
    if (++visits_ % visits_per_step != 0) return true;
    if (steps_left_ == 0) return refuse_large(at);
    --steps_left_;
    return true;
  }

  // The loops that begin here and are not yet entered.
  bool enter_loops(std::size_t at) {
    auto& loops = own_[at].loops;
    std::size_t next = 0;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (&loops[i] == frames_.back().loop) next = i + 1;
    }
    for (; next < loops.size(); ++next) {
      const std::int64_t events = loops[next].events.take(), iterations = loops[next].iterations.take();
      if (events <= 0) break;
      constexpr std::size_t most_frames = 256;
      if (static_cast<std::uint64_t>(events) > members_.size() - at) return refuse_damaged(at, "a loop is cut off");
      if (frames_.size() == most_frames) return refuse_damaged(at, "loops are too deep");
      frames_.push_back({at, at + static_cast<std::size_t>(events) - 1, &loops[next], iterations});
      if (iterations <= 0) break;
    }
    return true;
  }

  // From this event to the one that follows; without frames: there is none.
  bool go_on(std::size_t& at) {
    for (;;) {
      Frame& frame = frames_.back();
      if (at > frame.last) return refuse_damaged(frame.last, "loops cross each other");
      if (at != frame.last) {
        ++at;
        return enter_loops(at);
      }
      if (--frame.left > 0) {
        at = frame.first;
        return enter_loops(at);
      }
      frames_.pop_back();
      if (frames_.empty()) return true;
      if (!count_visit(at)) return false;
    }
  }

  // --- one call ---

  InTurn* find(std::size_t at, ParameterKey key) {
    auto& own = own_[at].parameters;
    if (const auto found = own.find(key); found != own.end()) return found->second.values ? &found->second : nullptr;
    const auto given = event(at).parameters.find(key);
    const RankValues* const values = given == event(at).parameters.end() ? nullptr : find_values(given->second, rank_);
    InTurn& made = own[key] = {values};
    return values ? &made : nullptr;
  }
  bool refuse_missing(std::size_t at, ParameterKey key, const char* what) {
    const auto given = event(at).parameters.find(key);
    if (given != event(at).parameters.end() && given->second.is_histogram)
      return refuse(given->second.location, fmt::format("which rank had which {} is not in the trace", what),
                    "it has a histogram alone", "trace the program again, with a larger threshold of histograms");
    return refuse_damaged(at, fmt::format("this call has no {}", what));
  }
  bool take(std::size_t at, ParameterKey key, const char* what, std::int64_t& value) {
    InTurn* const found = find(at, key);
    if (!found) return refuse_missing(at, key, what);
    value = found->take();
    return true;
  }
  bool take_size(std::size_t at, ParameterKey number, ParameterKey type, double& size) {
    std::int64_t count = 0, kind = 0;
    if (!take(at, number, "count", count) || !take(at, type, "datatype", kind)) return false;
    const int bytes = scalatrace::bytes_of_type(kind);
    if (bytes == 0)
      return refuse(event(at).location, fmt::format("the size of the datatype {} is not known", kind),
                    "its number in ScalaTrace", "basic datatypes of C and Fortran are read");
    if (count < 0) return refuse_damaged(at, "this call has a negative count");
    size = static_cast<double>(count * bytes);
    return true;
  }
  // Ranks are relative to the own one.
  bool take_peer(std::size_t at, ParameterKey key, const char* what, std::int64_t& peer) {
    constexpr std::int64_t any_source = 0x7fffffff;
    std::int64_t value = 0;
    if (!take(at, key, what, value)) return false;
    if (value == any_source && key == ParameterKey::source) {
      peer = Step::anybody;
      return true;
    }
    if (value < 0 || value >= trace_.ranks) return refuse_damaged(at, fmt::format("this call has no {}", what));
    peer = (value + rank_) % trace_.ranks;
    return true;
  }
  bool take_communicator(std::size_t at, std::int64_t& participants) {
    constexpr std::int64_t self = 1, world = 2;
    std::int64_t among = 0;
    if (!take(at, ParameterKey::communicator, "communicator", among)) return false;
    if (among != self && among != world)
      return refuse(event(at).location, "who belongs to the communicator of this call is not known",
                    "the program made it", "calls with MPI_COMM_WORLD are read");
    participants = among == self ? 1 : trace_.ranks;
    return true;
  }

  bool run(std::size_t at) {
    const FoldedCall& here = event(at);
    const KnownCall call = scalatrace::known_call(here.call);
    if (!count_visit(at)) return false;
    const double since = time_of(here.since_ns), inside = time_of(here.inside_ns);
    place_before_ = here.place;
    since_ += since;
    Step step;
    step.location = here.location;
    switch (call.does) {
      case Does::nothing: return true;
      case Does::is_passed_over: ++passed_over[call.name]; return true;
      case Does::is_unknown:
        return refuse(here.location, fmt::format("what `{}` begins or ends is not in the trace", call.name), "here",
                      "record the program with `wave record`");
      default: break;
    }
    if (!read_step(at, call, step)) return false;
    if (step.kind == Step::Kind::wait && step.ended.empty()) return true;
    if (steps_left_ == 0) return refuse_large(at);
    --steps_left_;
    if (step.kind == Step::Kind::started_send || step.kind == Step::Kind::posted_receive)
      requests_.push_back(steps.size());
    steps.push_back(std::move(step));
    times.push_back({since_, inside, -1});
    since_ = 0;
    return true;
  }

  bool read_step(std::size_t at, const KnownCall& call, Step& step) {
    using Kind = Step::Kind;
    std::int64_t participants = 0;
    if (call.does == Does::waits || call.does == Does::waits_for_all) return read_wait(at, call, step);
    if (!take_communicator(at, participants)) return false;
    switch (call.does) {
      case Does::sends:
      case Does::starts_to_send:
        step.kind = call.does == Does::sends ? Kind::send : Kind::started_send;
        return take_peer(at, ParameterKey::destination, "destination", step.peer) &&
               take_size(at, ParameterKey::count, ParameterKey::datatype, step.size);
      case Does::receives:
      case Does::posts_a_receive:
        step.kind = call.does == Does::receives ? Kind::receive : Kind::posted_receive;
        return take_peer(at, ParameterKey::source, "source", step.peer) &&
               take_size(at, ParameterKey::count, ParameterKey::datatype, step.size);
      case Does::exchanges:
      case Does::exchanges_in_place: {
        const bool is_in_place = call.does == Does::exchanges_in_place;
        step.kind = Kind::exchange;
        if (!take_peer(at, ParameterKey::destination, "destination", step.peer) ||
            !take_peer(at, ParameterKey::source, "source", step.from) ||
            !take_size(at, ParameterKey::count, ParameterKey::datatype, step.size))
          return false;
        step.received = step.size;
        if (step.from == Step::anybody)
          return refuse(event(at).location, "whom this exchange receives from is not in the trace", "from anybody",
                        "record the program with `wave record`");
        return is_in_place || take_size(at, ParameterKey::recvcount, ParameterKey::recvtype, step.received);
      }
      default: break;
    }
    step.kind = Kind::collective;
    step.name = call.name;
    step.participants = participants;
    if (call.does == Does::collective) return take_size(at, ParameterKey::count, ParameterKey::datatype, step.size);
    if (call.does == Does::gathered) return take_size(at, ParameterKey::recvcount, ParameterKey::recvtype, step.size);
    if (call.does != Does::reduce_scatter) return true;
    step.size = 0;
    for (std::int64_t i = 0; i < participants; ++i) {
      double part = 0;
      if (!count_visit(at) || !take_size(at, ParameterKey::recvcounts, ParameterKey::datatype, part)) return false;
      step.size += part;
    }
    return true;
  }

  // Requests are named by how many have begun since, less the 10 000 that are kept.
  bool read_wait(std::size_t at, const KnownCall& call, Step& step) {
    constexpr std::int64_t kept = 10'000;
    step.kind = Step::Kind::wait;
    std::int64_t number = 1;
    const ParameterKey key = call.does == Does::waits ? ParameterKey::request : ParameterKey::array_of_requests;
    if (call.does == Does::waits_for_all && !take(at, ParameterKey::count, "count", number)) return false;
    if (number < 0 || number > kept) return refuse_damaged(at, "this call has too many requests");
    for (std::int64_t i = 0; i < number; ++i) {
      std::int64_t name = 0;
      if (!count_visit(at) || !take(at, key, "request", name)) return false;
      const auto begun = static_cast<std::int64_t>(requests_.size());
      const std::int64_t place = begun + name - kept;
      if (name < 0 || name >= kept || place < 0) continue;  // none
      std::size_t& began = requests_[static_cast<std::size_t>(place)];
      if (began == ended) continue;
      step.ended.push_back(began);
      began = ended;
    }
    return true;
  }

  double time_of(const std::map<std::string_view, double>& times) const {
    const auto found = times.find(place_before_);
    if (found != times.end()) return found->second;
    return times.empty() ? 0 : times.begin()->second;
  }

  static constexpr auto ended = static_cast<std::size_t>(-1);
  const FoldedTrace& trace_;
  const std::vector<std::size_t>& members_;  // the events of this rank
  const std::uint32_t rank_;
  std::size_t& steps_left_;
  frontend::Diagnostics& diagnostics_;
  std::vector<Member> own_;
  std::vector<Frame> frames_;
  std::vector<std::size_t> requests_;  // the step that began each, or `ended`
  std::string_view place_before_;
  double since_ = 0;
  std::size_t visits_ = 0;
};

}  // namespace

std::optional<Recording> read_scalatrace(const frontend::Sources& sources, std::uint32_t file, std::size_t most_bytes,
                                         frontend::Diagnostics& diagnostics) {
  const auto trace = scalatrace::read_trace(sources, file, most_bytes / 4, diagnostics);
  if (!trace) return std::nullopt;
  std::vector<bool> is_there(trace->ranks);
  for (const FoldedCall& event : trace->events) {
    for (const std::uint32_t rank : event.ranks) is_there[rank] = true;
  }
  if (const auto missing = std::find(is_there.begin(), is_there.end(), false); missing != is_there.end()) {
    diagnostics
        .add(DiagnosticKind::unreadable_recording, trace->events.front().location,
             fmt::format("rank {} has no event", missing - is_there.begin()), fmt::format("of {} ranks", trace->ranks))
        .help.emplace_back("give the trace of all ranks");
    return std::nullopt;
  }
  std::vector<std::vector<std::size_t>> members(trace->ranks);
  for (std::size_t i = 0; i < trace->events.size(); ++i) {
    for (const std::uint32_t rank : trace->events[i].ranks) members[rank].push_back(i);
  }
  Recording result;
  std::size_t steps_left = most_bytes / (sizeof(Step) + sizeof(Times) + 2 * sizeof(std::size_t));
  for (std::uint32_t rank = 0; rank < trace->ranks; ++rank) {
    Unfolding unfolding(*trace, members[rank], rank, steps_left, diagnostics);
    if (!unfolding.unfold()) return std::nullopt;
    result.ranks.push_back(std::move(unfolding.steps));
    result.phases.emplace_back();
    result.times.push_back(std::move(unfolding.times));
    for (const auto& [call, count] : unfolding.passed_over) result.passed_over[call] += count;
  }
  return result;
}

}  // namespace wave::analysis::recorded
