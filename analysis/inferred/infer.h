// From recordings of a program to a model of it.
#pragma once

#include "analysis/inferred/calls.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

// A run held against the model.
struct RunCheck {
  std::string model;               // that it is in; empty: in none
  std::vector<std::string> given;  // the parameters, as `-D` takes them: "n=12"
  std::string trouble;             // why it is in none
  bool is_compared = true;         // otherwise it has too many calls: its structure alone is the model's
  // The same of a model that is made of the other runs; nothing where there are too few.
  bool was_left_out = false;
  std::string difference;  // empty: all its ranks do the same, call by call
};

struct Inferred {
  std::string text;                 // of a module with the models; empty: there is none
  std::vector<std::string> models;  // where not all runs are of one program, one for each
  std::vector<RunCheck> runs;       // by run
  std::size_t tables = 0;           // of numbers that no formula gives
  std::vector<std::string> doubts;  // what the runs do not settle, and the run that would
  std::string refusal;              // why there is no model
};

// Called before each of the parts that this takes.
using Progress = std::function<void(std::size_t part, std::size_t parts)>;

// `name`: of the model. `leaves_out`: whether each run is left out once.
Inferred infer(const std::string& name, const std::vector<Run>& runs, const Names& names, bool leaves_out,
               const Progress& progress = {});

}  // namespace wave::analysis::inferred
