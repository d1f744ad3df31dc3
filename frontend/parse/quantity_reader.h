// Numbers in the cells of tables and in what benchmarks print. They have the same bits as the literals would have in a
// program.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/parse/number_forms.h"

#include <optional>
#include <string_view>

namespace wave::frontend {

// Reads numbers in one unit as doubles in base units (ps, B, flop), in all forms of number_forms.h. The exact value is
// rounded once. A unit in a cell has to be of the same dimension, and is used instead; numbers without a unit have none
// in their cells either.
class QuantityReader {
 public:
  // `decimal` is a point or a comma. Where `are_units_in_cells`, a number without one is refused.
  explicit QuantityReader(std::optional<Unit> unit, char decimal = '.', bool are_units_in_cells = false);
  // Nothing if the text is no decimal number, or too large.
  std::optional<double> read(std::string_view text) const;
  // Whether the text is a decimal number as the language writes it, however large.
  static bool is_number(std::string_view text);
  // Why `read` refuses a text. `has_decimal_option` as for `why_no_number`.
  NumberRefusal why_not(std::string_view text, bool has_decimal_option = true) const;
  char decimal() const { return decimal_; }

 private:
  std::optional<double> read_plain(std::string_view number) const;
  std::optional<double> read_shifted(std::string_view digits) const;

  std::optional<Unit> unit_;
  char decimal_ = '.';
  bool are_units_in_cells_ = false;
  // One of the unit is 10^tens * 2^twos base units. If it is not, every number is read the slow way.
  bool is_simple_ = true;
  int tens_ = 0, twos_ = 0;
};

}  // namespace wave::frontend
