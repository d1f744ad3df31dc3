// `wave report`: a page with outputs, plots, where time goes, and where all numbers come from.
#include "analysis/pictures/assets.h"
#include "base/text.h"
#include "cli/embedded.h"
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/influence.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/studies/report_parts.h"
#include "cli/studies/study_results.h"
#include "cli/text.h"
#include "cli/timeline_files.h"
#include "cli/verb.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wave::cli {
namespace {

using analysis::pictures::Page;
using frontend::DiagnosticKind;
using frontend::Item;
namespace element = analysis::pictures::element;
namespace item = frontend::item;

struct ReportCommand {
  PageChoice of;
  std::string output;
};

void declare(CLI::App& verb, ReportCommand& command, CommonOptions& common) {
  add_study_choice(verb, command.of.points, Points::varied, common);
  add_measurements(verb, command.of.data, false);
  add_plots_asked(verb, command.of.plots);
  add_flag(verb, "--no-breakdown", command.of.no_breakdown, "Leave out where time goes, and timelines");
  add_file(verb, "-o,--out,--output", command.output, {".html", ".htm"}, "Into this file: report.html").required();
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// What makes the page again, whatever it was evaluated by.
std::vector<std::string> arguments_of(const ReportCommand& command, const CommonOptions& options) {
  std::vector<std::string> arguments{"report", command.of.points.file};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    arguments.emplace_back(option);
    arguments.push_back(value);
  };
  add("--model", command.of.points.model);
  add("--study", command.of.points.study);
  for (const auto& one : command.of.points.overrides) add("-D", one);
  for (const auto& one : command.of.points.vary) add("--vary", one);
  for (const auto& one : command.of.points.where) add("--where", one);
  for (const auto& one : command.of.points.show) add("--show", one);
  add("--data", command.of.data.data);
  add("--measured", command.of.data.measured);
  for (const auto& one : command.of.data.ignored) add("--ignore", one);
  for (const auto& one : command.of.data.named) add("--column", one);
  if (command.of.data.reading.decimal == ',') add("--decimal", ",");
  if (command.of.data.reading.skip_missing) arguments.emplace_back("--skip-missing");
  for (const auto& one : command.of.plots.of) add("--draw", one);
  if (const auto bars = word_of(command.of.plots.bars); bars != word_of(PlotsAsked().bars)) add("--error-bars", bars);
  if (command.of.no_breakdown) arguments.emplace_back("--no-breakdown");
  for (const auto& one : options.search) add("-I", one);
  add("-o", command.output);
  return arguments;
}

class Report {
 public:
  Report(const ReportCommand& command, Session& session) : command_(command), session_(session) {}

  int make();

 private:
  const Item* find_model();
  std::vector<std::string> studies_of(const Item& model);
  bool check_drawn(const Item& model);
  bool evaluate_model(const Item& model);
  bool add_study(std::optional<OpenStudy> study, const std::string& part);
  bool add_studies(const Item& model);
  bool has_points() const { return !command_.of.points.vary.empty() || !command_.of.points.study.empty(); }
  // Reports what the session has collected of a part of the page, and keeps it for the page.
  bool settle(const std::string& part = "");
  void say_once_that_time_is_out(const std::string& part);
  void name_left_out();

  const ReportCommand& command_;
  Session& session_;
  Page page_;
  Problems problems_;
  bool has_measurements_ = false;  // of --data
  bool has_failed_ = false;
  bool is_out_of_time_ = false;
  std::vector<std::string> left_out_;  // parts for which no time was left
};

// Once time is out, everything that is left fails in the same way.
void Report::say_once_that_time_is_out(const std::string& part) {
  const frontend::Diagnostics collected = std::exchange(session_.diagnostics(), {});
  for (const auto& one : collected.all()) {
    const bool is_limit = one.kind == DiagnosticKind::out_of_time;
    if (is_limit && is_out_of_time_) {
      if (!part.empty()) left_out_.push_back(part);
      continue;
    }
    auto& kept = session_.diagnostics().add(one.kind, {}, "");
    kept = one;
    if (!is_limit) continue;
    is_out_of_time_ = true;
    if (!part.empty()) kept.notes.push_back("in the " + part);
  }
}

void Report::name_left_out() {
  if (left_out_.empty()) return;
  left_out_.erase(std::unique(left_out_.begin(), left_out_.end()), left_out_.end());
  problems_.push_back(fmt::format("no time was left for the {}", join_texts(left_out_, ", the ")));
  session_.console().remark(sanitize(problems_.back()) + "\n");
}

bool Report::settle(const std::string& part) {
  say_once_that_time_is_out(part);
  note_problems(session_, problems_);
  const bool is_clear = session_.settle();
  has_failed_ |= !is_clear;
  return is_clear;
}

// The model of the study that is named; else as `wave run` chooses.
const Item* Report::find_model() {
  if (!command_.of.points.study.empty() && command_.of.points.model.empty()) {
    for (const auto& one : session_.program().main().items) {
      const auto* const study = std::get_if<item::Study>(&one->node);
      if (study != nullptr && one->name.text == command_.of.points.study) return study->model_item;
    }
  }
  return choose_model(session_, command_.of.points.model);
}

std::vector<std::string> Report::studies_of(const Item& model) {
  std::vector<std::string> names;
  for (const auto& one : session_.program().main().items) {
    const auto* const study = std::get_if<item::Study>(&one->node);
    if (study != nullptr && study->model_item == &model) names.push_back(one->name.text);
  }
  return names;
}

// Outputs, where time goes and inputs, at the parameters' values. A model whose parameters only a study gives has none.
bool Report::evaluate_model(const Item& model) {
  const auto overrides = check_overrides(session_, model, command_.of.points.overrides);
  if (!settle()) return false;
  frontend::Diagnostics found;
  const auto lowered = lower_model(session_.program(), model, overrides, found);
  const bool is_there = !found.has_errors() || std::any_of(lowered.outputs.begin(), lowered.outputs.end(),
                                                           [](const auto& output) { return output.root.valid(); });
  if (!is_there) {
    std::string why = "The model has no value by itself; what is shown are the points of its studies.";
    for (const auto& one : found.sorted()) why += fmt::format("\n\n{}: {}", code_of(one.kind), one.message);
    page_.sections.push_back({"Outputs", {element::Words{why}}});
    return true;
  }
  session_.diagnostics() = std::move(found);
  settle();
  const auto engine = open_engine(session_, command_.of.points.engine, lowered.system);
  if (engine == nullptr) return settle();
  Results results = evaluate_outputs(session_, command_.of.points.engine, lowered, *engine);
  results.model = model.name.text;
  for (const auto& one : command_.of.points.overrides) {
    const auto equals = one.find('=');
    if (equals != std::string::npos) results.given.emplace_back(one.substr(0, equals), one.substr(equals + 1));
  }
  const ExplainedModel explained{command_.of.points.overrides, command_.of.points.engine};
  add_breakdowns(session_, model, explained, !command_.of.no_breakdown, results);
  settle();
  page_.sections.push_back(outputs_section(results));
  if (auto time = time_section(results); !time.elements.empty()) page_.sections.push_back(std::move(time));
  if (!command_.of.no_breakdown) {
    auto timeline = timeline_section(session_, model, overrides);
    if (!timeline.elements.empty()) page_.sections.push_back(std::move(timeline));
  }
  page_.sections.push_back(inputs_section(session_, model, results));
  return true;
}

bool Report::add_study(std::optional<OpenStudy> study, const std::string& part) {
  const std::size_t before = page_.sections.size();
  if (study && !session_.diagnostics().has_errors()) {
    auto section = study_section(session_, command_.of, *study, has_measurements_, problems_);
    if (section) page_.sections.push_back(std::move(*section));
  }
  settle(part);
  return page_.sections.size() > before;
}

// False: the points that were asked for are not there. Where the file has several studies, the others are still shown.
bool Report::add_studies(const Item& model) {
  if (has_points()) return add_study(open_study(session_, command_.of.points), "points");
  for (const std::string& name : studies_of(model)) {
    const std::string part = fmt::format("study `{}`", name);
    if (is_out_of_time_) {
      left_out_.push_back(part);
      continue;
    }
    StudyChoice choice = command_.of.points;
    choice.study = name;
    choice.model.clear();
    add_study(open_study(session_, choice), part);
    if (frontend::written_files().has_refused()) return false;
  }
  return true;
}

// `--draw` is of the points of one study, or of measurements.
bool Report::check_drawn(const Item& model) {
  if (command_.of.plots.of.empty() || has_points()) return true;
  const std::size_t studies = studies_of(model).size();
  if (studies == 1 || (studies == 0 && !command_.of.data.data.empty())) return true;
  session_.diagnostics()
      .add(DiagnosticKind::wrong_study, {},
           studies == 0 ? std::string("`--draw` draws points, and nothing varies")
                        : fmt::format("`--draw` is of one study, and `{}` has {}", model.name.text, studies))
      .help.push_back(studies == 0 ? "say what varies: `--vary \"n=1..64 by *2\"`" : "choose it with `--study`");
  return false;
}

int Report::make() {
  const Item* const model = find_model();
  if (model == nullptr || !check_drawn(*model)) {
    settle();
    return failure;
  }
  page_.title = model->name.text;
  page_.subtitle = session_.name();
  page_.generator = fmt::format("wave {}", version);
  if (!evaluate_model(*model)) return failure;
  // Outputs first, then what is asked about many points, then the rest.
  auto rest = std::move(page_.sections);
  page_.sections.clear();
  const std::size_t first = rest.empty() ? 0 : 1;
  for (std::size_t i = 0; i < first; ++i) page_.sections.push_back(std::move(rest[i]));
  if (!model->doc.empty() && !page_.sections.empty()) {
    auto& elements = page_.sections.front().elements;
    elements.insert(elements.begin(), element::Words{model->doc});
  }
  if (!command_.of.data.data.empty()) {
    StudyChoice choice = command_.of.points;
    choice.model = model->name.text;
    choice.show.clear();
    Measurements data = command_.of.data;
    data.where = std::exchange(choice.where, {});
    // What is asked for is drawn of points, if there are any.
    const bool is_alone = !has_points() && studies_of(*model).empty();
    auto section = measured_section(session_, choice, data,
                                    is_alone ? command_.of.plots : PlotsAsked{{}, command_.of.plots.bars}, problems_);
    if (section) page_.sections.push_back(std::move(*section));
    has_measurements_ = section.has_value();
    settle();
  }
  if (frontend::written_files().has_refused() || !add_studies(*model)) return failure;
  name_left_out();
  for (std::size_t i = first; i < rest.size(); ++i) page_.sections.push_back(std::move(rest[i]));
  if (!problems_.empty()) {
    std::vector<std::string> lines;
    for (const auto& line : problems_) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    page_.sections.push_back({"What went wrong", {element::Remarks{std::move(lines)}}});
    has_failed_ |= std::any_of(problems_.begin(), problems_.end(),
                               [](const auto& line) { return line.find(" points failed") != std::string::npos; });
  }
  page_.sections.push_back(making_section(session_, arguments_of(command_, session_.options())));
  const int written = write_result(command_.output, render_page(page_), session_.console());
  return has_failed_ ? failure : written;
}

int execute(const ReportCommand& command, const CommonOptions& options, Console& console) {
  if (command.of.points.file == "-" && command.of.data.data == "-") {
    return report_misuse(console, "the model and the measurements cannot both come from standard input",
                         "name a file for one of them");
  }
  if (analysis::pictures::asset("vega.min").empty()) {
    return report_no_scripts(console);
  }
  // Fails before the evaluation if the page cannot be written.
  if (const std::string trouble = trouble_of_output(command.output); !trouble.empty()) {
    return report_without_location(console, DiagnosticKind::cannot_write,
                                   fmt::format("`{}` cannot be written", command.output), trouble);
  }
  Session session(console, options);
  if (!session.load(command.of.points.file)) return failure;
  watch_given_limit();
  return Report(command, session).make();
}

}  // namespace

Verb report_verb() {
  return make_verb<ReportCommand>(
      "report", "Write a page with results, plots, where time goes, and where its numbers come from",
      {{"Write a page about a model", "wave report examples/halo/halo.wave -o halo.html"},
       {"Add plots of what varies", "wave report examples/halo/halo.wave --vary \"n=1..16 by *2\" -o scaling.html"}},
      declare, execute);
}

}  // namespace wave::cli
