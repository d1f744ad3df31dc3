// The texts that pictures are made with: scripts and a style sheet, embedded in the program by their names.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::analysis::pictures {

const std::vector<std::pair<std::string, std::string>>& assets();
// The text with that name ("vega.min"). Empty if the program was built without it.
inline const std::string& asset(const std::string& name) {
  static const std::string none;
  for (const auto& [key, text] : assets()) {
    if (key == name) return text;
  }
  return none;
}

}  // namespace wave::analysis::pictures
