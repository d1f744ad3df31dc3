// Points of a study with the spread of what is shown there: values written with `±` are drawn at each point, the same
// draws at all of them, so that curves are as smooth as what they are of.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/uncertainty/propagation.h"

#include <string>
#include <vector>

namespace wave::analysis {

// A column with what follows it; the last column is how many samples did not fail.
inline constexpr const char* spread_names[] = {"mean", "deviation", "low", "high"};

class PointSampler {
 public:
  // `outputs` are those of the batch, whose parameters are what varies, and then the draws of the inputs.
  PointSampler(ModelBatch& batch, std::vector<UncertainInput> inputs, StudySampling sampling)
      : batch_(batch), inputs_(std::move(inputs)), sampling_(sampling) {}

  std::size_t drawn() const { return inputs_.size(); }
  // `columns`: of what varies. Without any there is one row.
  std::variant<BatchValues, ir::Failure> evaluate(const std::vector<backend::InputColumn>& columns, std::size_t rows,
                                                  const backend::Limits& limits,
                                                  const std::function<void(std::size_t rows)>& progress);
  // Values where nothing is drawn, with what follows them.
  BatchValues without_spread(BatchValues values, std::size_t rows) const;

 private:
  std::variant<Propagation, ir::Failure> at_row(const std::vector<backend::InputColumn>& columns, std::size_t row,
                                                const backend::Limits& limits);
  void add(const Propagation& found, std::size_t row, BatchValues& all, FailureList& failures) const;

  ModelBatch& batch_;
  const std::vector<UncertainInput> inputs_;
  const StudySampling sampling_;
};

}  // namespace wave::analysis
