// `wave trace`: what every processor does when, as a timeline in the trace-event format of Chrome (Perfetto opens it)
// or as a picture, or what it sends and receives, as a GOAL schedule.
#include "analysis/pictures/timeline_plot.h"
#include "backend/interpreter/inspection.h"
#include "backend/limits.h"
#include "cli/formats/document.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/ranks.h"
#include "cli/recordings.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/timeline_files.h"
#include "cli/traces.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

// How the names of files end: a timeline is in the format of all data.
std::string timeline_ending() { return std::string(Format(Takes::data)->ending); }
constexpr const char* schedule_ending = ".goal";

struct TraceCommand {
  ProcessChoice of;
  std::string ranks;    // "0-3,8"; empty: all
  std::string output;   // empty: standard output
  std::string against;  // a recording; empty: none
  bool goal = false;
  PictureStyle style;
};

void declare(CLI::App& verb, TraceCommand& command, CommonOptions& common) {
  add_model(verb, command.of, common);
  add_text(verb, "--process", command.of.process, "NAME",
           "Which process (default: the only one, or the only one that outputs read)");
  add_ranks(verb, command.ranks);
  add_text(verb, "--against", command.against, "RUN",
           "Show a recording of the program below it, as `wave check` compares one");
  add_flag(verb, "--goal", command.goal, "Write a GOAL schedule for LogGOPSim instead");
  add_file(
      verb, "-o,--out,--output", command.output,
      {timeline_ending(), ".svg", ".png", ".pdf", ".html", ".htm", schedule_ending, ".txt"},
      "Into this file: halo.json for Perfetto, halo.svg or .html to look at, halo.goal (default: standard output)");
  add_picture_style(verb, command.style, PictureOf::timeline);
  add_search(verb, common);
}

// Of a trace; no viewer opens more. And no more than a part of the memory that may be used.
constexpr std::size_t largest_trace = std::size_t{1} << 29;
std::size_t most_to_trace(const CommonOptions& options) { return std::min(largest_trace, options.memory_limit / 4); }

void report_too_long(Session& session, const frontend::ProcessInfo& process) {
  auto& d =
      session.diagnostics().add(DiagnosticKind::trace_too_long, process.location,
                                fmt::format("the trace of `{}` would be larger than {}", process.name,
                                            backend::bytes_text(static_cast<double>(most_to_trace(session.options())))),
                                "this process");
  d.help.push_back(
      "a trace is for small grids: choose some processors with `--ranks`, or make the grid or the number of tiles "
      "smaller");
}

struct OtherRanks {
  std::int64_t processes;
};
void require_as_many(const RecordedRun& recorded, std::int64_t processes) {
  if (static_cast<std::int64_t>(recorded.recording.ranks.size()) != processes) throw OtherRanks{processes};
}

// Throws NoSuchRank and TooLong.
std::string make_timeline(Session& session, const ModelProcesses& model, backend::processes::Run& run,
                          const RecordedRun* recorded, const std::set<std::int64_t>& ranks) {
  const auto is_wanted = [&](std::int64_t rank) { return ranks.empty() || ranks.count(rank) != 0; };
  require_ranks(ranks, run.places().count());
  std::string text;
  run.use_program([&](const backend::processes::ProgramInput& input) {
    text = trace_events(input, session.sources(), model.chosen.front(), is_wanted, recorded,
                        most_to_trace(session.options()));
  });
  return text;
}

// The text that was asked for; nothing, with the reason in the session, where there is none. Throws NoSuchRank.
std::optional<std::string> make_text(Session& session, const TraceCommand& command, const ModelProcesses& model,
                                     const RecordedRun* recorded, const std::set<std::int64_t>& ranks) {
  const auto& process = model.chosen.front();
  const auto& lowered = model.lowered;
  std::optional<std::string> text;
  std::optional<ir::Failure> failed;
  const ir::Collective* unwritten = nullptr;
  std::size_t without_bytes = 0;
  try {
    failed = backend::inspect_process(lowered.system, {}, engine_limits(session.options()), process.process,
                                      [&](backend::processes::Run& run) {
                                        if (!command.goal) {
                                          if (recorded != nullptr) require_as_many(*recorded, run.places().count());
                                          text = make_timeline(session, model, run, recorded, ranks);
                                          return;
                                        }
                                        GoalSchedule schedule = goal_schedule(run, most_to_trace(session.options()));
                                        unwritten = schedule.without_messages;
                                        without_bytes = schedule.without_bytes;
                                        text = std::move(schedule.text);
                                      });
  } catch (const TooLong&) {
    report_too_long(session, process);
    return std::nullopt;
  } catch (const OtherRanks& other) {
    session.diagnostics()
        .add(DiagnosticKind::other_program, process.location,
             fmt::format("`{}` has {} processes, and {} has {} ranks", process.name, other.processes,
                         sanitize(recorded->name), recorded->recording.ranks.size()),
             "this process")
        .help.push_back("give its grid the run's extents, as `-D n=2 -D m=2`");
    return std::nullopt;
  }
  if (failed) {
    report(lowered.system, lowered.words, lowered.notes, *failed, session.diagnostics());
    return std::nullopt;
  }
  if (unwritten != nullptr) {
    auto& d = session.diagnostics().add(
        DiagnosticKind::not_in_goal, process.location,
        fmt::format("`{}` of `{}` is a cost, and a GOAL schedule has only messages", unwritten->name, process.name),
        "this process");
    d.help.push_back("give the machine an algorithm for it: `collective name(...) on R[r: p] { ... }`");
    return std::nullopt;
  }
  if (without_bytes > 0) {
    session.console().remark(fmt::format("{} of 0 B {} as 1b: for 0b LogGOPSim subtracts the time of a byte\n",
                                         without_bytes == 1 ? "1 message" : fmt::format("{} messages", without_bytes),
                                         without_bytes == 1 ? "is written" : "are written"));
  }
  return text;
}

// The timeline as a picture or a page. Throws NoSuchRank.
int draw_timeline(Session& session, const TraceCommand& command, const ModelProcesses& model,
                  const std::set<std::int64_t>& ranks) {
  const auto limits = engine_limits(session.options());
  const auto& process = model.chosen.front();
  const auto plot = analysis::pictures::plot_process(
      model.lowered, process, {ranks.begin(), ranks.end()}, limits, session.diagnostics(),
      [&](std::int64_t count) { return require_ranks(ranks, count), true; });
  if (!session.settle() || !plot) return failure;
  return write_timeline(session.console(), *plot, command.output, command.style, session.name());
}

// What is asked for that does not go together: the exit code, reported.
std::optional<int> find_misuse(const TraceCommand& command, const std::set<std::int64_t>& ranks, Console& console) {
  const bool is_picture = is_picture_name(command.output);
  if (command.goal && !ranks.empty())
    return report_misuse(console, "a GOAL schedule has all ranks", "leave `--ranks` out");
  if (command.goal && !command.against.empty())
    return report_misuse(console, "a GOAL schedule has no recording", "leave `--against` out");
  if (is_picture && command.goal)
    return report_misuse(console, "a GOAL schedule is no picture", "end the name with `.goal`, or leave `--goal` out");
  if (is_picture && !command.against.empty())
    return report_misuse(console, "a picture shows the model alone",
                         "leave `--against` out, or end the name with `.json`");
  if (const auto misused = find_misuse_of_timeline(command.output, command.style, ranks.size(), console))
    return *misused;
  const std::string other = command.goal ? timeline_ending() : schedule_ending;
  if (!has_ending(command.output, other)) return std::nullopt;
  return report_misuse(console, fmt::format("`-o {}`: what is written is no `{}` file", command.output, other),
                       command.goal ? "end the name with `.goal`" : "end the name with `.json`, or give `--goal`");
}

int execute(const TraceCommand& command, const CommonOptions& options, Console& console) {
  const auto ranks = read_ranks(command.ranks, console);
  if (!ranks) return misuse;
  if (const auto misused = find_misuse(command, *ranks, console)) return *misused;
  Session session(console, options);
  auto model = load_processes(session, command.of);
  if (!model) return failure;
  if (!keep_one_process(session, *model)) return misuse;
  std::optional<RecordedRun> recorded;
  if (!command.against.empty()) {
    auto opened = open_recording(session, command.against);
    auto recording = opened ? recording_of(session, std::move(*opened)) : std::nullopt;
    if (!session.settle() || !recording) return failure;
    recorded = RecordedRun{sanitize(command.against), std::move(*recording)};
  }
  try {
    if (is_picture_name(command.output)) return draw_timeline(session, command, *model, *ranks);
    const auto text = make_text(session, command, *model, recorded ? &*recorded : nullptr, *ranks);
    if (!session.settle() || !text) return failure;
    return write_result(command.output, *text, console);
  } catch (const NoSuchRank& missing) {
    return report_no_such_rank(console, model->chosen.front().name, missing);
  }
}

}  // namespace

Verb trace_verb() {
  return make_verb<TraceCommand>("trace",
                                 "Write or draw the timeline of a process on a small grid, or write its schedule",
                                 {{"Write a timeline that Perfetto opens",
                                   "wave trace examples/halo/halo.wave -D n=2 -D m=2 -D iterations=2 -o halo.json"},
                                  {"Draw two processors, with their messages as arrows",
                                   "wave trace examples/halo/halo.wave -D iterations=2 --ranks 0,1 -o two.svg"},
                                  {"Write a schedule for LogGOPSim",
                                   "wave trace examples/sweep/sweep.wave -D n=2 -D planes=240 --goal -o sweep.goal"}},
                                 declare, execute);
}

}  // namespace wave::cli
