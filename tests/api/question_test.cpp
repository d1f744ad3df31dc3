// Verbs asked through the C interface: options, models and columns that they are asked of, answers, and what stops
// them.
#include "tests/api/handles.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* line_text = R"(wave 1
model Line {
  param n: int = 1
  param start: time = 1 us
  param step: time = 1 us in 0 us..1 s
  param mode: fast | slow = fast
  param spare: time = 1 us
  output total = start + n * step + (if mode == slow then 1 ms else 0 us) + (if n == 13 then error("thirteen") else 0 us) in us
  output count = n * 2
}
)";
// Points that take the longer the larger n is, without a proof that spares that.
constexpr const char* slow_text =
    "wave 1\nmodel Slow { param n: int = 1; param k: int = 1; output t = k + sum(i in 1..n: i * n mod 7) }";

struct Asked {
  Error error;
  Question question;
  Result answer;

  Asked(void* of, const char* verb, const Options& options) {
    CHECK_OK(wave_question_create(of, verb, question.into(), error.into()));
    for (const auto& [name, value] : options) CHECK_OK(wave_set(question, name.c_str(), value.c_str(), error.into()));
  }
  wave_status run(wave_progress progress = nullptr, void* data = nullptr) {
    return wave_question_run(question, progress, data, answer.into(), error.into());
  }
};

// Columns of a caller, in SI units.
struct Columns {
  std::vector<std::int64_t> n{1, 2, 4, 8};
  std::vector<double> time{5e-6, 8e-6, 14e-6, 26e-6};  // 2 us + 3 us n
  std::vector<wave_column> all{{"n", n.data(), n.size(), WAVE_INTEGER, 0},
                               {"total", time.data(), time.size(), WAVE_REAL, 0}};
  wave_status give(Asked& asked) {
    return wave_question_set_columns(asked.question, "data", all.data(), all.size(), n.size(), asked.error.into());
  }
};

struct DataFile {
  explicit DataFile(const std::string& text)
      : path(std::filesystem::temp_directory_path() / ("wave-measured-" + std::to_string(getpid()) + ".csv")) {
    std::ofstream(path) << text;
  }
  ~DataFile() { std::filesystem::remove(path); }
  const std::filesystem::path path;
};

std::size_t column_of_name(const wave_result* result, std::size_t table, const char* name) {
  auto info = empty<wave_output_info>();
  CHECK_OK(wave_result_output(result, table, &info, nullptr));
  for (std::size_t i = 0; i < info.columns; ++i) {
    auto column = empty<wave_column_info>();
    CHECK_OK(wave_result_column(result, table, i, &column, nullptr));
    if (std::strcmp(column.name, name) == 0) return i;
  }
  FAIL("no column " << name);
  return 0;
}

template <class Cell>
std::vector<Cell> cells(const wave_result* result, const char* table, const char* name, int unit = WAVE_SI) {
  std::size_t at = 0;
  CHECK_OK(wave_result_find(result, table, &at, nullptr));
  return column_of<Cell>(result, at, column_of_name(result, at, name), unit);
}

std::vector<double> reals(const wave_result* result, const char* table, const char* name, int unit = WAVE_SI) {
  return cells<double>(result, table, name, unit);
}

std::vector<std::int64_t> integers(const wave_result* result, const char* table, const char* name) {
  return cells<std::int64_t>(result, table, name);
}

std::vector<std::string> texts(const wave_result* result, const char* table, const char* name) {
  const auto all = cells<const char*>(result, table, name);
  return {all.begin(), all.end()};
}

double number(const wave_result* result, const char* name) { return value_of<double>(result, name); }

std::string text_in(const wave_result* result, const char* name) { return value_of<const char*>(result, name); }

std::string warnings_of(const wave_result* result) {
  Error warnings;
  CHECK_OK(wave_warnings(result, warnings.into(), nullptr));
  return text_of(warnings);
}

const Options grid = {{"over", "n=1..64"}, {"minimize", "64 s / n + n * 1 s"}, {"show", "count"}};

}  // namespace

TEST_CASE("an answer has the tables of a verb, in SI units and as asked, and what is said beside them") {
  Loaded line(line_text);
  Asked find(line.model, "find", {{"over", "n=1..64"}, {"where", "total <= 5 us"}, {"show", "total"}});
  CHECK_OK(find.run());
  CHECK(integers(find.answer, "found", "n") == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(reals(find.answer, "found", "total") == std::vector<double>{2e-6, 3e-6, 4e-6, 5e-6});
  CHECK(reals(find.answer, "found", "total", WAVE_ASKED) == std::vector<double>{2, 3, 4, 5});
  CHECK(number(find.answer, "outcome.holding") == 4);
  CHECK_THAT(texts(find.answer, ".says", "line").front(), Catch::Contains("4 of 64 points: n = 1..4"));
  find.answer = Result();
  CHECK_OK(wave_set(find.question, "format", "csv", find.error.into()));
  CHECK_OK(find.run());
  CHECK(text_in(find.answer, ".text") == "n,total [us]\n1,2\n2,3\n3,4\n4,5\n");
}

TEST_CASE("a question is of the model as it was set when the question was made") {
  Loaded line(line_text);
  CHECK_OK(wave_model_set_real(line.model, "start", 1e-3, line.error.into()));
  CHECK_OK(wave_model_set_text(line.model, "mode", "slow", line.error.into()));
  Asked run(line.model, "run", {{"D", "n=4"}});
  CHECK_OK(wave_model_set(line.model, nullptr, nullptr, line.error.into()));
  CHECK_OK(run.run());
  CHECK(number(run.answer, "total") == Approx(2.004e-3));
  CHECK(line.run("total") == Approx(2e-6));
}

TEST_CASE("a question of a program is of its texts as they were read, and of no model as it is set") {
  Loaded line(line_text);
  CHECK_OK(wave_model_set_integer(line.model, "n", 4, line.error.into()));
  Asked run(line.program, "run", {}), find(line.program, "find", {{"over", "n=1..64"}, {"where", "total <= 5 us"}});
  CHECK_OK(run.run());
  CHECK(number(run.answer, "total") == Approx(2e-6));
  CHECK_OK(find.run());
  CHECK(integers(find.answer, "found", "n") == std::vector<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE("flags, arguments and options that are repeated are given by their names; others are refused") {
  Context context;
  Error error;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  Asked cost(context, "cost", {{"machine", "std.machines.ibm_sp2.SP2"}, {"SIZES", "8 B, 4 KiB"}});
  CHECK_OK(cost.run());
  CHECK(reals(cost.answer, "cost", "size") == std::vector<double>{8, 4096});
  CHECK(texts(cost.answer, "cost", "protocol") == std::vector<std::string>{"eager", "rendezvous"});
  Loaded line(line_text);
  const auto refuses = [&](const Options& options, const char* words) {
    CAPTURE(words);
    Asked find(line.model, "find", options);
    CHECK_FAILS(WAVE_MISUSE, words, find.run());
    CHECK(find.answer == nullptr);
  };
  refuses({{"ovr", "n=1..4"}, {"where", "n > 1"}}, "did you mean `--over`?");
  refuses({{"where", "n > 1"}}, "`wave find` needs `--over`");
  refuses({{"over", "n=1..4"}, {"where", "n > 1"}, {"all", "yes"}}, "it takes `true` or `false`");
  refuses({{"over", "n=1..4"}, {"where", "n > 1"}, {"all", "true"}, {"first", "true"}}, "first");
  refuses({{"over", "n=1..4"}, {"where", "-"}}, "uses no standard input");
  refuses({{"over", "n=1..4"}, {"where", "n > 1"}, {"format", "xml"}}, "`--format` does not take `xml`");
  Question none;
  CHECK_FAILS(WAVE_MISUSE, "did you mean `find`?", wave_question_create(context, "fnd", none.into(), error.into()));
  CHECK_FAILS(WAVE_MISUSE, "answers no question", wave_question_create(context, "lsp", none.into(), error.into()));
  CHECK_FAILS(WAVE_MISUSE, "is asked of no model", wave_question_create(line.model, "cost", none.into(), error.into()));
  CHECK_FAILS(WAVE_MISUSE, "`of`", wave_question_create(&context, "find", none.into(), error.into()));
  CHECK_FAILS(WAVE_MISUSE, "`of`", wave_question_create(nullptr, "cost", none.into(), error.into()));
  CHECK_FAILS(WAVE_MISUSE, "`of`", wave_question_create(cost.answer, "find", none.into(), error.into()));
}

TEST_CASE("what is wrong with the model or the question has its place, and there is no answer") {
  Loaded line(line_text);
  Asked find(line.model, "find", {{"over", "n=1..4"}, {"where", "totl <= 5 us"}});
  CHECK_FAILS(WAVE_FAILED, "did you mean `total`?", find.run());
  auto diagnostic = empty<wave_diagnostic>();
  CHECK_OK(wave_error_diagnostic(find.error, 0, &diagnostic));
  CHECK(std::string(diagnostic.code) == "E0201");
  CHECK(std::string(diagnostic.file) == "--where");
  CHECK(diagnostic.column == 1);
  CHECK(find.answer == nullptr);
}

TEST_CASE("an answer that is not whole is there beside what is wrong with it") {
  Loaded line(line_text);
  Columns columns;
  Asked validate(line.model, "validate", {{"within", "10%"}});
  CHECK_OK(columns.give(validate));
  CHECK_FAILS(WAVE_FAILED, "off by 65 %, more than 10 %", validate.run());
  REQUIRE(validate.answer != nullptr);
  CHECK(number(validate.answer, "summary.compared") == 4);
}

TEST_CASE("a model is compared with columns in SI units as with a file in any unit") {
  Loaded line(line_text);
  Columns columns;
  const DataFile file("n,total [us]\n1,5\n2,8\n4,14\n8,26\n");
  Asked of_columns(line.model, "validate", {}), of_file(line.model, "validate", {{"data", file.path.string()}});
  CHECK_OK(columns.give(of_columns));
  CHECK_OK(of_columns.run());
  CHECK_OK(of_file.run());
  for (const char* column : {"measured", "predicted", "error"})
    CHECK(reals(of_columns.answer, "configurations", column) == reals(of_file.answer, "configurations", column));
  CHECK(reals(of_file.answer, "configurations", "measured") == columns.time);
  CHECK(reals(of_file.answer, "configurations", "measured", WAVE_ASKED) == std::vector<double>{5, 8, 14, 26});
  CHECK(number(of_columns.answer, "summary.largest_error") == Approx(17.0 / 26));
  CHECK(number(of_columns.answer, "ranking.right") == 6);
  CHECK(warnings_of(of_columns.answer).empty());
}

TEST_CASE("columns that cannot be used are refused, with the reason") {
  Loaded line(line_text);
  const auto refuses = [&](wave_status status, const char* words, Columns& columns, const Options& options = {}) {
    CAPTURE(words);
    Asked validate(line.model, "validate", options);
    const wave_status given = columns.give(validate);
    CHECK((given == WAVE_OK ? validate.run() : given) == status);
    CHECK_THAT(last_text(), Catch::Contains(words));
    CHECK(validate.answer == nullptr);
  };
  Columns unknown, none, wrong_unit, nan, shorter, negative, broken;
  unknown.all.push_back({"m", unknown.n.data(), 4, WAVE_INTEGER, 0});
  refuses(WAVE_FAILED, "which column is that of the measurements?", unknown);
  refuses(WAVE_FAILED, "`m` is no parameter of `Line`", unknown, {{"measured", "total"}});
  refuses(WAVE_FAILED, "there is no column `tota`", unknown, {{"measured", "tota"}});
  none.all.pop_back();
  refuses(WAVE_FAILED, "no column of measurements", none);
  wrong_unit.all[1].name = "total [B]";
  refuses(WAVE_FAILED, "total", wrong_unit);
  nan.time[2] = std::nan("");
  refuses(WAVE_MISUSE, "row 2 of column `total` is no finite number", nan);
  shorter.all[1].count = 3;
  refuses(WAVE_MISUSE, "column `total` has 3 cells for 4 rows", shorter);
  negative.time[0] = -1;
  refuses(WAVE_FAILED, "expected a positive number", negative);
  const char* const lines[] = {"fast", "fast", "slow\nfast", "slow"};
  broken.all.push_back({"mode", lines, 4, WAVE_TEXT, 0});
  refuses(WAVE_MISUSE, "row 2 of column `mode` has a line break", broken);
  Asked cost(line.context, "cost", {});
  CHECK_FAILS(WAVE_MISUSE, "the question is of none", nan.give(cost));
}

TEST_CASE("parameters are fitted to columns, with what the data leave open among the warnings") {
  Loaded line(line_text);
  Columns columns;
  Asked fit(line.model, "fit", {{"params", "start"}, {"params", "step"}});
  CHECK_OK(columns.give(fit));
  CHECK_OK(fit.run());
  CHECK(texts(fit.answer, "parameters", "parameter") == std::vector<std::string>{"start", "step"});
  CHECK(reals(fit.answer, "parameters", "value")[0] == Approx(2e-6));
  CHECK(reals(fit.answer, "parameters", "value")[1] == Approx(3e-6));
  CHECK(texts(fit.answer, "parameters", "unit") == std::vector<std::string>{"s", "s"});
  for (const double error : reals(fit.answer, "configurations", "error")) CHECK(std::fabs(error) < 1e-9);
  CHECK(number(fit.answer, "summary.root_mean_square_error") < 1e-9);
  Asked open(line.model, "fit", {{"params", "start,spare"}});
  CHECK_OK(columns.give(open));
  CHECK_OK(open.run());
  CHECK_THAT(warnings_of(open.answer), Catch::Contains("`spare`"));
  CHECK(texts(open.answer, "parameters", "standing")[1] == "without influence");
}

TEST_CASE("pictures and pages are drawn for a question, and none is written") {
  Loaded pair(
      "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel Pair { grid P[i: 2]; process exchange on P using SP2() "
      "{ compute(1 us); send 8 B to [i+1]; recv 8 B from [i-1] }; output t = exchange.time }");
  const auto folder = std::filesystem::temp_directory_path() / ("wave-asked-" + std::to_string(getpid()));
  for (const char* const ending : {"svg", "png", "pdf", "html"}) {
    INFO(ending);
    const std::string path = folder.string() + "." + ending;
    Asked trace(pair.model, "trace", {{"o", path}});
    CHECK_OK(trace.run());
    const std::string drawn = texts(trace.answer, ".files", "text").front();
    const std::string coded = texts(trace.answer, ".files", "base64").front();
    CHECK(texts(trace.answer, ".files", "name").front() == path);
    CHECK(drawn.size() + coded.size() > 1000);
    CHECK(drawn.empty() == (std::string(ending) == "png" || std::string(ending) == "pdf"));
    CHECK_FALSE(std::filesystem::exists(path));
  }
  Context context;
  Error error;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  Asked site(context, "doc", {{"MODULE", "std.machines.ibm_sp2"}, {"html", folder.string()}});
  CHECK_OK(site.run());
  const auto names = texts(site.answer, ".files", "name");
  CHECK(std::find(names.begin(), names.end(), folder.string() + "/index.html") != names.end());
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("what is beside an answer hides no output") {
  Loaded line(
      "wave 1\nmodel m {\n  param n: int = 2\n  output text = n * 1 s\n  output says = n\n  output files = 3\n}\n");
  Asked run(line.model, "run", {{"format", "csv"}});
  CHECK_OK(run.run());
  CHECK(number(run.answer, "text") == 2.0);
  CHECK_THAT(text_in(run.answer, ".text"), Catch::Contains("text"));
}

TEST_CASE("a question reads neither pipes nor devices") {
  Context context;
  Error error;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  for (const char* const file : {"/dev/stdin", "/dev/zero", "-"}) {
    INFO(file);
    Asked run(context, "run", {{"FILE", file}});
    CHECK(run.run() != WAVE_OK);
    Loaded line(line_text);
    Asked given(line.model, "run", {{"D", std::string("@") + file}});
    CHECK(given.run() != WAVE_OK);
  }
}

TEST_CASE("a machine is fitted to a file, as a text and not as a file, and who is told can stop it") {
  Context context;
  Error error;
  CHECK_OK(wave_context_create(context.into(), error.into()));
  std::string table = "size [B],time [us]\n";
  for (int i = 1; i <= 400; ++i)
    table += std::to_string(i * 8) + "," + std::to_string(2 + 0.001 * i * 8 + i % 3) + "\n";
  const DataFile file(table);
  const std::string output = file.path.string() + ".wave";
  const Options options = {{"FILE", "csv"}, {"FILE", file.path.string()}, {"output", output}};
  Asked fit(context, "fit", options);
  CHECK_OK(fit.run());
  const std::string machine = text_in(fit.answer, "machine.text");
  CHECK(texts(fit.answer, ".files", "text") == std::vector<std::string>{machine});
  CHECK_FALSE(std::filesystem::exists(output));
  Program module;
  CHECK_OK(wave_program_load(context, "machine.wave", machine.c_str(), nullptr, 0, module.into(), error.into()));
}

TEST_CASE("the best is found and proved, and every method finds the same") {
  Loaded line(line_text);
  for (const char* method : {"auto", "exhaustive", "bounds", "search"}) {
    CAPTURE(method);
    Options options = grid;
    options.emplace_back("method", method);
    Asked optimize(line.model, "optimize", options);
    CHECK_OK(optimize.run());
    CHECK(integers(optimize.answer, "best", "n").front() == 8);
    CHECK(integers(optimize.answer, "best", "place").front() == 1);
    CHECK(text_in(optimize.answer, "outcome.proof") != "");
  }
  Asked front(line.model, "optimize", {{"over", "n=1..4"}, {"minimize", "total"}, {"maximize", "count"}});
  CHECK_OK(front.run());
  CHECK(integers(front.answer, "best", "n") == std::vector<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE("a search that is stopped gives the best so far, and the next one goes to its end") {
  Loaded slow(slow_text);
  Asked optimize(slow.model, "optimize", {{"over", "n=1..3000"}, {"minimize", "t"}, {"no-explanation", "true"}});
  std::atomic<int> calls{0};
  const auto stops = [](std::uint64_t done, std::uint64_t, void* data) {
    ++*static_cast<std::atomic<int>*>(data);
    return done > 0 ? 1 : 0;
  };
  CHECK_FAILS(WAVE_STOPPED, "stopped", optimize.run(stops, &calls));
  CHECK(calls > 0);
  Asked short_one(slow.model, "optimize", {{"over", "n=1..8"}, {"minimize", "t"}});
  CHECK_OK(short_one.run());
  CHECK(integers(short_one.answer, "best", "n").front() == 7);
}

TEST_CASE("another thread stops a question within a moment, and its context limits it") {
  Loaded slow(slow_text);
  Asked find(slow.model, "find", {{"over", "n=1..2000000"}, {"where", "t == 2"}, {"time-limit", "none"}});
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    for (int i = 0; i < 100; ++i) {
      CHECK(wave_stop(find.question) == WAVE_OK);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  CHECK_FAILS(WAVE_STOPPED, "stopped", find.run());
  other.join();
  CHECK_OK(wave_set(slow.model, "time-limit", "50 ms", slow.error.into()));
  Asked run(slow.model, "run", {{"D", "n=2000000000"}});
  CHECK_FAILS(WAVE_LIMIT, "E0610", run.run());
}

TEST_CASE("questions of one model are answered at the same time") {
  Loaded line(line_text);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) {
        wave_question* question = nullptr;
        wave_result* answer = nullptr;
        const void* values = nullptr;
        std::size_t count = 0;
        const bool is_asked =
            wave_question_create(line.model, "find", &question, nullptr) == WAVE_OK &&
            wave_set(question, "over", "n=1..40", nullptr) == WAVE_OK &&
            wave_set(question, "where", t % 2 ? "n > 30" : "n > 36", nullptr) == WAVE_OK &&
            wave_question_run(question, nullptr, nullptr, &answer, nullptr) == WAVE_OK &&
            wave_result_cells(answer, 0, 0, WAVE_INTEGER, WAVE_SI, &values, &count, nullptr) == WAVE_OK;
        if (!is_asked || count != (t % 2 ? 10 : 4)) ++failures;
        wave_close(answer);
        wave_close(question);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
}
