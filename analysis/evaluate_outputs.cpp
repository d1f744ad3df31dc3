// See evaluate_outputs.h.
#include "analysis/evaluate_outputs.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::analysis {
namespace {

using frontend::DiagnosticKind;
using frontend::Diagnostics;

// The place of a row in a series or list: " at `q` = 3", or its number.
std::string row_name(const frontend::OutputInfo& info, const backend::Rows& rows, std::size_t row) {
  if (is_one_row(info.shape)) return "";
  if (info.shape != frontend::RowsShape::series) return fmt::format(" in row {}", row + 1);
  std::string name;
  for (std::size_t i = 0; i + 1 < info.columns.size(); ++i) {
    const auto index = rows.cells[row * rows.columns + i];
    if (index.type != ir::ScalarType::integer) continue;
    name += fmt::format("{}{} = {}", name.empty() ? " at " : ", ", info.columns[i].name, index.integer);
  }
  return name;
}

// Reports an output that is not a number as an error, once, with the first place where that happens, and returns false.
bool check_finite(const frontend::OutputInfo& info, const backend::Rows& rows, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < rows.cells.size(); ++i) {
    const auto& cell = rows.cells[i];
    if (cell.type != ir::ScalarType::real || std::isfinite(cell.real)) continue;
    const char* what = std::isnan(cell.real) ? "not a number" : "infinite";
    auto& d =
        diagnostics.add(DiagnosticKind::output_not_finite, info.location,
                        fmt::format("output `{}` is {}{}", info.name, what, row_name(info, rows, i / rows.columns)),
                        std::isnan(cell.real) ? "this is NaN" : "this is too large for a number");
    d.help.push_back(
        "look for a difference or a quotient of very large values, or an overflow, in what it is computed from");
    return false;
  }
  return true;
}

}  // namespace

EvaluatedOutput evaluate_output(const frontend::Lowered& lowered, const frontend::OutputInfo& info,
                                backend::Evaluation& evaluation, Diagnostics& diagnostics, const LimitHelp& help) {
  EvaluatedOutput output{&info, {}, ""};
  if (!info.root.valid()) {
    output.failed = info.failed ? code_of(*info.failed) : "";
    return output;
  }
  auto outcome = evaluation.evaluate(info.root);
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    Diagnostics single;
    report(lowered.system, lowered.words, lowered.notes, *failure, single);
    for (auto diagnostic : single.all()) {
      const bool is_limit =
          diagnostic.kind == DiagnosticKind::out_of_time || diagnostic.kind == DiagnosticKind::out_of_memory;
      if (is_limit && help) help(diagnostic);
      output.failed = code_of(diagnostic.kind);
      diagnostics.add(diagnostic.kind, {}, "") = std::move(diagnostic);
    }
    return output;
  }
  output.rows = std::get<backend::Rows>(std::move(outcome));
  if (!check_finite(info, output.rows, diagnostics)) output.failed = code_of(DiagnosticKind::output_not_finite);
  return output;
}

std::optional<ir::Scalar> evaluate_parameter(const frontend::ParameterInfo& info, backend::Evaluation& evaluation) {
  if (!info.definition.valid()) return std::nullopt;
  const auto outcome = evaluation.evaluate(info.definition);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  return rows && !rows->cells.empty() ? std::optional(rows->cells.front()) : std::nullopt;
}

}  // namespace wave::analysis
