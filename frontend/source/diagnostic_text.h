// Diagnostics as people read them.
#pragma once

#include "base/terminal_text.h"
#include "frontend/source/diagnostics.h"

#include <string>

namespace wave::frontend {

// The message, an excerpt of the source with underlined locations, notes and help.
std::string render_text(const Sources& sources, const Diagnostic& diagnostic, const Palette& palette);

}  // namespace wave::frontend
