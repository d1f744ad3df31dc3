// See studies.h.
#include "api/c/studies.h"

#include "analysis/pictures/column_reader.h"
#include "analysis/study/journal_trouble.h"
#include "analysis/study/opening.h"
#include "frontend/lower/given.h"

#include <algorithm>

namespace wave::api {
namespace {

using analysis::ResultTable;
using frontend::DiagnosticKind;

constexpr const char* journal_option = "journal";

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

Study::Study(std::shared_ptr<LoadedProgram> program, std::unique_ptr<Model> model)
    : program_(std::move(program)),
      model_(std::move(model)),
      settings_(model_ ? model_->settings : program_->settings) {
  command_.verb = verb;
  command_.file = program_->name;
  command_.folders = program_->settings.folders;
  if (!model_) return;
  command_.model = model_->name;
  command_.overrides = model_->given_texts();
}

void Study::set_option(const std::string& option, const std::string& value) {
  const std::lock_guard lock(mutex);
  if (option == "study" && model_) throw Misuse{"a study is declared by a program", "ask the program, not a model"};
  if (option == journal_option && value.empty()) throw Misuse{"the name of the journal is empty"};
  if (option == journal_option)
    journal_ = value;
  else if (!settings_.set_limit(option, value))
    set_clause(option, value);
  opened_.reset();
}

void Study::set_columns(std::string, const wave_column*, std::size_t, std::size_t) {
  throw Misuse{"a sweep takes no columns", "a batch does: wave_batch_create()"};
}

void Study::set_clause(const std::string& option, const std::string& value) {
  auto names = analysis::StudyClauses::options();
  names.insert(names.end(), {journal_option, "time-limit", "memory-limit"});
  if (std::find(names.begin(), names.end(), option) == names.end()) refuse_option(option, names);
  if (const std::string why = command_.set(option, value); !why.empty()) throw Misuse{why};
}

Study::Opened& Study::opened() {
  if (opened_) return *opened_;
  auto made = std::make_unique<Opened>();
  const auto limits = limits_of(settings_, &control_.is_stopped());
  frontend::Diagnostics diagnostics;
  try {
    const auto lock = program_->reading();
    read_within(limits, [&] { open(*made, limits, diagnostics); });
    if (!made->points || diagnostics.has_errors()) fail(program_->program().sources, diagnostics);
  } catch (...) {
    if (control_.is_stopped()) stop();
    throw;
  }
  opened_ = std::move(made);
  if (!is_reduced()) return *opened_;
  try {
    make_reduced();  // which may be wrong
  } catch (...) {
    opened_.reset();
    throw;
  }
  return *opened_;
}

void Study::open(Opened& into, const backend::Limits& limits, frontend::Diagnostics& diagnostics) {
  auto& program = program_->program();
  if (model_ && command_.vary.empty())
    throw Misuse{"`vary` is not set: nothing varies", "set \"vary\": \"n=1..16 by *2\""};
  if (model_) {
    into.model = &model_->item;
    std::vector<std::string> left_out;
    const auto show =
        command_.show.empty() ? analysis::outputs_to_show(*into.model, left_out, diagnostics) : command_.show;
    if (diagnostics.has_errors()) return;
    const frontend::Asked asked{analysis::clauses_of("--vary", command_.vary), analysis::clauses_of("--show", show)};
    into.asked = ask(program, *into.model, asked, diagnostics);
    if (!into.asked) return;
  } else {
    if (!command_.vary.empty() || !command_.show.empty())
      throw Misuse{"a study of the program says itself what varies, and what it shows",
                   "ask a model: wave_model_open()"};
    into.declared =
        analysis::choose_study(program, program_->name, command_.study, "ask a model: wave_model_open()", diagnostics);
    if (!into.declared) return;
    into.model = std::get<frontend::item::Study>(into.declared->node).model_item;
  }
  into.points =
      analysis::open_points({program,
                             into.declared ? *into.declared : *into.asked,
                             command_,
                             [&] { return check_given(program, *into.model, command_.overrides, diagnostics); },
                             [settings = settings_](const ir::System& system) { return engine_of(settings, system); },
                             settings_.options.threads,
                             limits,
                             diagnostics,
                             nullptr,
                             analysis::pictures::point_name,
                             {}});
  if (!into.points) return;
  for (const auto& variable : into.points->variables()) {
    if (variable.listed) continue;
    report_unlisted(variable, "varies over nothing", "list them: \"" + variable.name + "=1..64 by *2\"", diagnostics);
  }
}

// Where nobody has asked for it yet, while the program is read.
const analysis::StudyDescription& Study::description() {
  Opened& of = opened();
  if (of.description) return *of.description;
  const auto lock = program_->reading();
  of.description = describe(command_, program_->name, program_->program(), *of.model, of.declared, *of.points);
  of.id = id_of(*of.description);
  return *of.description;
}

void Study::check_points(PointRange points) {
  if (points.begin > points.end || points.end > point_count())
    throw Misuse{"the points from " + std::to_string(points.begin) + " to " + std::to_string(points.end) +
                 " are none of the " + std::to_string(point_count()) + " of the study"};
}

void Study::end(const ir::Failure& failure) {
  if (control_.is_stopped()) stop();
  frontend::Diagnostics diagnostics;
  const auto& lowered = opened().points->lowered();
  report(lowered.system, lowered.words, lowered.notes, failure, diagnostics);
  fail(program_->program().sources, diagnostics);
}

void Study::check_memory(std::uint64_t points) {
  const auto& model = *opened().points;
  const double cells =
      static_cast<double>(points) * static_cast<double>(model.variables().size() + model.shown().size());
  if (cells * 3 * sizeof(double) > static_cast<double>(settings_.memory_bytes))
    fail(WAVE_LIMIT, DiagnosticKind::out_of_memory, "the points of the study need more memory than the limit",
         "vary fewer values, or allow more");
}

std::unique_lock<std::mutex> Study::reading_while_it_runs() {
  return are_lowered_later(opened().points->variables()) ? program_->reading() : std::unique_lock<std::mutex>();
}

std::shared_ptr<Result> Study::result_of(ResultTable table) {
  auto result = std::make_shared<Result>();
  result->tables.push_back(table_of(table));
  result->points = std::make_shared<const ResultTable>(std::move(table));
  const auto* const engine = opened().points->engine();
  result->engine = engine ? engine->name() : "";
  return result;
}

void Study::run(wave_progress progress, void* data, std::shared_ptr<Result>& result) {
  control_.begin(progress, data);
  const bool is_kept = opened().journal || !journal_.empty();
  if (control_.is_stopped()) stop();
  result = is_reduced() ? run_reduced() : is_kept ? run_with_journal() : run_all();
}

std::shared_ptr<Result> Study::run_all() {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  auto& model = *opened().points;
  const backend::Limits limits = limits_of(settings_, &control_.is_stopped());
  const analysis::Product product(model);
  const std::uint64_t all = product.size();
  check_memory(all);
  control_.expect(all);
  ResultTable table;
  auto lock = reading_while_it_runs();
  for (std::uint64_t begin = 0; begin < all && !control_.is_stopped(); begin += at_once) {
    const std::uint64_t end_of_part = std::min(all, begin + at_once);
    auto outcome = model.evaluate(product.points(begin, end_of_part), limits,
                                  [&](std::size_t rows) { control_.tell(begin + rows); });
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
      if (!lock.owns_lock()) lock = program_->reading();
      end(*failure);
    }
    append(table, std::get<ResultTable>(std::move(outcome)));
    control_.tell(end_of_part);
  }
  if (control_.is_stopped()) stop();
  return result_of(std::move(table));
}

std::unique_ptr<analysis::Journal> Study::open_journal() {
  auto opened =
      analysis::Journal::open(journal_, description(), {}, analysis::Journal::Opening::resume, point_limits());
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

// The one of a file, or one without a name, which goes with what was opened.
analysis::Journal& Study::journal() {
  Opened& of = opened();
  if (of.journal) return *of.journal;
  if (!is_reduced()) check_memory(point_count());
  if (!journal_.empty()) return *(of.journal = open_journal());
  auto opened = analysis::Journal::open_nameless(description(), {});
  if (const auto* const trouble = std::get_if<analysis::JournalTrouble>(&opened)) cannot_write(trouble->text);
  return *(of.journal = std::move(std::get<std::unique_ptr<analysis::Journal>>(opened)));
}

void Study::cannot_write(const std::string& why) {
  if (journal_.empty())
    fail(WAVE_FAILED, DiagnosticKind::cannot_write, "a file for what is found cannot be written", why);
  fail(WAVE_FAILED, DiagnosticKind::cannot_write, "`" + journal_ + "` cannot be written",
       why + "; what was found before is in it, and the same study goes on from there");
}

// Points are evaluated and kept as by `wave sweep --out … --resume`.
std::shared_ptr<Result> Study::run_with_journal() {
  Opened& of = opened();
  auto* const journal = &this->journal();
  const Released released(of, !journal_.empty());
  const auto lock = reading_while_it_runs();
  control_.expect(point_count());
  const std::uint64_t kept = journal->done().count();
  analysis::ChunkComputer computer(*of.points, journal->id(), point_limits(), control_.is_stopped());
  const auto end = run_here(
      computer, journal->open_points(),
      [&](PointRange range, std::string_view record) { return journal->append(range, record); },
      [&](std::uint64_t points) { control_.tell(kept + points); });
  std::string trouble = end.trouble;
  if (const std::string of_sync = journal->sync(); trouble.empty()) trouble = of_sync;
  if (!trouble.empty()) cannot_write(trouble);
  if (end.stopped || control_.is_stopped()) stop();
  auto table = read_results(*journal, *of.points);
  if (!table) fail(WAVE_FAILED, DiagnosticKind::cannot_read, "`" + journal->path() + "` cannot be read any more");
  return result_of(std::move(*table));
}

}  // namespace wave::api
