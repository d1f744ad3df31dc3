// A build without pictures (WAVE_PICTURES=OFF).
#include "analysis/pictures/assets.h"

namespace wave::analysis::pictures {

const std::vector<std::pair<std::string, std::string>>& assets() {
  static const std::vector<std::pair<std::string, std::string>> none;
  return none;
}

}  // namespace wave::analysis::pictures
