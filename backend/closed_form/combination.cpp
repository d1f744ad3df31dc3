// What looks at one index is added up along each axis; what is tabulated is looked at once for each combination of
// classes.
#include "backend/closed_form/combination.h"

#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

// The least and the greatest value of a function at the places of each number.
std::optional<std::vector<ValueRange>> ranges_by(const Joint& joint, const IndexFunction& function) {
  const IndexFunction* const both[] = {&joint.number, &function};
  const auto parts = stretches(both);
  if (!parts) return std::nullopt;
  std::vector<std::optional<ValueRange>> found(joint.tuples.size());
  for (const Stretch& stretch : *parts) {
    const auto include = [&](std::int64_t at) {
      auto& range = found[static_cast<std::size_t>(joint.number.at(at))];
      const std::int64_t value = function.at(at);
      if (range) range->include(value);
      if (!range) range = ValueRange{value, value};
    };
    // What grows is least and greatest in the first and the last period.
    for (std::int64_t at = stretch.first; at < stretch.first + stretch.period; ++at) include(at);
    for (std::int64_t at = stretch.last - stretch.period + 1; at <= stretch.last; ++at) include(at);
  }
  std::vector<ValueRange> result;
  for (const auto& range : found) result.push_back(*range);
  return result;
}

}  // namespace

void Combination::add(const CellFunction& function, int sign, const Places& back) {
  terms_.push_back({&function, sign, back});
}

std::optional<IndexFunction> Combination::parts(std::size_t axis) const {
  IndexFunction sum(domain_.first[axis], domain_.last[axis], 0);
  for (const Term& term : terms_) {
    const IndexFunction part =
        term.function->parts[axis].shifted(term.back[axis]).within(domain_.first[axis], domain_.last[axis]);
    auto more = closed_form::add(sum, term.sign > 0 ? part : part.negated());
    if (!more) return std::nullopt;
    sum = *std::move(more);
  }
  return sum;
}

std::optional<Joint> Combination::classes(std::size_t axis, std::size_t most) const {
  std::vector<IndexFunction> functions{IndexFunction(domain_.first[axis], domain_.last[axis], 0)};
  for (const Term& term : terms_) {
    if (!term.function->table) continue;
    functions.push_back(
        term.function->table->classes[axis].shifted(term.back[axis]).within(domain_.first[axis], domain_.last[axis]));
  }
  std::vector<const IndexFunction*> pointers;
  for (const IndexFunction& function : functions) pointers.push_back(&function);
  return join(pointers, most);
}

std::optional<IndexFunction> Combination::kinds(std::size_t axis, std::size_t most) const {
  const auto joint = classes(axis, most);
  if (!joint) return std::nullopt;
  const auto sum = parts(axis);
  if (!sum) return std::nullopt;
  const IndexFunction* const both[] = {&joint->number, &*sum};
  auto all = join(both, most);
  return all ? std::optional(std::move(all->number)) : std::nullopt;
}

std::int64_t Combination::of_tables(const std::vector<Joint>& joints, const std::vector<std::size_t>& kind) const {
  std::int64_t sum = 0;
  std::size_t number = 1;  // in the tuples; 0 is the axis itself
  std::vector<std::int64_t> classes(joints.size());
  for (const Term& term : terms_) {
    if (!term.function->table) continue;
    for (std::size_t axis = 0; axis < joints.size(); ++axis) classes[axis] = joints[axis].tuples[kind[axis]][number];
    sum += term.sign * term.function->table->of_classes(classes);
    ++number;
  }
  return sum;
}

std::optional<ValueRange> Combination::range() const {
  std::vector<Joint> joints;
  std::vector<std::vector<ValueRange>> grows;
  double looks = 1;
  for (std::size_t axis = 0; axis < domain_.first.size(); ++axis) {
    auto joint = classes(axis, most_kinds);
    if (!joint) return std::nullopt;
    const auto sum = parts(axis);
    if (!sum) return std::nullopt;
    auto ranges = ranges_by(*joint, *sum);
    if (!ranges) return std::nullopt;
    looks *= static_cast<double>(joint->tuples.size());
    joints.push_back(*std::move(joint));
    grows.push_back(*std::move(ranges));
  }
  if (looks > std::clamp(domain_.count() / cells_per_look, least_looks, most_looks)) return std::nullopt;
  std::optional<ValueRange> result;
  std::vector<std::size_t> kind(joints.size(), 0);
  for (bool more = true; more;) {
    ValueRange here{of_tables(joints, kind), 0};
    here.high = here.low;
    for (std::size_t axis = 0; axis < kind.size(); ++axis) {
      here.low += grows[axis][kind[axis]].low;
      here.high += grows[axis][kind[axis]].high;
    }
    if (!result) result = here;
    result->include(here);
    std::size_t axis = kind.size();
    while (axis > 0 && kind[axis - 1] + 1 == joints[axis - 1].tuples.size()) kind[--axis] = 0;
    more = axis > 0;
    if (more) ++kind[axis - 1];
  }
  return result;
}

}  // namespace wave::backend::closed_form
