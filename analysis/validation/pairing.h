// Which points of a study measurements belong to. A row belongs to the points at which every parameter that the table
// has a column for is what the row says, whether it varies, is set, was given, or has its default.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/validation/measured_data.h"
#include "analysis/validation/measured_model.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// A study of a model, declared in the file or asked for, whose variables list their values.
struct PointsToPair {
  GivenModel of;
  const frontend::Item& study;
  const StudyModel& points;
};

struct Pairing {
  // Which of the variables tell the points apart that rows belong to, and the rows by the number of the combination of
  // these (Combinations).
  std::vector<std::uint32_t> keys;
  std::map<std::uint64_t, std::vector<std::size_t>> rows;
  std::size_t elsewhere = 0;  // rows that belong to no point

  // The mean of each combination's rows.
  std::map<std::uint64_t, double> means(const MeasuredData& data) const;
};

// Nothing, with diagnostics, where what parameters are cannot be told.
std::optional<Pairing> pair_rows(const PointsToPair& study, const MeasuredData& data,
                                 frontend::Diagnostics& diagnostics);

// The rows that belong to points, with the values that these points have, for pictures. A row stands there once for
// each combination that it belongs to.
ResultTable table_at_points(const StudyModel& points, const MeasuredData& data, const Pairing& pairing);

// "1 of 4 rows of runs.csv is at no point of the study". Empty: each is at one.
std::string text_of_elsewhere(const MeasuredData& data, const Pairing& pairing, const std::string& file);

}  // namespace wave::analysis
