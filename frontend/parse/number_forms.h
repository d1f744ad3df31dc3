// The forms of numbers in tables of measurements, beside those of the language: with their unit, with Fortran's
// exponents, with a decimal comma where that was said, and times in hours, minutes and seconds. What could be read in
// two ways is not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wave::frontend {

// A number as the language writes it, and its unit; empty: none.
struct WrittenNumber {
  std::string number;          // "-1.5e3"
  std::string unit;            // as `read_unit` takes it
  bool has_two_parts = false;  // `1:30`, which in a column of hours may be an hour and a half
};

// Reads `1.5D+03`, `18.6 s`, `64KiB`, `0:18.60`, `1:02:03.5`, `2-03:04:05`, `1m23.4s`. `decimal` is a point or a comma.
// Nothing if it is none of these.
std::optional<WrittenNumber> read_number_form(std::string_view text, char decimal = '.');

// What stands where there was no measurement: nothing, `NA`, `nan`, `null`, `-`.
bool is_missing_number(std::string_view text);

// Why a text is no number, and how to go on.
struct NumberRefusal {
  std::string message, help;  // the help may be empty
};
// `has_decimal_option`: there is an option for decimal commas.
NumberRefusal why_no_number(std::string_view text, char decimal = '.', bool has_decimal_option = true);

}  // namespace wave::frontend
