// See value_classes.h.
#include "analysis/validation/value_classes.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace wave::analysis {
namespace {

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;

// Quantities are equal up to what conversions of units, and printing them with ten digits, do to the last of these.
bool are_close(double a, double b) {
  constexpr double closeness = 1e-9;
  return std::fabs(a - b) <= closeness * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

bool is_structure(const MeasuredParameter& parameter) {
  return parameter.has_texts && !std::holds_alternative<frontend::types::String>(parameter.type->kind);
}

ValueClasses::ValueClasses(const MeasuredParameter& parameter) : parameter_(parameter) {
  const auto* const reals = std::get_if<Reals>(&parameter.values);
  if (reals == nullptr) return;
  Reals sorted = *reals;
  std::sort(sorted.begin(), sorted.end());
  for (const double one : sorted) {
    if (reals_.empty() || !are_close(reals_.back(), one)) reals_.push_back(one);
  }
}

ValueClasses::Class ValueClasses::of_row(std::size_t row) const {
  if (const auto* const reals = std::get_if<Reals>(&parameter_.values)) return of_real((*reals)[row]);
  return std::get<Integers>(parameter_.values)[row];
}

ValueClasses::Class ValueClasses::of_value(const ColumnValues& values, std::size_t at,
                                           const std::vector<std::string>& labels) const {
  const auto* const reals = std::get_if<Reals>(&values);
  if ((reals != nullptr) != std::holds_alternative<Reals>(parameter_.values)) return none;
  if (reals != nullptr) return of_real((*reals)[at]);
  const std::int64_t value = std::get<Integers>(values)[at];
  if (!parameter_.has_texts) return value;
  if (value < 0 || static_cast<std::size_t>(value) >= labels.size()) return none;
  const auto& texts = parameter_.texts;
  const auto found = std::find(texts.begin(), texts.end(), labels[static_cast<std::size_t>(value)]);
  return found == texts.end() ? none : found - texts.begin();
}

ValueClasses::Class ValueClasses::of_real(double value) const {
  auto found = std::lower_bound(reals_.begin(), reals_.end(), value);
  if (found != reals_.end() && are_close(*found, value)) return found - reals_.begin();
  return found != reals_.begin() && are_close(*--found, value) ? found - reals_.begin() : none;
}

}  // namespace wave::analysis
