// What is said of parameters that change nothing (analysis/inputs.h).
#pragma once

#include "analysis/study/study_model.h"
#include "cli/console.h"
#include "cli/formats/document.h"

#include <string>

namespace wave::cli {

// A remark on each that was given with -D: somebody expects it to change something.
void remark_on_unused(Console& console, const frontend::Lowered& lowered);
// On what varies. Where machines or lists vary, every one of them has a system of its own, and nothing is said.
void remark_on_unused(Console& console, analysis::StudyModel& study);

// All of them, for `--unused`.
Document list_unused(const frontend::Lowered& lowered);

}  // namespace wave::cli
