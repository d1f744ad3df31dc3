// What of a study is drawn (its `plot` clauses, what the command line asks for, or what suits its points), and where
// the pictures go.
#pragma once

#include "analysis/pictures/plot.h"
#include "analysis/pictures/table_plots.h"
#include "cli/studies/result_files.h"
#include "cli/studies/study_measurements.h"
#include "cli/studies/study_session.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// The plots of the points of a study: those that are asked for, else the study's own. What cannot be drawn is an error
// in the session.
std::vector<analysis::pictures::Plot> plots_of(Session& session, const frontend::item::Study& study,
                                               const analysis::ResultTable& table, const StudyMeasurements* measured,
                                               const PlotsAsked& asked);

// Whether what is to be drawn are columns of the study, which is said before it is evaluated. False, with the reason in
// the session, if not.
bool check_drawn(Session& session, const Drawing& drawing, const OpenStudy& study);

// The pictures of a study that are asked for beside its results: `--svg`, `--png`, `--plot`. To be called once the
// results are written. False, reported, where something cannot be drawn or written. Pictures in the terminal go to
// standard output where the results go to a file, else behind them to standard error.
bool draw_results(Session& session, const Drawing& drawing, const OpenStudy& study,
                  const std::vector<StoredChunk>& chunks, bool results_in_file);

// The drawings of plots that were made already.
bool draw_plots(Session& session, const Drawing& drawing, const std::vector<analysis::pictures::Plot>& plots,
                bool results_in_file);

}  // namespace wave::cli
