// Tables of pages, made of results and of plots.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/tables/table.h"

#include <string>
#include <vector>

namespace wave::analysis::pictures {

// A table of a page, with units in the headings and cells as texts. Beside these it has what a page shows of a column
// and a terminal has no room for: documentation, and what varies. A note below it says what is left out.
struct PageTable {
  struct Column {
    std::string heading;  // "total [us]"
    std::string words;    // of its documentation
    bool is_number = true;
    bool varied = false;
    bool is_prose = false;  // cells are documentation
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note;
};
PageTable page_table(const ResultTable& table, std::size_t most_rows);
// The points of a plot as a table, for the text below a picture.
PageTable page_table(const Plot& plot, std::size_t most_rows);

}  // namespace wave::analysis::pictures
