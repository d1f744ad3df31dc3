// The measurements that a study's `measured` clauses or the user name: as further columns of its results, and as points
// of pictures.
#pragma once

#include "analysis/study/description.h"
#include "cli/options.h"
#include "cli/studies/study_session.h"

#include <optional>

namespace wave::cli {

// Adds those of the study, and their files to what the results depend on; `description` has its other columns. Errors
// are collected in the session.
void add_measured(Session& session, const OpenStudy& study, analysis::StudyDescription& description);

// The measurements that a study names, with the columns that its points have. Nothing where it names none, or, with
// diagnostics collected in the session, where they cannot be used.
std::optional<analysis::ResultTable> measurements_of(Session& session, const OpenStudy& study);
// The same for a file that the user names, for any points of a model.
std::optional<analysis::ResultTable> read_measurements(Session& session, const OpenStudy& study,
                                                       const Measurements& measurements);

}  // namespace wave::cli
