// Reads any text as results in JSON: as those of a study that is made again, and on either side of `wave diff`.
#include "base/clock.h"
#include "cli/option_words.h"
#include "cli/studies/recorded_study.h"
#include "cli/studies/result_document.h"
#include "cli/verb.h"
#include "tests/folder.h"
#include "tests/fuzz/promise.h"

#include <chrono>

namespace wave::cli {
Verb diff_verb();  // of cli/verbs/diff.cpp
}

using namespace wave;
using namespace wave::cli;
using fuzz::promise;

namespace {

// The model of the tests' results, and one of each kind.
const std::string fixtures = WAVE_SOURCE_DIR "/tests/cli/fixtures/";

CommonOptions small_options() {
  static const auto program_start = std::chrono::steady_clock::now();
  CommonOptions options;
  options.memory_limit = std::size_t{64} << 20;
  options.time_limit_seconds = seconds_since(program_start) + 0.2;  // limits count from the start of the program
  return options;
}

std::optional<RecordedChoice> read_choice(std::vector<std::string> words) {
  if (words.empty()) return std::nullopt;
  words.erase(words.begin());
  RecordedChoice choice;
  CommonOptions common;
  const bool is_read = read_again(std::move(words), [&](CLI::App& app) {
    add_study_choice(app, choice.of, Points::varied, common);
    add_columns(app, choice.of.columns);
    add_search(app, common);
  });
  choice.search = std::move(common.search);
  return is_read ? std::optional(std::move(choice)) : std::nullopt;
}

void read_again(const std::string& path, const CommonOptions& options) {
  Console console(options);
  console.capture();
  StudyChoice choice;
  choice.file = path;
  const auto recorded = read_recorded(choice, options, read_choice, console);
  promise(recorded.has_value() || console.has_errors(), "results that are refused have a reason");
}

// `wave diff`, as the program runs it; nothing is printed.
void diff(const std::string& before, const std::string& after, const CommonOptions& options) {
  static const Verb verb = diff_verb();
  Execution execute;
  CommonOptions common;
  const bool is_read =
      cli::read_again({before, after, "--file", fixtures + "questions.wave", "--engine", "interpreter"},
                      [&](CLI::App& app) { execute = verb.declare(app, common); });
  promise(is_read, "`wave diff` takes two files");
  Console console(options);
  console.capture();
  const int code = execute(options, console);
  promise(code == success || console.has_errors(), "what cannot be compared has a reason");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::Folder folder;
  static const std::string path = (folder.path() / "results.json").string();
  test::write_file(path, fuzz::text_of(data, size));
  const CommonOptions options = small_options();
  read_again(path, options);
  Console console(options);
  console.capture();
  const auto document = read_result(console, path, options.memory_limit);
  promise(document.has_value() || console.has_errors(), "a document that is refused has a reason");
  if (!document) return 0;
  const std::string other = fixtures + (document->is_sweep ? "sweep.json" : "before.json");
  diff(other, path, options);
  diff(path, path, options);
  return 0;
}
