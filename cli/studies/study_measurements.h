// The measurements that a study's `measured` clauses or the user name: as further columns of its results, and as points
// of pictures.
#pragma once

#include "analysis/study/description.h"
#include "cli/options.h"
#include "cli/studies/study_session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// Adds those of the study, and their files to what the results depend on; `description` has its other columns. Errors
// are collected in the session.
void add_measured(Session& session, const OpenStudy& study, analysis::StudyDescription& description);

// Measurements that belong to points of a study, for pictures and tables of these points.
struct StudyMeasurements {
  analysis::ResultTable rows;             // a row for each, with the columns that its point has; what was measured last
  std::vector<std::uint32_t> keys;        // which of what varies tells combinations apart (analysis::Combinations)
  std::map<std::uint64_t, double> means;  // by combination
  std::string elsewhere;                  // how many belong to no point, in words; empty: none
};

// The measurements that a study names. Nothing where it names none, or, with diagnostics collected in the session,
// where they cannot be used.
std::optional<StudyMeasurements> measurements_of(Session& session, const OpenStudy& study);
// The same for a file that the user names, for any points of a model.
std::optional<StudyMeasurements> read_measurements(Session& session, const OpenStudy& study,
                                                   const Measurements& measurements);

}  // namespace wave::cli
