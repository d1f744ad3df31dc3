// See evaluation.h.
#include "api/c/evaluation.h"

#include "analysis/evaluate_outputs.h"
#include "frontend/lower/given.h"

#include <algorithm>

namespace wave::api {
namespace {

// Single values of real numbers in base units, so that they need not be evaluated again.
std::map<std::string, double> known_times(const std::vector<analysis::EvaluatedOutput>& outputs) {
  std::map<std::string, double> known;
  for (const auto& one : outputs) {
    const bool is_one = one.is_whole() && one.info->shape == frontend::RowsShape::single && one.rows.cells.size() == 1;
    if (is_one && one.rows.cells.front().type == ir::ScalarType::real)
      known[one.info->name] = one.rows.cells.front().real;
  }
  return known;
}

// The rows of outputs that are a `breakdown(...)`.
void add_breakdowns(Model& model, const std::vector<analysis::EvaluatedOutput>& outputs, const backend::Limits& limits,
                    std::vector<Table>& tables, frontend::Diagnostics& diagnostics) {
  const auto asks = [](const auto& one) { return one.info->is_breakdown && one.is_whole(); };
  if (std::none_of(outputs.begin(), outputs.end(), asks)) return;
  with_literals(model, limits, [&](frontend::Lowered& lowered, const analysis::MakeEngine& engines) {
    const auto& sources = model.program->program().sources;
    for (auto& one :
         analysis::explain_times(lowered, sources, engines, limits, known_times(outputs), false, diagnostics)) {
      const auto same = [&](const Table& table) { return table.name == one.name; };
      Table& table = *std::find_if(tables.begin(), tables.end(), same);
      if (!one.tables.empty())
        table = table_of(one.tables.front());
      else if (table.failed.empty())
        table.failed = code_of(frontend::DiagnosticKind::no_breakdown);
    }
  });
}

}  // namespace

std::shared_ptr<Result> evaluate(Model& model, const backend::Limits& limits, frontend::Diagnostics& diagnostics) {
  Prepared& prepared = model.prepare(limits);
  diagnostics = prepared.diagnostics;
  const auto evaluation = prepared.engine->start(model.bindings(prepared), limits);
  std::vector<analysis::EvaluatedOutput> outputs;
  for (const auto& info : prepared.lowered.outputs)
    outputs.push_back(analysis::evaluate_output(prepared.lowered, info, *evaluation, diagnostics));
  auto result = std::make_shared<Result>();
  for (const auto& one : outputs) {
    result->tables.push_back(one.is_whole() ? table_of(*one.info, one.rows, prepared.current_words())
                                            : failed_table(*one.info, one.failed));
  }
  result->engine = prepared.engine->name();
  add_breakdowns(model, outputs, limits, result->tables, diagnostics);
  return result;
}

void with_literals(Model& model, const backend::Limits& limits,
                   const std::function<void(frontend::Lowered& lowered, const analysis::MakeEngine& engines)>& use) {
  frontend::Diagnostics quiet;  // all errors were reported with the outputs themselves
  auto options = lowering_options(limits);
  options.literals = true;
  with_lowered(model, limits, options, quiet, use);
}

void with_lowered(Model& model, const backend::Limits& limits, const frontend::LoweringOptions& options,
                  frontend::Diagnostics& diagnostics,
                  const std::function<void(frontend::Lowered& lowered, const analysis::MakeEngine& engines)>& use) {
  const auto texts = model.given_texts();
  const auto lock = model.program->reading();
  for (const std::string& text : texts) model.program->check_given(model.item, text);
  frontend::Lowered lowered;
  read_within(limits, [&] {
    model.program->with_overrides(model.item, texts, [&](const auto& overrides) {
      lowered = lower_model(model.program->program(), model.item, overrides, diagnostics, options);
    });
  });
  use(lowered, [&](const ir::System& system) { return engine_of(model.settings, system); });
}

void give(Model& model, const std::shared_ptr<Result>& result, const frontend::Diagnostics& diagnostics,
          wave_result** into) {
  const bool has_values = std::any_of(result->tables.begin(), result->tables.end(),
                                      [](const Table& table) { return table.failed.empty(); });
  *into = has_values || !diagnostics.has_errors() ? open_handle<wave_result>(result) : nullptr;
  if (!diagnostics.has_errors()) return;
  const auto lock = model.program->reading();
  fail(model.program->program().sources, diagnostics);
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_model_run(wave_model* model, wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(result, "result");
    *result = nullptr;
    with_model(*found, [&](const wave::backend::Limits& limits) {
      wave::frontend::Diagnostics diagnostics;
      const auto made = evaluate(*found, limits, diagnostics);
      if (found->is_stopped) stop();
      give(*found, made, diagnostics, result);
    });
  });
}

}  // extern "C"
