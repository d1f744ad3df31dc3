// Numbers and quantities as a person would write them.
#pragma once

#include "frontend/ast/ast.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

// A unit and what a value in base units (ps, B, flop) is in it: value * multiplier / divisor.
struct Scale {
  std::string unit;  // empty for plain numbers
  double multiplier = 1;
  double divisor = 1;
  double shown(double value) const { return value * multiplier / divisor; }
};

// The unit that was asked for with `in`.
Scale scale_of(const Unit& unit);
// Seconds, bytes and flop: what scripts get where no unit was asked for.
Scale standard_scale(Dimension dimension);
// The unit in which this value is best read: 14744202 us is 14.74 s.
Scale readable_scale(Dimension dimension, double value);
// One unit for all of them.
Scale readable_scale(Dimension dimension, const std::vector<double>& values);

// At least so many significant digits, but the whole part always in full; trailing zeros only where the value was
// rounded to them. Very large and very small numbers are written with an exponent.
std::string format_number(double value, int digits);
// With as many decimals as given: for the cells of one column.
std::string format_decimals(double value, int decimals);
// The decimals that give the smallest of `values` (zero aside) `digits` significant digits, and no more than needed
// where all of them are shorter; -1 where they span too much for one number of decimals.
int common_decimals(const std::vector<double>& values, int digits);

// "14.74 s".
std::string format_quantity(double value, Dimension dimension, const std::optional<Unit>& unit, int digits);

}  // namespace wave::frontend
