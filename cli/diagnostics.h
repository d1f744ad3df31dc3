// Diagnostics as text and as data. For people: frontend/source/diagnostic_text.h.
#pragma once

#include "cli/console.h"
#include "cli/formats/document.h"
#include "frontend/source/diagnostic_text.h"

#include <cstddef>
#include <string>

namespace wave::cli {

using frontend::render_text;

// "2 errors, 1 warning"; empty for none.
std::string count_line(std::size_t errors, std::size_t warnings);

// For programs, with the members that frontend/source/diagnostic_fields.h lists.
Data data_of(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);
// On a line of its own.
std::string render_json(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);

}  // namespace wave::cli
