// See unused.h.
#include "cli/unused.h"

#include "analysis/unused.h"
#include "cli/csv_field.h"
#include "cli/json.h"
#include "cli/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {

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

std::string list_unused(const frontend::Lowered& lowered, Format format) {
  const auto unused = analysis::unused_parameters(lowered);
  if (format == Format::json) {
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::lines).key("unused").begin_array(JsonWriter::Layout::lines);
    for (const auto& one : unused) {
      json.begin_object().key("parameter").value(one.path).key("why").value(one.why).end_object();
    }
    json.end_array().end_object();
    return json.str() + "\n";
  }
  if (format == Format::csv) {
    std::string text = "parameter,why\n";
    for (const auto& one : unused) text += csv_field(one.path) + "," + csv_field(one.why) + "\n";
    return text;
  }
  Table table;
  table.align = {Align::left, Align::left};
  for (const auto& one : unused) table.rows.push_back({one.path, one.why});
  return unused.empty() ? "every parameter is looked at by an output\n" : render(table);
}

}  // namespace wave::cli
