// Turns clauses into a problem: what may be chosen, what is wanted, what must hold.
#pragma once

#include "analysis/optimize/study_problem.h"
#include "frontend/check/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// Each clause is one expression, as it is written on the command line.
struct ProblemQuestion {
  struct Goal {
    bool maximize = false;
    std::string text;
  };
  std::vector<std::string> over;  // "n=1..64", "net.L=1 us..5 us"
  std::vector<Goal> goals;
  std::vector<std::string> conditions;
  std::vector<std::string> show;                  // what else is shown of points that were found
  std::string condition_option = "--subject-to";  // what diagnostics call them
  StudyProblem::Setting setting;
};

// Of what it is asked, and what evaluates it. Program and model outlive the problem.
struct AskedModel {
  frontend::Program& program;
  const frontend::Item& model;
  std::vector<std::string> given;  // "kt=1000", as -D takes it
  StudyModel::EngineMaker engines;
  int threads = 0;
  backend::Limits limits;  // of lowering
};

struct AskedProblem {
  const frontend::Item* model = nullptr;
  // A study each, and how it is evaluated.
  struct Part {
    std::unique_ptr<frontend::Item> study;
    std::unique_ptr<StudyModel> points;
  };
  Part cheap, costly;
  Part display;  // what is shown of points that were found; may be missing
  std::unique_ptr<StudyProblem> problem;
  std::vector<std::string> conditions;  // as they were given, in the order of the problem's constraints
  std::vector<Shown> goals;

  const std::vector<Variable>& variables() const { return costly.points->variables(); }
  // What is shown of some points; no columns where nothing is.
  ResultTable shown(const Points& points) const;
  // What varies there.
  std::vector<ResultColumn> values(const Points& points) const;
  // A goal's values at points that were found. They are the points' costs, so that nothing is evaluated again.
  ResultColumn goal_column(const std::vector<Candidate>& best, std::size_t goal) const;
  // "n=32", as -D takes it, in full precision: one for each variable.
  std::vector<std::string> given_at(const std::vector<double>& at) const;
  // "n = 32, m = 16".
  std::string text_of(const std::vector<double>& at) const;
};

// Nothing, with diagnostics, after an error.
std::optional<AskedProblem> ask_problem(const AskedModel& asked, const ProblemQuestion& question,
                                        frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
