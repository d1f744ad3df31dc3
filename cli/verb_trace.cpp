// `wave trace`: what every processor does when, as a timeline in the trace-event format of Chrome (Perfetto opens it),
// or what it sends and receives, as a GOAL schedule.
#include "backend/interpreter/inspection.h"
#include "backend/limits.h"
#include "backend/processes/timeline.h"
#include "cli/goal_schedule.h"
#include "cli/has_ending.h"
#include "cli/json.h"
#include "cli/limits.h"
#include "cli/model_processes.h"
#include "cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace wave::cli {
namespace {

using backend::processes::Cause;
using frontend::DiagnosticKind;

// Of a trace; no viewer opens more. And no more than a part of the memory that may be used.
constexpr std::size_t largest_trace = std::size_t{1} << 29;
std::size_t most_to_trace(const CommonOptions& options) { return std::min(largest_trace, options.memory_limit / 4); }

constexpr double per_microsecond = 1e6;  // picoseconds; the unit of trace events

const char* stretch_word(const backend::processes::Stretch& stretch) {
  switch (stretch.kind) {
    case Cause::Kind::compute: return "compute";
    case Cause::Kind::overhead: return "overhead";
    case Cause::Kind::gap: return stretch.waiting ? "wait for the network" : "gap";
    case Cause::Kind::wire: return "wait for data";
    case Cause::Kind::handshake: return "wait for the other end";
    case Cause::Kind::collective: return stretch.waiting ? "wait for a collective" : "collective";
  }
  return "";
}

// "0-3,8". Nothing: it is no such list.
std::optional<std::set<std::int64_t>> parse_ranks(const std::string& text) {
  std::set<std::int64_t> ranks;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::int64_t& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool is_number = error == std::errc() && value >= 0;
    at = next;
    return is_number;
  };
  constexpr std::int64_t most = 1'000'000;
  while (at != end) {
    std::int64_t first = 0, last = 0;
    if (!number(first)) return std::nullopt;
    last = first;
    if (at != end && *at == '-' && (++at, !number(last))) return std::nullopt;
    if (last < first || last - first > most) return std::nullopt;
    for (std::int64_t rank = first; rank <= last; ++rank) ranks.insert(rank);
    if (at != end && *at++ != ',') return std::nullopt;
  }
  return ranks;
}

class Timeline {
 public:
  Timeline(Session& session, const ModelProcesses& model, const frontend::ProcessInfo& process)
      : sources_(session.sources()),
        system_(model.lowered.system),
        process_(process),
        most_bytes_(most_to_trace(session.options())) {
    json_.begin_object(JsonWriter::Layout::lines).key("traceEvents").begin_array(JsonWriter::Layout::lines);
  }

  void name_rank(std::int64_t rank, const std::vector<std::int64_t>& point) {
    const std::string& grid = system_[system_[process_.process].space].name;
    begin("thread_name", "M", rank).key("args").begin_object();
    json_.key("name").value(fmt::format("{}[{}]", grid, fmt::join(point, ", ")));
    json_.end_object().end_object();
  }
  void show(const backend::processes::Stretch& stretch) {
    if (json_.str().size() > most_bytes_) throw TooLong{};
    const Place place = stretch.statement->place;
    std::string text = place.known() ? std::string(sources_.text(place)) : "";
    text = text.substr(0, text.find('\n'));
    const std::string name = stretch.waiting || text.empty() ? stretch_word(stretch) : text;
    begin(name, "X", stretch.process).key("cat").value(stretch_word(stretch));
    json_.key("ts").value(stretch.begin / per_microsecond);
    json_.key("dur").value((stretch.end - stretch.begin) / per_microsecond);
    json_.key("args").begin_object().key("statement").value(text);
    if (place.known()) json_.key("line").value(sources_.line_column(place.file, place.begin).line);
    json_.end_object().end_object();
  }
  std::string finish() {
    json_.end_array().key("displayTimeUnit").value("ns").end_object();
    return json_.str() + "\n";
  }

 private:
  JsonWriter& begin(const std::string& name, const char* phase, std::int64_t rank) {
    json_.begin_object().key("name").value(name).key("ph").value(phase);
    return json_.key("pid").value(std::int64_t{0}).key("tid").value(rank);
  }

  const frontend::Sources& sources_;
  const ir::System& system_;
  const frontend::ProcessInfo& process_;
  std::size_t most_bytes_;
  JsonWriter json_;
};

void report_too_long(Session& session, const frontend::ProcessInfo& process) {
  auto& d =
      session.diagnostics().add(DiagnosticKind::trace_too_long, process.place,
                                fmt::format("the trace of `{}` would be larger than {}", process.name,
                                            backend::bytes_text(static_cast<double>(most_to_trace(session.options())))),
                                "this process");
  d.help.push_back(
      "a trace is for small grids: choose some processors with `--ranks`, or make the grid or the number of tiles "
      "smaller");
}

std::string make_timeline(Session& session, const ModelProcesses& model, backend::processes::Run& run,
                          const std::set<std::int64_t>& ranks) {
  Timeline timeline(session, model, model.chosen.front());
  const auto is_chosen = [&](std::int64_t rank) { return ranks.empty() || ranks.count(rank) != 0; };
  run.use_network([&](const backend::processes::NetworkInput& input) {
    for (std::int64_t rank = 0; rank < input.places.count(); ++rank) {
      if (is_chosen(rank)) timeline.name_rank(rank, input.places.point(rank));
    }
    record_timeline(input, [&](const backend::processes::Stretch& stretch) {
      if (is_chosen(stretch.process)) timeline.show(stretch);
    });
  });
  return timeline.finish();
}

// The text that was asked for; nothing, with the reason in the session, where there is none.
std::optional<std::string> make_text(Session& session, const TraceCommand& command, const ModelProcesses& model,
                                     const std::set<std::int64_t>& ranks) {
  const auto& process = model.chosen.front();
  const auto& lowered = model.lowered;
  std::optional<std::string> text;
  std::optional<ir::Failure> failed;
  const ir::Collective* unwritten = nullptr;
  try {
    failed = backend::inspect_process(lowered.system, {}, engine_limits(session.options()), process.process,
                                      [&](backend::processes::Run& run) {
                                        if (!command.goal) {
                                          text = make_timeline(session, model, run, ranks);
                                          return;
                                        }
                                        GoalSchedule schedule = goal_schedule(run, most_to_trace(session.options()));
                                        unwritten = schedule.without_messages;
                                        text = std::move(schedule.text);
                                      });
  } catch (const TooLong&) {
    report_too_long(session, process);
    return std::nullopt;
  }
  if (failed) {
    report(lowered.system, lowered.words, lowered.notes, *failed, session.diagnostics());
    return std::nullopt;
  }
  if (unwritten != nullptr) {
    auto& d = session.diagnostics().add(
        DiagnosticKind::not_in_goal, process.place,
        fmt::format("`{}` of `{}` is a cost, and a GOAL schedule has only messages", unwritten->name, process.name),
        "this process");
    d.help.push_back("give the machine an algorithm for it: `collective name(...) on R[r: p] { ... }`");
    return std::nullopt;
  }
  return text;
}

}  // namespace

int execute(const TraceCommand& command, const CommonOptions& options, Console& console) {
  const auto ranks = parse_ranks(command.ranks);
  if (!ranks)
    return report_misuse(console, fmt::format("`--ranks` does not take `{}`", command.ranks),
                         "for example `--ranks 0-3,8`");
  if (command.goal && !ranks->empty())
    return report_misuse(console, "a GOAL schedule has all ranks", "leave `--ranks` away");
  const std::string other = command.goal ? ".json" : ".goal";
  if (has_ending(command.output, other)) {
    return report_misuse(console, fmt::format("`-o {}`: what is written is no `{}` file", command.output, other),
                         command.goal ? "end the name with `.goal`" : "end the name with `.json`, or give `--goal`");
  }
  Session session(console, options);
  const auto model = load_processes(session, command.of);
  if (!model) return failure;
  if (model->chosen.size() > 1) {
    std::vector<std::string> names;
    for (const auto& one : model->chosen) names.push_back(one.name);
    return report_misuse(console, "the model has several processes",
                         fmt::format("choose one with `--process`: {}", fmt::join(names, ", ")));
  }
  const auto text = make_text(session, command, *model, *ranks);
  if (!session.settle() || !text) return failure;
  return write_result(command.output, *text, console);
}

}  // namespace wave::cli
