// See study_session.h.
#include "cli/studies/study_session.h"

#include "analysis/breakdown.h"
#include "analysis/pictures/column_reader.h"
#include "analysis/study/conditions.h"
#include "base/text.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/studies/evaluated_points.h"
#include "frontend/check/modules.h"
#include "frontend/check/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;
namespace item = frontend::item;

std::vector<Item*> studies_of(const frontend::Module& module) {
  std::vector<Item*> studies;
  for (const auto& one : module.items) {
    if (std::holds_alternative<item::Study>(one->node)) studies.push_back(one.get());
  }
  return studies;
}

// The study of that name, or the only one. Null, reported, where there is none.
Item* choose_study(Session& session, const std::string& name) {
  const auto studies = studies_of(session.program().main());
  std::vector<std::string> names;
  for (const auto* study : studies) names.push_back(study->name.text);
  if (name.empty() && studies.size() == 1) return studies.front();
  for (auto* study : studies) {
    if (study->name.text == name) return study;
  }
  auto& diagnostics = session.diagnostics();
  if (studies.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} declares no study", session.name()))
        .help.push_back("say what varies: `--vary \"n=1..1024 by *2\"`");
  } else if (name.empty()) {
    auto& d = diagnostics.add(DiagnosticKind::wrong_study, studies[0]->name.location,
                              fmt::format("{} declares {} studies", session.name(), studies.size()), "one of them");
    for (std::size_t i = 1; i < studies.size(); ++i) d.labels.push_back({studies[i]->name.location, "another"});
    d.help.push_back("choose with `--study`: " + frontend::quoted_list(names));
  } else {
    auto& d =
        diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} has no study `{}`", session.name(), name));
    if (!suggest_nearest(d, name, names)) d.help.push_back("its studies are " + frontend::quoted_list(names));
  }
  return nullptr;
}

std::vector<frontend::AskedClause> clauses(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<frontend::AskedClause> result;
  for (const auto& text : texts) result.push_back({option, text});
  return result;
}

// "n = 4, net = SP2()".
std::string point_name(const analysis::ResultTable& table, std::size_t row) {
  std::vector<std::string> texts;
  for (const auto& column : table.columns) {
    if (!column.varied) continue;
    const analysis::pictures::ColumnReader reader(column);
    const std::string& unit = reader.scale().unit;
    texts.push_back(fmt::format("{} = {}{}{}", column.name, reader.text(row), unit.empty() ? "" : " ", unit));
  }
  return join_texts(texts, ", ");
}

// Nothing, reported, where a condition has no value.
std::optional<analysis::Selection> find_points(Session& session, analysis::StudyModel& conditions) {
  ProgressLine line(session.console(), "points looked at", static_cast<double>(analysis::Product(conditions).size()));
  auto found = analysis::find_points(conditions, engine_limits(session.options()),
                                     [&](std::uint64_t points) { line.advance(static_cast<double>(points)); });
  if (auto* const chosen = std::get_if<analysis::Selection>(&found)) return std::move(*chosen);
  if (const auto* const failure = std::get_if<ir::Failure>(&found)) {
    report_failure(session, conditions, *failure);
    return std::nullopt;
  }
  const auto& failed = std::get<analysis::ConditionFailed>(found);
  session.diagnostics()
      .add(failed.failure.kind(), {}, failed.failure.message())
      .notes.push_back(fmt::format("of the conditions of `--where` at {}", point_name(failed.table, failed.row)));
  return std::nullopt;
}

// The columns of a table have values outside of what they say, so that the model can be made where it has no defaults.
std::vector<frontend::Override> overrides_of(Session& session, const StudyChoice& choice, OpenStudy& open) {
  auto overrides = check_overrides(session, *open.model, choice.overrides);
  if (open.rows == nullptr) return overrides;
  for (auto& one : open.rows->stand_ins()) overrides.push_back(std::move(one));
  return overrides;
}

// Leaves out the points at which `--where` does not hold. False, reported, where that cannot be.
bool choose_points(Session& session, const StudyChoice& choice, const std::vector<std::string>& words,
                   OpenStudy& open) {
  const auto is_listed = [](const auto& variable) { return variable.listed.has_value(); };
  const auto& variables = open.points->variables();
  if (choice.where.empty() || !std::all_of(variables.begin(), variables.end(), is_listed)) return true;
  auto& diagnostics = session.diagnostics();
  Item& study = open.item();
  if (!ask_conditions(session.program(), study, clauses("--where", choice.where), diagnostics)) return false;
  const auto& where = std::get<item::Study>(study.node).where;
  const std::uint64_t all = analysis::Product(*open.points).size();
  if (all > analysis::most_points_looked_at) {
    diagnostics
        .add(DiagnosticKind::study_too_large, where.front()->location,
             all == ~std::uint64_t{0} ? std::string("`--where` chooses among more than 10^19 points")
                                      : fmt::format("`--where` chooses among {} points", grouped(all)),
             "asked at each of them")
        .help.push_back(
            fmt::format("vary fewer values: it looks at {} points at most", grouped(analysis::most_points_looked_at)));
    return false;
  }
  const auto conditions = analysis::StudyModel::make(
      session.program(), study, overrides_of(session, choice, open), engine_maker(session, choice.engine),
      choice.engine.threads, engine_limits(session.options()), diagnostics, frontend::StudyAsks::conditions);
  if (conditions == nullptr) return false;
  if (open.rows != nullptr) conditions->list_rows(open.rows->take_columns(), words);
  auto chosen = find_points(session, *conditions);
  if (!chosen) return false;
  if (chosen->size() == 0) {
    auto& d = diagnostics.add(DiagnosticKind::wrong_study, where.front()->location,
                              fmt::format("of {} no point is left", plural(all, "point")),
                              where.size() == 1 ? "holds at none of them" : "holds at none of them with the others");
    for (std::size_t i = 1; i < where.size(); ++i) d.labels.push_back({where[i]->location, "and this"});
    return false;
  }
  if (chosen->size() < all) open.points->select(std::move(*chosen));
  return true;
}

bool finish(Session& session, const StudyChoice& choice, OpenStudy& open) {
  const Item& study = open.item();
  auto overrides = overrides_of(session, choice, open);
  if (session.diagnostics().has_errors()) return false;
  open.points = analysis::StudyModel::make(
      session.program(), study, std::move(overrides), engine_maker(session, choice.engine), choice.engine.threads,
      engine_limits(session.options()), session.diagnostics(), frontend::StudyAsks::results, sampling_of(choice));
  if (open.points == nullptr) return false;
  std::vector<std::string> words;
  if (open.rows != nullptr) {
    open.rows->read_rows(words);
    if (session.diagnostics().has_errors()) return false;
    // Only conditions need the values once more.
    open.points->list_rows(choice.where.empty() ? open.rows->take_columns() : open.rows->columns(), words);
  }
  return choose_points(session, choice, words, open);
}

bool ask(Session& session, const StudyChoice& choice, const StudyQuestion& question, OpenStudy& open) {
  const bool shows_all = question.show.empty();
  frontend::Asked asked{
      clauses(question.vary_option, question.vary),
      clauses(question.show_option, shows_all ? outputs_to_show(session, *open.model) : question.show)};
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
  std::vector<std::string> names, left_out;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (!output) continue;
    const auto& type = output->value->type;
    const bool is_list = type && std::holds_alternative<frontend::types::List>(type->kind);
    const bool is_column = output->indices.empty() && !is_list && !analysis::is_breakdown(*output);
    (is_column ? names : left_out).push_back(member->name.text);
  }
  if (!left_out.empty() && !names.empty()) {
    session.console().remark(fmt::format("left out, being no single values: {}\n", join_texts(left_out, ", ")));
  }
  if (names.empty()) {
    session.diagnostics().add(DiagnosticKind::no_column, model.name.location,
                              "the model has no output that is a single value or a record", "this model");
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
  open.declared = choose_study(session, choice.study);
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
