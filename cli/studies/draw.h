// The pictures of a study that are asked for beside its results: `--svg`, `--png`, `--plot`.
#pragma once

#include "analysis/pictures/plot.h"
#include "cli/studies/result_files.h"
#include "cli/studies/study_session.h"

#include <vector>

namespace wave::cli {

// To be called once the results are written. False, reported, where something cannot be drawn or written. Pictures in
// the terminal go to standard output where the results go to a file, else behind them to standard error.
bool draw_results(Session& session, const Drawing& drawing, const OpenStudy& study,
                  const std::vector<StoredChunk>& chunks, bool results_in_file);

// The drawings of plots that were made already.
bool draw_plots(Session& session, const Drawing& drawing, const std::vector<analysis::pictures::Plot>& plots,
                bool results_in_file);

}  // namespace wave::cli
