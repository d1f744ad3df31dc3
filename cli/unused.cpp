// See unused.h.
#include "cli/unused.h"

#include "analysis/unused.h"
#include "cli/formats/readable.h"
#include "cli/results.h"

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

Document list_unused(const frontend::Lowered& lowered) {
  std::vector<std::string> paths, reasons;
  for (const auto& one : analysis::unused_parameters(lowered)) {
    paths.push_back(one.path);
    reasons.push_back(one.why);
  }
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = paths.size();
  table.columns = {word_column("parameter", paths), word_column("why", reasons)};
  document.data = [](const std::vector<OutputTable>&) {
    DataWriter data;
    data.begin_object(Layout::lines).key("unused").rows(0, true).end_object();
    return data.take();
  };
  document.page = [](const std::vector<OutputTable>& tables) {
    if (tables.front().rows == 0) return Blocks{{"every parameter is looked at by an output\n"}};
    ReadableTable text = readable(tables.front(), table_digits);
    text.header.clear();
    return Blocks{{"", std::move(text)}};
  };
  return document;
}

}  // namespace wave::cli
