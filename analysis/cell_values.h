// The cells of a table of parameter values as values of a parameter. They have the same bits as the literals would have
// in a program or after `-D`.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/parse/quantity_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wave::analysis {

using frontend::QuantityReader;

// Reads whole numbers, also those written like `8.0` and `1e3`.
std::optional<std::int64_t> read_integer(std::string_view text, char decimal = '.');

// Reads choices by their words, truth values, and strings. New strings are added to `words`.
class WordReader {
 public:
  WordReader(frontend::TypeRef type, std::vector<std::string>& words);
  // Nothing if the text is none of the words.
  std::optional<std::int64_t> read(std::string_view text);

 private:
  const bool is_string_;
  std::vector<std::string>& words_;
  std::unordered_map<std::string, std::int64_t> known_;
};

// What a cell of this type holds: "a number", "`true` or `false`", "one of `a`, `b`".
std::string expected_in_cell(const frontend::TypeRef& type);

}  // namespace wave::analysis
