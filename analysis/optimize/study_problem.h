// A model as a problem. Cheap constraints are evaluated first and on their own, goals only at points that satisfy them,
// and both have bounds over boxes.
#pragma once

#include "analysis/optimize/bounds.h"
#include "analysis/optimize/problem.h"
#include "analysis/study/study_model.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// The two sides of a constraint that compares numbers, as shown columns. They tell how far it is from being satisfied.
struct Sides {
  std::size_t left = 0, right = 0;
};

// A study whose variables are those of the problem, in their order.
struct ProblemPart {
  StudyModel* model = nullptr;
  // The shown columns of constraints, by the number of the constraint, and of goals.
  struct Constraint {
    std::size_t number = 0, column = 0;
    std::optional<Sides> sides;
  };
  std::vector<Constraint> constraints;
  std::vector<std::size_t> goals;
};

class StudyProblem final : public Problem {
 public:
  struct Setting {
    double seconds_per_point = 60;  // a point that takes longer fails
    std::size_t memory_bytes = std::size_t{8} << 30;
  };
  // The points that failed with one code, and the first of them in the order of the product.
  struct FailedPoints : RowFailure {
    std::vector<double> at;
    std::uint64_t count = 0;
  };

  // `cheap` may have no model. A point at which the model fails, though it breaks no constraint, breaks a further one,
  // the last, which `constraints` counts.
  StudyProblem(ProblemPart cheap, ProblemPart costly, Setting setting);

  void constrain(const Points& points, std::vector<Violation>& violations) override;
  void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) override;
  std::optional<BoxBounds> bound(const Box& box) override;

  std::uint64_t given_up() const override;
  // Forgets what failed, before another search.
  void forget_failures() { failed_.clear(); }

  // What another study of the same variables shows at these points.
  ResultTable show(StudyModel& model, const Points& points);
  std::vector<ColumnValues> columns(const Points& points) const;
  // The failures, by code.
  std::vector<FailedPoints> failed() const;

 private:
  ResultTable evaluate(StudyModel& model, const Points& points);
  void add_constraints(const ProblemPart& part, const ResultTable& table, std::vector<Violation>& violations) const;
  // Of points that break none of the other constraints.
  void note_failures(const Points& points, const ResultTable& table, const std::vector<Violation>& violations);
  bool add_bounds(const ProblemPart& part, const Box& box, BoxBounds& result) const;

  const ProblemPart cheap_, costly_;
  const Setting setting_;
  std::map<frontend::DiagnosticKind, FailedPoints> failed_;
};

}  // namespace wave::analysis
