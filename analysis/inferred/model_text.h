// Writes what was found as a model.
#pragma once

#include "analysis/inferred/explain.h"

#include <string>
#include <vector>

namespace wave::analysis::inferred {

struct ModelText {
  std::vector<std::string> imports;  // "std.comm { Machine }"
  std::string text;                  // the declaration
  std::string tests;                 // lines of a test
  // By run, as `-D` takes them: "n=12", "px=2". Empty: the run is not in the model.
  std::vector<std::vector<std::string>> given;
  std::size_t tables = 0;           // of numbers that no formula gives
  std::vector<std::string> doubts;  // what these runs do not settle, and the run that would
};

// `name`: of the model. `given_extents`: parameters that are extents, by axis.
ModelText write_model(const std::string& name, const Structure& structure, const std::vector<Run>& runs,
                      const Names& names, const Formulas& formulas, const Explained& explained,
                      const std::vector<std::string>& given_extents);

}  // namespace wave::analysis::inferred
