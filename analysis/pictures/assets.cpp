// See assets.h.
#include "analysis/pictures/assets.h"

namespace wave::analysis::pictures {

const std::string& asset(const std::string& name) {
  static const std::string none;
  for (const auto& [key, text] : assets()) {
    if (key == name) return text;
  }
  return none;
}

}  // namespace wave::analysis::pictures
