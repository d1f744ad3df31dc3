// A model over columns of the caller's.
#pragma once

#include "analysis/batch.h"
#include "api/c/models.h"
#include "api/c/progress.h"
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

  // What the caller wants to know beside the targets; all may be null.
  struct Wishes {
    std::int32_t* codes = nullptr;
    std::size_t* failed = nullptr;
    wave_progress progress = nullptr;
    void* data = nullptr;
  };
  void run(std::size_t rows, const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
           const Wishes& wishes);
  void stop_call() override { control_.stop(); }

  std::mutex mutex;
  std::shared_ptr<Error> failures;  // of the last run; null: none

 private:
  BatchPlan& plan_for(const std::vector<wave_column>& columns, const std::vector<wave_target>& targets,
                      const backend::Limits& limits);
  std::vector<analysis::FailedRows> evaluate(BatchPlan& plan, std::size_t rows, const std::vector<wave_column>& columns,
                                             const std::vector<wave_target>& targets, std::int32_t* codes,
                                             const backend::Limits& limits);
  void write(const BatchPlan& plan, std::size_t begin, const analysis::BatchValues& values,
             const std::vector<wave_target>& targets);
  [[noreturn]] void end(const Prepared& prepared, const ir::Failure& failure);

  const std::shared_ptr<LoadedProgram> program_;
  const frontend::Item& item_;
  const std::string name_;
  const Settings settings_;
  const Values values_;
  std::unique_ptr<BatchPlan> plan_;
  std::vector<Words> words_;  // that the last run gave out
  RunControl control_;
};

}  // namespace wave::api
