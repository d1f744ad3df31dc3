// The series of a plot: what tells them apart, and which a row of a table or of measurements belongs to.
#pragma once

#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/table_plots.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::pictures {

// The columns that tell series apart: `results`, which names one of several results, `by`, and whatever else varies
// beside x.
std::vector<ColumnReader> series_columns(const ResultTable& table, const PlotChoice& choice,
                                         const std::string& results);

// The value of a cell in base units.
double base_of(const ResultColumn& column, std::size_t row);

// The names of series by what their columns hold. They are in the order of numbers if there is one column of numbers,
// and otherwise in the order in which they come.
class SeriesNames {
 public:
  SeriesNames(std::vector<ColumnReader> readers, std::size_t rows);

  bool is_ordered() const { return readers_.size() == 1 && !readers_.front().is_category(); }
  const std::vector<std::string>& names() const { return names_; }
  std::string title() const;
  std::size_t of_row(std::size_t row) const;
  // The series of a row of measurements is the one with the same values, if there is one. Measurements that do not say
  // which have a series of their own.
  std::optional<std::size_t> of_measurement(const ResultTable& measured, std::size_t row);

 private:
  std::string joined(std::size_t row, std::string (ColumnReader::*text)(std::size_t) const) const;
  std::size_t add(const std::string& key, const std::string& name, double size);
  void sort();

  std::vector<ColumnReader> readers_;
  std::vector<std::string> names_;
  std::vector<double> sizes_;
  std::map<std::string, std::size_t> numbers_;  // by values with all digits
};

}  // namespace wave::analysis::pictures
