// Turns the options of `wave optimize` and `wave find` into a problem: what may be chosen, what is wanted, what must
// hold.
#pragma once

#include "analysis/optimize/study_problem.h"
#include "cli/options.h"
#include "cli/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct ProblemQuestion {
  struct Goal {
    bool maximize = false;
    std::string text;
  };
  std::vector<Goal> goals;
  std::vector<std::string> conditions;
  std::string condition_option;  // "--subject-to"
  double point_limit_seconds = default_time_limit_seconds;
};

struct AskedProblem {
  const frontend::Item* model = nullptr;
  // A study each, and how it is evaluated.
  struct Part {
    std::unique_ptr<frontend::Item> study;
    std::unique_ptr<analysis::StudyModel> points;
  };
  Part cheap, costly;
  Part display;  // what is shown of points that were found; may be missing
  std::unique_ptr<analysis::StudyProblem> problem;
  std::vector<std::string> conditions;  // as they were given, in the order of the problem's constraints
  std::vector<analysis::Shown> goals;

  const std::vector<analysis::Variable>& variables() const { return costly.points->variables(); }
  // What is shown of some points.
  std::vector<analysis::ResultColumn> columns(const analysis::Points& points) const;
  // What varies there.
  std::vector<analysis::ResultColumn> values(const analysis::Points& points) const;
  // "n = 32, m = 16".
  std::string text_of(const std::vector<double>& at) const;
};

// `session` has loaded the file. Nothing, with diagnostics collected in the session, after an error.
std::optional<AskedProblem> ask_problem(Session& session, const StudyChoice& choice, const ProblemQuestion& question);

}  // namespace wave::cli
