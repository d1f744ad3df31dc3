// The names of frontend/format/quantities.h, for the program.
#pragma once

#include "frontend/format/quantities.h"

namespace wave::cli {

using frontend::common_decimals;
using frontend::format_decimals;
using frontend::format_number;
using frontend::format_quantity;
using frontend::readable_scale;
using frontend::Scale;
using frontend::scale_of;
using frontend::standard_scale;

}  // namespace wave::cli
