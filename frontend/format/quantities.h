// Numbers and quantities as a person would write them.
#pragma once

#include "frontend/ast/ast.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

// A unit. A value in base units (ps, B, flop) is value * multiplier / divisor in it.
struct Scale {
  std::string unit;  // empty for plain numbers
  double multiplier = 1;
  double divisor = 1;
  double shown(double value) const { return value * multiplier / divisor; }
};

// The unit that was asked for with `in`.
Scale scale_of(const Unit& unit);
// Seconds, bytes and flop, which scripts get if no unit was asked for.
Scale standard_scale(Dimension dimension);
// A unit of one quantity for a unit of another, `ns/(GB/s)`.
Scale ratio_scale(const Scale& of, const Scale& by);
// The unit in which this value is easiest to read: 14744202 us is 14.74 s.
Scale readable_scale(Dimension dimension, double value);
// One unit for all values.
Scale readable_scale(Dimension dimension, const std::vector<double>& values);

// At least `digits` significant digits, with the whole part always in full. There are trailing zeros only if the value
// was rounded to them. Very large and very small numbers have an exponent.
std::string format_number(double value, int digits);
// With as many decimals as given, for the cells of one column.
std::string format_decimals(double value, int decimals);
// How many decimals give the smallest of `values` (except zero) `digits` significant digits, or fewer if all values are
// shorter. -1 if the values span too much for one number of decimals.
int common_decimals(const std::vector<double>& values, int digits);

// "12 345 678"
std::string grouped(std::uint64_t count);
// "1 row", "12 345 rows".
std::string plural(std::uint64_t count, const std::string& one);
// "1 point", "12 points"; "1 axis", "2 axes".
std::string counted(std::size_t count, std::string_view noun);
std::string counted(std::size_t count, std::string_view one, std::string_view several);

// "14.74 s".
std::string format_quantity(double value, Dimension dimension, const std::optional<Unit>& unit, int digits);

}  // namespace wave::frontend
