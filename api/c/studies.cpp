// See studies.h.
#include "api/c/studies.h"

#include "analysis/study/conditions.h"
#include "frontend/lower/given.h"

#include <algorithm>

namespace wave::api {
namespace {

using analysis::ResultTable;
using frontend::DiagnosticKind;

std::vector<frontend::AskedClause> clauses(const char* option, const std::vector<std::string>& texts) {
  std::vector<frontend::AskedClause> all;
  for (const std::string& text : texts) all.push_back({option, text});
  return all;
}

// The outputs that are single values or records.
std::vector<std::string> outputs_to_show(Model& model, const backend::Limits& limits) {
  std::vector<std::string> names;
  const auto& lowered = model.prepare(limits).lowered;
  for (const auto& output : lowered.outputs) {
    if (!output.is_breakdown && is_one_row(output.shape)) names.push_back(output.name);
  }
  return names;
}

// The study of that name, or the only one.
frontend::Item& chosen_study(LoadedProgram& program, const std::string& name) {
  std::vector<std::string> names;
  std::vector<frontend::Item*> studies;
  for (const auto& item : program.program().main().items) {
    if (!std::holds_alternative<frontend::item::Study>(item->node)) continue;
    names.push_back(item->name.text);
    studies.push_back(item.get());
    if (item->name.text == name) return *item;
  }
  if (name.empty() && studies.size() == 1) return *studies.front();
  const std::string what = name.empty() ? "no study that is the only one" : "no study `" + name + "`";
  fail(WAVE_FAILED, DiagnosticKind::wrong_study, program.name + " has " + what,
       names.empty() ? "wave_study_create() says what varies" : "its studies are " + frontend::quoted_list(names));
}

// Points after points: strings go on to be counted as before.
void append(ResultTable& all, ResultTable more) {
  if (all.columns.empty()) {
    all = std::move(more);
    return;
  }
  for (std::size_t i = 0; i < all.columns.size(); ++i) {
    auto& column = all.columns[i];
    std::visit(
        [&](auto& values) {
          const auto& added = std::get<std::remove_cvref_t<decltype(values)>>(more.columns[i].values);
          values.insert(values.end(), added.begin(), added.end());
        },
        column.values);
    column.labels = std::move(more.columns[i].labels);
  }
  append_failed(all.failed, more.failed, all.rows);
  all.rows += more.rows;
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* argument) {
  need_array(texts, count, argument);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    need(texts[i], argument);
    all.emplace_back(texts[i]);
  }
  return all;
}

}  // namespace

Study::Study(Model& model, const StudyClauses& wanted, const backend::Limits& limits)
    : program_(model.program), settings_(model.settings) {
  const auto show = wanted.show.empty() ? outputs_to_show(model, limits) : wanted.show;
  if (show.empty())
    fail(WAVE_FAILED, DiagnosticKind::no_column, "the model has no output that is a single value or a record");
  auto given = model.given_texts();
  const auto lock = program_->reading();
  frontend::Diagnostics diagnostics;
  read_within(limits, [&] {
    const frontend::Asked asked{clauses("--vary", wanted.vary), clauses("--show", show)};
    asked_ = ask(program_->program(), model.item, asked, diagnostics);
    if (asked_) open({*asked_, model.item, std::move(given), limits, diagnostics}, clauses("--where", wanted.where));
  });
  if (!points_ || diagnostics.has_errors()) fail(program_->program().sources, diagnostics);
}

Study::Study(std::shared_ptr<LoadedProgram> program, const std::string& name)
    : program_(std::move(program)), settings_(program_->settings) {
  const backend::Limits limits = limits_of(settings_, nullptr);
  const auto lock = program_->reading();
  frontend::Diagnostics diagnostics;
  frontend::Item& study = chosen_study(*program_, name);
  const auto* const model = std::get<frontend::item::Study>(study.node).model_item;
  read_within(limits, [&] { open({study, *model, {}, limits, diagnostics}, {}); });
  if (!points_ || diagnostics.has_errors()) fail(program_->program().sources, diagnostics);
}

void Study::open(const Question& question, const std::vector<frontend::AskedClause>& where) {
  points_ = make(question, frontend::StudyAsks::results);
  if (points_) choose(question, where);
}

std::unique_ptr<analysis::StudyModel> Study::make(const Question& question, frontend::StudyAsks asks) {
  auto& program = program_->program();
  auto overrides = frontend::check_given(program, question.model, question.given, question.diagnostics);
  if (question.diagnostics.has_errors()) return nullptr;
  return analysis::StudyModel::make(
      program, question.study, std::move(overrides),
      [settings = settings_](const ir::System& system) { return engine_of(settings, system); },
      settings_.options.threads, question.limits, question.diagnostics, asks);
}

// Leaves out the points at which a condition does not hold.
void Study::choose(const Question& question, const std::vector<frontend::AskedClause>& where) {
  auto& diagnostics = question.diagnostics;
  for (const auto& variable : points_->variables()) {
    if (variable.listed) continue;
    diagnostics
        .add(DiagnosticKind::wrong_study, variable.location, "`" + variable.name + "` is given no values",
             "varies over nothing")
        .help.push_back("list them: \"" + variable.name + "=1..64 by *2\"");
  }
  if (where.empty() || diagnostics.has_errors()) return;
  if (!ask_conditions(program_->program(), question.study, where, diagnostics)) return;
  const std::uint64_t all = point_count();
  if (all > analysis::most_points_looked_at)
    fail(WAVE_FAILED, DiagnosticKind::study_too_large, "there are too many points to ask the conditions at each",
         "vary fewer values: 1 000 000 000 points may be");
  const auto conditions = make(question, frontend::StudyAsks::conditions);
  if (!conditions) return;
  auto found = analysis::find_points(*conditions, question.limits, [](std::uint64_t) {});
  if (const auto* failure = std::get_if<ir::Failure>(&found)) {
    const auto& lowered = conditions->lowered();
    report(lowered.system, lowered.words, lowered.notes, *failure, diagnostics);
  } else if (const auto* failed = std::get_if<analysis::ConditionFailed>(&found)) {
    diagnostics.add(failed->failure.kind(), {}, failed->failure.message())
        .notes.push_back("of the conditions at point " + std::to_string(failed->row));
  } else if (auto& chosen = std::get<analysis::Selection>(found); chosen.size() == 0) {
    diagnostics.add(DiagnosticKind::wrong_study, {}, "no point is left: the conditions hold at none of them");
  } else if (chosen.size() < all) {
    points_->select(std::move(chosen));
  }
}

// Machines that vary are lowered when their turn comes.
bool Study::is_lowered_later() const {
  const auto& variables = points_->variables();
  return std::any_of(variables.begin(), variables.end(), [](const auto& one) { return one.shapes; });
}

void Study::end(const ir::Failure& failure) {
  if (is_stopped_) stop();
  frontend::Diagnostics diagnostics;
  const auto& lowered = points_->lowered();
  report(lowered.system, lowered.words, lowered.notes, failure, diagnostics);
  fail(program_->program().sources, diagnostics);
}

std::shared_ptr<Result> Study::run(wave_progress progress, void* data) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  is_stopped_ = false;
  const backend::Limits limits = limits_of(settings_, &is_stopped_);
  const analysis::Product product(*points_);
  const std::uint64_t all = product.size();
  const double cells =
      static_cast<double>(all) * static_cast<double>(points_->variables().size() + points_->shown().size());
  if (cells * 3 * sizeof(double) > static_cast<double>(settings_.memory_bytes))
    fail(WAVE_LIMIT, DiagnosticKind::out_of_memory, "the points of the study need more memory than the limit",
         "vary fewer values, or allow more");
  const auto tell = [&](std::uint64_t done) {
    if (progress && progress(done, all, data) != 0) is_stopped_ = true;
  };
  tell(0);
  ResultTable table;
  auto lock = program_->reading();
  if (!is_lowered_later()) lock.unlock();
  for (std::uint64_t begin = 0; begin < all && !is_stopped_; begin += at_once) {
    const std::uint64_t end_of_part = std::min(all, begin + at_once);
    auto outcome =
        points_->evaluate(product.points(begin, end_of_part), limits, [&](std::size_t rows) { tell(begin + rows); });
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
      if (!lock.owns_lock()) lock.lock();
      end(*failure);
    }
    append(table, std::get<ResultTable>(std::move(outcome)));
    tell(end_of_part);
  }
  if (is_stopped_) stop();
  auto result = std::make_shared<Result>();
  result->tables.push_back(table_of(table));
  result->points = std::make_shared<const ResultTable>(std::move(table));
  result->engine = points_->engine() ? points_->engine()->name() : "";
  return result;
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_study_create(wave_model* model, const char* const* vary, size_t vary_count, const char* const* show,
                              size_t show_count, const char* const* where, size_t where_count, wave_study** study,
                              wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    const StudyClauses asked{texts_of(vary, vary_count, "vary"), texts_of(show, show_count, "show"),
                             texts_of(where, where_count, "where")};
    need(study, "study");
    if (asked.vary.empty()) throw Misuse{"`vary_count` is 0: nothing varies", "say what does: \"n=1..16 by *2\""};
    with_model(*found, [&](const wave::backend::Limits& limits) {
      *study = open_handle<wave_study>(std::make_shared<Study>(*found, asked, limits));
    });
  });
}

wave_status wave_study_open(wave_program* program, const char* name, wave_study** study, wave_error** error) {
  return call(error, [&] {
    const auto found = get<LoadedProgram>(program, "program");
    need(study, "study");
    *study = open_handle<wave_study>(std::make_shared<Study>(found, name ? name : ""));
  });
}

wave_status wave_study_point_count(const wave_study* study, uint64_t* count, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(count, "count");
    *count = found->point_count();
  });
}

wave_status wave_study_run(wave_study* study, wave_progress progress, void* data, wave_result** result,
                           wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(result, "result");
    const std::lock_guard lock(found->mutex);
    *result = open_handle<wave_result>(found->run(progress, data));
  });
}

wave_status wave_study_stop(wave_study* study) {
  return call(nullptr, [&] { get<Study>(study, "study")->stop_run(); });
}

wave_status wave_study_close(wave_study* study) { return close<Study>(study, "study"); }

}  // extern "C"
