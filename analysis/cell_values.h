// The cell of a table of parameter values as the value of a parameter: the same bits as the literal would have in a
// program or after `-D`.
#pragma once

#include "frontend/lower/lower.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wave::analysis {

// Numbers in one unit, as doubles in base units (ps, B, flop): the exact value, rounded once.
class QuantityReader {
 public:
  explicit QuantityReader(std::optional<frontend::Unit> unit);
  // Nothing: it is no decimal number, or too large.
  std::optional<double> read(std::string_view text) const;

 private:
  std::optional<double> read_shifted(std::string_view digits) const;

  std::optional<frontend::Unit> unit_;
  // One of the unit is 10^tens * 2^twos base units; otherwise every number takes the long way.
  bool is_simple_ = true;
  int tens_ = 0, twos_ = 0;
};

// Also whole numbers that are written as others, `8.0` and `1e3`.
std::optional<std::int64_t> read_integer(std::string_view text);

// Choices by their words, truth values, and strings, which become further ones of `words` where they are new.
class WordReader {
 public:
  WordReader(frontend::TypeRef type, std::vector<std::string>& words);
  // Nothing: it is none of the words.
  std::optional<std::int64_t> read(std::string_view text);

 private:
  const bool is_string_;
  std::vector<std::string>& words_;
  std::unordered_map<std::string, std::int64_t> known_;
};

// "a number", "`true` or `false`", "one of `a`, `b`": what a cell of this type holds.
std::string expected_in_cell(const frontend::TypeRef& type);

}  // namespace wave::analysis
