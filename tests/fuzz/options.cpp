// Reads any lines as the words of a command line: what varies, what is shown, conditions, `-D`, amounts and numbers.
// Then asks for that study of a small model, and evaluates it if it is small.
#include "base/clock.h"
#include "cli/option_words.h"
#include "cli/studies/study_plots.h"
#include "cli/studies/study_session.h"
#include "tests/fuzz/promise.h"

#include <chrono>
#include <sstream>

using namespace wave;
using namespace wave::cli;
using fuzz::promise;

namespace {

constexpr const char* model_text = R"(wave 1
machine Net { param L: time = 1 us in 0 us .. 1 s; param G: time/data = 1 us/B; protocol p(s: data) { sender { emit payload after L + s * G }; receiver { await payload } } }
machine Far extends Net { override param L: time = 5 us }
type Both { a: int, b: time }
model M {
  param net: Net = Net()
  param n: int = 4 in 1 .. 1000
  param Wg: time = 1 us
  param mode: fast | slow = fast
  param f: real = 1
  param on: bool = true
  param title: string = "x"
  param sizes: [data] = [1 B, 2 KiB]
  let parts = sum(i in 1 .. n: i * Wg)
  output total = if on then parts + net.L else parts
  output both = Both(a = n, b = f * Wg)
  output each = [k * Wg for k in 1 .. n]
}
study S of M { vary n in 1 .. 4; show total }
)";

constexpr std::uint64_t most_points = 64;

struct Words {
  StudyChoice study;
  CommonOptions common;
  std::optional<analysis::Shard> shard;
  analysis::StudySampling sampling;
  double point_limit = 0;
};

bool read_words(const std::string& text, Words& words) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return read_again(std::move(lines), [&](CLI::App& app) {
    add_study_choice(app, words.study, Points::varied, words.common);
    add_columns(app, words.study.columns);
    add_shard(app, words.shard);
    add_sampling(app, words.sampling);
    add_point_limit(app, words.point_limit);
    add_search(app, words.common);
    add_limits(app, words.common, TimeLimit::none);
  });
}

// What a fuzzer may not ask for: files, other processors and threads.
void keep_small(StudyChoice& choice) {
  choice.file.clear();
  choice.columns.clear();
  choice.engine = {};
  choice.engine.choice = EngineChoice::interpreter;
  choice.engine.threads = 1;
  choice.engine.no_cache = true;
}

// Much time and memory neither. What is asked for is added to the program of a session and stays in it, so this is made
// anew now and then.
class Asked {
 public:
  Asked() {
    options_.memory_limit = std::size_t{16} << 20;
    start_clock();
    console_.capture();
    promise(session_.load("<model>", model_text), "the model of this target has no errors:\n" + console_.captured());
  }
  bool is_used_up() const { return uses_ >= 100; }

  void ask(StudyChoice choice) {
    ++uses_;
    start_clock();
    const auto conditions = std::exchange(choice.where, {});
    auto study = open_study(session_, choice);
    promise(study.has_value() || session_.diagnostics().has_errors(), "without a study there is a reason");
    const bool is_small = study && session_.settle() && check_listed(session_, *study) &&
                          analysis::Product(*study->points).size() <= most_points;
    if (is_small && !conditions.empty()) {
      choice.where = conditions;
      study = open_study(session_, choice);
    }
    const bool is_clear = session_.settle();
    if (is_small && study && is_clear) evaluate(*study);
  }

 private:
  void start_clock() {
    static const auto program_start = std::chrono::steady_clock::now();
    options_.time_limit_seconds = seconds_since(program_start) + 0.2;  // limits count from the start of the program
  }

  void evaluate(const OpenStudy& study) {
    const std::uint64_t points = analysis::Product(*study.points).size();
    promise(points <= most_points, "conditions leave no more points than there were");
    const auto found = study.points->evaluate(analysis::Product(*study.points).points(0, points), {});
    if (const auto* const table = std::get_if<analysis::ResultTable>(&found)) {
      promise(table->rows == points, "each point has a row");
      for (const auto& column : table->columns)
        promise(analysis::length(column.values) == points, "each column has a value for each point");
      plots_of(session_, study.study(), *table, nullptr, {});
    }
    session_.settle();
  }

  CommonOptions options_;
  Console console_{options_};
  Session session_{console_, options_};
  int uses_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Words words;
  if (!read_words(fuzz::text_of(data, size), words)) return 0;
  keep_small(words.study);
  static std::unique_ptr<Asked> asked;
  if (asked == nullptr || asked->is_used_up()) asked = std::make_unique<Asked>();
  asked->ask(words.study);
  return 0;
}
