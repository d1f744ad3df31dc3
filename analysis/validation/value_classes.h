// Which values of a column of measurements count as equal, to each other and to values of a model.
#pragma once

#include "analysis/validation/measured_data.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wave::analysis {

// Whether a parameter is a machine, an order or a list, whose values are texts.
bool is_structure(const MeasuredParameter& parameter);

// Values that count as equal are of one class. Classes are numbered from 0.
class ValueClasses {
 public:
  using Class = std::int64_t;
  static constexpr Class none = -1;

  // The parameter outlives the object.
  explicit ValueClasses(const MeasuredParameter& parameter);

  Class of_row(std::size_t row) const;
  // Of a value that a model has, which `labels` name if it is a text; `none` if no row has it.
  Class of_value(const ColumnValues& values, std::size_t at, const std::vector<std::string>& labels) const;

 private:
  Class of_real(double value) const;

  const MeasuredParameter& parameter_;
  std::vector<double> reals_;  // rising, none close to another
};

}  // namespace wave::analysis
