// Decides what of a study is drawn: its `plot` clauses, what the command line asks for, or what suits its points.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/pictures/table_plots.h"
#include "cli/studies/study_session.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// The measurements that a study names, with the columns that its points have. Nothing where it names none, or, with
// diagnostics collected in the session, where they cannot be used.
std::optional<analysis::ResultTable> measurements_of(Session& session, const OpenStudy& study);
// The same for a file that the user names, for any points of a model.
std::optional<analysis::ResultTable> read_measurements(Session& session, const OpenStudy& study,
                                                       const Measurements& measurements);

// The plots of the points of a study. `asked`: "total vs n by net on log, log", in the place of the study's own. What
// cannot be drawn is an error in the session.
std::vector<analysis::pictures::Plot> plots_of(Session& session, const frontend::item::Study& study,
                                               const analysis::ResultTable& table,
                                               const analysis::ResultTable* measured, const std::string& asked);

}  // namespace wave::cli
