// `wave test`: runs the tests of files. A test passes where all its expectations hold.
#include "analysis/expectations.h"
#include "cli/diagnostics.h"
#include "cli/embedded.h"
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/formats/readable.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using analysis::Verdict;

struct TestCommand {
  std::vector<std::string> files;
  Format format;
  EngineSettings engine;
};

void declare(CLI::App& verb, TestCommand& command, CommonOptions& common) {
  add_files(verb, command.files);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
}

struct Failure {
  std::string code, message, labels, notes, help, file;
  frontend::LineColumn place;
};

struct Outcome {
  std::string file, test;
  frontend::LineColumn place;  // of the test
  bool has_passed = false;
  std::vector<Failure> failures;  // its diagnostics
  std::string message;            // of the first
};

struct Outcomes {
  std::vector<Outcome> tests;
  std::vector<std::string> unread;  // files that have errors of their own

  std::size_t passed() const {
    return static_cast<std::size_t>(
        std::count_if(tests.begin(), tests.end(), [](const Outcome& one) { return one.has_passed; }));
  }
  std::size_t failed() const { return tests.size() - passed(); }
};

// It has an expectation with an error, which has been reported.
bool cannot_run(const frontend::TestInfo& test) {
  return std::any_of(test.expects.begin(), test.expects.end(),
                     [](const auto& expect) { return expect.failed.has_value(); });
}

Failure failure_of(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic) {
  std::vector<std::string> labels;
  for (const auto& label : diagnostic.labels) {
    if (!label.text.empty()) labels.push_back(label.text);
  }
  Failure failure{std::string(code_of(diagnostic.kind)),
                  diagnostic.message,
                  join_texts(labels, "\n"),
                  join_texts(diagnostic.notes, "\n"),
                  join_texts(diagnostic.help, "\n"),
                  "",
                  {}};
  if (diagnostic.labels.empty() || !diagnostic.labels.front().location.known()) return failure;
  const Location at = diagnostic.labels.front().location;
  failure.file = sources.name(at.file);
  failure.place = sources.line_column(at.file, at.begin);
  return failure;
}

Outcome run(Session& session, const frontend::LoweredTests& lowered, const frontend::TestInfo& test,
            backend::Evaluation& evaluation) {
  Outcome one{session.name(), test.name, session.sources().line_column(test.location.file, test.location.begin)};
  one.has_passed = analysis::run_test(lowered, test, evaluation, session.diagnostics()) == Verdict::passed;
  for (const auto& diagnostic : session.diagnostics().all()) {
    if (diagnostic.severity != frontend::Severity::error) continue;
    if (one.failures.empty()) one.message = diagnostic.message;
    one.failures.push_back(failure_of(session.sources(), diagnostic));
  }
  session.settle();
  return one;
}

std::string verdict_line(Console& console, const Outcome& one) {
  const auto& palette = console.result_palette();
  const std::string name = display(one.test).text;
  return one.has_passed ? fmt::format("  {}       {}\n", palette(Style::good, "ok"), name)
                        : fmt::format("  {}   {}\n", palette(Style::error, "FAILED"), name);
}

// False where the file has errors of its own. `is_shown`: each verdict is printed as it comes.
bool run_file(const std::string& file, const TestCommand& command, const CommonOptions& options, Console& console,
              bool is_shown, Outcomes& outcomes) {
  Session session(console, options);
  if (!session.load(file)) return false;
  const auto lowered = lower_tests(session.program(), session.diagnostics());
  const bool some_failed = std::any_of(lowered.tests.begin(), lowered.tests.end(), cannot_run);
  if (!session.settle() && !some_failed) return false;
  if (is_shown) console.print(session.name() + (lowered.tests.empty() ? "\n  no tests\n" : "\n"));
  if (lowered.tests.empty()) return true;
  const auto engine = open_engine(session, command.engine, lowered.system);
  if (engine == nullptr) return session.settle();
  EvaluationWatch watch(console, false);
  backend::Limits limits = engine_limits(options);
  limits.observer = &watch;
  const auto evaluation = engine->start({}, limits);
  for (const auto& test : lowered.tests) {
    const Outcome& one = outcomes.tests.emplace_back(run(session, lowered, test, *evaluation));
    if (is_shown) console.print(verdict_line(console, one), Printed::coloured);
  }
  warn_of_what_is_not_compiled(session, command.engine, evaluation->reports());
  session.settle();
  return true;
}

// Of several files; one speaks for itself.
void print_summary(Console& console, const Outcomes& outcomes, std::size_t files) {
  std::vector<std::string> failures;
  for (const Outcome& one : outcomes.tests) {
    if (!one.has_passed) failures.push_back(sanitize(fmt::format("{}: {}", one.file, one.test)));
  }
  for (const std::string& file : outcomes.unread) failures.push_back(fmt::format("{}: has errors", file));
  if (files > 1 && !failures.empty()) {
    console.print("failed\n");
    for (const auto& one : failures)
      console.print(fmt::format("  {}\n", console.result_palette()(Style::error, one)), Printed::coloured);
  }
  console.print(fmt::format("{} passed, {} failed", outcomes.passed(), outcomes.failed()));
  console.print(files > 1 ? fmt::format(" in {} files\n", files) : "\n");
}

// A row for each error of a test that failed.
analysis::RowTable failures_of(const Outcomes& outcomes) {
  analysis::RowTable table{"failures", "", {}, {}};
  for (const char* name :
       {"test_file", "test_line", "test", "code", "message", "labels", "notes", "help", "file", "line", "column"}) {
    const std::string column = name;
    const bool is_number = column == "test_line" || column == "line" || column == "column";
    table.columns.push_back({column, is_number ? count_type() : text_type(), {}});
  }
  for (const Outcome& one : outcomes.tests) {
    for (const Failure& failure : one.failures)
      table.rows.push_back({one.file, std::int64_t{one.place.line}, one.test, failure.code, failure.message,
                            failure.labels, failure.notes, failure.help, failure.file, std::int64_t{failure.place.line},
                            std::int64_t{failure.place.column}});
  }
  return table;
}

analysis::RowTable summary_of(const Outcomes& outcomes) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  return analysis::record_table("summary", {{{"passed", count_type(), {}}, count(outcomes.passed())},
                                            {{"failed", count_type(), {}}, count(outcomes.failed())},
                                            {{"unread", text_type(), {}}, join_texts(outcomes.unread, ", ")}});
}

Document document_of(const Outcomes& outcomes) {
  analysis::RowTable tests{"tests",
                           "",
                           {{"file", text_type(), {}},
                            {"line", count_type(), {}},
                            {"column", count_type(), {}},
                            {"test", text_type(), {}},
                            {"verdict", text_type(), {}},
                            {"message", text_type(), {}}},
                           {}};
  for (const Outcome& one : outcomes.tests)
    tests.rows.push_back({one.file, std::int64_t{one.place.line}, std::int64_t{one.place.column}, one.test,
                          std::string(one.has_passed ? "passed" : "failed"), one.message});
  Document document = document_about("", "");
  document.tables = {row_table(tests), row_table(failures_of(outcomes)), row_table(summary_of(outcomes))};
  document.page = [](const std::vector<OutputTable>& tables) {
    return Passages{{"", readable(tables.front(), table_digits)}};
  };
  return document;
}

int execute(const TestCommand& command, const CommonOptions& options, Console& console) {
  frontend::Diagnostics diagnostics;
  const auto files = expand_folders(command.files, diagnostics);
  const bool is_clear = console.report({}, diagnostics);
  const bool is_shown = command.format == Format();
  Outcomes outcomes;
  for (const auto& file : files) {
    if (!run_file(file, command, options, console, is_shown, outcomes)) outcomes.unread.push_back(file);
  }
  const bool is_good = is_clear && outcomes.unread.empty() && outcomes.failed() == 0;
  if (is_shown) {
    print_summary(console, outcomes, files.size());
    return is_good ? success : failure;
  }
  const int done = write_document(document_of(outcomes), command.format, "", console);
  return is_good ? done : failure;
}

}  // namespace

Verb test_verb() {
  return make_verb<TestCommand>(
      "test", "Run the tests of files",
      {{"Run the tests of a file", "wave test examples/halo/halo.wave"},
       {"Run those of two folders, compiled", "wave test examples/halo examples/pingpong --engine jit"},
       {"For a program that reads what failed, and where", "wave test examples/halo --format json"}},
      declare, execute);
}

}  // namespace wave::cli
