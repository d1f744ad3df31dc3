// See opening.h.
#include "analysis/study/opening.h"

#include "analysis/breakdown.h"
#include "analysis/study/conditions.h"
#include "base/text.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace wave::analysis {
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

std::unique_ptr<StudyModel> make(const StudyOpening& opening, frontend::StudyAsks asks) {
  auto overrides = opening.overrides();
  if (opening.diagnostics.has_errors()) return nullptr;
  return StudyModel::make(opening.program, opening.study, std::move(overrides), opening.engines, opening.threads,
                          opening.limits, opening.diagnostics, asks, opening.clauses.sampling);
}

// Nothing, reported, where a condition has no value.
std::optional<Selection> chosen_points(const StudyOpening& opening, StudyModel& conditions, StudyModel& results,
                                       std::uint64_t all) {
  auto found = find_points(conditions, results, opening.limits, [&](std::uint64_t done) {
    if (opening.progress) opening.progress(done, all);
  });
  if (auto* const chosen = std::get_if<Selection>(&found)) return std::move(*chosen);
  if (const auto* const failure = std::get_if<ir::Failure>(&found)) {
    const auto& lowered = conditions.lowered();
    report(lowered.system, lowered.words, lowered.notes, *failure, opening.diagnostics);
    return std::nullopt;
  }
  const auto& failed = std::get<ConditionFailed>(found);
  opening.diagnostics.add(failed.failure.kind(), {}, failed.failure.message())
      .notes.push_back(
          fmt::format("of the conditions of `--where` at {}", opening.name_of_point(failed.table, failed.row)));
  return std::nullopt;
}

void refuse_no_point(const item::Study& study, std::uint64_t all, frontend::Diagnostics& diagnostics) {
  const auto& where = study.where;
  auto& d = diagnostics.add(DiagnosticKind::wrong_study, where.front()->location,
                            fmt::format("of {} no point is left", frontend::plural(all, "point")),
                            where.size() == 1 ? "holds at none of them" : "holds at none of them with the others");
  for (std::size_t i = 1; i < where.size(); ++i) d.labels.push_back({where[i]->location, "and this"});
}

void refuse_too_many(const item::Study& study, std::uint64_t all, frontend::Diagnostics& diagnostics) {
  diagnostics
      .add(DiagnosticKind::study_too_large, study.where.front()->location,
           all == ~std::uint64_t{0} ? std::string("`--where` chooses among more than 10^19 points")
                                    : fmt::format("`--where` chooses among {} points", frontend::grouped(all)),
           "asked at each of them")
      .help.push_back(
          fmt::format("vary fewer values: it looks at {} points at most", frontend::grouped(most_points_looked_at)));
}

// False, with diagnostics, where the conditions choose no points.
bool choose_points(const StudyOpening& opening, const std::vector<std::string>& words, StudyModel& points) {
  const auto is_listed = [](const auto& variable) { return variable.listed.has_value(); };
  const auto& variables = points.variables();
  if (opening.clauses.where.empty() || !std::all_of(variables.begin(), variables.end(), is_listed)) return true;
  if (!ask_conditions(opening.program, opening.study, clauses_of("--where", opening.clauses.where),
                      opening.diagnostics))
    return false;
  const auto& study = std::get<item::Study>(opening.study.node);
  const std::uint64_t all = Product(points).size();
  if (all > most_points_looked_at) {
    refuse_too_many(study, all, opening.diagnostics);
    return false;
  }
  const auto conditions = make(opening, frontend::StudyAsks::conditions);
  if (conditions == nullptr) return false;
  if (opening.rows != nullptr) conditions->list_rows(opening.rows->take_columns(), words);
  auto chosen = chosen_points(opening, *conditions, points, all);
  if (!chosen) return false;
  if (chosen->size() == 0) {
    refuse_no_point(study, all, opening.diagnostics);
    return false;
  }
  if (chosen->size() < all) points.select(std::move(*chosen));
  return true;
}

}  // namespace

Item* choose_study(const frontend::Program& program, const std::string& file, const std::string& name,
                   const std::string& without_any, frontend::Diagnostics& diagnostics) {
  const auto studies = studies_of(program.main());
  std::vector<std::string> names;
  for (const auto* study : studies) names.push_back(study->name.text);
  if (name.empty() && studies.size() == 1) return studies.front();
  for (auto* study : studies) {
    if (study->name.text == name) return study;
  }
  if (studies.empty()) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} declares no study", file))
        .help.push_back(without_any);
  } else if (name.empty()) {
    auto& d = diagnostics.add(DiagnosticKind::wrong_study, studies[0]->name.location,
                              fmt::format("{} declares {} studies", file, studies.size()), "one of them");
    for (std::size_t i = 1; i < studies.size(); ++i) d.labels.push_back({studies[i]->name.location, "another"});
    d.help.push_back("choose with `--study`: " + frontend::quoted_list(names));
  } else {
    auto& d = diagnostics.add(DiagnosticKind::wrong_study, {}, fmt::format("{} has no study `{}`", file, name));
    if (!suggest_nearest(d, name, names)) d.help.push_back("its studies are " + frontend::quoted_list(names));
  }
  return nullptr;
}

std::vector<std::string> outputs_to_show(const Item& model, std::vector<std::string>& left_out,
                                         frontend::Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&member->node);
    if (!output) continue;
    const auto& type = output->value->type;
    const bool is_list = type && std::holds_alternative<frontend::types::List>(type->kind);
    const bool is_column = output->indices.empty() && !is_list && !is_breakdown(*output);
    (is_column ? names : left_out).push_back(member->name.text);
  }
  if (names.empty()) {
    diagnostics.add(DiagnosticKind::no_column, model.name.location,
                    "the model has no output that is a single value or a record", "this model");
  }
  return names;
}

std::vector<frontend::AskedClause> clauses_of(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<frontend::AskedClause> clauses;
  for (const auto& text : texts) clauses.push_back({option, text});
  return clauses;
}

std::unique_ptr<StudyModel> open_points(const StudyOpening& opening) {
  auto points = make(opening, frontend::StudyAsks::results);
  if (points == nullptr) return nullptr;
  std::vector<std::string> words;
  if (opening.rows != nullptr) {
    opening.rows->read_rows(words);
    if (opening.diagnostics.has_errors()) return nullptr;
    // Only conditions need the values once more.
    points->list_rows(opening.clauses.where.empty() ? opening.rows->take_columns() : opening.rows->columns(), words);
  }
  return choose_points(opening, words, *points) ? std::move(points) : nullptr;
}

}  // namespace wave::analysis
