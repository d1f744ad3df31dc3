// See studies.h.
#include "api/c/studies.h"

#include "analysis/study/conditions.h"
#include "analysis/study/description.h"
#include "analysis/study/journal_trouble.h"
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

// What `wave sweep` would be asked.
analysis::StudyCommand command_of(const LoadedProgram& program, const std::string& model,
                                  const std::vector<std::string>& given) {
  analysis::StudyCommand command;
  command.verb = "sweep";
  command.file = program.name;
  command.model = model;
  command.overrides = given;
  command.folders = program.settings.folders;
  return command;
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

}  // namespace

Study::Study(Model& model, const StudyClauses& wanted, const backend::Limits& limits)
    : program_(model.program), settings_(model.settings) {
  const auto show = wanted.show.empty() ? outputs_to_show(model, limits) : wanted.show;
  if (show.empty())
    fail(WAVE_FAILED, DiagnosticKind::no_column, "the model has no output that is a single value or a record");
  auto given = model.given_texts();
  command_ = command_of(*program_, model.name, given);
  command_.vary = wanted.vary;
  command_.show = wanted.show;
  command_.where = wanted.where;
  model_ = &model.item;
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
  command_ = command_of(*program_, "", {});
  command_.study = study.name.text;
  model_ = model;
  declared_ = &study;
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
    report_unlisted(variable, "varies over nothing", "list them: \"" + variable.name + "=1..64 by *2\"", diagnostics);
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

void Study::check_range(std::uint64_t begin, std::uint64_t end) const {
  if (begin > end || end > point_count())
    throw Misuse{"the points from " + std::to_string(begin) + " to " + std::to_string(end) + " are none of the " +
                 std::to_string(point_count()) + " of the study"};
}

void Study::end(const ir::Failure& failure) {
  if (control_.is_stopped()) stop();
  frontend::Diagnostics diagnostics;
  const auto& lowered = points_->lowered();
  report(lowered.system, lowered.words, lowered.notes, failure, diagnostics);
  fail(program_->program().sources, diagnostics);
}

void Study::check_memory(std::uint64_t points) const {
  const double cells =
      static_cast<double>(points) * static_cast<double>(points_->variables().size() + points_->shown().size());
  if (cells * 3 * sizeof(double) > static_cast<double>(settings_.memory_bytes))
    fail(WAVE_LIMIT, DiagnosticKind::out_of_memory, "the points of the study need more memory than the limit",
         "vary fewer values, or allow more");
}

std::unique_lock<std::mutex> Study::reading_while_it_runs() {
  return are_lowered_later(points_->variables()) ? program_->reading() : std::unique_lock<std::mutex>();
}

std::shared_ptr<Result> Study::result_of(ResultTable table) const {
  auto result = std::make_shared<Result>();
  result->tables.push_back(table_of(table));
  result->points = std::make_shared<const ResultTable>(std::move(table));
  result->engine = points_->engine() ? points_->engine()->name() : "";
  return result;
}

std::shared_ptr<Result> Study::run(PointRange points, wave_progress progress, void* data) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  const backend::Limits limits = limits_of(settings_, &control_.is_stopped());
  const analysis::Product product(*points_);
  check_memory(points.size());
  control_.begin(points.size(), progress, data);
  ResultTable table;
  auto lock = reading_while_it_runs();
  for (std::uint64_t begin = points.begin; begin < points.end && !control_.is_stopped(); begin += at_once) {
    const std::uint64_t end_of_part = std::min(points.end, begin + at_once);
    auto outcome = points_->evaluate(product.points(begin, end_of_part), limits,
                                     [&](std::size_t rows) { control_.tell(begin - points.begin + rows); });
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
      if (!lock.owns_lock()) lock = program_->reading();
      end(*failure);
    }
    append(table, std::get<ResultTable>(std::move(outcome)));
    control_.tell(end_of_part - points.begin);
  }
  if (control_.is_stopped()) stop();
  return result_of(std::move(table));
}

std::shared_ptr<Result> Study::run(wave_progress progress, void* data) {
  if (!command_.reduce.empty()) return run_reduced(progress, data);
  return journal_.empty() && !gathered_ ? run({0, point_count()}, progress, data) : run_with_journal(progress, data);
}

// While nobody else reads the program.
analysis::StudyDescription Study::description() const {
  return describe(command_, program_->name, program_->program(), *model_, declared_, *points_);
}

const std::string& Study::id() {
  if (id_.empty()) {
    const auto lock = program_->reading();
    id_ = hexadecimal(id_of(description()));
  }
  return id_;
}

std::unique_ptr<analysis::Journal> Study::open_journal() const {
  auto opened = analysis::Journal::open(journal_, description(), {}, analysis::Journal::Opening::resume,
                                        point_limits());
  const auto* const trouble = std::get_if<analysis::JournalTrouble>(&opened);
  if (!trouble) return std::move(std::get<std::unique_ptr<analysis::Journal>>(opened));
  using Kind = analysis::JournalTrouble::Kind;
  frontend::Diagnostics diagnostics;
  auto& help = analysis::report(journal_, *trouble, diagnostics).help;
  if (trouble->kind == Kind::cannot_write) help.push_back(trouble->text);
  if (trouble->kind == Kind::in_use) help.emplace_back("wait for it, or name another file");
  if (trouble->kind == Kind::other_study) help.emplace_back("remove it to begin again, or name another file");
  fail({}, diagnostics);
}

void Study::cannot_write(const std::string& why) const {
  if (journal_.empty()) fail(WAVE_FAILED, DiagnosticKind::cannot_write, "a file for what is found cannot be written", why);
  fail(WAVE_FAILED, DiagnosticKind::cannot_write, "`" + journal_ + "` cannot be written",
       why + "; what was found before is in it, and the same study goes on from there");
}

// Points are evaluated and kept as by `wave sweep --out … --resume`.
std::shared_ptr<Result> Study::run_with_journal(wave_progress progress, void* data) {
  check_memory(point_count());
  auto lock = program_->reading();
  const auto journal = gathered_ ? std::move(gathered_) : open_journal();
  if (!are_lowered_later(points_->variables())) lock.unlock();
  control_.begin(point_count(), progress, data);
  const std::uint64_t kept = journal->done().count();
  analysis::ChunkComputer computer(*points_, journal->id(), point_limits(), control_.is_stopped());
  const auto end = run_here(
      computer, journal->open_points(),
      [&](PointRange range, std::string_view record) { return journal->append(range, record); },
      [&](std::uint64_t points) { control_.tell(kept + points); });
  std::string trouble = end.trouble;
  if (const std::string of_sync = journal->sync(); trouble.empty()) trouble = of_sync;
  if (!trouble.empty()) cannot_write(trouble);
  if (end.stopped || control_.is_stopped()) stop();
  auto table = read_results(*journal, *points_);
  if (!table) fail(WAVE_FAILED, DiagnosticKind::cannot_read, "`" + journal->path() + "` cannot be read any more");
  return result_of(std::move(*table));
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

wave_status wave_study_id(wave_study* study, const char** id, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(id, "id");
    const std::lock_guard lock(found->mutex);
    *id = found->id().c_str();
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

wave_status wave_study_run_part(wave_study* study, uint64_t begin, uint64_t end, wave_progress progress, void* data,
                                wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    need(result, "result");
    const std::lock_guard lock(found->mutex);
    found->check_range(begin, end);
    *result = open_handle<wave_result>(found->run({begin, end}, progress, data));
  });
}

wave_status wave_study_set_journal(wave_study* study, const char* file, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Study>(study, "study");
    if (file && *file == 0) throw Misuse{"`file` is empty", "NULL is no journal"};
    const std::lock_guard lock(found->mutex);
    found->keep_in(file ? file : "");
  });
}

wave_status wave_study_stop(wave_study* study) {
  return call(nullptr, [&] { get<Study>(study, "study")->stop_run(); });
}

wave_status wave_study_close(wave_study* study) { return close<Study>(study, "study"); }

}  // extern "C"
