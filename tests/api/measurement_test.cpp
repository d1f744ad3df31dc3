// Models beside measurements through the C interface: files and columns, what is told, and what is refused.
#include "tests/api/handles.h"

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
  output total = start + n * step + (if mode == slow then 1 ms else 0 us) + (if n == 13 then error("thirteen") else 0 us)
  output count = n * 2
}
)";

// Columns of a caller, in SI units.
struct Columns {
  std::vector<std::int64_t> n{1, 2, 4, 8};
  std::vector<double> time{5e-6, 8e-6, 14e-6, 26e-6};  // 2 us + 3 us n
  std::vector<wave_column> all{{"n", n.data(), n.size(), WAVE_INTEGER, 0},
                               {"total", time.data(), time.size(), WAVE_REAL, 0}};
  wave_measurements measurements{};
  const wave_measurements* get() {
    measurements.size = sizeof measurements;
    measurements.columns = all.data();
    measurements.column_count = all.size();
    measurements.rows = n.size();
    return &measurements;
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

wave_measurements of_file(const char* path) {
  wave_measurements measurements{};
  measurements.size = sizeof measurements;
  measurements.file = path;
  return measurements;
}

std::size_t column_of(const wave_result* result, std::size_t table, const char* name) {
  wave_output_info info{};
  info.size = sizeof info;
  CHECK_OK(wave_result_output(result, table, &info, nullptr));
  for (std::size_t i = 0; i < info.columns; ++i) {
    wave_column_info column{};
    column.size = sizeof column;
    CHECK_OK(wave_result_column(result, table, i, &column, nullptr));
    if (std::strcmp(column.name, name) == 0) return i;
  }
  FAIL("no column " << name);
  return 0;
}

std::vector<double> reals(const wave_result* result, const char* table, const char* name, int unit = WAVE_SI) {
  std::size_t at = 0, count = 0;
  const double* values = nullptr;
  CHECK_OK(wave_result_find(result, table, &at, nullptr));
  CHECK_OK(wave_result_reals(result, at, column_of(result, at, name), unit, &values, &count, nullptr));
  return {values, values + count};
}

std::vector<std::string> texts(const wave_result* result, const char* table, const char* name) {
  std::size_t at = 0, count = 0;
  const char* const* values = nullptr;
  CHECK_OK(wave_result_find(result, table, &at, nullptr));
  CHECK_OK(wave_result_texts(result, at, column_of(result, at, name), &values, &count, nullptr));
  return {values, values + count};
}

double number(const wave_result* result, const char* name) {
  double value = 0;
  CHECK_OK(wave_result_real(result, name, &value, nullptr));
  return value;
}

std::string warnings_of(const wave_result* result) {
  Error warnings;
  CHECK_OK(wave_result_warnings(result, warnings.into(), nullptr));
  return text_of(warnings);
}

const char* const line_parameters[] = {"start", "step"};

}  // namespace

TEST_CASE("a model is compared with columns in SI units as with a file in any unit") {
  Loaded line(line_text);
  Columns columns;
  Result of_columns, of_file_result;
  CHECK_OK(wave_model_validate(line.model, columns.get(), nullptr, nullptr, of_columns.into(), line.error.into()));
  const DataFile file("n,total [us]\n1,5\n2,8\n4,14\n8,26\n");
  const auto asked = of_file(file.path.c_str());
  CHECK_OK(wave_model_validate(line.model, &asked, nullptr, nullptr, of_file_result.into(), line.error.into()));
  for (const char* column : {"measured", "predicted", "error"})
    CHECK(reals(of_columns, "configurations", column) == reals(of_file_result, "configurations", column));
  CHECK(reals(of_file_result, "configurations", "measured") == columns.time);
  CHECK(reals(of_file_result, "configurations", "measured", WAVE_ASKED) == std::vector<double>{5, 8, 14, 26});
  CHECK(reals(of_columns, "configurations", "predicted") == std::vector<double>{2e-6, 3e-6, 5e-6, 9e-6});
  CHECK(number(of_columns, "summary.compared") == 4);
  CHECK(number(of_columns, "summary.largest_error") == Approx(17.0 / 26));
  CHECK(number(of_columns, "summary.worst") == 3);
  CHECK(number(of_columns, "summary.bias") == -number(of_columns, "summary.mean_error"));
  CHECK(number(of_columns, "ranking.right") == 6);
  CHECK(warnings_of(of_columns).empty());
}

TEST_CASE(
    "measurements without a unit are in that of the only quantity that the model has, and refused where it has two") {
  Loaded line(line_text);
  Columns columns;
  columns.all[1].name = "run";
  Result result;
  CHECK_OK(wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()));
  CHECK(reals(result, "configurations", "measured") == columns.time);
  Loaded two("wave 1\nmodel M { param n: int; output t = n * 1 s; output u = 2 * t; output r = 1 MB / t }");
  CHECK_FAILS(WAVE_FAILED, "say in which unit it is: `--measured \"run [s]\"`",
              wave_model_validate(two.model, columns.get(), nullptr, nullptr, result.into(), two.error.into()));
  columns.measurements.show = "r";
  CHECK_OK(wave_model_validate(two.model, columns.get(), nullptr, nullptr, result.into(), two.error.into()));
  CHECK(reals(result, "configurations", "predicted")[1] == Approx(5e5));
}

TEST_CASE("configurations at which a model fails have a code, and their reason is told") {
  Loaded line(line_text);
  Columns columns;
  columns.n[1] = 13;
  Result result;
  CHECK_OK(wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()));
  const std::int32_t* codes = nullptr;
  std::size_t count = 0;
  CHECK_OK(wave_result_codes(result, 0, &codes, &count, nullptr));
  REQUIRE(count == 4);
  CHECK(std::vector<std::int32_t>(codes, codes + count) == std::vector<std::int32_t>{0, 513, 0, 0});
  CHECK(std::isnan(reals(result, "configurations", "predicted")[1]));
  CHECK(number(result, "summary.compared") == 3);
  CHECK_THAT(warnings_of(result), Catch::Contains("thirteen"));
}

TEST_CASE("parameters are fitted to columns, and the model with them predicts what was measured") {
  Loaded line(line_text);
  Columns columns;
  Result result;
  CHECK_OK(wave_model_fit(line.model, columns.get(), line_parameters, 2, nullptr, nullptr, nullptr, result.into(),
                          line.error.into()));
  CHECK(texts(result, "parameters", "parameter") == std::vector<std::string>{"start", "step"});
  CHECK(texts(result, "parameters", "unit") == std::vector<std::string>{"s", "s"});
  CHECK(texts(result, "parameters", "standing") == std::vector<std::string>{"determined", "determined"});
  const auto values = reals(result, "parameters", "value");
  CHECK(values[0] == Approx(2e-6));
  CHECK(values[1] == Approx(3e-6));
  CHECK(number(result, "summary.largest_error") < 1e-6);
  CHECK(reals(result, "correlation", "step")[1] == Approx(1));
  CHECK_OK(wave_model_set_real(line.model, "start", values[0], line.error.into()));
  CHECK_OK(wave_model_set_real(line.model, "step", values[1], line.error.into()));
  CHECK(line.run("total") == Approx(5e-6));
}

TEST_CASE("what the data leave open is a warning, and bounds hold") {
  Loaded line(line_text);
  Columns columns;
  const char* const with_spare[] = {"start", "spare"};
  Result result;
  CHECK_OK(wave_model_fit(line.model, columns.get(), with_spare, 2, nullptr, nullptr, nullptr, result.into(),
                          line.error.into()));
  CHECK_THAT(warnings_of(result), Catch::Contains("no prediction depends on `spare`"));
  CHECK(texts(result, "parameters", "standing")[1] == "without influence");
  const char* const bounds[] = {"step=1us..2us"};
  wave_fit_options options{};
  options.size = sizeof options;
  options.bounds = bounds;
  options.bounds_count = 1;
  CHECK_OK(wave_model_fit(line.model, columns.get(), line_parameters, 2, &options, nullptr, nullptr, result.into(),
                          line.error.into()));
  CHECK(texts(result, "parameters", "standing")[1] == "at upper bound");
  CHECK(reals(result, "parameters", "value")[1] == 2e-6);
}

TEST_CASE("who is told can stop a validation or a fit, and the model can be asked again") {
  Loaded line(line_text);
  Columns columns;
  Result result;
  const auto stops = [](std::uint64_t, std::uint64_t, void*) { return 1; };
  CHECK_FAILS(WAVE_STOPPED, "stopped",
              wave_model_validate(line.model, columns.get(), stops, nullptr, result.into(), line.error.into()));
  CHECK_FAILS(WAVE_STOPPED, "stopped",
              wave_model_fit(line.model, columns.get(), line_parameters, 2, nullptr, stops, nullptr, result.into(),
                             line.error.into()));
  CHECK(result == nullptr);
  const auto ends = [](std::uint64_t, std::uint64_t, void* model) {
    wave_model_stop(static_cast<wave_model*>(model));
    return 0;
  };
  CHECK_FAILS(WAVE_STOPPED, "stopped",
              wave_model_validate(line.model, columns.get(), ends, static_cast<wave_model*>(line.model), result.into(),
                                  line.error.into()));
  CHECK(line.run("total") == Approx(2e-6));
}

TEST_CASE("models of one program are fitted at the same time") {
  Loaded line(line_text);
  constexpr int count = 4;
  std::vector<std::vector<double>> found(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      Columns columns;
      Model model;
      for (int turn = 0; turn < 5; ++turn) {
        wave_result* result = nullptr;
        if (wave_model_open(line.program, nullptr, model.into(), nullptr) != WAVE_OK ||
            wave_model_fit(model, columns.get(), line_parameters, 2, nullptr, nullptr, nullptr, &result, nullptr) !=
                WAVE_OK)
          return;
        const double* values = nullptr;
        std::size_t size = 0;
        wave_result_reals(result, 0, 1, WAVE_SI, &values, &size, nullptr);
        found[static_cast<std::size_t>(i)].insert(found[static_cast<std::size_t>(i)].end(), values, values + size);
        wave_result_close(result);
      }
    });
  }
  for (auto& one : threads) one.join();
  REQUIRE(found.front().size() == 10);
  CHECK(found.front()[1] == Approx(3e-6));
  for (const auto& one : found) CHECK(one == found.front());
}

TEST_CASE("the limits of a model are those of its fits") {
  Loaded line("wave 1\nmodel M { param n: int; param L: time = 1 us\n output total = sum(i in 1..n: (i mod 7) * L) }");
  Columns columns;
  columns.n = {200000000, 300000000, 400000000, 500000000};
  CHECK_OK(wave_model_set_limits(line.model, 0.05, std::uint64_t{1} << 30, line.error.into()));
  Result result;
  const char* const parameters[] = {"L"};
  CHECK_FAILS(WAVE_LIMIT, "E0610",
              wave_model_fit(line.model, columns.get(), parameters, 1, nullptr, nullptr, nullptr, result.into(),
                             line.error.into()));
  CHECK_OK(wave_model_set_limits(line.model, 60, 100, line.error.into()));
  CHECK_FAILS(WAVE_LIMIT, "E0611",
              wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()));
}

TEST_CASE("measurements that cannot be used are refused, with the reason") {
  Loaded line(line_text);
  Result result;
  const auto refuses = [&](wave_status status, const char* words, Columns& columns) {
    CAPTURE(words);
    CHECK_FAILS(status, words,
                wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()));
    CHECK(result == nullptr);
  };
  Columns unknown, none, wrong_unit, nan, shorter, negative, empty, broken, both;
  unknown.all.push_back({"m", unknown.n.data(), 4, WAVE_INTEGER, 0});
  refuses(WAVE_FAILED, "which column is that of the measurements?", unknown);
  unknown.measurements.measured = "total";
  refuses(WAVE_FAILED, "`m` is no parameter of `Line`", unknown);
  unknown.measurements.measured = "tota";
  refuses(WAVE_FAILED, "there is no column `tota`", unknown);
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
  empty.n.clear();
  empty.all[0].count = empty.all[1].count = 0;
  refuses(WAVE_FAILED, "E0", empty);
  const char* const lines[] = {"fast", "fast", "slow\nfast", "slow"};
  broken.all.push_back({"mode", lines, 4, WAVE_TEXT, 0});
  refuses(WAVE_MISUSE, "row 2 of column `mode` has a line break", broken);
  both.measurements.file = "x.csv";
  refuses(WAVE_MISUSE, "a file and columns", both);
  wave_measurements nothing{};
  nothing.size = sizeof nothing;
  CHECK_FAILS(WAVE_MISUSE, "neither a file nor columns",
              wave_model_validate(line.model, &nothing, nullptr, nullptr, result.into(), line.error.into()));
  const auto missing = of_file("/nowhere/x.csv"), device = of_file("/dev/zero");
  CHECK_FAILS(WAVE_FAILED, "/nowhere/x.csv",
              wave_model_validate(line.model, &missing, nullptr, nullptr, result.into(), line.error.into()));
  CHECK_FAILS(WAVE_FAILED, "not a plain file",
              wave_model_validate(line.model, &device, nullptr, nullptr, result.into(), line.error.into()));
}

TEST_CASE("tables of others are read as the options say") {
  const DataFile file("n;total_us\n1;5,0\n2;8,0\n3;NA\n4;14,0\n");
  const std::string path = file.path.string();
  auto given = of_file(path.c_str());
  Loaded line(line_text);
  Result result;
  const auto validate = [&] {
    return wave_model_validate(line.model, &given, nullptr, nullptr, result.into(), line.error.into());
  };
  CHECK_FAILS(WAVE_FAILED, "has a decimal comma", validate());
  given.decimal = ",";
  CHECK_FAILS(WAVE_FAILED, "`--skip-missing`", validate());
  given.skip_missing = 1;
  CHECK(validate() == WAVE_OK);
  given.decimal = ";";
  CHECK_FAILS(WAVE_MISUSE, "`measurements.decimal` is neither `.` nor `,`", validate());
}

TEST_CASE("columns of a caller have the units of their headings, and may lack values where that is said") {
  Loaded line(line_text);
  Columns columns;
  Result result;
  for (double& one : columns.time) one *= 1e6;
  columns.all[1].name = "total_us";
  CHECK(wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()) == WAVE_OK);
  columns.time[2] = std::nan("");
  columns.measurements.skip_missing = 1;
  CHECK(wave_model_validate(line.model, columns.get(), nullptr, nullptr, result.into(), line.error.into()) == WAVE_OK);
}

TEST_CASE("parameters that cannot be fitted are refused, with the reason") {
  Loaded line(line_text);
  Columns columns;
  Result result;
  const auto refuses = [&](wave_status status, const char* words, std::vector<const char*> names,
                           const wave_fit_options* options = nullptr) {
    CAPTURE(words);
    CHECK_FAILS(status, words,
                wave_model_fit(line.model, columns.get(), names.data(), names.size(), options, nullptr, nullptr,
                               result.into(), line.error.into()));
  };
  refuses(WAVE_MISUSE, "name a parameter to fit", {});
  refuses(WAVE_FAILED, "`stepp`", {"stepp"});
  refuses(WAVE_FAILED, "`mode` is no real parameter", {"mode"});
  refuses(WAVE_FAILED, "`n` is no real parameter", {"n"});
  columns.all.push_back({"step", columns.time.data(), 4, WAVE_REAL, 0});
  refuses(WAVE_FAILED, "is in the data and is to be fitted", {"step"});
  columns.all.pop_back();
  wave_fit_options options{};
  options.size = sizeof options;
  options.confidence = 2;
  refuses(WAVE_MISUSE, "options.confidence", {"step"}, &options);
  options.confidence = 0;
  options.starts = 1001;
  refuses(WAVE_MISUSE, "options.starts", {"step"}, &options);
  options.starts = 1;
  options.errors = 2;
  refuses(WAVE_MISUSE, "options.errors", {"step"}, &options);
  options.errors = WAVE_ABSOLUTE;
  const char* const bounds[] = {"step=2us"};
  options.bounds = bounds;
  options.bounds_count = 1;
  refuses(WAVE_FAILED, "is no range of a parameter", {"step"}, &options);
}

TEST_CASE("a machine is fitted to a file, and who is told can stop it") {
  Loaded line(line_text);
  std::string text = "size [B],time [us]\n";
  for (int i = 1; i <= 400; ++i) text += std::to_string(i * 8) + "," + std::to_string(2 + 0.001 * i * 8 + i % 3) + "\n";
  const DataFile file(text);
  const char* const files[] = {file.path.c_str()};
  Result result;
  CHECK_OK(
      wave_machine_fit(line.context, "csv", files, 1, nullptr, nullptr, nullptr, result.into(), line.error.into()));
  const char* machine = nullptr;
  CHECK_OK(wave_result_text(result, "machine.text", &machine, nullptr));
  CHECK_THAT(machine, Catch::Contains("machine Machine"));
  CHECK(texts(result, "parameters", "name").size() == texts(result, "parameters", "unit").size());
  Program module;
  CHECK_OK(wave_program_load_text(line.context, "machine.wave", machine, nullptr, 0, module.into(), line.error.into()));
  const auto stops = [](std::uint64_t, std::uint64_t, void*) { return 1; };
  CHECK_FAILS(
      WAVE_STOPPED, "stopped",
      wave_machine_fit(line.context, "csv", files, 1, nullptr, stops, nullptr, result.into(), line.error.into()));
  CHECK(result == nullptr);
  CHECK_OK(wave_context_set_time_limit(line.context, 1e-6, line.error.into()));
  CHECK_FAILS(
      WAVE_LIMIT, "E0610",
      wave_machine_fit(line.context, "csv", files, 1, nullptr, nullptr, nullptr, result.into(), line.error.into()));
}
