// `wave optimize`: the best configuration, and whether it is proved to be.
#include "cli/client.h"
#include "cli/formats/document.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/ask_problem.h"
#include "cli/studies/optimum_report.h"
#include "cli/studies/point_table.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct OptimizeCommand {
  StudyChoice of;  // `vary` is what `--over` says
  std::vector<std::string> minimize, maximize;
  std::vector<std::string> subject_to;
  std::size_t top = 10;
  analysis::Method method = analysis::Method::automatic;
  double budget_seconds = 60;     // infinite: until the best is proved
  std::uint64_t most_points = 0;  // evaluated; 0: as many as there is time for
  std::uint64_t seed = 1;
  bool no_explanation = false;
  double point_limit_seconds = default_time_limit_seconds;
  Format format;
  std::string output;  // empty: standard output
};

const std::map<std::string, analysis::Method> methods{{"auto", analysis::Method::automatic},
                                                      {"exhaustive", analysis::Method::exhaustive},
                                                      {"bounds", analysis::Method::bounds},
                                                      {"search", analysis::Method::search}};

void declare(CLI::App& verb, OptimizeCommand& command, CommonOptions& common) {
  add_study_choice(verb, command.of, Points::otherwise, common);
  add_list(verb, "--over", command.of.vary, "NAME=LIST",
           "What may be chosen: --over \"n=1..64\" --over \"mk=[1,5,10]\" --over \"W=1 us..5 us\"")
      .required();
  add_list(verb, "--minimize", command.minimize, "EXPR",
           "What is to be small: an output or an expression; several give their Pareto front");
  add_list(verb, "--maximize", command.maximize, "EXPR", "What is to be large");
  add_list(verb, "--subject-to", command.subject_to, "EXPR", "What must hold: --subject-to \"n * m <= 1024\"");
  add_whole(verb, "--top", command.top, {1, analysis::most_shown}, "How many of the best are shown (default 10)");
  add_amount(verb, "--budget", command.budget_seconds, parse_seconds, "10s",
             "How long it may look: 10s, 5min, none (default 60s)");
  add_whole(verb, "--points", command.most_points, {1, UINT64_MAX},
            "How many points it may evaluate (default: as many as there is time for)");
  add_choice(verb, "--method", command.method, methods,
             "How it looks: at all points, by bounds, or by a search that proves nothing");
  add_seed(verb, command.seed, "Of the random numbers of a search (default 1)");
  add_flag(verb, "--no-explanation", command.no_explanation,
           "Do not look for what limits the best, and where their time goes");
  add_point_limit(verb, command.point_limit_seconds);
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

constexpr std::size_t most_rows_of_front = 60;

// A line on a terminal: how many points, how fast, and the best so far.
class SearchLine {
 public:
  SearchLine(Console& console, const AskedProblem& asked) : console_(console), asked_(asked) {
    if (console_.client()) console_.client()->advance(0, asked_.problem->size());
  }
  ~SearchLine() { console_.status(""); }
  SearchLine(const SearchLine&) = delete;
  SearchLine& operator=(const SearchLine&) = delete;

  void show(const analysis::SearchProgress& progress) {
    if (console_.client()) return console_.client()->advance(static_cast<double>(progress.looked_at), progress.all);
    if (Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    const double seconds = seconds_since(begin_);
    std::string text = progress.all > 0
                           ? progress_text("points", static_cast<double>(progress.looked_at), progress.all, seconds)
                           : fmt::format("{} points", grouped(progress.looked_at));
    text += fmt::format(", {} evaluated", grouped(progress.evaluated));
    if (std::isfinite(progress.best)) {
      const auto& goal = asked_.goals.front();
      const double value = asked_.problem->maximize.front() ? -progress.best : progress.best;
      text += fmt::format(
          ", best {}",
          value_text({{std::vector<double>{value}, {}, {}}, goal.name, goal.type, goal.unit, "", false}, 0));
    }
    console_.status(text);
  }

 private:
  Console& console_;
  const AskedProblem& asked_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::milliseconds(700);
};

// Nobody reads a table of thousands of rows; both ends stay.
void thin_out(std::vector<analysis::Candidate>& front) {
  if (front.size() <= most_rows_of_front) return;
  std::vector<analysis::Candidate> some;
  for (std::size_t i = 0; i < most_rows_of_front; ++i) {
    some.push_back(std::move(front[i * (front.size() - 1) / (most_rows_of_front - 1)]));
  }
  front = std::move(some);
}

int execute(const OptimizeCommand& command, const CommonOptions& options, Console& console) {
  if (command.minimize.empty() && command.maximize.empty()) {
    return report_misuse(console, "`wave optimize` is not told what is to be small or large",
                         "give `--minimize total`, or `--maximize efficiency`");
  }
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  analysis::ProblemQuestion question;
  for (const auto& text : command.minimize) question.goals.push_back({false, text});
  for (const auto& text : command.maximize) question.goals.push_back({true, text});
  question.conditions = command.subject_to;
  const auto asked = ask_problem(session, command.of, std::move(question), command.point_limit_seconds);
  if (!session.settle() || !asked) return failure;

  Interrupt interrupt(console, "\nstopped before a point was evaluated\n");
  analysis::SearchOptions search;
  search.method = command.method;
  search.seconds = command.budget_seconds;
  if (command.most_points > 0) search.most_points = command.most_points;
  search.seed = command.seed;
  search.top = command.top;
  search.stop = &interrupt.flag();
  analysis::SearchOutcome outcome;
  {
    SearchLine line(console, *asked);
    search.progress = [&](const analysis::SearchProgress& progress) { line.show(progress); };
    outcome = analysis::optimize(*asked->problem, search);
  }
  const std::size_t found = outcome.best.size();
  if (command.format.is_for_people() && asked->goals.size() > 1) thin_out(outcome.best);
  Optimum optimum{command.seed, *asked, outcome, {}, found - outcome.best.size()};
  if (outcome.best.empty()) {
    report_nothing(*asked, outcome, {}, session.diagnostics());
    session.settle();
    return interrupt.pressed() ? interrupt.report_end(console, "the search", nothing_found) : failure;
  }
  const auto find_parts = [&](const std::vector<std::string>& values, double seconds) {
    return largest_parts(session, *asked->model, command.of, asked->goals.front().name, values, seconds);
  };
  if (!command.no_explanation)
    optimum.explained = explain(*asked, outcome.best, command.budget_seconds, interrupt.flag(), find_parts);
  const int written = write_document(document_of(optimum, session.name()), command.format, command.output, console);
  if (!session.settle()) return failure;
  return interrupt.pressed() ? interrupt.report_end(console, "the search", found_so_far) : written;
}

}  // namespace

Verb optimize_verb() {
  return make_verb<OptimizeCommand>(
      "optimize", "Find the best configuration",
      {{"Find the best shape of a grid of 64 processes",
        "wave optimize examples/halo/halo.wave --over \"n=1..64\" --over \"m=1..64\" --minimize total --subject-to \"n "
        "* m == 64\""},
       {"Weigh two goals against each other",
        "wave optimize examples/halo/halo.wave --over \"nx=[16,32,64,128]\" --minimize total --minimize share"}},
      declare, execute);
}

}  // namespace wave::cli
