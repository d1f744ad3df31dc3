// See batches.h.
#include "api/c/batches.h"

#include "api/c/columns.h"
#include "backend/threads.h"

#include <algorithm>
#include <deque>
#include <set>

namespace wave::api {
namespace {

template <class Column>
std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.emplace_back(column.name);
  return names;
}

// The model with the columns' parameters as numbers, all others as texts.
std::unique_ptr<Model> bound_model(const std::shared_ptr<LoadedProgram>& program, const frontend::Item& item,
                                   const std::string& name, const Settings& settings, const Values& values) {
  auto model = std::make_unique<Model>(program, item, name);
  model->settings = settings;
  model->values = values;
  return model;
}

bool takes(int target, int cell) { return target == cell || (target == WAVE_REAL && cell == WAVE_INTEGER); }

// Finds what a target asks for among the outputs of the plan's model, which may still be added.
void add_target(const wave_target& target, BatchPlan& plan, std::vector<const frontend::OutputInfo*>& outputs) {
  const auto& lowered = plan.model->prepared->lowered;
  std::vector<Table> tables;
  for (const auto& info : lowered.outputs) {
    Table& table = tables.emplace_back(failed_table(info, ""));
    for (const auto& column : info.columns) table.columns.emplace_back(head_of(column));
  }
  const ValuePlace place = find_value(tables, target.name);
  if (!place.is_found) refuse_value(tables, target.name, "targets.name");
  const frontend::OutputInfo& info = lowered.outputs[place.table];
  if (!analysis::gives_columns(lowered.system, info))
    throw Misuse{std::string("target `") + target.name + "` is no single value or record by itself"};
  ColumnHead head = tables[place.table].columns[place.column].head;
  if (!takes(target.cell, head.cell))
    throw Misuse{std::string("target `") + target.name + "` has cells of another type than the output"};
  std::size_t before = 0;
  std::size_t at = 0;
  for (; at < outputs.size() && outputs[at] != &info; ++at) before += outputs[at]->columns.size();
  if (at == outputs.size()) outputs.push_back(&info);
  plan.wanted.push_back({before + place.column, std::move(head)});
}

std::shared_ptr<Error> error_of(const std::vector<analysis::FailedRows>& failed, const frontend::Sources& sources) {
  frontend::Diagnostics diagnostics;
  for (const auto& one : failed) {
    auto diagnostic = one.diagnostic;
    const std::size_t others = one.rows.size() - 1;
    diagnostic.notes.push_back("in row " + std::to_string(one.rows.front()) +
                               (others > 0 ? ", and in " + std::to_string(others) + " more" : ""));
    diagnostics.add(diagnostic.kind, {}, "") = std::move(diagnostic);
  }
  return std::make_shared<Error>(WAVE_FAILED, sources, diagnostics);
}

// Some hundred kilobytes of columns for each thread.
std::size_t rows_at_once(int threads) {
  constexpr std::size_t of_a_thread = std::size_t{1} << 16;
  return of_a_thread * static_cast<std::size_t>(backend::actual_threads(threads));
}

}  // namespace

Batch::Batch(const Model& model)
    : program_(model.program), item_(model.item), name_(model.name), settings_(model.settings), values_(model.values) {}

BatchPlan& Batch::plan_for(const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
                           const backend::Limits& limits) {
  const auto column_names = names_of(columns), target_names = names_of(targets);
  if (plan_ && plan_->columns == column_names && plan_->targets == target_names) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!takes(targets[i].cell, plan_->wanted[i].head.cell))
        throw Misuse{std::string("target `") + targets[i].name + "` has cells of another type than the output"};
    }
    return *plan_;
  }
  plan_.reset();
  auto plan = std::make_unique<BatchPlan>();
  plan->columns = column_names;
  plan->targets = target_names;
  plan->model = bound_model(program_, item_, name_, settings_, values_);
  Model& model = *plan->model;
  std::set<std::string> names;
  for (auto& [path, value] : model.values) {
    const auto* const number = std::get_if<Number>(&value);
    if (number) value = Expression{text_of(*number, model.type_of(path))};
  }
  for (const wave_column& column : columns) {
    if (!names.insert(column.name).second) throw Misuse{std::string("there are two columns `") + column.name + "`"};
    const auto type = plan->types.emplace_back(model.type_of(column.name));
    const ColumnHead& head = plan->heads.emplace_back(head_of({column.name, type, {}}));
    if (column.count > 0) model.values[column.name] = number_in(column, type, head, 0);
  }
  Prepared& prepared = model.prepare(limits);
  if (prepared.diagnostics.has_errors()) {
    const auto lock = program_->reading();
    fail(program_->program().sources, prepared.diagnostics);
  }
  std::vector<const frontend::OutputInfo*> outputs;
  for (const wave_target& target : targets) add_target(target, *plan, outputs);
  std::vector<ir::DefinitionId> definitions;
  for (const wave_column& column : columns) {
    const auto bound = prepared.bound.find(column.name);
    if (column.count == 0) continue;
    if (bound == prepared.bound.end())
      throw Misuse{std::string("column `") + column.name + "`: this parameter cannot vary"};
    definitions.push_back(bound->second);
  }
  plan->batch = std::make_unique<analysis::ModelBatch>(prepared.lowered, *prepared.engine, definitions, outputs,
                                                       settings_.options.threads);
  return *(plan_ = std::move(plan));
}

// Ends a run that gave no rows.
void Batch::end(const Prepared& prepared, const ir::Failure& failure) {
  if (control_.is_stopped()) stop();
  frontend::Diagnostics diagnostics;
  report(prepared.lowered.system, prepared.lowered.words, prepared.lowered.notes, failure, diagnostics);
  const auto lock = program_->reading();
  fail(program_->program().sources, diagnostics);
}

void Batch::write(const BatchPlan& plan, std::size_t begin, const analysis::BatchValues& values,
                  const std::vector<wave_target>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto& head = plan.wanted[i].head;
    Words words;
    if (targets[i].cell == WAVE_TEXT) {
      words = head.column.words.empty() ? plan.model->prepared->current_words()
                                        : std::make_shared<const std::vector<std::string>>(head.column.words);
      words_.push_back(words);
    }
    write_target(targets[i], begin, values.columns[plan.wanted[i].column], head, words);
  }
}

// Goes over the rows part by part, so that what one step makes is still in the processor's caches for the next.
std::vector<analysis::FailedRows> Batch::evaluate(BatchPlan& plan, std::size_t rows,
                                                  const std::vector<wave_column>& columns,
                                                  const std::vector<wave_target>& targets, std::int32_t* codes,
                                                  const backend::Limits& limits) {
  Prepared& prepared = *plan.model->prepared;
  const std::size_t at_once = rows_at_once(settings_.options.threads);
  std::deque<ColumnReader> readers;
  for (std::size_t i = 0; i < columns.size(); ++i)
    readers.emplace_back(columns[i], plan.types[i], plan.heads[i], prepared);
  std::vector<analysis::FailedRows> failed;
  for (std::size_t begin = 0; begin < rows && !control_.is_stopped(); begin += at_once) {
    const std::size_t end_of_part = std::min(rows, begin + at_once);
    std::vector<backend::InputColumn> inputs;
    for (auto& reader : readers) inputs.push_back(reader.read(begin, end_of_part));
    auto outcome = plan.batch->evaluate(inputs, limits, [&](std::size_t done) { control_.tell(begin + done); });
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) end(prepared, *failure);
    const auto& values = std::get<analysis::BatchValues>(outcome);
    write(plan, begin, values, targets);
    if (codes) set_codes(values.failed, codes + begin, end_of_part - begin);
    append_failed(failed, values.failed, begin);
  }
  if (control_.is_stopped()) stop();
  return failed;
}

void Batch::run(std::size_t rows, const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
                const Wishes& wishes) {
  failures.reset();
  for (const wave_column& column : columns) check_column(column, rows);
  for (const wave_target& target : targets) check_target(target, rows);
  if (columns.empty()) throw Misuse{"there are no columns", "wave_model_run() evaluates a model once"};
  if (targets.empty()) throw Misuse{"there are no targets: nothing is asked for"};
  control_.begin(wishes.progress, wishes.data);
  control_.expect(rows);
  const backend::Limits limits = limits_of(settings_, &control_.is_stopped());
  BatchPlan& plan = plan_for(columns, targets, limits);
  if (rows == 0) plan_.reset();  // lowered without any value
  if (wishes.failed) *wishes.failed = 0;
  if (rows == 0) return;
  words_.clear();
  const auto failed = evaluate(plan, rows, columns, targets, wishes.codes, limits);
  if (wishes.failed) *wishes.failed = analysis::count_rows(failed);
  if (failed.empty()) return;
  const auto lock = program_->reading();
  failures = error_of(failed, program_->program().sources);
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_batch_create(wave_model* model, wave_batch** batch, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(batch, "batch");
    with_model(*found, [&](const wave::backend::Limits&) {
      *batch = open_handle<wave_batch>(std::make_shared<Batch>(*found));
    });
  });
}

wave_status wave_batch_run(wave_batch* batch, size_t rows, const wave_column* columns, size_t column_count,
                           const wave_target* targets, size_t target_count, int32_t* codes, size_t* failed_rows,
                           wave_progress progress, void* data, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Batch>(batch, "batch");
    need_array(columns, column_count, "columns");
    need_array(targets, target_count, "targets");
    const std::lock_guard lock(found->mutex);
    found->run(rows, {columns, columns + column_count}, {targets, targets + target_count},
               {codes, failed_rows, progress, data});
  });
}

wave_status wave_batch_failures(wave_batch* batch, wave_error** failures, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Batch>(batch, "batch");
    need(failures, "failures");
    const std::lock_guard lock(found->mutex);
    *failures = found->failures ? open_handle<wave_error>(found->failures) : nullptr;
  });
}

}  // extern "C"
