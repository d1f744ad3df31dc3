// Pictures of tables of points and results.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/tables/table.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::analysis::pictures {

// "total, compute" as y: a line for each. "n, m" as x: a map of the one result over two columns.
struct PlotChoice {
  std::string y, x;                  // columns
  std::optional<std::string> by;     // one of the columns that vary; the others tell series apart as well
  std::optional<bool> x_log, y_log;  // none for what suits the values; y_log also of the colours of a map
  ErrorBars bars = ErrorBars::deviation;
};

// The plot of columns over another one, with measurements of the same columns, if there are any. Or a text that says
// why there is no plot.
std::variant<Plot, std::string> plot_columns(const ResultTable& table, const PlotChoice& choice,
                                             const ResultTable* measured = nullptr);

// A colour for each pair of values of two columns that vary. If others vary, too, they are at their first values.
// `is_log`: of the colours; none for what suits the values.
std::variant<Plot, std::string> plot_heat_map(const ResultTable& table, const std::string& x, const std::string& y,
                                              const std::string& value, std::optional<bool> is_log = std::nullopt);

// The plots that are drawn by default: each result over the first column that varies, and a heat map if two numbers
// vary.
std::vector<Plot> usual_plots(const ResultTable& table, const ResultTable* measured = nullptr,
                              ErrorBars bars = ErrorBars::deviation);

}  // namespace wave::analysis::pictures
