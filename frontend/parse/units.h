// The units of quantity literals and what they are in base units (ps, B, flop).
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

#include <optional>
#include <string_view>
#include <vector>

namespace wave::frontend {

// The largest exponent of one base in a unit or a type, as written.
inline constexpr int largest_written_exponent = 9;

// One of this unit is mantissa * 10^exponent base units.
struct UnitInfo {
  std::string_view name;
  Dimension dimension;
  std::uint64_t mantissa;
  int exponent;
};

const std::vector<UnitInfo>& all_units();
const UnitInfo* find_unit(std::string_view name);  // null if there is none
Dimension dimension_of(const Unit& unit);          // if its units are known

// Reads `us/B`, `B^2*s` at `location`. Nothing, with a diagnostic that suggests the nearest, if a name is no unit or an
// exponent is out of bounds. `number` is what stands before it, for the help.
std::optional<Unit> read_unit(std::string_view text, Location location, std::string_view number,
                              Diagnostics& diagnostics);

// The unit that people mean where they write `msec`, `µs`, `Seconds` or `GB/sec`, as `read_unit` takes it. `KB` is
// `kB`, as `MB` and `GB` are powers of 1000. Nothing if a word is no unit, or could be two: `mb` is `MB` or `Mbit`.
std::optional<std::string> usual_unit(std::string_view text);

// The double nearest to the exact value of `number` (a decimal literal) in this unit (may be null), in base units; ties
// to even. Nothing if that is infinite.
std::optional<double> nearest_value(std::string_view number, const Unit* unit);

}  // namespace wave::frontend
