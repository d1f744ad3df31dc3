// See study_session.h.
#include "cli/studies/study_session.h"

#include "analysis/pictures/column_reader.h"
#include "analysis/study/opening.h"
#include "base/text.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "frontend/check/modules.h"
#include "frontend/check/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;
namespace item = frontend::item;

// The columns of a table have values outside of what they say, so that the model can be made where it has no defaults.
std::vector<frontend::Override> overrides_of(Session& session, const StudyChoice& choice, OpenStudy& open) {
  auto overrides = check_overrides(session, *open.model, choice.overrides);
  if (open.rows == nullptr) return overrides;
  for (auto& one : open.rows->stand_ins()) overrides.push_back(std::move(one));
  return overrides;
}

// False, reported, where it cannot be evaluated.
bool finish(Session& session, const StudyChoice& choice, OpenStudy& open) {
  std::optional<ProgressLine> line;
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    if (!line) line.emplace(session.console(), "points looked at", static_cast<double>(all));
    line->advance(static_cast<double>(done));
  };
  open.points = analysis::open_points(
      {session.program(), open.item(), choice, [&] { return overrides_of(session, choice, open); },
       engine_maker(session, choice.engine), choice.engine.threads, engine_limits(session.options()),
       session.diagnostics(), open.rows.get(), analysis::pictures::point_name, progress});
  return open.points != nullptr;
}

bool ask(Session& session, const StudyChoice& choice, const StudyQuestion& question, OpenStudy& open) {
  const bool shows_all = question.show.empty();
  frontend::Asked asked{
      analysis::clauses_of(question.vary_option, question.vary),
      analysis::clauses_of(question.show_option, shows_all ? outputs_to_show(session, *open.model) : question.show)};
  if (session.diagnostics().has_errors()) return false;
  open.asked = frontend::ask(session.program(), *open.model, asked, session.diagnostics());
  return open.asked != nullptr && finish(session, choice, open);
}

// --- a table of points ---

std::optional<OpenStudy> open_rows(Session& session, const StudyChoice& choice) {
  auto& diagnostics = session.diagnostics();
  if (!choice.vary.empty() || !choice.study.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, "a table of points says itself what varies")
        .help.push_back(fmt::format("leave out `--columns` or `{}`", choice.vary.empty() ? "--study" : "--vary"));
    return std::nullopt;
  }
  OpenStudy open;
  open.choice = choice;
  open.model = choose_model(session, choice.model);
  if (open.model == nullptr) return std::nullopt;
  const auto overrides = check_overrides(session, *open.model, choice.overrides);
  const auto file = load_table(session, choice.columns, "the table of values is",
                               "evaluate it in parts, or allow more with `--memory-limit`");
  if (!file) return std::nullopt;
  open.rows = std::make_unique<analysis::ValueTable>(session.program(), *open.model, *file, diagnostics);
  for (const std::string& note : open.rows->notes()) session.console().remark(sanitize(note) + "\n");
  for (const auto& column : open.rows->columns())
    analysis::check_given_once(column.path, column.heading, overrides, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  StudyQuestion question{{}, choice.show, "--columns"};
  for (const auto& column : open.rows->columns()) question.vary.push_back(column.path);
  if (!ask(session, choice, question, open)) return std::nullopt;
  return open;
}

}  // namespace

const item::Study& OpenStudy::study() const { return std::get<item::Study>(item().node); }

std::optional<std::uint32_t> load_table(Session& session, const std::string& file, const std::string& what,
                                        const std::string& help) {
  const std::size_t most = std::min(most_bytes_of_table, session.options().memory_limit / 2);
  auto text = read_text(session.options().client, file, session.diagnostics(), most);
  if (!text) return std::nullopt;
  if (text->size() > most) {
    auto& d = session.diagnostics().add(DiagnosticKind::bad_value_table, {},
                                        fmt::format("{} larger than {}", what, format_bytes(most)));
    if (!help.empty()) d.help.push_back(help);
    return std::nullopt;
  }
  return session.program().sources.add(file == "-" ? standard_input_name : file, std::move(*text));
}

std::vector<std::string> outputs_to_show(Session& session, const Item& model) {
  std::vector<std::string> left_out;
  auto names = analysis::outputs_to_show(model, left_out, session.diagnostics());
  if (!left_out.empty() && !names.empty()) {
    session.console().remark(fmt::format("left out, being no single values: {}\n", join_texts(left_out, ", ")));
  }
  return names;
}

bool check_listed(Session& session, const OpenStudy& study) {
  bool all = true;
  for (const auto& variable : study.points->variables()) {
    if (variable.listed) continue;
    all = false;
    report_unlisted(variable, "varies over nothing",
                    fmt::format("list them: `--vary \"{}=1..64 by *2\"`", variable.name), session.diagnostics());
  }
  return all;
}

std::optional<OpenStudy> ask_study(Session& session, const StudyChoice& choice, const StudyQuestion& question) {
  OpenStudy open;
  open.choice = choice;
  open.model = choose_model(session, choice.model);
  if (open.model == nullptr) return std::nullopt;
  if (!ask(session, choice, question, open)) return std::nullopt;
  return open;
}

std::optional<int> refuse_shared_input(const StudyChoice& choice, Console& console) {
  if (choice.columns != "-" || choice.file != "-") return std::nullopt;
  return report_misuse(console, "the model and the table cannot both come from standard input",
                       "name a file for one of them");
}

std::optional<OpenStudy> open_study(Session& session, const StudyChoice& choice) {
  auto& diagnostics = session.diagnostics();
  if (!choice.columns.empty()) return open_rows(session, choice);
  if (!choice.vary.empty() && !choice.study.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, "a study of the file says itself what varies")
        .help.push_back("leave out `--study` or `--vary`");
    return std::nullopt;
  }
  if (!choice.vary.empty()) return ask_study(session, choice, {choice.vary, choice.show});
  OpenStudy open;
  open.choice = choice;
  open.declared = analysis::choose_study(session.program(), session.name(), choice.study,
                                         "say what varies: `--vary \"n=1..1024 by *2\"`", session.diagnostics());
  if (open.declared == nullptr) return std::nullopt;
  open.model = open.study().model_item;
  if (!choice.show.empty() || (!choice.model.empty() && choice.model != frontend::check::dotted(open.study().model))) {
    diagnostics
        .add(DiagnosticKind::wrong_study, open.declared->name.location,
             "a study of the file says itself what it shows, and of which model", "this study")
        .help.push_back("without it, `--vary` and `--show` say what is asked");
    return std::nullopt;
  }
  if (!finish(session, choice, open)) return std::nullopt;
  return open;
}

}  // namespace wave::cli
