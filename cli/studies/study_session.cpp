// See study_session.h.
#include "cli/studies/study_session.h"

#include "cli/evaluation.h"
#include "cli/limits.h"
#include "frontend/check/asked.h"
#include "frontend/check/files.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;
namespace item = frontend::item;

std::vector<const Item*> studies_of(const frontend::Module& module) {
  std::vector<const Item*> studies;
  for (const auto& one : module.items) {
    if (std::holds_alternative<item::Study>(one->node)) studies.push_back(one.get());
  }
  return studies;
}

// The study of that name, or the only one. Null, reported, where there is none.
const Item* choose_study(Session& session, const std::string& name) {
  const auto studies = studies_of(session.program().main());
  std::vector<std::string> names;
  for (const auto* study : studies) names.push_back(study->name.text);
  if (name.empty() && studies.size() == 1) return studies.front();
  for (const auto* study : studies) {
    if (study->name.text == name) return study;
  }
  auto& diagnostics = session.diagnostics();
  if (studies.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} declares no study", session.name()))
        .help.push_back("say what varies: `--vary \"n=1..1024 by *2\"`");
  } else if (name.empty()) {
    auto& d = diagnostics.add(DiagnosticKind::wrong_study, studies[0]->name.place,
                              fmt::format("{} declares {} studies", session.name(), studies.size()), "one of them");
    for (std::size_t i = 1; i < studies.size(); ++i) d.labels.push_back({studies[i]->name.place, "another"});
    d.help.push_back(fmt::format("choose with `--study`: `{}`", fmt::join(names, "`, `")));
  } else {
    auto& d =
        diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} has no study `{}`", session.name(), name));
    const std::string near = frontend::nearest(name, names);
    d.help.push_back(near.empty() ? fmt::format("its studies are `{}`", fmt::join(names, "`, `"))
                                  : fmt::format("did you mean `{}`?", near));
  }
  return nullptr;
}

std::vector<frontend::AskedClause> clauses(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<frontend::AskedClause> result;
  for (const auto& text : texts) result.push_back({option, text});
  return result;
}

bool finish(Session& session, const StudyChoice& choice, OpenStudy& open) {
  const Item& study = open.declared ? *open.declared : *open.asked;
  auto overrides = check_overrides(session, *open.model, choice.overrides);
  if (session.diagnostics().has_errors()) return false;
  open.points =
      analysis::StudyModel::make(session.program(), study, std::move(overrides), engine_maker(session, choice.engine),
                                 choice.engine.threads, engine_limits(session.options()), session.diagnostics());
  return open.points != nullptr;
}

}  // namespace

const item::Study& OpenStudy::study() const { return std::get<item::Study>((declared ? *declared : *asked).node); }

std::vector<std::string> outputs_to_show(Session& session, const Item& model) {
  std::vector<std::string> names, left_out;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (!output) continue;
    const auto& type = output->value->type;
    const auto* call = std::get_if<frontend::expr::Call>(&output->value->node);
    const auto* callee = call ? std::get_if<frontend::expr::Name>(&call->callee->node) : nullptr;
    const bool is_breakdown = callee && callee->text == "breakdown";
    const bool is_list = type && std::holds_alternative<frontend::types::List>(type->kind);
    const bool is_column = output->indices.empty() && !is_list && !is_breakdown;
    (is_column ? names : left_out).push_back(member->name.text);
  }
  if (!left_out.empty() && !names.empty()) {
    session.console().remark(fmt::format("left out, being no single values: {}\n", fmt::join(left_out, ", ")));
  }
  if (names.empty()) {
    session.diagnostics().add(DiagnosticKind::no_column, model.name.place,
                              "the model has no output that is a single value or a record", "this model");
  }
  return names;
}

bool check_listed(Session& session, const OpenStudy& study) {
  bool all = true;
  for (const auto& variable : study.points->variables()) {
    if (variable.listed) continue;
    all = false;
    session.diagnostics()
        .add(DiagnosticKind::wrong_study, variable.place, fmt::format("`{}` is given no values", variable.name),
             "varies over nothing")
        .help.push_back(fmt::format("list them: `--vary \"{}=1..64 by *2\"`", variable.name));
  }
  return all;
}

std::optional<std::string> read_measured(Session& session, const item::Study::Measured& clause) {
  auto file = frontend::check::read_data_file(clause.file.text, session.program().main().folder,
                                              search_path(session.options()).folders);
  if (file.ok) return std::move(file.text);
  session.diagnostics().add(DiagnosticKind::bad_data_file, clause.file.place,
                            fmt::format("cannot use the data file `{}`: {}", clause.file.text, file.text),
                            "named here");
  return std::nullopt;
}

std::optional<OpenStudy> ask_study(Session& session, const StudyChoice& choice, const StudyQuestion& question) {
  OpenStudy open;
  open.model = choose_model(session, choice.model);
  if (open.model == nullptr) return std::nullopt;
  const bool shows_all = question.show.empty();
  frontend::Asked asked{
      clauses(question.vary_option, question.vary),
      clauses(question.show_option, shows_all ? outputs_to_show(session, *open.model) : question.show)};
  if (session.diagnostics().has_errors()) return std::nullopt;
  open.asked = frontend::ask(session.program(), *open.model, asked, session.diagnostics());
  if (open.asked == nullptr || !finish(session, choice, open)) return std::nullopt;
  return open;
}

std::optional<OpenStudy> open_study(Session& session, const StudyChoice& choice) {
  auto& diagnostics = session.diagnostics();
  if (!choice.vary.empty() && !choice.study.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, "a study of the file says itself what varies")
        .help.push_back("leave out `--study` or `--vary`");
    return std::nullopt;
  }
  if (!choice.vary.empty()) return ask_study(session, choice, {choice.vary, choice.show});
  OpenStudy open;
  open.declared = choose_study(session, choice.study);
  if (open.declared == nullptr) return std::nullopt;
  open.model = open.study().model_item;
  if (!choice.show.empty() || (!choice.model.empty() && choice.model != open.study().model.text)) {
    diagnostics
        .add(DiagnosticKind::wrong_study, open.declared->name.place,
             "a study of the file says itself what it shows, and of which model", "this study")
        .help.push_back("without it, `--vary` and `--show` say what is asked");
    return std::nullopt;
  }
  if (!finish(session, choice, open)) return std::nullopt;
  return open;
}

}  // namespace wave::cli
