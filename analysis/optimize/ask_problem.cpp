// See ask_problem.h.
#include "analysis/optimize/ask_problem.h"

#include "analysis/study/variant.h"
#include "analysis/value_text.h"
#include "base/text.h"
#include "frontend/lower/given.h"
#include "frontend/parse/printer.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::analysis {
namespace {

using frontend::AskedClause;
using frontend::DiagnosticKind;
namespace expr = frontend::expr;
namespace item = frontend::item;
namespace types = frontend::types;

constexpr const char* over_option = "--over";

bool is_number_type(const frontend::TypeRef& type) {
  return is_real(type) || (type && std::holds_alternative<types::Int>(type->kind));
}
bool is_truth(const frontend::TypeRef& type) { return type && std::holds_alternative<types::Bool>(type->kind); }

class Asker {
 public:
  Asker(const AskedModel& asked, const ProblemQuestion& question, frontend::Diagnostics& diagnostics)
      : host_(asked), question_(question), diagnostics_(diagnostics) {
    asked_.model = &host_.model;
  }

  std::optional<AskedProblem> run() {
    // A range of reals without steps is an interval: both its ends are listed, and what is between them is searched.
    for (const auto& text : question_.over) variables_.push_back({over_option, text, true});
    for (const auto& goal : question_.goals) goals_.push_back({goal.maximize ? "--maximize" : "--minimize", goal.text});
    for (const auto& text : question_.conditions) conditions_.push_back({question_.condition_option, text});
    for (const auto& text : question_.show) shows_.push_back({"--show", text});
    if (conditions_.size() + 1 > most_constraints) {
      diagnostics_
          .add(DiagnosticKind::misuse, {}, fmt::format("there are more than {} conditions", most_constraints - 1))
          .help.push_back("put several into one: `a <= 1 and b <= 2`");
      return std::nullopt;
    }
    // Reads all clauses at once, to tell them apart.
    std::vector<AskedClause> all = goals_;
    all.insert(all.end(), conditions_.begin(), conditions_.end());
    all.insert(all.end(), shows_.begin(), shows_.end());
    if (all.empty()) return std::nullopt;
    auto whole = make(all);
    if (!whole.points || !check_types(whole)) return std::nullopt;
    if (!divide(whole)) return std::nullopt;
    for (const auto& goal : question_.goals) asked_.problem->maximize.push_back(goal.maximize);
    return std::move(asked_);
  }

 private:
  // `guarded`: how many of the shows, the first ones, fail where something that the model requires does not hold.
  AskedProblem::Part make(const std::vector<AskedClause>& shows, std::size_t guarded = ~std::size_t{0}) {
    AskedProblem::Part part;
    auto overrides = check_given(host_.program, host_.model, host_.given, diagnostics_);
    if (diagnostics_.has_errors()) return part;
    part.study = frontend::ask(host_.program, host_.model, {variables_, shows}, diagnostics_);
    if (part.study == nullptr) return part;
    const auto& study = std::get<item::Study>(part.study->node);
    if (study.show.size() != shows.size()) {
      diagnostics_
          .add(DiagnosticKind::misuse, {},
               "one expression is expected where there are several, with commas between them")
          .help.push_back("give the option once for each");
      return part;
    }
    frontend::StudyAsks asks = frontend::StudyAsks::results;
    asks.guarded = guarded;
    part.points = StudyModel::make(host_.program, *part.study, std::move(overrides), host_.engines, host_.threads,
                                   host_.limits, diagnostics_, asks);
    return part;
  }

  bool check_types(const AskedProblem::Part& whole) {
    const auto& study = std::get<item::Study>(whole.study->node);
    for (std::size_t i = 0; i < study.show.size(); ++i) {
      const auto& value = *study.show[i].value;
      const std::string type = value.type ? to_string(*value.type) : "unknown";
      if (i < goals_.size() && !is_number_type(value.type)) {
        diagnostics_
            .add(DiagnosticKind::type_mismatch, value.location, fmt::format("of `{}` values none is the least", type),
                 fmt::format("this is `{}`", type))
            .help.push_back("a goal is a number or a quantity: a time, a number of processors, a share");
      } else if (i >= goals_.size() && i < goals_.size() + conditions_.size() && !is_truth(value.type)) {
        diagnostics_
            .add(DiagnosticKind::type_mismatch, value.location,
                 fmt::format("a condition holds or does not, `{}` values do neither", type),
                 fmt::format("this is `{}`", type))
            .help.push_back("compare it with something: `n * m <= 1024`");
      }
    }
    return !diagnostics_.has_errors();
  }

  // Both sides of a comparison of numbers, as clauses.
  std::optional<std::pair<AskedClause, AskedClause>> sides_of(const frontend::Expr& condition,
                                                              const std::string& option) const {
    const auto* both = std::get_if<expr::Binary>(&condition.node);
    if (both == nullptr || !is_number_type(both->left->type) || !is_number_type(both->right->type)) return std::nullopt;
    const auto text = [&](const frontend::Expr& side) {
      return std::string(host_.program.sources.text(side.location));
    };
    return std::pair(AskedClause{option, text(*both->left)}, AskedClause{option, text(*both->right)});
  }

  // Constraints that only need scalars are asked first, and the others together with the goals.
  bool divide(const AskedProblem::Part& whole) {
    const auto& study = std::get<item::Study>(whole.study->node);
    const auto& lowered = whole.points->lowered();
    ProblemPart cheap, costly;
    std::vector<AskedClause> cheap_shows, costly_shows = goals_;
    for (std::size_t k = 0; k < goals_.size(); ++k) costly.goals.push_back(k);
    // Constraints hold or do not whatever the model requires. Where there is no goal, the first of them is asked once
    // more, only to see whether the model has values.
    if (goals_.empty() && !conditions_.empty()) costly_shows.push_back(conditions_.front());
    const std::size_t guarded = costly_shows.size();
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      const std::size_t at = goals_.size() + i;
      const auto root = lowered.outputs[at].root;
      const bool is_cheap = !goals_.empty() && root.valid() && !reads_events(lowered.system, root);
      auto& part = is_cheap ? cheap : costly;
      auto& shows = is_cheap ? cheap_shows : costly_shows;
      part.constraints.push_back({i, shows.size(), std::nullopt});
      shows.push_back(conditions_[i]);
      if (const auto sides = sides_of(*study.show[at].value, question_.condition_option)) {
        part.constraints.back().sides = Sides{shows.size(), shows.size() + 1};
        shows.push_back(sides->first);
        shows.push_back(sides->second);
      }
      asked_.conditions.push_back(trim(conditions_[i].text));
    }
    // If there are no goals, the values that constraints compare are shown.
    auto shows = shows_;
    for (const auto& constraint : costly.constraints) {
      if (!goals_.empty() || !shows_.empty() || !constraint.sides) continue;
      const AskedClause& side = costly_shows[constraint.sides->left];
      const auto same = [&](const AskedClause& one) { return one.text == side.text; };
      const auto is_varied = [&](const AskedClause& one) {
        return trim(one.text.substr(0, one.text.find('='))) == trim(side.text);
      };
      const bool is_new = std::none_of(shows.begin(), shows.end(), same) &&
                          std::none_of(variables_.begin(), variables_.end(), is_varied);
      if (is_new) shows.push_back(side);
    }
    if (!shows.empty()) {
      asked_.display = make(shows);
      if (!asked_.display.points) return false;
    }
    if (!cheap_shows.empty()) {
      asked_.cheap = make(cheap_shows, 0);
      if (!asked_.cheap.points) return false;
    }
    asked_.costly = make(costly_shows, guarded);
    if (!asked_.costly.points) return false;
    cheap.model = asked_.cheap.points.get();
    costly.model = asked_.costly.points.get();
    for (std::size_t k = 0; k < goals_.size(); ++k) asked_.goals.push_back(costly.model->shown()[k]);
    if (!check_listed()) return false;
    asked_.problem = std::make_unique<StudyProblem>(std::move(cheap), std::move(costly), question_.setting);
    return make_intervals();
  }

  // A name alone gives no values to choose from.
  bool check_listed() {
    for (const auto& variable : asked_.variables()) {
      if (variable.listed) continue;
      report_unlisted(
          variable, "of what may it be chosen?",
          fmt::format("list them: `{0} \"{1}=1..64\"`, or give both ends of a quantity: `{0} \"{1}=1 us..5 us\"`",
                      over_option, variable.name),
          diagnostics_);
    }
    return !diagnostics_.has_errors();
  }

  bool make_intervals() {
    auto& domains = asked_.problem->domains;
    const auto& vary = std::get<item::Study>(asked_.costly.study->node).vary;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (!vary[i].is_interval) continue;
      const auto ends = std::get<std::vector<double>>(domains[i].values);
      if (!(ends[0] <= ends[1])) {
        diagnostics_.add(DiagnosticKind::wrong_study, asked_.variables()[i].location,
                         fmt::format("`{}` is given an interval that ends before it begins", domains[i].name),
                         "an empty interval");
        return false;
      }
      domains[i].is_interval = true;
      domains[i].low = ends[0];
      domains[i].high = ends[1];
      domains[i].values = std::vector<double>{};
    }
    return true;
  }

  const AskedModel& host_;
  const ProblemQuestion& question_;
  frontend::Diagnostics& diagnostics_;
  std::vector<AskedClause> variables_, goals_, conditions_, shows_;
  AskedProblem asked_;
};

}  // namespace

ResultTable AskedProblem::shown(const Points& points) const {
  if (!display.points || points.empty()) return {};
  auto table = problem->show(*display.points, points);
  table.columns.erase(table.columns.begin(), table.columns.begin() + static_cast<std::ptrdiff_t>(variables().size()));
  return table;
}

std::vector<ResultColumn> AskedProblem::values(const Points& points) const {
  const auto values = problem->columns(points);
  std::vector<ResultColumn> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& one = variables()[i];
    result.push_back({{values[i], {}, one.labels}, one.name, one.type, one.unit, one.doc, true});
  }
  return result;
}

ResultColumn AskedProblem::goal_column(const std::vector<Candidate>& best, std::size_t goal) const {
  const Shown& shown = goals[goal];
  std::vector<double> values;
  for (const Candidate& one : best) values.push_back(problem->maximize[goal] ? -one.costs[goal] : one.costs[goal]);
  ResultColumn column{{}, shown.name, shown.type, shown.unit, shown.doc, false};
  if (std::holds_alternative<types::Int>(shown.type->kind)) {
    std::vector<std::int64_t> whole;
    for (const double value : values) whole.push_back(static_cast<std::int64_t>(value));
    column.values = std::move(whole);
  } else {
    column.values = std::move(values);
  }
  return column;
}

std::vector<std::string> AskedProblem::given_at(const std::vector<double>& at) const {
  Points points(at.size());
  points.add(at);
  std::vector<std::string> result;
  for (const auto& column : values(points)) {
    if (const auto exact = override_text(column, 0)) {
      result.push_back(*exact);
    } else if (const auto* real = std::get_if<std::vector<double>>(&column.values)) {
      const auto scale = frontend::standard_scale(std::get<types::Real>(column.type->kind).dimension);
      result.push_back(
          fmt::format("{}={}{}{}", column.name, scale.shown(real->front()), scale.unit.empty() ? "" : " ", scale.unit));
    } else {
      result.push_back(column.name + "=" + frontend::quote(value_text(column, 0)));
    }
  }
  return result;
}

std::string AskedProblem::text_of(const std::vector<double>& at) const {
  Points points(at.size());
  points.add(at);
  std::string text;
  for (const auto& one : values(points))
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", one.name, value_text(one, 0));
  return text;
}

std::optional<AskedProblem> ask_problem(const AskedModel& asked, const ProblemQuestion& question,
                                        frontend::Diagnostics& diagnostics) {
  return Asker(asked, question, diagnostics).run();
}

}  // namespace wave::analysis
