// See traces.h.
#include "cli/traces.h"

#include "backend/processes/path/resource_names.h"
#include "cli/formats/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace wave::cli {
namespace {

using backend::processes::Arrow;
using backend::processes::Cause;
using backend::processes::resource_of;
using backend::processes::ResourceInstance;
using backend::processes::Service;
using backend::processes::Slice;
using backend::processes::Timeline;

constexpr double per_microsecond = 1e6;      // picoseconds; the unit of trace events
constexpr std::size_t least_of_slice = 100;  // bytes of text

class TraceWriter {
 public:
  // Hands one event after the other to `add`.
  TraceWriter(const backend::processes::ProgramInput& input, const frontend::Sources& sources,
              const frontend::ProcessInfo& process, const std::function<void(Data)>& add)
      : input_(input), sources_(sources), system_(input.scalars.system()), process_(process), add_(add) {
    name_process(process_.name);
  }

  void name_rank(std::int64_t rank) { name_track(rank, process_name(input_, rank)); }

  void show(const Timeline& timeline) {
    std::vector<bool> has_arrow(timeline.slices.size(), false);
    for (const Arrow& arrow : timeline.arrows) has_arrow[arrow.from] = has_arrow[arrow.to] = true;
    for (std::size_t i = 0; i < timeline.slices.size(); ++i) {
      const Slice& slice = timeline.slices[i];
      const bool is_of_message = slice.kind == Slice::Kind::call || slice.kind == Slice::Kind::wait;
      if (is_of_message && slice.begin == slice.end && !has_arrow[i]) continue;
      show(slice);
    }
    std::int64_t id = 0;
    for (const Arrow& arrow : timeline.arrows) {
      ++id;
      begin_flow("s", timeline.slices[arrow.from].process, id, arrow.begin);
      end();
      begin_flow("f", timeline.slices[arrow.to].process, id, arrow.end).key("bp").value("e");
      end();
    }
    show(timeline.services);
  }

  // Each call begins after the time since the one before.
  void show(const RecordedRun& recorded, const std::function<bool(std::int64_t rank)>& is_wanted) {
    ++number_of_process_;
    name_process("recorded: " + recorded.name);
    for (std::size_t rank = 0; rank < recorded.recording.ranks.size(); ++rank) {
      const auto number = static_cast<std::int64_t>(rank);
      if (!is_wanted(number)) continue;
      name_track(number, fmt::format("rank {}", rank));
      double now = 0;  // ns
      const auto& steps = recorded.recording.ranks[rank];
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const analysis::recorded::Times& times = recorded.recording.times[rank][i];
        now += times.since_ns;
        show(steps[i], number, now, times.inside_ns);
        now += times.inside_ns;
      }
    }
  }

 private:
  void show(const analysis::recorded::Step& step, std::int64_t rank, double begin_ns, double ns) {
    constexpr double of_a_microsecond = 1000;
    const std::string line = line_at(step.location);
    begin(line.substr(0, line.find(' ')), "X", rank).key("cat").value("recorded");
    event_.key("ts").value(begin_ns / of_a_microsecond).key("dur").value(ns / of_a_microsecond);
    event_.key("args").begin_object().key("call").value(line).end_object();
    end();
  }

  // As viewers have processes. Resources are the second one.
  std::int64_t number_of_process_ = 1;

  void name_process(const std::string& name) {
    event_.begin_object().key("name").value("process_name").key("ph").value("M").key("pid").value(number_of_process_);
    event_.key("args").begin_object().key("name").value(name).end_object();
    end();
  }
  void name_track(std::int64_t number, const std::string& name) {
    begin("thread_name", "M", number).key("args").begin_object().key("name").value(name).end_object();
    end();
    begin("thread_sort_index", "M", number).key("args").begin_object();
    event_.key("sort_index").value(number + 1).end_object();
    end();
  }

  // A track for every server that serves.
  void show(const std::vector<Service>& services) {
    if (services.empty()) return;
    ++number_of_process_;
    name_process("resources of " + process_.name);
    std::map<std::pair<ResourceInstance, std::uint32_t>, std::int64_t> tracks;
    for (const Service& service : services) tracks[{service.by, service.server}] = 0;
    std::int64_t tracks_named = 0;
    for (auto& [server, number] : tracks) {
      number = tracks_named++;
      const auto& [instance, which] = server;
      const bool has_several = resource_of(system_, instance.resource).servers.valid();
      const std::string name = instance_name(input_, instance);
      name_track(number, has_several ? fmt::format("{}, server {}", name, which) : name);
    }
    for (const Service& service : services) {
      const std::string from = process_name(input_, service.sender), to = process_name(input_, service.receiver);
      begin(from + " to " + to, "X", tracks.at({service.by, service.server}));
      event_.key("cat").value("service").key("ts").value(service.begin / per_microsecond);
      event_.key("dur").value((service.end - service.begin) / per_microsecond);
      event_.key("args").begin_object().key("sender").value(from).key("receiver").value(to);
      event_.key("bytes").value(service.size).key("tag").value(service.tag).end_object();
      end();
    }
  }

  // Threads are numbered from 1, because viewers take 0 for the idle thread.
  DataWriter& begin(const std::string& name, const char* phase, std::int64_t rank) {
    event_.begin_object().key("name").value(name).key("ph").value(phase);
    return event_.key("pid").value(number_of_process_).key("tid").value(rank + 1);
  }
  DataWriter& begin_flow(const char* phase, std::int64_t rank, std::int64_t id, double time) {
    begin("message", phase, rank).key("cat").value("message").key("id").value(id);
    return event_.key("ts").value(time / per_microsecond);
  }

  void show(const Slice& slice) {
    const std::string text = text_of(slice);
    const bool is_named_by_text = slice.kind != Slice::Kind::stretch || slice.cause == Cause::Kind::compute;
    const bool is_phase = slice.kind == Slice::Kind::phase;
    const std::string& phase = is_phase ? system_[process_.process].phases[slice.phase.index] : text;
    begin(is_named_by_text && !phase.empty() ? phase : slice_kind(slice), "X", slice.process);
    event_.key("cat").value(slice_kind(slice)).key("ts").value(slice.begin / per_microsecond);
    event_.key("dur").value((slice.end - slice.begin) / per_microsecond);
    if (!is_phase) {
      event_.key("args").begin_object().key("statement").value(text);
      const Location location = slice.statement->location;
      if (location.known()) event_.key("line").value(sources_.line_column(location.file, location.begin).line);
      event_.end_object();
    }
    end();
  }
  void end() { add_(event_.end_object().take()); }

  std::string text_of(const Slice& slice) const {
    return slice.statement == nullptr ? "" : line_at(slice.statement->location);
  }
  std::string line_at(const Location& location) const {
    if (!location.known()) return "";
    const std::string_view text = sources_.text(location);
    return std::string(text.substr(0, text.find('\n')));
  }

  const backend::processes::ProgramInput& input_;
  const frontend::Sources& sources_;
  const ir::System& system_;
  const frontend::ProcessInfo& process_;
  const std::function<void(Data)>& add_;
  DataWriter event_;
};

}  // namespace

std::string trace_events(const backend::processes::ProgramInput& input, const frontend::Sources& sources,
                         const frontend::ProcessInfo& process, const std::function<bool(std::int64_t rank)>& is_wanted,
                         const RecordedRun* recorded, std::size_t most_bytes) {
  const auto add_events = [&](const std::function<void(Data)>& add) {
    TraceWriter writer(input, sources, process, add);
    for (std::int64_t rank = 0; rank < input.places.count(); ++rank) {
      if (is_wanted(rank)) writer.name_rank(rank);
    }
    writer.show(record_timeline(input, [&](std::uint32_t rank, std::size_t slices) {
      if (slices > most_bytes / least_of_slice) throw TooLong{};
      return is_wanted(rank);
    }));
    if (recorded != nullptr) writer.show(*recorded, is_wanted);
  };
  DataWriter trace;
  trace.begin_object(Layout::lines).key("traceEvents").stream(add_events).key("displayTimeUnit").value("ns");
  std::string text;
  write_data(trace.end_object().take(), [&](std::string_view more) {
    text += more;
    if (text.size() > most_bytes) throw TooLong{};
    return true;
  });
  return text;
}

namespace {

constexpr double per_nanosecond = 1000;  // picoseconds; the unit of `calc`

// One rank. Operations are labelled l1, l2, ..., and each requires what the process waited for last.
class Rank final : public backend::processes::ProgramListener {
 public:
  Rank(GoalSchedule& schedule, std::size_t most_bytes) : schedule_(schedule), most_bytes_(most_bytes) {}

  void open(std::int64_t rank) {
    close();
    is_open_ = true;
    schedule_.text += fmt::format("\nrank {} {{\n", rank);
    last_ = 0;
    computed_ = written_ = 0;
    required_.clear();
    labels_.clear();
    started_ = 0;
  }
  void close() {
    if (is_open_) schedule_.text += "}\n";
    is_open_ = false;
  }

  // The sum so far is rounded, not its parts, because many short parts would come to nothing.
  void compute(const ir::Statement&, double time) override {
    computed_ += time;
    const double rounded = std::nearbyint(computed_ / per_nanosecond);
    block(add(fmt::format("calc {:.0f}", rounded - written_)));
    written_ = rounded;
  }
  void message(const Call& call) override {
    const ir::Message& message = call.message;
    const bool is_send = message.side == ir::Message::Side::send;
    // The simulator charges (size - 1) G, which is negative for no bytes.
    if (call.size == 0 && is_send) ++schedule_.without_bytes;
    const double bytes = std::max(1.0, std::ceil(call.size));
    const int label = add(fmt::format("{} {:.0f}b {} {} tag {}", is_send ? "send" : "recv", bytes,
                                      is_send ? "to" : "from", call.peer, call.channel));
    labels_.push_back(label);
    if (!message.background) return block(label);
    started_ = label;
  }
  void wait(const ir::Statement&, std::span<const std::uint32_t> calls) override {
    for (const std::uint32_t call : calls) required_.push_back(labels_[call]);
  }
  void collective(const ir::Statement&, const ir::Collective& collective) override {
    schedule_.without_messages = &collective;
  }

 private:
  int add(const std::string& what) {
    if (schedule_.text.size() > most_bytes_) throw TooLong{};
    schedule_.text += fmt::format("l{}: {}\n", ++last_, what);
    for (const int label : required_) schedule_.text += fmt::format("l{} requires l{}\n", last_, label);
    if (started_ != 0) schedule_.text += fmt::format("l{} irequires l{}\n", last_, started_);
    return last_;
  }
  void block(int label) {
    required_ = {label};
    started_ = 0;
  }

  GoalSchedule& schedule_;
  std::size_t most_bytes_;
  bool is_open_ = false;
  int last_ = 0;
  double computed_ = 0;  // ps, so far
  double written_ = 0;   // ns, of the above
  int started_ = 0;      // an operation in the background that comes before it in the program, or 0
  std::vector<int> required_;
  std::vector<int> labels_;  // by call
};

}  // namespace

GoalSchedule goal_schedule(backend::processes::Run& run, std::size_t most_bytes) {
  GoalSchedule schedule;
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(run.places().count()));
  std::iota(ranks.begin(), ranks.end(), 0);
  schedule.text = fmt::format("num_ranks {}\n", ranks.size());
  Rank rank(schedule, most_bytes);
  run.list(ranks, [&](std::int64_t number) -> backend::processes::ProgramListener& {
    rank.open(number);
    return rank;
  });
  rank.close();
  return schedule;
}

}  // namespace wave::cli
