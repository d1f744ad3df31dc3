// Columns in the caller's memory: read into what a batch takes, and written from what it gives.
#pragma once

#include "api/c/batches.h"

#include <deque>
#include <vector>

namespace wave::api {

// Refuses arrays that are none, or of another length than there are rows, and cells of a type that there is not.
void check_column(const wave_column& column, std::size_t rows);
void check_target(const wave_target& target, std::size_t rows);

// A value of the column for lowering, which is of this row.
Number number_in(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head, std::size_t row);

// What was read, as long as the batch is evaluated.
class ReadColumns {
 public:
  // Strings are counted in the words of `prepared`.
  backend::InputColumn read(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head,
                            Prepared& prepared);

 private:
  std::deque<std::vector<double>> reals_;
  std::deque<std::vector<std::int64_t>> integers_;
};

// `words` are those that ordinals count.
void write_target(const wave_target& target, const analysis::Cells& cells, const ColumnHead& head, const Words& words);

}  // namespace wave::api
