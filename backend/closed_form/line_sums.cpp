// Rows of a table are summed up when they are first needed.
#include "backend/closed_form/line_sums.h"

#include "backend/closed_form/thresholds.h"

namespace wave::backend::closed_form {

bool LineSums::covers(const CellFunction& function, std::size_t axis) {
  if (!function.table) return true;
  double rows = 1, values = 0;
  for (std::size_t other = 0; other < function.parts.size(); ++other) {
    if (other != axis) rows *= static_cast<double>(function.table->counts[other]);
  }
  for (const Piece& piece : function.table->classes[axis].pieces()) values += static_cast<double>(piece.values.size());
  return rows * values <= static_cast<double>(most_values);
}

LineSums::LineSums(const CellFunction& function, std::size_t axis)
    : function_(function), axis_(axis), own_(function.parts[axis]) {}

Wide LineSums::over(const Places& places, std::int64_t first, std::int64_t last) const {
  if (first > last) return 0;
  Wide sum = own_.over(first, last);
  for (std::size_t axis = 0; axis < places.size(); ++axis) {
    if (axis != axis_) sum += Wide{last - first + 1} * function_.parts[axis].at(places[axis]);
  }
  return function_.table ? sum + row(places).over(first, last) : sum;
}

const Sums& LineSums::row(const Places& places) const {
  const ClassTable& table = *function_.table;
  std::vector<std::int64_t> key(places.size(), 0);
  for (std::size_t axis = 0; axis < places.size(); ++axis) {
    if (axis != axis_ && table.counts[axis] > 1) key[axis] = table.classes[axis].at(places[axis]);
  }
  const auto known = rows_.find(key);
  if (known != rows_.end()) return known->second;
  std::vector<Piece> pieces = table.classes[axis_].pieces();
  std::vector<std::int64_t> classes = key;
  for (Piece& piece : pieces) {
    for (std::int64_t& value : piece.values) {
      classes[axis_] = value;
      value = table.of_classes(classes);
    }
  }
  return rows_.emplace(std::move(key), Sums(IndexFunction(std::move(pieces)))).first->second;
}

}  // namespace wave::backend::closed_form
