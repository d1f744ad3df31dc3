// The rules that stdlib/STYLE.md states in tables.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace wave::library {

struct StyleGuide {
  std::vector<std::string> source_keys;        // `PPoPP'99`, ...
  std::map<std::string, std::string> symbols;  // `Wg` -> `time`: capitals allowed as names, and their types
};

// Reads the two tables that begin with `| key |` and `| symbol |`.
StyleGuide read_style_guide(const std::string& page);

}  // namespace wave::library
