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

struct PlotChoice {
  std::string y, x;                  // columns
  std::optional<std::string> by;     // one of what varies; the rest of what varies tells series apart as well
  std::optional<bool> x_log, y_log;  // none: as suits the values
};

// The plot of a column over another, with measurements of the same columns over it where there are any. A text: why
// there is none.
std::variant<Plot, std::string> plot_columns(const ResultTable& table, const PlotChoice& choice,
                                             const ResultTable* measured = nullptr);

// A colour for each pair of values of two columns that vary; where more varies, at the first value of the others.
std::variant<Plot, std::string> plot_heat_map(const ResultTable& table, const std::string& x, const std::string& y,
                                              const std::string& value);

// The plots that are drawn by default: each result over the first thing that varies, and a heat map if two numbers
// vary.
std::vector<Plot> usual_plots(const ResultTable& table, const ResultTable* measured = nullptr);

}  // namespace wave::analysis::pictures
