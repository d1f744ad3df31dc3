// A column of a table of results as an axis sees it: its values in one unit, or the ordinals of its categories.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/tables/table.h"
#include "frontend/format/quantities.h"

namespace wave::analysis::pictures {

// The column with this name; null if there is none.
const ResultColumn* find_column(const ResultTable& table, const std::string& name);

// Why there is no plot of it.
std::string why_no_column(const ResultTable& table, const std::string& name);
// The same of a column none of whose values has a place on the logarithmic axis that is asked for.
std::string why_not_log(const std::string& name);

// Of a column of numbers.
frontend::Dimension dimension_of(const ResultColumn& column);

class ColumnReader {
 public:
  explicit ColumnReader(const ResultColumn& column);

  const ResultColumn& column() const { return *column_; }
  bool is_category() const { return !categories_.empty(); }
  const std::vector<std::string>& categories() const { return categories_; }
  const frontend::Scale& scale() const { return scale_; }
  // The value of a row in the unit of the axis, or the ordinal of its category. NaN if the row has none.
  double number(std::size_t row) const;
  // Whether the row failed.
  bool is_missing(std::size_t row) const;
  std::string text(std::size_t row) const;
  // With all digits, so that different values have different texts.
  std::string exact_text(std::size_t row) const;
  // Whether some value differs from another.
  bool differs() const;
  PlotAxis axis(bool is_log) const;

 private:
  double base(std::size_t row) const;

  const ResultColumn* column_;
  std::vector<std::string> categories_;
  frontend::Scale scale_;
};

// The values of what varies at a row: "n = 4, net = SP2()".
std::string point_name(const ResultTable& table, std::size_t row);

// Whether values are read more easily on a logarithmic axis, because they differ much and rise by factors rather than
// by steps.
bool suits_log(std::vector<double> values);
// The same for results, of which only the range counts.
bool spans_sizes(const std::vector<double>& values);

}  // namespace wave::analysis::pictures
