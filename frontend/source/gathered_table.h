// Tables whose cells do not stand in lines between separators: what they hold, gathered row by row.
#pragma once

#include "frontend/source/text_table.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::frontend {

struct GatheredCell {
  std::uint32_t column = 0;
  CsvCell cell;
};

struct GatheredRow {
  std::uint32_t begin = 0, end = 0;       // in the whole text, rising from row to row
  std::size_t first_cell = 0, count = 0;  // of the table's cells: rows may share them; those that it lacks are left out
  std::optional<GatheredCell> own = {};   // and one more
};

struct GatheredTable {
  std::deque<std::string> names;  // of the columns, in the order in which they occur
  std::vector<CsvCell> header;    // refers to these
  std::vector<GatheredCell> cells;
  std::vector<GatheredRow> rows;
  std::vector<std::string> series;                      // see TextTable
  std::optional<TableTrouble> header_trouble, trouble;  // of the header; of what follows the last row

  // The number of the column of this name, which is added if there is none. Nothing if there are too many.
  std::optional<std::uint32_t> column(std::string_view name, std::uint32_t begin, std::uint32_t end);

 private:
  static constexpr std::size_t most_columns = 200;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // by name
};

// Values of several things that were measured, each at points: sorted out by what they are of.
class SeriesRows {
 public:
  struct Source {
    std::string metric, path;          // empty: not said
    std::uint32_t begin = 0, end = 0;  // where that stands
  };
  // A row whose value is `value`.
  void add(Source source, const GatheredRow& row, const CsvCell& value);
  bool empty() const { return rows_.empty(); }
  // Gives the table the rows of the series that is asked for, and its name to their last column.
  void finish(GatheredTable& table, std::string_view asked);

 private:
  struct Row {
    std::size_t source;
    GatheredRow row;
    CsvCell value;
  };
  std::vector<Source> sources_;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;  // of these
  std::vector<Row> rows_;
};

// `series` as for TextTable.
GatheredTable gather_json(std::string_view text, std::string_view series);
GatheredTable gather_extra_p(std::string_view text, std::string_view series);

}  // namespace wave::frontend
