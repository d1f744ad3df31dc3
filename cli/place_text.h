// Where something stands, for a cell of a table.
#pragma once

#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <string>

namespace wave::cli {

// "lu.wave:12"; empty where the place is not known.
inline std::string place_text(const frontend::Sources& sources, frontend::Place place) {
  if (!place.known()) return "";
  const std::string& path = sources.name(place.file);
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), sources.line_column(place.file, place.begin).line);
}

}  // namespace wave::cli
