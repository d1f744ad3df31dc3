// Checks whether a test's expectations hold, and reports those that do not.
#pragma once

#include "backend/engine.h"
#include "cli/session.h"

namespace wave::cli {

enum class Verdict { passed, failed };

// Runs what can be evaluated of a test; failures are diagnostics in the session.
Verdict run_test(Session& session, const frontend::LoweredTests& lowered, const frontend::TestInfo& test,
                 backend::Evaluation& evaluation);

}  // namespace wave::cli
