// Diagnostics as text for people: message, source excerpt with the places underlined, notes and help.
#pragma once

#include "cli/colours.h"
#include "frontend/source/diagnostics.h"

#include <string>

namespace wave::cli {

std::string render_text(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic,
                        const Palette& palette);

// "2 errors, 1 warning"; empty for none.
std::string count_line(std::size_t errors, std::size_t warnings);

}  // namespace wave::cli
