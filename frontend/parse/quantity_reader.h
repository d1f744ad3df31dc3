// Numbers in the cells of data files. They have the same bits as the literals would have in a program.
#pragma once

#include "frontend/ast/ast.h"

#include <optional>
#include <string_view>

namespace wave::frontend {

// Reads numbers in one unit as doubles in base units (ps, B, flop). The exact value is rounded once.
class QuantityReader {
 public:
  explicit QuantityReader(std::optional<Unit> unit);
  // Nothing if the text is no decimal number, or too large.
  std::optional<double> read(std::string_view text) const;
  // Whether the text is a decimal number, however large.
  static bool is_number(std::string_view text);

 private:
  std::optional<double> read_shifted(std::string_view digits) const;

  std::optional<Unit> unit_;
  // One of the unit is 10^tens * 2^twos base units. If it is not, every number is read the slow way.
  bool is_simple_ = true;
  int tens_ = 0, twos_ = 0;
};

}  // namespace wave::frontend
