// From what somebody asks of a program to a study whose points can be evaluated.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/value_table.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wave::analysis {

// The study of that name in the program's own file, `file` for its user, or the only one. Null, with diagnostics, where
// there is none.
// `without_any`: how to go on where none is declared.
frontend::Item* choose_study(const frontend::Program& program, const std::string& file, const std::string& name,
                             const std::string& without_any, frontend::Diagnostics& diagnostics);

// The outputs of a model that are single values or records; `left_out` are the others. None of the former is an error.
std::vector<std::string> outputs_to_show(const frontend::Item& model, std::vector<std::string>& left_out,
                                         frontend::Diagnostics& diagnostics);

// Clauses of an option, "--vary".
std::vector<frontend::AskedClause> clauses_of(const std::string& option, const std::vector<std::string>& texts);

struct StudyOpening {
  frontend::Program& program;
  frontend::Item& study;  // checked: declared, or asked for
  const StudyClauses& clauses;
  std::function<std::vector<frontend::Override>()> overrides;  // which are made anew for each system
  StudyModel::EngineMaker engines;
  int threads = 0;
  const backend::Limits& limits;
  frontend::Diagnostics& diagnostics;
  ValueTable* rows = nullptr;                                                           // the points; null: a product
  std::function<std::string(const ResultTable& table, std::size_t row)> name_of_point;  // "n = 4"
  // While conditions are asked at each point.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

// Without the points at which a condition does not hold. Null, with diagnostics, after an error.
std::unique_ptr<StudyModel> open_points(const StudyOpening& opening);

}  // namespace wave::analysis
