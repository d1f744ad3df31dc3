// See optimize.h.
#include "api/c/optimize.h"

#include "analysis/optimize/optimum.h"
#include "analysis/parts_of_time.h"
#include "analysis/tables/row_table.h"
#include "backend/limits.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <utility>

namespace wave::api {
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;

constexpr double most_counted = 1e18;  // more points say nothing about the end

const analysis::SearchWords& search_words() {
  static const analysis::SearchWords words{"budget", "points"};
  return words;
}

analysis::Method method_of(int method) {
  switch (method) {
    case WAVE_METHOD_AUTOMATIC: return analysis::Method::automatic;
    case WAVE_METHOD_EXHAUSTIVE: return analysis::Method::exhaustive;
    case WAVE_METHOD_BOUNDS: return analysis::Method::bounds;
    case WAVE_METHOD_SEARCH: return analysis::Method::search;
    default: throw Misuse{"`method` is " + std::to_string(method) + ", which is no method"};
  }
}

int number_of(analysis::Method method) {
  switch (method) {
    case analysis::Method::automatic: return WAVE_METHOD_AUTOMATIC;
    case analysis::Method::exhaustive: return WAVE_METHOD_EXHAUSTIVE;
    case analysis::Method::bounds: return WAVE_METHOD_BOUNDS;
    case analysis::Method::search: return WAVE_METHOD_SEARCH;
  }
  return WAVE_METHOD_AUTOMATIC;
}

int number_of(analysis::Proof proof) {
  switch (proof) {
    case analysis::Proof::none: return WAVE_PROOF_NONE;
    case analysis::Proof::all_points: return WAVE_PROOF_ALL_POINTS;
    case analysis::Proof::bounds: return WAVE_PROOF_BOUNDS;
    case analysis::Proof::within_tolerance: return WAVE_PROOF_WITHIN_TOLERANCE;
  }
  return WAVE_PROOF_NONE;
}

ResultColumn count_column(const std::string& name, std::vector<std::int64_t> values) {
  return {{std::move(values), {}, {}}, name, analysis::count_type(), {}, "", false};
}

ResultColumn text_column(const std::string& name, std::vector<std::string> texts) {
  std::vector<std::int64_t> ordinals;
  for (std::size_t i = 0; i < texts.size(); ++i) ordinals.push_back(static_cast<std::int64_t>(i));
  return {{std::move(ordinals), {}, std::move(texts)}, name, analysis::text_type(), {}, "", false};
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

Optimization::Optimization(Model& model, analysis::ProblemQuestion question, const backend::Limits& limits)
    : model_(model.program, model.item, model.name) {
  model_.settings = model.settings;
  model_.values = model.values;
  auto given = model_.given_texts();
  question.setting = {model_.settings.seconds, model_.settings.memory_bytes};
  auto& program = *model_.program;
  const auto lock = program.reading();
  frontend::Diagnostics diagnostics;
  const auto engines = [settings = model_.settings](const ir::System& system) { return engine_of(settings, system); };
  const analysis::AskedModel asked{
      program.program(), model_.item, std::move(given), engines, model_.settings.options.threads, limits};
  read_within(limits, [&] { asked_ = analysis::ask_problem(asked, question, diagnostics); });
  if (!asked_ || diagnostics.has_errors()) fail(program.program().sources, diagnostics);
}

std::unique_lock<std::mutex> Optimization::reading_while_it_runs() {
  return are_lowered_later(asked_->variables()) ? model_.program->reading() : std::unique_lock<std::mutex>();
}

void Optimization::end_without_best(std::unique_lock<std::mutex> lock) {
  if (control_.is_stopped()) stop();
  frontend::Diagnostics diagnostics;
  report_nothing(*asked_, *outcome_, search_words(), diagnostics);
  if (!lock.owns_lock()) lock = model_.program->reading();
  fail(model_.program->program().sources, diagnostics);
}

ResultTable Optimization::table_of_best() const {
  const auto& best = outcome_->best;
  ResultTable table;
  table.rows = best.size();
  for (std::size_t k = 0; k < asked_->goals.size(); ++k) table.columns.push_back(asked_->goal_column(best, k));
  for (auto& column : asked_->values(points_of(*asked_, best))) table.columns.push_back(std::move(column));
  return table;
}

std::vector<std::string> Optimization::largest_parts_at(const std::vector<std::string>& values, double seconds) {
  auto limits = limits_of(model_.settings, &control_.is_stopped());
  backend::set_time_limit(limits, seconds);
  auto options = lowering_options(limits);
  options.literals = true;
  frontend::Diagnostics quiet;
  std::vector<std::string> parts;
  try {
    for (const std::string& value : values) {
      const std::size_t at = value.find('=');
      model_.set(value.substr(0, at), Expression{value.substr(at + 1)});
    }
    with_lowered(model_, limits, options, quiet, [&](auto& lowered, const auto& engines) {
      if (quiet.has_errors()) return;
      const auto found = analysis::parts_of_time(lowered, asked_->goals.front().name, engines, limits);
      if (found) parts = analysis::largest_parts(*found);
    });
  } catch (const Failed&) {  // nothing is known of this point
  } catch (const frontend::GivenUp&) {}
  return parts;
}

// What needs further evaluations. `lock` is that of the search, if it has one.
void Optimization::add_explained(ResultTable& table, std::unique_lock<std::mutex>& lock) {
  const auto& best = outcome_->best;
  const auto find_parts = [&](const std::vector<std::string>& values, double seconds) {
    if (lock.owns_lock()) lock.unlock();  // every point is read under a lock of its own
    return largest_parts_at(values, seconds);
  };
  asked_->problem->stop = &control_.is_stopped();
  auto shown = asked_->shown(points_of(*asked_, best));
  analysis::Explained explained;
  if (is_explained) explained = explain(*asked_, best, search.seconds, control_.is_stopped(), find_parts);
  asked_->problem->stop = nullptr;
  const bool has_all = !control_.is_stopped();
  if (has_all) {
    for (auto& column : shown.columns) table.columns.push_back(std::move(column));
    table.failed = std::move(shown.failed);
  }
  if (asked_->goals.size() == 1) {
    table.columns.push_back(count_column("place", analysis::places(best)));
  } else {
    std::vector<std::int64_t> equals;
    for (const auto& one : best) equals.push_back(static_cast<std::int64_t>(one.equals));
    table.columns.push_back(count_column("as good", std::move(equals)));
  }
  if (!has_all) return;
  std::vector<std::string> parts, limits;
  for (const auto& one : explained.parts) parts.push_back(joined(one));
  for (const auto& one : explained.limits) limits.push_back(one ? joined(limits_text(*asked_, *one)) : "");
  const auto is_said = [](const auto& one) { return !one.empty(); };
  if (std::any_of(parts.begin(), parts.end(), is_said))
    table.columns.push_back(text_column("mostly", std::move(parts)));
  if (std::any_of(explained.limits.begin(), explained.limits.end(), [](const auto& one) { return one.has_value(); }))
    table.columns.push_back(text_column("limited by", std::move(limits)));
}

std::shared_ptr<Result> Optimization::run(wave_progress progress, void* data) {
  const double points = asked_->problem->size();
  const auto all = points < most_counted ? static_cast<std::uint64_t>(points) : 0;
  control_.begin(all, progress, data);
  auto lock = reading_while_it_runs();
  analysis::SearchOptions options = search;
  options.stop = &control_.is_stopped();
  options.progress = [&](const analysis::SearchProgress& now) {
    control_.tell(all > 0 ? std::min(now.looked_at, all) : now.looked_at);
  };
  asked_->problem->forget_failures();
  says_.clear();
  outcome_ = analysis::optimize(*asked_->problem, options);
  if (outcome_->best.empty()) end_without_best(std::move(lock));
  for (const auto& one : statements_of(*asked_, *outcome_, search_words())) says_ += (says_.empty() ? "" : "\n") + one;
  ResultTable table = table_of_best();
  add_explained(table, lock);
  auto result = std::make_shared<Result>();
  result->tables.push_back(table_of(table));
  result->tables.back().name = "best";
  const auto* const engine = asked_->costly.points->engine();
  result->engine = engine ? engine->name() : "";
  return result;
}

wave_optimum_info Optimization::info() const {
  if (!outcome_) throw Misuse{"`optimization` has not been run", "wave_optimization_run() looks for the best"};
  wave_optimum_info info{};
  info.proof = number_of(outcome_->proof);
  info.method = number_of(outcome_->method);
  info.points = outcome_->points;
  info.looked_at = outcome_->constrained;
  info.evaluated = outcome_->evaluated;
  info.failed = outcome_->failed;
  info.as_good_as_the_last = outcome_->more_equals;
  if (const auto bound = bound_of(*outcome_)) {
    const auto& goal = asked_->goals.front();
    const ColumnHead head(analysis::make_column(goal.name, "", goal.type, goal.unit, {}));
    info.has_bound = 1;
    info.bound = head.scale.si(asked_->problem->maximize.front() ? -*bound : *bound);
  }
  info.says = says_.c_str();
  return info;
}

}  // namespace wave::api

using namespace wave::api;

namespace {

wave_status change(wave_optimization* optimization, wave_error** error, const std::function<void(Optimization&)>& how) {
  return call(error, [&] {
    const auto found = get<Optimization>(optimization, "optimization");
    const std::lock_guard lock(found->mutex);
    how(*found);
  });
}

}  // namespace

extern "C" {

wave_status wave_optimization_create(wave_model* model, const char* const* over, size_t over_count,
                                     const wave_goal* goals, size_t goal_count, const char* const* subject_to,
                                     size_t subject_to_count, const char* const* show, size_t show_count,
                                     wave_optimization** optimization, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    wave::analysis::ProblemQuestion question;
    question.over = texts_of(over, over_count, "over");
    need_array(goals, goal_count, "goals");
    for (std::size_t i = 0; i < goal_count; ++i) {
      need(goals[i].expression, "goals");
      question.goals.push_back({goals[i].maximize != 0, goals[i].expression});
    }
    question.conditions = texts_of(subject_to, subject_to_count, "subject_to");
    question.show = texts_of(show, show_count, "show");
    need(optimization, "optimization");
    if (over_count == 0) throw Misuse{"`over_count` is 0: nothing may be chosen", "say what may: \"n=1..64\""};
    if (goal_count == 0)
      throw Misuse{"`goal_count` is 0: nothing is to be small or large", "give an output: \"total\""};
    with_model(*found, [&](const wave::backend::Limits& limits) {
      *optimization =
          open_handle<wave_optimization>(std::make_shared<Optimization>(*found, std::move(question), limits));
    });
  });
}

wave_status wave_optimization_set_method(wave_optimization* optimization, int method, wave_error** error) {
  return change(optimization, error, [&](auto& found) { found.search.method = method_of(method); });
}

wave_status wave_optimization_set_budget(wave_optimization* optimization, double seconds, wave_error** error) {
  return change(optimization, error, [&](auto& found) { found.search.seconds = checked_seconds(seconds, "seconds"); });
}

wave_status wave_optimization_set_points(wave_optimization* optimization, uint64_t points, wave_error** error) {
  return change(optimization, error, [&](auto& found) { found.search.most_points = points > 0 ? points : UINT64_MAX; });
}

wave_status wave_optimization_set_seed(wave_optimization* optimization, uint64_t seed, wave_error** error) {
  return change(optimization, error, [&](auto& found) { found.search.seed = seed; });
}

wave_status wave_optimization_set_top(wave_optimization* optimization, size_t rows, wave_error** error) {
  return change(optimization, error, [&](auto& found) {
    if (rows < 1 || rows > wave::analysis::most_shown)
      throw Misuse{"`rows` is " + std::to_string(rows) + ": 1 to " + std::to_string(wave::analysis::most_shown) +
                   " may be"};
    found.search.top = rows;
  });
}

wave_status wave_optimization_set_explained(wave_optimization* optimization, int is_explained, wave_error** error) {
  return change(optimization, error, [&](auto& found) { found.is_explained = is_explained != 0; });
}

wave_status wave_optimization_run(wave_optimization* optimization, wave_progress progress, void* data,
                                  wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Optimization>(optimization, "optimization");
    need(result, "result");
    const std::lock_guard lock(found->mutex);
    *result = open_handle<wave_result>(found->run(progress, data));
    if (found->was_stopped()) stop();
  });
}

wave_status wave_optimization_outcome(wave_optimization* optimization, wave_optimum_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Optimization>(optimization, "optimization");
    const std::lock_guard lock(found->mutex);
    fill(info, found->info(), "info");
  });
}

wave_status wave_optimization_stop(wave_optimization* optimization) {
  return call(nullptr, [&] { get<Optimization>(optimization, "optimization")->stop_run(); });
}

wave_status wave_optimization_close(wave_optimization* optimization) {
  return close<Optimization>(optimization, "optimization");
}

}  // extern "C"
