// Writes what was found as a model.
#pragma once

#include "analysis/inferred/explain.h"

#include <map>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

struct ModelText {
  std::vector<std::string> imports;  // "std.comm { Machine }"
  std::string text;                  // the declaration
  std::string tests;                 // lines of a test
  std::size_t tables = 0;            // of numbers that no formula gives
  std::vector<std::string> doubts;   // what these runs do not settle, and the run that would

  // Names of parameters: of the runs', by their own; of all ranks, where extents follow from these, or else of extents,
  // by axis.
  std::map<std::string, std::string> parameters;
  std::string ranks;
  std::vector<std::string> extents;
};

// The parameters of a run on a grid, as `-D` takes them: "n=12", "px=2". `recorded`: which of the model's runs it is,
// from 1; 0: none.
std::vector<std::string> given_of(const ModelText& model, const Run& run, const RankGrid& grid, std::size_t recorded);

// `name`: of the model. `given_extents`: parameters that are extents, by axis.
ModelText write_model(const std::string& name, const Structure& structure, const Runs& runs, const Names& names,
                      const Formulas& formulas, const Explained& explained,
                      const std::vector<std::string>& given_extents);

}  // namespace wave::analysis::inferred
