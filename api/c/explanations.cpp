// Where times go, critical paths, and how outputs answer to parameters.
#include "analysis/explanations.h"

#include "api/c/evaluation.h"

#include <algorithm>

namespace wave::api {
namespace {

enum class Wanted { everything, paths };

bool is_path(const Table& table) { return table.name.ends_with(".path") || table.name.ends_with(".statements"); }

void explain(Model& model, const std::string& output, Wanted wanted, const backend::Limits& limits,
             wave_result** into) {
  const auto& outputs = model.prepare(limits).lowered.outputs;
  const auto is_it = [&](const auto& one) { return one.name == output; };
  if (!output.empty() && std::none_of(outputs.begin(), outputs.end(), is_it)) {
    std::vector<std::string> names;
    for (const auto& one : outputs) names.push_back(one.name);
    throw Misuse{"`output` is `" + output + "`, but the model has no such output",
                 "its outputs are " + frontend::quoted_list(names)};
  }
  auto result = std::make_shared<Result>();
  frontend::Diagnostics diagnostics;
  with_literals(model, limits, [&](frontend::Lowered& lowered, const analysis::MakeEngine& engines) {
    const auto& sources = model.program->program().sources;
    for (const auto& one : analysis::explain_times(lowered, sources, engines, limits, {}, true, diagnostics)) {
      if (!output.empty() && one.name != output) continue;
      for (const auto& table : one.tables) result->tables.push_back(table_of(table));
    }
    if (wanted == Wanted::paths) std::erase_if(result->tables, [](const Table& table) { return !is_path(table); });
    // What could not be found is a warning, but an answer only if something was.
    if (result->tables.empty() && !diagnostics.all().empty()) fail(sources, diagnostics);
  });
  if (result->tables.empty()) {
    fail(WAVE_FAILED, frontend::DiagnosticKind::no_breakdown,
         wanted == Wanted::paths ? "there is no critical path: no output reads the time of a process"
                                 : "there is nothing to explain: no output that was asked for is a time");
  }
  give(model, result, {}, into);
}

wave_status explain(wave_model* model, const char* output, Wanted wanted, wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(result, "result");
    with_model(*found,
               [&](const backend::Limits& limits) { explain(*found, output ? output : "", wanted, limits, result); });
  });
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_model_breakdown(wave_model* model, const char* output, wave_result** result, wave_error** error) {
  return explain(model, output, Wanted::everything, result, error);
}

wave_status wave_model_critical_path(wave_model* model, const char* output, wave_result** result, wave_error** error) {
  return explain(model, output, Wanted::paths, result, error);
}

wave_status wave_model_sensitivities(wave_model* model, const char* const* parameters, size_t count,
                                     wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(parameters, "parameters");
    need(result, "result");
    if (count == 0) throw Misuse{"`count` is 0: name a parameter"};
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) {
      need(parameters[i], "parameters");
      paths.emplace_back(parameters[i]);
    }
    with_model(*found, [&](const wave::backend::Limits& limits) {
      found->prepare(limits);
      auto made = std::make_shared<Result>();
      wave::frontend::Diagnostics diagnostics;
      with_literals(*found, limits, [&](auto& lowered, const auto& engines) {
        auto& program = found->program->program();
        for (const auto& table : wave::analysis::explain_sensitivities(program, found->item, lowered, paths, engines,
                                                                       limits, diagnostics)) {
          made->tables.push_back(table_of(table));
        }
        if (made->tables.empty() && !diagnostics.all().empty()) fail(program.sources, diagnostics);
      });
      give(*found, made, diagnostics, result);
    });
  });
}

}  // extern "C"
