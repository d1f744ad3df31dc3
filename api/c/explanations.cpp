// Where times go, critical paths, and how outputs answer to parameters.
#include "analysis/explanations.h"

#include "api/c/evaluation.h"

#include <algorithm>

namespace wave::api {
namespace {

bool is_path(const Table& table) { return table.name.ends_with(".path") || table.name.ends_with(".statements"); }

// Ends the call where a name is no output.
void check_outputs(const std::vector<frontend::OutputInfo>& outputs, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const auto& one : outputs) names.push_back(one.name);
  for (const std::string& one : wanted) {
    if (std::find(names.begin(), names.end(), one) == names.end())
      throw Misuse{"there is no output `" + one + "`", "the outputs are " + frontend::quoted_list(names)};
  }
}

void explain_times(Model& model, const std::vector<std::string>& outputs, bool paths_alone,
                   const backend::Limits& limits, wave_result** into) {
  check_outputs(model.prepare(limits).lowered.outputs, outputs);
  auto result = std::make_shared<Result>();
  frontend::Diagnostics diagnostics;
  with_literals(model, limits, [&](frontend::Lowered& lowered, const analysis::MakeEngine& engines) {
    const auto& sources = model.program->program().sources;
    for (const auto& one : analysis::explain_times(lowered, sources, engines, limits, {}, true, diagnostics)) {
      if (!outputs.empty() && std::find(outputs.begin(), outputs.end(), one.name) == outputs.end()) continue;
      for (const auto& table : one.tables) result->tables.push_back(table_of(table));
    }
    if (paths_alone) std::erase_if(result->tables, [](const Table& table) { return !is_path(table); });
    // What could not be found is a warning, but an answer only if something was.
    if (result->tables.empty() && !diagnostics.all().empty()) fail(sources, diagnostics);
  });
  if (result->tables.empty()) {
    fail(WAVE_FAILED, frontend::DiagnosticKind::no_breakdown,
         paths_alone ? "there is no critical path: no output reads the time of a process"
                     : "there is nothing to explain: no output that was asked for is a time");
  }
  give(model, result, {}, into);
}

void explain_sensitivities(Model& model, const std::vector<std::string>& parameters, const backend::Limits& limits,
                           wave_result** into) {
  if (parameters.empty()) throw Misuse{"`count` is 0: name a parameter"};
  model.prepare(limits);
  auto result = std::make_shared<Result>();
  frontend::Diagnostics diagnostics;
  with_literals(model, limits, [&](auto& lowered, const auto& engines) {
    auto& program = model.program->program();
    for (const auto& table :
         analysis::explain_sensitivities(program, model.item, lowered, parameters, engines, limits, diagnostics)) {
      result->tables.push_back(table_of(table));
    }
    if (result->tables.empty() && !diagnostics.all().empty()) fail(program.sources, diagnostics);
  });
  give(model, result, diagnostics, into);
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_model_explain(wave_model* model, int what, const char* const* names, size_t count,
                               wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    const auto wanted = texts_of(names, count, "names");
    need(result, "result");
    with_model(*found, [&](const wave::backend::Limits& limits) {
      switch (what) {
        case WAVE_BREAKDOWN: return explain_times(*found, wanted, false, limits, result);
        case WAVE_CRITICAL_PATH: return explain_times(*found, wanted, true, limits, result);
        case WAVE_SENSITIVITIES: return explain_sensitivities(*found, wanted, limits, result);
        default: throw Misuse{"`what` is " + std::to_string(what) + ", which is no explanation"};
      }
    });
  });
}

}  // extern "C"
