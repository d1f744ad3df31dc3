// Diagnostics for editors: one JSON object a line.
#pragma once

#include "frontend/source/diagnostics.h"

#include <string>

namespace wave::cli {

// {"kind", "code", "severity", "message", "file", "line", "column", "end": {"line", "column"}, "labels", "notes",
// "help"} and a newline. Lines and columns count from 1, columns in code points; `end` is just past the place.
// A diagnostic without a place has "file": null and neither line, column nor end.
std::string render_json(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);

}  // namespace wave::cli
