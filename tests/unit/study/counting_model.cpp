// See counting_model.h.
#include "tests/unit/study/counting_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::test {
namespace {

namespace types = frontend::types;
using analysis::ColumnValues;

frontend::TypeRef type_of(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

analysis::Variable variable_of(const std::string& name, frontend::TypeRef type, ColumnValues listed) {
  analysis::Variable one;
  one.name = name;
  one.type = std::move(type);
  one.listed = std::move(listed);
  return one;
}

analysis::Shown shown_as(const std::string& name, frontend::TypeRef type) {
  analysis::Shown one;
  one.name = name;
  one.type = std::move(type);
  return one;
}

}  // namespace

CountingModel::CountingModel(std::int64_t n, std::size_t times) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 1; i <= n; ++i) numbers.push_back(i);
  std::vector<double> works;
  for (std::size_t i = 0; i < times; ++i) works.push_back(1e6 * static_cast<double>(i) + 0.1);
  variables_.push_back(variable_of("n", type_of({types::Int{}}), std::move(numbers)));
  variables_.push_back(variable_of("W", type_of({types::Real{{1, 0, 0}}}), std::move(works)));
  shown_.push_back(shown_as("total", type_of({types::Real{{1, 0, 0}}})));
  shown_.push_back(shown_as("steps", type_of({types::Int{}})));
  shown_.push_back(shown_as("name", type_of({types::String{}})));
}

std::variant<analysis::ResultTable, ir::Failure> CountingModel::evaluate(
    std::vector<ColumnValues> points, const backend::Limits&, const std::function<void(std::size_t rows)>& progress) {
  if (++calls_ == press_at && press != nullptr) *press = true;
  const auto& n = std::get<std::vector<std::int64_t>>(points[0]);
  const auto& works = std::get<std::vector<double>>(points[1]);
  for (const std::int64_t one : n) {
    ir::Failure failure;
    failure.kind = endless.count(one) > 0 ? ir::FailureKind::time_limit : ir::FailureKind::memory_limit;
    if (endless.count(one) > 0 || huge.count(one) > 0) return failure;
  }
  rows_ += n.size();
  std::vector<double> total;
  std::vector<std::int64_t> steps, name;
  std::vector<std::string> words{"odd", "unused", "even"};
  if (calls_ % 2 == 0) words = {"even", "odd"};  // strings are numbered differently every time
  analysis::ResultTable table;
  analysis::FailureList failures(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    const bool fails = failing.count(n[i]) > 0;
    if (fails)
      failures.add(
          i, {"no good", {frontend::DiagnosticKind::require_failed, fmt::format("{} is no good", n[i]), {}, {}, {}}});
    total.push_back(fails ? std::nan("") : works[i] / static_cast<double>(n[i]));
    steps.push_back(fails ? 0 : n[i] * n[i]);
    const std::string word = n[i] % 2 == 0 ? "even" : "odd";
    name.push_back(std::find(words.begin(), words.end(), word) - words.begin());
  }
  table.failed = failures.take();
  table.rows = n.size();
  table.columns.push_back({{points[0], {}, {}}, "n", variables_[0].type, {}, "", true});
  table.columns.push_back({{points[1], {}, {}}, "W", variables_[1].type, {}, "", true});
  table.columns.push_back({{std::move(total), {}, {}}, "total", shown_[0].type, {}, "", false});
  table.columns.push_back({{std::move(steps), {}, {}}, "steps", shown_[1].type, {}, "", false});
  table.columns.push_back({{std::move(name), {}, words}, "name", shown_[2].type, {}, "", false});
  if (progress) progress(n.size());
  return table;
}

analysis::StudyDescription describe(const CountingModel& model) {
  analysis::StudyDescription description;
  description.version = "1.2.3";
  description.file = "counting.wave";
  description.model = "Counting";
  description.arguments = {"sweep", "counting.wave"};
  description.inputs = {{"the model file", "0123"}, {"`-D kt`", "1000"}};
  description.columns = analysis::columns_of(model);
  description.points = analysis::Product(model.variables()).size();
  return description;
}

}  // namespace wave::test
