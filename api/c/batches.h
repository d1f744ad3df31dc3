// A model over columns of the caller's.
#pragma once

#include "analysis/batch.h"
#include "api/c/models.h"
#include "api/c/results.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::api {

// What some columns and targets come to: made once for as long as they stay the same.
struct BatchPlan {
  std::vector<std::string> columns, targets;  // their names
  std::unique_ptr<Model> model;               // with the columns' parameters bound
  std::vector<ColumnHead> heads;              // of the columns
  std::vector<frontend::TypeRef> types;
  struct Target {
    std::size_t column;  // of what the batch gives
    ColumnHead head;
  };
  std::vector<Target> wanted;
  std::unique_ptr<analysis::ModelBatch> batch;  // null if there are no columns
};

class Batch final : public Object {
 public:
  static constexpr const char* kind = "batch";
  // `values` are those of the model, numbers as texts.
  explicit Batch(const Model& model);

  // Null, where the caller has them, are `codes` and `failed`.
  void run(std::size_t rows, const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
           std::int32_t* codes, std::size_t* failed);

  std::mutex mutex;
  std::shared_ptr<Error> failures;  // of the last run; null: none

 private:
  BatchPlan& plan_for(const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
                      const backend::Limits& limits);

  const std::shared_ptr<LoadedProgram> program_;
  const frontend::Item& item_;
  const std::string name_;
  const Settings settings_;
  const Values values_;
  std::unique_ptr<BatchPlan> plan_;
  std::vector<Words> words_;  // that the last run gave out
};

}  // namespace wave::api
