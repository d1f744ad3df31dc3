// Diagnostics as text.
#pragma once

#include "cli/console.h"
#include "cli/formats/document.h"
#include "frontend/source/diagnostics.h"

#include <cstddef>
#include <string>

namespace wave::cli {

// For people: the message, an excerpt of the source with underlined locations, notes and help.
std::string render_text(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic,
                        const Palette& palette);

// "2 errors, 1 warning"; empty for none.
std::string count_line(std::size_t errors, std::size_t warnings);

// For programs: {"kind", "code", "severity", "message", "file", "line", "column", "end":
// {"line", "column"}, "labels", "notes", "help"}. Lines and columns count from 1, columns in code points;
// `end` is just past the location. A diagnostic without one has "file": null and neither line, column nor end.
Data data_of(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);
// On a line of its own.
std::string render_json(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);

}  // namespace wave::cli
