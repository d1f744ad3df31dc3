// See influence.h.
#include "cli/influence.h"

#include "analysis/explanations.h"
#include "analysis/inputs.h"
#include "cli/evaluation.h"
#include "cli/formats/readable.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

frontend::Lowered lower_with_literals(Session& session, const frontend::Item& model,
                                      const std::vector<std::string>& given) {
  // All errors were reported with the outputs themselves.
  frontend::Diagnostics quiet;
  const auto overrides = check_overrides(session, model, given);
  return lower_model(session.program(), model, overrides, quiet, {true, false});
}

// Outputs that are single real numbers, so that they need not be evaluated again.
std::map<std::string, double> times_of(const Results& results) {
  std::map<std::string, double> known;
  for (const OutputTable& output : results.outputs) {
    if (!output.is_whole() || output.shape != frontend::RowsShape::single || output.columns.size() != 1) continue;
    const auto* const values = std::get_if<std::vector<double>>(&output.columns[0].cells.values);
    if (values && values->size() == 1) known[output.name] = values->front();
  }
  return known;
}

}  // namespace

void add_breakdowns(Session& session, const frontend::Item& model, const ExplainedModel& of, bool of_all_times,
                    Results& results) {
  if (!of_all_times && !results.has_breakdowns) return;
  auto lowered = lower_with_literals(session, model, of.overrides);
  const auto explained =
      analysis::explain_times(lowered, session.sources(), engine_maker(session, of.engine),
                              engine_limits(session.options()), times_of(results), of_all_times, session.diagnostics());
  for (const analysis::ExplainedOutput& one : explained) {
    const std::size_t before = results.outputs.size();
    for (const auto& table : one.tables) results.add(table);
    if (!one.is_breakdown) continue;
    const auto same = [&](const OutputTable& output) { return output.name == one.name; };
    OutputTable& output = *std::find_if(results.outputs.begin(), results.outputs.end(), same);
    if (results.outputs.size() > before) {
      output = std::move(results.outputs.back());
      results.outputs.pop_back();
    } else if (output.is_whole()) {
      output.failed = code_of(frontend::DiagnosticKind::no_breakdown);
    }
  }
}

void add_sensitivities(Session& session, const frontend::Item& model, const ExplainedModel& of,
                       const std::vector<std::string>& parameters, Results& results) {
  auto lowered = lower_with_literals(session, model, of.overrides);
  const auto tables =
      analysis::explain_sensitivities(session.program(), model, lowered, parameters, engine_maker(session, of.engine),
                                      engine_limits(session.options()), session.diagnostics());
  for (const auto& table : tables) results.add(table);
}

void remark_on_unused(Console& console, const frontend::Lowered& lowered) {
  const bool is_given = std::any_of(lowered.parameters.begin(), lowered.parameters.end(),
                                    [](const frontend::ParameterInfo& one) { return one.given; });
  if (!is_given) return;
  for (const analysis::UnusedParameter& one : analysis::unused_parameters(lowered)) {
    if (one.given) console.remark(fmt::format("`-D {}` changes no output: {}\n", one.path, one.why));
  }
}

void remark_on_unused(Console& console, analysis::StudyModel& study) {
  const auto& variables = study.variables();
  if (std::any_of(variables.begin(), variables.end(), [](const auto& one) { return one.shapes; })) return;
  const frontend::LoweredStudy* const lowered = study.system({});
  if (lowered == nullptr) return;
  const auto used = analysis::looked_at(lowered->model, false);
  for (const frontend::StudyVariable& one : lowered->variables) {
    if (!one.definition.valid() || used.count(one.definition) != 0) continue;
    console.remark(fmt::format("`{}` varies and changes nothing that is shown\n", one.name));
  }
}

Document list_unused(const frontend::Lowered& lowered) {
  std::vector<std::string> paths, reasons;
  for (const auto& one : analysis::unused_parameters(lowered)) {
    paths.push_back(one.path);
    reasons.push_back(one.why);
  }
  Document document = document_about("", "");
  OutputTable& table = document.tables.emplace_back();
  table.name = "unused";
  table.rows = paths.size();
  table.columns = {word_column("parameter", paths), word_column("why", reasons)};
  document.page = [](const std::vector<OutputTable>& tables) {
    if (tables.front().rows == 0) return Passages{{"every parameter is looked at by an output\n"}};
    ReadableTable text = readable(tables.front(), table_digits);
    text.header.clear();
    return Passages{{"", std::move(text)}};
  };
  return document;
}

}  // namespace wave::cli
