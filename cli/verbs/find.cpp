// `wave find`: where conditions hold.
#include "analysis/optimize/scan.h"
#include "analysis/tables/row_table.h"
#include "backend/limits.h"
#include "base/text.h"
#include "cli/formats/document.h"
#include "cli/formats/readable.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/ask_problem.h"
#include "cli/studies/optimum_report.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

struct FindCommand {
  StudyChoice of;  // `vary` is what `--over` says
  std::vector<std::string> where;
  bool first = false;  // stop at the first that is found
  bool all = false;    // print every one
  double point_limit_seconds = default_time_limit_seconds;
  Format format;
  std::string output;  // empty: standard output
};

void declare(CLI::App& verb, FindCommand& command, CommonOptions& common) {
  add_study_choice(verb, command.of, Points::otherwise, common);
  add_list(verb, "--over", command.of.vary, "NAME=LIST", "What is tried: --over \"n=1..64\" --over \"W=1 us..5 us\"")
      .required();
  add_list(verb, "--where", command.where, "EXPR", "What must hold: --where \"total <= 1 h\"; of several, all")
      .required();
  const auto all = add_flag(verb, "--all", command.all, "Print every point at which it holds");
  add_flag(verb, "--first", command.first, "Stop at the first point at which it holds").excludes(all);
  add_point_limit(verb, command.point_limit_seconds);
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// Points that are looked at without being asked twice, points that are printed, and samples of an interval.
constexpr double most_points_scanned = 1e9;
constexpr std::size_t some_rows = 20, most_rows_found = 1'000'000, some_runs = 20;
constexpr std::size_t samples = 2001;
constexpr double most_values_listed = 6;

struct Finding {
  const FindCommand& command;
  const AskedProblem& asked;
  const analysis::ScanOutcome& outcome;
  bool is_interval = false;
  bool takes_all = false;
};

bool is_alone(const AskedProblem& asked) { return asked.variables().size() == 1; }

// Refuses intervals beside other variables, and what would take for ever. False: reported.
bool check_size(Session& session, const FindCommand& command, const AskedProblem& asked) {
  const auto& problem = *asked.problem;
  for (std::size_t i = 0; i < problem.domains.size(); ++i) {
    if (!problem.domains[i].is_interval || is_alone(asked)) continue;
    session.diagnostics()
        .add(DiagnosticKind::wrong_study, asked.variables()[i].location, "an interval is found over alone",
             "all values between two, and other variables")
        .help.push_back(fmt::format("give it steps: `--over \"{}=... by ...\"`", problem.domains[i].name));
    return false;
  }
  const bool is_bounded = std::isfinite(session.options().time_limit_seconds);
  if (problem.has_intervals() || command.first || is_bounded || problem.size() <= most_points_scanned) return true;
  analysis::Points some(problem.domains.size());
  const auto whole = asked.problem->whole();
  some.add(whole.low);
  some.add(whole.high);
  std::vector<double> goals;
  std::vector<analysis::Violation> violations;
  const auto begin = std::chrono::steady_clock::now();
  asked.problem->evaluate(some, goals, violations);
  const double seconds = seconds_since(begin) / 2;
  auto& d =
      session.diagnostics().add(DiagnosticKind::study_too_large, {},
                                fmt::format("there are {} points to look at", backend::count_text(problem.size())));
  d.notes.push_back(fmt::format("going by the first and the last, they would take up to {}",
                                backend::duration_text(seconds * problem.size())));
  d.help.push_back("look over fewer values, for the first one with `--first`, or for as long as `--time-limit` says");
  return false;
}

std::string at_text(const Finding& finding, double at) {
  const auto text = finding.asked.text_of({at});
  return text.substr(text.find('=') + 2);
}

// "4..64" where that is how the language would write these values, else the first few of them, or from where to where.
std::string run_text(const Finding& finding, double first, double last) {
  if (first == last) return at_text(finding, first);
  if (finding.is_interval) return fmt::format("{}..{}", at_text(finding, first), at_text(finding, last));
  const auto& domain = finding.asked.problem->domains[0];
  bool is_range = std::holds_alternative<std::vector<std::int64_t>>(domain.values);
  for (double at = first; at < last && is_range; ++at) is_range = domain.value(at + 1) == domain.value(at) + 1;
  if (is_range) return fmt::format("{}..{}", at_text(finding, first), at_text(finding, last));
  if (last - first >= most_values_listed)
    return fmt::format("{} to {} of those listed", at_text(finding, first), at_text(finding, last));
  std::vector<std::string> values;
  for (double at = first; at <= last; ++at) values.push_back(at_text(finding, at));
  return join_texts(values, ", ");
}

// "n = 4..64, 80, 100..1024".
std::string runs_text(const Finding& finding) {
  std::vector<std::string> texts;
  for (const auto& [first, last] : finding.outcome.runs) {
    if (texts.size() == some_runs) break;
    texts.push_back(run_text(finding, first, last));
  }
  const std::size_t left = finding.outcome.runs.size() - texts.size();
  const char* const at_least = finding.outcome.has_more_runs ? "more than " : "";
  return fmt::format("{} = {}{}", finding.asked.variables()[0].name, join_texts(texts, ", "),
                     left > 0 ? fmt::format(", and {}{} more intervals", at_least, grouped(left)) : "");
}

std::string conditions_text(const AskedProblem& asked) {
  return fmt::format("`{}`", join_texts(asked.conditions, "` and `"));
}

std::vector<std::string> finding_statements(const Finding& finding) {
  const auto& outcome = finding.outcome;
  const auto& command = finding.command;
  std::vector<std::string> result;
  const std::string conditions = conditions_text(finding.asked);
  const auto all = static_cast<std::uint64_t>(std::min(outcome.search.points, 1e18));
  if (finding.is_interval) {
    result.push_back(fmt::format("{} {} for {}", conditions, finding.asked.conditions.size() > 1 ? "hold" : "holds",
                                 runs_text(finding)));
    result.push_back(
        fmt::format("seen by {} samples, their ends between two of them by bisection; what is narrower is not seen",
                    grouped(samples)));
  } else if (command.first) {
    result.push_back(fmt::format("the first of {} points at which {} {}", grouped(all), conditions,
                                 finding.asked.conditions.size() > 1 ? "hold" : "holds"));
  } else {
    std::string text =
        fmt::format("{} {} at {} of {} points", conditions, finding.asked.conditions.size() > 1 ? "hold" : "holds",
                    grouped(outcome.holding), grouped(all));
    if (is_alone(finding.asked) && !outcome.runs.empty() && finding.asked.problem->domains[0].is_number)
      text += ": " + runs_text(finding);
    result.push_back(text);
  }
  if (outcome.search.ending == analysis::Ending::given_up) {
    result.emplace_back("of points that took too long or too much nothing is known");
  } else if (!outcome.complete && !command.first) {
    result.push_back(fmt::format("stopped: {} points were evaluated, the others were not looked at",
                                 grouped(outcome.search.evaluated)));
  }
  for (auto& one : failure_texts(finding.asked, outcome.search)) result.push_back(std::move(one));
  return result;
}

// The first and the last, or all that are kept.
analysis::Points rows_of(const Finding& finding) {
  analysis::Points rows(finding.asked.variables().size());
  const auto& outcome = finding.outcome;
  const bool ends_only =
      is_alone(finding.asked) && !finding.takes_all && !finding.is_interval && outcome.holding > some_rows;
  if (ends_only) {
    rows.add(outcome.points.front());
    rows.add(outcome.last);
  } else {
    for (const auto& one : outcome.points) rows.add(one);
  }
  return rows;
}

OutputTable finding_table(const Finding& finding) {
  const auto rows = rows_of(finding);
  OutputTable table;
  table.name = "found";
  table.rows = rows.size();
  for (const auto& column : finding.asked.values(rows)) add_column(table, column);
  const auto shown = finding.asked.shown(rows);
  for (const auto& column : shown.columns) add_column(table, column);
  set_errors(table, shown.failed);
  return table;
}

Passages finding_page(const Finding& finding, const OutputTable& table) {
  std::string text;
  const std::uint64_t holding = finding.outcome.holding;
  const bool is_cut = !finding.is_interval && !finding.command.first && holding > table.rows;
  if (is_cut && is_alone(finding.asked) && !finding.takes_all)
    text += "the first and the last; `--all` prints all\n";
  else if (is_cut)
    text += fmt::format("... and {} more{}\n", grouped(holding - table.rows),
                        finding.command.all ? "" : "; `--all` prints them, too");
  text += sanitize(fmt::format("\n{}\n", join_texts(finding_statements(finding), "\n")));
  return {{"", readable(table, point_digits)}, {text}};
}

OutputTable outcome_of(const analysis::ScanOutcome& outcome) {
  using analysis::count_type, analysis::plain_type;
  const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  return row_table(analysis::record_table("outcome", {{{"points", plain_type(), {}}, outcome.search.points},
                                                      {{"is_complete", truth_type(), {}}, outcome.complete},
                                                      {{"holding", count_type(), {}}, count(outcome.holding)},
                                                      {{"failed", count_type(), {}}, count(outcome.search.failed)}}));
}

Document document_of(const Finding& finding, const std::string& file) {
  Document document = document_about(file, finding.asked.model->name.text);
  document.about.emplace_back("where", data_of(finding.asked.conditions));
  document.tables = {finding_table(finding), outcome_of(finding.outcome)};
  document.page = [&finding](const std::vector<OutputTable>& tables) { return finding_page(finding, tables.front()); };
  document.says = finding_statements(finding);
  return document;
}

int execute(const FindCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  analysis::ProblemQuestion question;
  question.conditions = command.where;
  question.condition_option = "--where";
  const auto asked = ask_problem(session, command.of, std::move(question), command.point_limit_seconds);
  if (!session.settle() || !asked) return failure;
  if (!check_size(session, command, *asked)) {
    session.settle();
    return failure;
  }

  Interrupt interrupt(console, "\nstopped\n");
  const bool is_interval = asked->problem->has_intervals();
  const bool takes_all = command.all || !command.format.is_for_people();
  analysis::ScanOptions scan;
  scan.first = command.first;
  scan.most_kept = command.first ? 1 : takes_all ? most_rows_found : some_rows;
  scan.stop = &interrupt.flag();
  analysis::ScanOutcome outcome;
  {
    ProgressLine line(console, "points", is_interval ? static_cast<double>(samples) : asked->problem->size());
    scan.progress = [&](const analysis::SearchProgress& progress) {
      line.advance(static_cast<double>(progress.looked_at));
    };
    outcome =
        is_interval ? analysis::scan_interval(*asked->problem, scan, samples) : analysis::scan(*asked->problem, scan);
  }
  if (outcome.points.empty()) {
    report_nothing(*asked, outcome.search, {"--time-limit", ""}, session.diagnostics());
    session.settle();
    return interrupt.pressed() ? interrupt.report_end(console, "the search", nothing_found) : failure;
  }
  const Finding finding{command, *asked, outcome, is_interval, takes_all};
  const int written = write_document(document_of(finding, session.name()), command.format, command.output, console);
  if (!session.settle()) return failure;
  return interrupt.pressed() ? interrupt.report_end(console, "the search", found_so_far) : written;
}

}  // namespace

Verb find_verb() {
  return make_verb<FindCommand>(
      "find", "Find where something holds",
      {{"Find all values for which a condition holds",
        "wave find examples/halo/halo.wave --over \"nx=1..512\" --where \"share <= 0.5\""},
       {"Stop at the first",
        "wave find examples/halo/halo.wave --over \"nx=1..512\" --where \"share <= 0.5\" --first"}},
      declare, execute);
}

}  // namespace wave::cli
