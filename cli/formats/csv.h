// Writes a cell of a CSV file, in quotes if it needs them (RFC 4180).
#pragma once

#include "cli/formats/rows.h"

#include <string>
#include <string_view>

namespace wave::cli {

inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

extern const Notation csv_notation;

}  // namespace wave::cli
