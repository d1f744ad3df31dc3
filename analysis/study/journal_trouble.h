// What is wrong with a journal as a diagnostic.
#pragma once

#include "analysis/study/journal.h"
#include "frontend/source/diagnostics.h"

#include <string>

namespace wave::analysis {

// Without help: how to go on depends on who asked.
frontend::Diagnostic& report(const std::string& path, const JournalTrouble& trouble,
                             frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
