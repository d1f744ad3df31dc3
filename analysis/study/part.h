// Points that one process computed for another: a record (chunk.h) behind a head that says in few bytes which study it
// is of. The other process checks it before its journal takes it.
#pragma once

#include "analysis/study/description.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// The same for all parts of a study. A part that holds no points is a head alone.
std::string part_head(const StudyDescription& study);

struct PartTrouble {
  enum class Kind { damaged, other_study, other_points };
  Kind kind{};
  std::vector<std::string> differences;  // from the study, in words
};

// What is wrong with a part that holds no points; nothing: it is of this study.
std::optional<PartTrouble> trouble_of_head(std::string_view part, const StudyDescription& study, const StudyId& id);

// The record of exactly these points. It lies within `part`.
std::variant<std::string_view, PartTrouble> record_of_part(std::string_view part, const StudyDescription& study,
                                                           const StudyId& id, PointRange points);

// Of a study that is reduced: a state (reduce/reduced_study.h) as a record, which follows the head; and the state of
// exactly these points, which lies within `part`.
std::string state_record(const StudyId& id, std::string_view state);
std::variant<std::string_view, PartTrouble> state_of_part(std::string_view part, const StudyDescription& study,
                                                          const StudyId& id, PointRange points);

}  // namespace wave::analysis
