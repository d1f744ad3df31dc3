// A model that needs no program: its results are plain arithmetic, and it counts how often it is asked.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/study_model.h"

#include <atomic>
#include <set>
#include <string>
#include <vector>

namespace wave::test {

class CountingModel final : public analysis::StudyModel {
 public:
  // n in 1..n, and W takes several values. It shows total (a time), steps (an integer) and name (a string).
  CountingModel(std::int64_t n, std::size_t times);

  const std::vector<analysis::Variable>& variables() const override { return variables_; }
  const std::vector<analysis::Shown>& shown() const override { return shown_; }
  const frontend::Lowered& lowered() const override { return lowered_; }
  const frontend::LoweredStudy* system(std::span<const std::size_t>) override { return nullptr; }
  void list_rows(std::vector<analysis::VaryingColumn>, const std::vector<std::string>&) override {}
  std::vector<analysis::ColumnValues> take_points() override { return {}; }
  std::variant<analysis::ResultTable, ir::Failure> evaluate(
      std::vector<analysis::ColumnValues> points, const backend::Limits& limits,
      const std::function<void(std::size_t rows)>& progress) override;

  std::uint64_t rows() const { return rows_; }
  std::size_t calls() const { return calls_; }

  std::set<std::int64_t> failing;      // values that fail with `n is no good`
  std::set<std::int64_t> endless;      // values that never return
  std::set<std::int64_t> huge;         // values that need more memory than there is
  std::atomic<bool>* press = nullptr;  // set after `press_at` calls
  std::size_t press_at = 0;

 private:
  std::vector<analysis::Variable> variables_;
  std::vector<analysis::Shown> shown_;
  frontend::Lowered lowered_;
  std::uint64_t rows_ = 0;
  std::size_t calls_ = 0;
};

// The description of a study of such a model.
analysis::StudyDescription describe(const CountingModel& model);

}  // namespace wave::test
