// Columns of results by their names in a plot, several in one picture, and the columns that hold the spread of another.
#pragma once

#include "analysis/tables/table.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::analysis::pictures {

// "total, compute" as two names. A comma within brackets or quotes is part of a name, and a whole that is a column is
// one name.
std::vector<std::string> names_in(const ResultTable& table, const std::string& text);

// A table with one column of several results.
struct JoinedResults {
  ResultTable table;
  std::string result;   // the column of values
  std::string results;  // the column that names each row's result
};
// The rows of `table` once for each of these results, with the columns that vary and those of `kept`. Or a text that
// says why these results share no axis.
std::variant<JoinedResults, std::string> join_results(const ResultTable& table, const std::vector<std::string>& names,
                                                      const std::vector<std::string>& kept);
// The same for measurements, of which a table need not have each result. Empty if it has none.
ResultTable join_measurements(const ResultTable& measured, const std::vector<std::string>& names,
                              const JoinedResults& joined);

// The columns between whose values the samples of `name` lie (`total.low` and `total.high` of `total` and of
// `total.mean`). Null if there are none.
std::pair<const ResultColumn*, const ResultColumn*> range_columns(const ResultTable& table, const std::string& name);
// Whether a column says of another how its samples spread, or how many samples there were.
bool is_of_spread(const ResultTable& table, const ResultColumn& column);

}  // namespace wave::analysis::pictures
