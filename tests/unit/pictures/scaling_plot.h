// The plot of a table made by hand: a line for each machine.
#pragma once

#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/tables.h"

namespace wave::test {

inline analysis::pictures::Plot scaling_plot() {
  return std::get<analysis::pictures::Plot>(
      analysis::pictures::plot_columns(scaling_table(), {"total", "n", std::nullopt, std::nullopt, std::nullopt}));
}

}  // namespace wave::test
