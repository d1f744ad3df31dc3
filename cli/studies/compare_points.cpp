// Shows two sides beside each other at every point of a study.
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/studies/study_sides.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::ColumnInfo;
using frontend::DiagnosticKind;

constexpr std::uint64_t most_compared = 1'000'000;

}  // namespace

bool compare_points(Session& session, const Comparison& command, const TwoSides& sides, Results& results,
                    ResultTables& tables) {
  const auto both = StudySides::open(session, command.of, sides, command.of.vary);
  if (both == nullptr) return false;
  results.model = both->model().name.text;
  const auto& variables = both->variables();
  for (const auto& variable : variables) {
    if (variable.listed) continue;
    session.diagnostics()
        .add(DiagnosticKind::wrong_study, variable.place, fmt::format("`{}` is given no values", variable.name),
             "over what?")
        .help.push_back(fmt::format("write `--vary \"{}=1..64\"`", variable.name));
    return false;
  }
  const analysis::Product product(variables, both->selection());
  if (product.size() > most_compared) {
    session.diagnostics()
        .add(DiagnosticKind::study_too_large, {},
             fmt::format("{} points are too many to be shown beside each other", grouped(product.size())))
        .help.push_back(fmt::format("{} at most; `wave sweep` takes more, once for each side", grouped(most_compared)));
    return false;
  }
  const auto points = product.points(0, product.size());
  const auto values = [&] {
    ProgressLine line(session.console(), "points", static_cast<double>(product.size()));
    return both->evaluate(points, [&](std::size_t done) { line.advance(static_cast<double>(done)); });
  }();
  if (!values) return false;
  report_failed_points(session, values->failed_first, product.size(), sides.first);
  report_failed_points(session, values->failed_second, product.size(), sides.second);
  for (std::size_t k = 0; k < both->numbers().size(); ++k) {
    const Number& number = both->numbers()[k];
    std::vector<ColumnInfo> columns;
    for (const auto& variable : variables) columns.push_back(column_of(variable));
    for (const auto& name : {sides.first.name, sides.second.name, std::string("difference")})
      columns.push_back(as_real(number.column, name));
    columns.push_back({"ratio", plain_type(), {}});
    tables.begin_table(number.name, std::move(columns), "");
    for (std::size_t row = 0; row < product.size(); ++row) {
      std::vector<ir::Scalar> cells;
      for (std::size_t i = 0; i < variables.size(); ++i) cells.push_back(cell_of(variables[i], points[i], row, tables));
      const double a = values->first[k][row], b = values->second[k][row];
      for (const double value : {a, b, b - a, ratio(a, b)}) cells.push_back(ir::Scalar::of(value));
      tables.row(cells);
    }
  }
  return true;
}

}  // namespace wave::cli
