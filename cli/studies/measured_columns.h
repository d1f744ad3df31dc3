// The measurements that a study's `measured` clauses name, as further columns of its results.
#pragma once

#include "analysis/study/description.h"
#include "cli/studies/study_session.h"

#include <vector>

namespace wave::cli {

// Adds them, and their files to what the results depend on; `description` has its other columns. Errors are collected
// in the session.
void add_measured(Session& session, const OpenStudy& study, analysis::StudyDescription& description);

}  // namespace wave::cli
