// Batches over memory of the caller's.
#pragma once

#include "api/python/extension/models.h"

#include <cstddef>

namespace wave::python {

class Batch {
 public:
  explicit Batch(Model& model);

  // Evaluates all rows. `columns` has for each name a buffer of one dimension (double, int64 or bool, with any stride)
  // or a list of str; `targets` a buffer to write to, or a list that is filled with texts; `codes` is a buffer of
  // int32. `progress` is None, or is called with the numbers of rows that are done and of all. Gives why rows failed,
  // or None.
  MaybeError run(std::size_t rows, const Fields& columns, const Fields& targets, const py::buffer& codes, int unit,
                 const ProgressFunction& progress);

 private:
  InterruptibleCalls runs_;
  std::size_t rows_ = 0;  // of the last run
  Handle<wave_batch> batch_;
};

}  // namespace wave::python
