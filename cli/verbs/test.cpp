// `wave test`: runs the tests of files. A test passes where all its expectations hold.
#include "analysis/expectations.h"
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/limits.h"
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
    const Verdict verdict = analysis::run_test(lowered, test, *evaluation, session.diagnostics());
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
