// Tests: whether their expectations hold, and what is said where one does not.
#pragma once

#include "backend/engine.h"
#include "frontend/lower/lower.h"

namespace wave::analysis {

enum class Verdict { passed, failed };

// Runs what can be evaluated of a test. What fails is a diagnostic.
Verdict run_test(const frontend::LoweredTests& lowered, const frontend::TestInfo& test, backend::Evaluation& evaluation,
                 frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
