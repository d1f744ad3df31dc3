// See expectations.h.
#include "analysis/expectations.h"

#include "analysis/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

using frontend::Diagnostics;
using frontend::ExpectInfo;

// One row of an expectation's root: does it hold, the binders, then left, right and tolerance.
struct Point {
  const ir::Scalar* cells;
  bool holds() const { return cells[0].boolean; }
  ir::Scalar binder(std::size_t i) const { return cells[1 + i]; }
};

bool lexicographically_before(const Point& a, const Point& b, std::size_t binders) {
  for (std::size_t i = 0; i < binders; ++i) {
    const double x = as_number(a.binder(i)), y = as_number(b.binder(i));
    if (x != y) return x < y;
  }
  return false;
}

// Enough digits to show that two different numbers differ.
int digits_to_tell_apart(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b)), difference = std::abs(a - b);
  if (!(difference > 0) || !std::isfinite(size)) return 6;
  return std::clamp(static_cast<int>(std::ceil(std::log10(size / difference))) + 2, 6, 17);
}

std::string binders_text(const ExpectInfo& expect, const Point& point, const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < expect.binders; ++i) {
    const auto& column = expect.columns[i];
    text +=
        fmt::format("{}{} = {}", text.empty() ? "" : ", ", column.name, value_text(point.binder(i), column, 6, words));
  }
  return text;
}

// Both sides, their difference and what was allowed.
void describe_comparison(frontend::Diagnostic& d, const ExpectInfo& expect, const Point& point,
                         const std::vector<std::string>& words) {
  const std::size_t at = expect.binders;  // of the left side among the columns; the cells begin with `holds`
  const auto& left_column = expect.columns[at];
  const auto& right_column = expect.columns[at + 1];
  const ir::Scalar left = point.cells[1 + at], right = point.cells[2 + at];
  const double a = as_number(left), b = as_number(right);
  const auto dimension = dimension_of(left_column.type).value_or(frontend::Dimension{});
  const frontend::Scale scale = frontend::readable_scale(dimension, std::max(std::abs(a), std::abs(b)));
  const int digits = digits_to_tell_apart(a, b);
  std::string text = fmt::format("left side:  {}\nright side: {}", value_text(left, left_column, scale, digits, words),
                                 value_text(right, right_column, scale, digits, words));
  const auto quantity = [&](double value) { return frontend::format_quantity(value, dimension, std::nullopt, 6); };
  const bool numbers =
      left.type == ir::ScalarType::real || (left.type == ir::ScalarType::integer && !is_text(left_column.type));
  if (numbers && std::isfinite(a - b)) text += fmt::format("\ndifference: {}", quantity(a - b));
  if (expect.has_tolerance) text += fmt::format("\ntolerance:  {}", quantity(as_number(point.cells[3 + at])));
  d.notes.push_back(text);
}

void report_failing(const frontend::LoweredTests& lowered, const frontend::TestInfo& test, const ExpectInfo& expect,
                    const Point& point, std::size_t others, Diagnostics& diagnostics) {
  std::string where = binders_text(expect, point, lowered.words);
  auto& d = diagnostics.add(frontend::DiagnosticKind::failed_expectation, expect.location,
                            fmt::format("an expectation of `{}` does not hold", test.name),
                            where.empty() ? "is false" : fmt::format("is false at {}", where));
  if (expect.compares) describe_comparison(d, expect, point, lowered.words);
  if (others > 0) d.notes.push_back(fmt::format("it fails at {} as well", frontend::counted(others, "other point")));
}

bool check_expect(const frontend::LoweredTests& lowered, const frontend::TestInfo& test, const ExpectInfo& expect,
                  backend::Evaluation& evaluation, Diagnostics& diagnostics) {
  const auto outcome = evaluation.evaluate(expect.root);
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    report(lowered.system, lowered.words, lowered.notes, *failure, diagnostics);
    return false;
  }
  const auto& rows = std::get<backend::Rows>(outcome);
  std::optional<Point> first;
  std::size_t failing = 0;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const Point point{rows.cells.data() + row * rows.columns};
    if (point.holds()) continue;
    ++failing;
    if (!first || lexicographically_before(point, *first, expect.binders)) first = point;
  }
  if (first) report_failing(lowered, test, expect, *first, failing - 1, diagnostics);
  return !first;
}

}  // namespace

Verdict run_test(const frontend::LoweredTests& lowered, const frontend::TestInfo& test, backend::Evaluation& evaluation,
                 Diagnostics& diagnostics) {
  Verdict verdict = Verdict::passed;
  for (const auto& expect : test.expects) {
    if (expect.failed || !check_expect(lowered, test, expect, evaluation, diagnostics)) verdict = Verdict::failed;
  }
  return verdict;
}

}  // namespace wave::analysis
