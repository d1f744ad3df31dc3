// Which operation of std.comm a benchmark measures by which name, and what its sizes are of.
#pragma once

#include "analysis/machine_fit/timings.h"

#include <optional>
#include <string>
#include <string_view>

namespace wave::analysis::machine_fit {

struct CollectiveName {
  Tool tool;
  std::string_view name;       // as the tool prints it, in small letters
  std::string_view operation;  // of std.comm, or a name of its own
  SizeIs size_is;
  int from_version = 0, to_version = 0;  // the years of IMB that print such sizes; 0: all
  std::string_view source;
};

// What a tool measures by this name, in small letters; nothing if no machine is fitted to it. `version` decides where
// sizes have changed: it is the year that the tool's title has, and 0 if there is none.
const CollectiveName* find_collective(Tool tool, std::string_view name, int version);
// Whether this is an operation of std.comm, which every machine has.
bool is_operation_of_machines(std::string_view operation);
// Whether sizes of this name mean other things in other versions.
bool depends_on_version(Tool tool, std::string_view name);

// Why no machine is fitted to a test of OSU's or IMB's of this name, in small letters: "it measures no message of two
// sides".
std::string why_unused(std::string_view name);

}  // namespace wave::analysis::machine_fit
