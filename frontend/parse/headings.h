// Headings of tables as people write them, and where their units stand: `time [s]`, `Time(s)`, `wall_ms`, `t_us`,
// `timeMs`, `time in seconds`, `us_median`, `seconds`.
#pragma once

#include "frontend/source/csv.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wave::frontend {

struct TableHeading {
  std::string name;  // without a unit in brackets or parentheses
  std::string stem;  // without the unit that stands in the name: "wall" of `wall_ms`; empty: none does
  // As the language writes it, `us` of `usec`; as written where it is not known; empty: none.
  std::string unit;                            // in brackets, or in parentheses
  std::string name_unit;                       // in the name, if there are neither
  std::uint32_t unit_begin = 0, unit_end = 0;  // of either, in the whole text
  std::string written;                         // the whole cell
  bool is_usual = false;                       // `name [unit]`, with a unit of the language

  // Whether somebody may mean this column by a name.
  bool is_called(std::string_view wanted) const {
    return !wanted.empty() && (wanted == name || wanted == stem || wanted == written);
  }
};

TableHeading read_heading(const CsvCell& cell);
// The same of what an option says: `wall_ms [ms]`.
TableHeading read_heading(std::string_view text);

// Whether two names differ in capitals alone.
bool is_same_name(std::string_view a, std::string_view b);

// "`size_KB` is read in kB (1000 B)": how a unit was understood.
std::string note_on_unit(std::string_view heading, std::string_view unit, std::string_view written);

}  // namespace wave::frontend
