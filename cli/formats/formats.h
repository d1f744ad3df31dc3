// What the files of formats define, and the list of them refers to.
#pragma once

#include "cli/formats/format.h"

namespace wave::cli {

// clang-format off
#define FORMAT(name) extern const FormatInfo name##_format;
#include "cli/formats/formats.def"
#undef FORMAT
// clang-format on

}  // namespace wave::cli
