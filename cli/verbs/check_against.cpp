// See check_against.h.
#include "cli/verbs/check_against.h"

#include "analysis/recorded/model_steps.h"
#include "analysis/recorded/recording.h"
#include "analysis/recorded/step_words.h"
#include "base/text.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/recordings.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/text.h"
#include "frontend/lower/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::cli {

namespace recorded = analysis::recorded;
using frontend::DiagnosticKind;
using recorded::CallOrder;
using recorded::Compared;
using recorded::Difference;
using recorded::Step;
using recorded::Steps;
using recorded::Totals;

namespace {

const std::map<std::string, CallOrder> orders{{"strict", CallOrder::strict}, {"by-wait", CallOrder::by_wait}};

// What belongs to one run of the program.
struct Program {
  std::string name;  // as the user named it
  recorded::Recording recording;
};

std::optional<Program> read_program(Session& session, const AgainstChoice& choice, const std::string& run) {
  auto opened = open_recording(session, run);
  if (!opened) return std::nullopt;
  const std::uint32_t file = opened->files.front();
  auto recording = recording_of(session, std::move(*opened));
  if (recording && !choice.section.empty()) {
    const auto first = session.sources().line(file, 1);
    const frontend::Location whole{file, 0, static_cast<std::uint32_t>(first.size())};
    recording = recorded::section_of(*recording, choice.section, whole, session.diagnostics());
  }
  if (!recording) return std::nullopt;
  return Program{run, std::move(*recording)};
}

// --- in words ---

std::string ordinal(std::size_t number) {
  const std::size_t last = number % 10, tens = number / 10 % 10;
  const char* const ending = tens == 1 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return fmt::format("{}{}", number, ending);
}

void report_difference(Session& session, const Program& program, const frontend::ProcessInfo& process,
                       const Compared& compared, bool is_same_by_wait) {
  const auto is_other = [](const std::optional<Difference>& one) { return one.has_value(); };
  const auto first = std::find_if(compared.differences.begin(), compared.differences.end(), is_other);
  if (first == compared.differences.end()) return;
  const Difference& difference = **first;
  const auto rank = first - compared.differences.begin();
  auto& d = session.diagnostics().add(
      DiagnosticKind::other_program, difference.in_model ? difference.in_model->location : process.location,
      fmt::format("rank {} of {}: the program {}, the model {}", rank, sanitize(program.name),
                  recorded::words_of(difference.in_program), recorded::words_of(difference.in_model)),
      !difference.in_model ? "this process"
      : difference.times_before == 0
          ? "the model, here"
          : fmt::format("the model, here, for the {} time", ordinal(difference.times_before + 1)));
  if (difference.in_program) d.labels.push_back({difference.in_program->location, "the program, here"});
  if (difference.ended_in_program)
    d.notes.push_back(
        fmt::format("only the program has waited for what {}", recorded::words_of(*difference.ended_in_program)));
  if (difference.ended_in_model)
    d.notes.push_back(
        fmt::format("only the model has waited for what {}", recorded::words_of(*difference.ended_in_model)));
  const auto all = std::count_if(compared.differences.begin(), compared.differences.end(), is_other);
  if (compared.differences.size() > 1)
    d.notes.push_back(fmt::format("{} of {} ranks differ", all, compared.differences.size()));
  if (is_same_by_wait)
    d.help.push_back("between waits all do the same in another order, which `--order by-wait` takes as equal");
  const bool is_collective = difference.in_program && difference.in_program->kind == Step::Kind::collective;
  if (is_collective)
    d.help.push_back(
        "what the model leaves out at either end is left out of the recording with `--section`, as `--section "
        "\"barrier 1..\"`; `--phase` compares one phase of the model");
}

// --- as tables ---

std::int64_t whole_number(double value) {
  constexpr double most = 9e18;
  return static_cast<std::int64_t>(std::min(value, most));
}

Results tables_of(Session& session, const ModelProcesses& model, const Program& program, const Compared& compared) {
  Results results;
  results.file = session.name();
  results.model = model.model;
  results.engine = "calls";
  results.add_table(model.chosen.front().name,
                    {{"of_all_ranks", text_type(), {}},
                     {"model", count_type(), {}},
                     {"program", count_type(), {}},
                     {"ranks_that_differ", count_type(), {}}},
                    "against " + sanitize(program.name));
  const auto add = [&](const char* what, const auto& value) {
    double in_model = 0, in_program = 0;
    std::int64_t differ = 0;
    for (std::size_t rank = 0; rank < compared.program.size(); ++rank) {
      in_model += static_cast<double>(value(compared.model[rank]));
      in_program += static_cast<double>(value(compared.program[rank]));
      differ += value(compared.model[rank]) != value(compared.program[rank]);
    }
    results.add_row({std::string(what), whole_number(in_model), whole_number(in_program), differ});
  };
  add("messages", [](const Totals& totals) { return totals.messages; });
  add("bytes", [](const Totals& totals) { return totals.bytes; });
  add("partners", [](const Totals& totals) { return totals.partners; });
  add("calls of collectives", [](const Totals& totals) { return totals.collectives; });
  add("calls of all kinds", [](const Totals& totals) { return totals.calls; });
  return results;
}

void say_numbering(Session& session, const ir::System& system, ir::ProcessId process, const Compared& compared) {
  if (std::is_sorted(compared.numbering.begin(), compared.numbering.end())) return;
  std::vector<std::string> names;
  const auto& axes = system[system[process].space].axes;
  for (const std::size_t axis : compared.numbering) names.insert(names.begin(), axes[axis].name);
  session.console().remark(fmt::format("ranks run along `{}` first, then along {}\n", names.front(),
                                       frontend::quoted_list({names.begin() + 1, names.end()})));
}

// --- the model ---

// The phase that was asked for; not valid: none was. Nothing, with a diagnostic, if there is no such phase.
std::optional<ir::PhaseId> find_phase(Session& session, const ir::Process& process, const frontend::ProcessInfo& info,
                                      const std::string& name) {
  if (name.empty()) return ir::PhaseId{};
  const auto found = std::find(process.phases.begin(), process.phases.end(), name);
  if (found != process.phases.end()) return ir::PhaseId{static_cast<std::uint32_t>(found - process.phases.begin())};
  auto& d = session.diagnostics().add(DiagnosticKind::other_program, info.location,
                                      fmt::format("`{}` has no phase `{}`", info.name, sanitize(name)), "this process");
  d.help.push_back(process.phases.empty() ? "it has none: leave `--phase` out"
                                          : "it has " + frontend::quoted_list(process.phases));
  return std::nullopt;
}

std::optional<recorded::ModelCalls> read_model(Session& session, const ModelProcesses& model,
                                               const AgainstChoice& choice) {
  const frontend::ProcessInfo& info = model.chosen.front();
  const ir::System& system = model.lowered.system;
  const auto phase = find_phase(session, system[info.process], info, choice.phase);
  if (!phase) return std::nullopt;
  recorded::ModelCalls calls;
  try {
    const auto failed = recorded::calls_of(system, engine_limits(session.options()), info.process, *phase,
                                           session.options().memory_limit / 4, calls);
    if (!failed) return calls;
    report(system, model.lowered.words, model.lowered.notes, *failed, session.diagnostics());
  } catch (const recorded::TooManySteps&) {
    session.diagnostics()
        .add(DiagnosticKind::trace_too_long, info.location,
             fmt::format("`{}` does too much to be compared call by call", info.name), "this process")
        .help.push_back("compare one phase of it with `--phase`, or a shorter run");
  }
  return std::nullopt;
}

// What the recording says of its run is given to the model, unless the command line gives it: parameters of the same
// names that take such values, and `ranks`.
ProcessChoice with_recorded(Session& session, const frontend::Item& model, ProcessChoice choice,
                            const recorded::Recording& recording) {
  std::map<std::string, std::string> said = recording.parameters;
  said["ranks"] = fmt::format("{}", recording.ranks.size());
  for (const std::string& given : choice.overrides) said.erase(trim(given.substr(0, given.find('='))));
  for (const auto& [name, value] : said) {
    if (!frontend::has_parameter(session.program(), model, name)) continue;
    frontend::Diagnostics unfit;  // a number where the model has a size, say
    const std::string given = name + "=" + value;
    frontend::check_given(session.program(), model, {given}, unfit);
    if (!unfit.has_errors()) choice.overrides.push_back(given);
  }
  return choice;
}

// Whether the recording is the same as the model's calls.
bool compare_with(Session& session, const ModelProcesses& model, const recorded::ModelCalls& calls,
                  const AgainstChoice& choice, const std::optional<Program>& program) {
  const frontend::ProcessInfo& process = model.chosen.front();
  const std::size_t ranks = program->recording.ranks.size(), processes = calls.steps.size();
  if (ranks != processes) {
    session.diagnostics()
        .add(DiagnosticKind::other_program, process.location,
             fmt::format("`{}` has {} processes, and {} has {} ranks", process.name, processes, sanitize(program->name),
                         ranks),
             "this process")
        .help.push_back("give its grid the run's extents, as `-D n=2 -D m=2`");
    return false;
  }
  const Compared compared = recorded::compare(program->recording.ranks, calls.steps, calls.extents, choice.order);
  const auto is_same = [](const Compared& one) {
    return std::none_of(one.differences.begin(), one.differences.end(), [](const auto& d) { return d.has_value(); });
  };
  say_numbering(session, model.lowered.system, process.process, compared);
  say_passed_over(session.console(), "compared", program->recording.passed_over);
  write_document(document_of(tables_of(session, model, *program, compared)), choice.format, "", session.console());
  if (is_same(compared)) return true;
  const bool is_same_by_wait =
      choice.order == CallOrder::strict &&
      is_same(recorded::compare(program->recording.ranks, calls.steps, calls.extents, CallOrder::by_wait));
  report_difference(session, *program, process, compared, is_same_by_wait);
  return false;
}

}  // namespace

void add_against(CLI::App& app, AgainstChoice& choice, CommonOptions& common) {
  add_list(
      app, "--against", choice.runs, "RUN",
      "Compare the model's process call by call with a recording of the program: a folder with a file for each rank, a "
      "trace in OTF2 (its folder or anchor file), or one of ScalaTrace (`*.trace`)");
  add_model_name(app, choice.of.model);
  add_overrides(app, choice.of.overrides, common);
  add_text(app, "--process", choice.of.process, "NAME", "Which process (default: the only one that outputs read)");
  add_text(app, "--phase", choice.phase, "NAME", "What of the model is compared (default: everything)");
  add_text(app, "--section", choice.section, "FROM..TO",
           "What of the recording is compared, between calls of collectives: \"barrier 1..allreduce 3\", "
           "\"barrier..\"; or a "
           "phase of the program: \"phase solve\"");
  add_choice(app, "--order", choice.order, orders,
             "Whether calls between the same two waits may be in any order (by-wait), or in the program's (strict, the "
             "default)");
  add_format(app, choice.format);
}

int check_against(const AgainstChoice& choice, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(choice.of.file)) return failure;
  const frontend::Item* const item = choose_model(session, choice.of.model);
  if (!session.settle() || item == nullptr) return failure;
  bool all_same = true;
  for (const std::string& run : choice.runs) {
    const auto program = read_program(session, choice, run);
    auto model = program ? processes_of(session, *item, with_recorded(session, *item, choice.of, program->recording))
                         : std::nullopt;
    if (!model) {
      session.settle();
      all_same = false;
      continue;
    }
    if (!keep_one_process(session, *model)) return misuse;
    const auto calls = read_model(session, *model, choice);
    const bool is_same = calls && compare_with(session, *model, *calls, choice, program);
    all_same = session.settle() && is_same && all_same;
  }
  return all_same ? success : failure;
}

}  // namespace wave::cli
