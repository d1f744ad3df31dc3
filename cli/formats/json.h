// Texts in JSON and JSON Lines.
#pragma once

#include "cli/formats/rows.h"

#include <string>
#include <string_view>

namespace wave::cli {

std::string json_string(std::string_view text);  // quoted; malformed UTF-8 becomes U+FFFD

// Cells of rows and lists.
extern const Notation json_notation;

}  // namespace wave::cli
