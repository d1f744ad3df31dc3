// `wave test`: runs the tests of files. A test passes where all its expectations hold.
#include "backend/engine.h"
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::ExpectInfo;

enum class Verdict { passed, failed };

// One row of an expectation's root: does it hold, the binders, then left, right and tolerance.
struct Point {
  const ir::Scalar* cells;
  bool holds() const { return cells[0].boolean; }
  ir::Scalar binder(std::size_t i) const { return cells[1 + i]; }
};

double as_number(ir::Scalar value) {
  if (value.type == ir::ScalarType::real) return value.real;
  return value.type == ir::ScalarType::integer ? static_cast<double>(value.integer) : value.boolean ? 1 : 0;
}

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

// Integers, truth values, strings and choices as they are.
std::string discrete_text(ir::Scalar value, const frontend::TypeRef& type, const std::vector<std::string>& words) {
  if (value.type == ir::ScalarType::boolean) return value.boolean ? "true" : "false";
  const std::vector<std::string>* named = nullptr;
  if (type) {
    if (const auto* choice = std::get_if<frontend::types::Choice>(&type->kind)) named = &choice->words;
    if (std::holds_alternative<frontend::types::String>(type->kind)) named = &words;
  }
  const auto ordinal = static_cast<std::size_t>(value.integer);
  if (named != nullptr && value.integer >= 0 && ordinal < named->size()) return (*named)[ordinal];
  return fmt::format("{}", value.integer);
}

std::string text_in(ir::Scalar value, const frontend::ColumnInfo& column, const Scale& scale, int digits,
                    const std::vector<std::string>& words) {
  if (value.type != ir::ScalarType::real) return discrete_text(value, column.type, words);
  const std::string number = format_number(scale.shown(value.real), digits);
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

std::string binders_text(const ExpectInfo& expect, const Point& point, const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < expect.binders; ++i) {
    const auto& column = expect.columns[i];
    const Scale scale =
        readable_scale(dimension_of(column.type).value_or(frontend::Dimension{}), as_number(point.binder(i)));
    const std::string value = text_in(point.binder(i), column, scale, 6, words);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", column.name, value);
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
  const Scale scale = readable_scale(dimension, std::max(std::abs(a), std::abs(b)));
  const int digits = digits_to_tell_apart(a, b);
  std::string text = fmt::format("left side:  {}\nright side: {}", text_in(left, left_column, scale, digits, words),
                                 text_in(right, right_column, scale, digits, words));
  const auto quantity = [&](double value) { return format_quantity(value, dimension, std::nullopt, 6); };
  const bool numbers =
      left.type == ir::ScalarType::real || (left.type == ir::ScalarType::integer && !is_text(left_column.type));
  if (numbers && std::isfinite(a - b)) text += fmt::format("\ndifference: {}", quantity(a - b));
  if (expect.has_tolerance) text += fmt::format("\ntolerance:  {}", quantity(as_number(point.cells[3 + at])));
  d.notes.push_back(text);
}

void report_failing(Session& session, const frontend::LoweredTests& lowered, const frontend::TestInfo& test,
                    const ExpectInfo& expect, const Point& point, std::size_t others) {
  std::string where = binders_text(expect, point, lowered.words);
  auto& d = session.diagnostics().add(frontend::DiagnosticKind::failed_expectation, expect.location,
                                      fmt::format("an expectation of `{}` does not hold", test.name),
                                      where.empty() ? "is false" : fmt::format("is false at {}", where));
  if (expect.compares) describe_comparison(d, expect, point, lowered.words);
  if (others > 0) d.notes.push_back(fmt::format("it fails at {} as well", frontend::counted(others, "other point")));
}

bool check_expect(Session& session, const frontend::LoweredTests& lowered, const frontend::TestInfo& test,
                  const ExpectInfo& expect, backend::Evaluation& evaluation) {
  const auto outcome = evaluation.evaluate(expect.root);
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    report(lowered.system, lowered.words, lowered.notes, *failure, session.diagnostics());
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
  if (first) report_failing(session, lowered, test, expect, *first, failing - 1);
  return !first;
}

// Runs what can be evaluated of a test; failures are diagnostics in the session.
Verdict run_test(Session& session, const frontend::LoweredTests& lowered, const frontend::TestInfo& test,
                 backend::Evaluation& evaluation) {
  Verdict verdict = Verdict::passed;
  for (const auto& expect : test.expects) {
    if (expect.failed || !check_expect(session, lowered, test, expect, evaluation)) verdict = Verdict::failed;
  }
  return verdict;
}

struct Command {
  std::vector<std::string> files;
  EngineSettings engine;
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_files(verb, command.files);
  add_engine(verb, command.engine);
  add_search(verb, common);
  add_limits(verb, common);
}

struct Tally {
  int passed = 0, failed = 0;
  std::vector<std::string> failures;  // file and test, or a file that has errors of its own
};

std::string verdict_line(Console& console, const frontend::TestInfo& test, Verdict verdict) {
  const auto& palette = console.result_palette();
  const std::string name = display(test.name).text;
  switch (verdict) {
    case Verdict::passed: return fmt::format("  {}       {}\n", palette(Style::good, "ok"), name);
    case Verdict::failed: return fmt::format("  {}   {}\n", palette(Style::error, "FAILED"), name);
  }
  return {};
}

void count(Tally& tally, Verdict verdict, const std::string& file, const frontend::TestInfo& test) {
  if (verdict == Verdict::passed) {
    ++tally.passed;
    return;
  }
  ++tally.failed;
  tally.failures.push_back(sanitize(fmt::format("{}: {}", file, test.name)));
}

// It has an expectation with an error, which has been reported.
bool cannot_run(const frontend::TestInfo& test) {
  return std::any_of(test.expects.begin(), test.expects.end(),
                     [](const auto& expect) { return expect.failed.has_value(); });
}

// False where the file has errors of its own.
bool run_file(const std::string& file, const EngineSettings& settings, const CommonOptions& options, Console& console,
              Tally& tally) {
  Session session(console, options);
  if (!session.load(file)) return false;
  const auto lowered = lower_tests(session.program(), session.diagnostics());
  const bool some_failed = std::any_of(lowered.tests.begin(), lowered.tests.end(), cannot_run);
  if (!session.settle() && !some_failed) return false;
  console.print(session.name() + "\n");
  if (lowered.tests.empty()) {
    console.print("  no tests\n");
    return true;
  }
  const auto engine = open_engine(session, settings, lowered.system);
  if (engine == nullptr) return session.settle();
  EvaluationWatch watch(console, false);
  backend::Limits limits = engine_limits(options);
  limits.observer = &watch;
  const auto evaluation = engine->start({}, limits);
  for (const auto& test : lowered.tests) {
    const Verdict verdict = run_test(session, lowered, test, *evaluation);
    session.settle();
    console.print(verdict_line(console, test, verdict), Printed::coloured);
    count(tally, verdict, session.name(), test);
  }
  warn_of_what_is_not_compiled(session, settings, evaluation->reports());
  session.settle();
  return true;
}

// Of several files; one speaks for itself.
void print_summary(Console& console, const Tally& tally, std::size_t files) {
  if (files > 1 && !tally.failures.empty()) {
    console.print("failed\n");
    for (const auto& one : tally.failures)
      console.print(fmt::format("  {}\n", console.result_palette()(Style::error, one)), Printed::coloured);
  }
  console.print(fmt::format("{} passed, {} failed", tally.passed, tally.failed));
  console.print(files > 1 ? fmt::format(" in {} files\n", files) : "\n");
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  frontend::Diagnostics diagnostics;
  const auto files = expand_folders(command.files, diagnostics);
  bool clear = console.report({}, diagnostics);
  Tally tally;
  for (const auto& file : files) {
    if (run_file(file, command.engine, options, console, tally)) continue;
    clear = false;
    tally.failures.push_back(fmt::format("{}: has errors", file));
  }
  print_summary(console, tally, files.size());
  return clear && tally.failed == 0 ? success : failure;
}

}  // namespace

Verb test_verb() {
  return make_verb<Command>(
      "test", "Run the tests of files",
      {{"Run the tests of a file", "wave test examples/halo/halo.wave"},
       {"Run those of two folders, compiled", "wave test examples/halo examples/pingpong --engine jit"}},
      declare, execute);
}

}  // namespace wave::cli
