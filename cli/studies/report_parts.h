// The parts of a report: sections of a page from results, studies and measurements.
#pragma once

#include "analysis/pictures/page.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/studies/study_session.h"

#include <string>
#include <vector>

namespace wave::cli {

// What the page is about.
struct PageChoice {
  StudyChoice points;  // without a study and `vary`: all studies of the model
  Measurements data;   // to be shown over the predictions; no file: those that the studies name
  PlotsAsked plots;
  bool no_breakdown = false;
};

// What is wrong, in lines for the page, beside what diagnostics say on standard error.
using Problems = std::vector<std::string>;
// "E0302: the grid has no extent (sweep.wave:12)", once for each diagnostic that the session has collected.
void note_problems(Session& session, Problems& problems);

// Single values in one table, and tables and pictures of longer outputs. Times that time_section shows are left out.
analysis::pictures::PageSection outputs_section(const Results& results);
// Of results with the tables that `wave run --breakdown` adds. No elements where there are none.
analysis::pictures::PageSection time_section(const Results& results);
// What the processes that outputs come to do when, of those with a lane for each of their processes. No elements where
// there are none.
analysis::pictures::PageSection timeline_section(Session& session, const frontend::Item& model,
                                                 const std::vector<frontend::Override>& overrides);
// The parameters with their values, and where these come from.
analysis::pictures::PageSection inputs_section(const Session& session, const frontend::Item& model,
                                               const Results& results);
// Where the time of an output goes at a few points of a study, as bars over one of what varies. Nothing where that is
// not found.
std::optional<analysis::pictures::Plot> times_along(Session& session, const StudyChoice& choice, const OpenStudy& study,
                                                    const analysis::ResultTable& table, const std::string& output,
                                                    const std::string& along);
// The points of a study, which is evaluated here. Nothing, with diagnostics collected in the session, where it cannot
// be.
std::optional<analysis::pictures::PageSection> study_section(Session& session, const PageChoice& choice,
                                                             const OpenStudy& study, bool has_measurements,
                                                             Problems& problems);
// What the model predicts for the configurations of a file of measurements, drawn as asked.
std::optional<analysis::pictures::PageSection> measured_section(Session& session, const StudyChoice& choice,
                                                                const Measurements& measurements,
                                                                const PlotsAsked& plots, Problems& problems);
// The command, the version, and digests of all that was read.
analysis::pictures::PageSection making_section(Session& session, const std::vector<std::string>& arguments);

}  // namespace wave::cli
