// Studies through the C interface that go on where they ended, and parts of studies.
#include "tests/api/handles.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* points_text = R"(wave 1
model M {
  param n: int = 4
  param L: time = 1 us
  param mode: fast | slow = fast
  output total = n * L in ms
  output word = if n mod 3 == 0 then "three" else if n mod 2 == 0 then "two" else "one"
  output same = mode
  output checked = if n mod 100 == 7 then error("a seven") else n
}
)";

// A file in a folder for temporary files, which goes in the end.
struct File {
  File() : path(std::filesystem::temp_directory_path() / ("wave-study-" + std::to_string(getpid()) + ".journal")) {
    remove();
  }
  ~File() { remove(); }
  void remove() const { std::filesystem::remove(path); }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::filesystem::path path;
};

struct Points : Loaded {
  explicit Points(const char* vary = "n=1..5000", const char* model = points_text) : Loaded(model) {
    const char* const clauses[] = {vary, "mode=[fast, slow]"};
    CHECK_OK(wave_study_create(this->model, clauses, 2, nullptr, 0, nullptr, 0, study.into(), error.into()));
  }
  Study study;
};

// Every column of the points as text, reals to the bit, and the codes.
std::vector<std::string> rows_of(const wave_result* result) {
  wave_output_info info{};
  info.size = sizeof info;
  CHECK_OK(wave_result_output(result, 0, &info, nullptr));
  std::vector<std::string> rows(info.rows);
  std::size_t count = 0;
  for (std::size_t i = 0; i < info.columns; ++i) {
    wave_column_info column{};
    column.size = sizeof column;
    CHECK_OK(wave_result_column(result, 0, i, &column, nullptr));
    const double* reals = nullptr;
    const std::int64_t* integers = nullptr;
    const char* const* texts = nullptr;
    if (column.cell == WAVE_REAL) CHECK_OK(wave_result_reals(result, 0, i, WAVE_SI, &reals, &count, nullptr));
    if (column.cell == WAVE_INTEGER) CHECK_OK(wave_result_integers(result, 0, i, &integers, &count, nullptr));
    if (column.cell == WAVE_TEXT) CHECK_OK(wave_result_texts(result, 0, i, &texts, &count, nullptr));
    REQUIRE(count == rows.size());
    for (std::size_t row = 0; row < count; ++row) {
      char digits[64];
      if (reals) std::snprintf(digits, sizeof digits, "%a", reals[row]);
      rows[row] += (reals ? digits : integers ? std::to_string(integers[row]) : texts[row]) + std::string(" ");
    }
  }
  const std::int32_t* codes = nullptr;
  CHECK_OK(wave_result_codes(result, 0, &codes, &count, nullptr));
  for (std::size_t row = 0; row < count; ++row) rows[row] += std::to_string(codes[row]);
  return rows;
}

std::vector<std::string> run(wave_study* study) {
  Result result;
  Error error;
  CHECK_OK(wave_study_run(study, nullptr, nullptr, result.into(), error.into()));
  return rows_of(result);
}

// Stops when so many points are done, and notes how many there were at first.
struct Watcher {
  std::uint64_t stop_at = ~std::uint64_t{0}, calls = 0, first = 0, last = 0;
  static int tell(std::uint64_t done, std::uint64_t, void* data) {
    auto& its = *static_cast<Watcher*>(data);
    if (++its.calls == 2) its.first = done;
    its.last = done;
    return done >= its.stop_at ? 1 : 0;
  }
};

}  // namespace

TEST_CASE("a study that was stopped goes on from its journal, and has the rows of one that was not") {
  const auto wanted = run(Points().study);
  REQUIRE(wanted.size() == 10000);
  CHECK(wanted[12] == "7 fast 0x1.d5c31593e5fb7p-18 one fast 0 513");
  const File file;
  std::uint64_t told = 0, first = 0;
  for (int turn = 0; turn < 3; ++turn) {  // of a program that is loaded anew each time
    Points points;
    CHECK_OK(wave_study_set_journal(points.study, file.path.c_str(), points.error.into()));
    Watcher watcher;
    watcher.stop_at = told + 50;
    Result result;
    CHECK_FAILS(WAVE_STOPPED, "stopped",
                wave_study_run(points.study, Watcher::tell, &watcher, result.into(), points.error.into()));
    CHECK(watcher.first > first);  // what the run before has kept counts
    CHECK(watcher.last < wanted.size());
    told = watcher.last;
    first = watcher.first;
  }
  Points points;
  CHECK_OK(wave_study_set_journal(points.study, file.path.c_str(), points.error.into()));
  Watcher watcher;
  Result result;
  CHECK_OK(wave_study_run(points.study, Watcher::tell, &watcher, result.into(), points.error.into()));
  CHECK(watcher.first > first);
  CHECK(watcher.last == wanted.size());
  CHECK(rows_of(result) == wanted);

  const std::string whole = file.bytes();
  Watcher again;
  CHECK_OK(wave_study_run(points.study, Watcher::tell, &again, result.into(), points.error.into()));
  CHECK(rows_of(result) == wanted);
  CHECK(again.calls == 1);  // nothing is evaluated a second time
  CHECK(file.bytes() == whole);
}

TEST_CASE("a journal that was cut short is made whole again") {
  const File file;
  Points points;
  CHECK_OK(wave_study_set_journal(points.study, file.path.c_str(), points.error.into()));
  const auto wanted = run(points.study);
  std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) - 100);
  CHECK(run(points.study) == wanted);
  CHECK_OK(wave_study_set_journal(points.study, nullptr, points.error.into()));
  file.remove();
  CHECK(run(points.study) == wanted);
  CHECK_FALSE(std::filesystem::exists(file.path));
}

TEST_CASE("a journal of another study, and what is no journal, are refused and left as they are") {
  const File file;
  Points points;
  CHECK_OK(wave_study_set_journal(points.study, file.path.c_str(), points.error.into()));
  run(points.study);
  const std::string before = file.bytes();
  Result result;
  Points others("n=1..5001");
  CHECK_OK(wave_study_set_journal(others.study, file.path.c_str(), others.error.into()));
  CHECK_FAILS(WAVE_FAILED, "`--vary n` has changed",
              wave_study_run(others.study, nullptr, nullptr, result.into(), others.error.into()));
  CHECK(code_of(others.error) == "E0702");
  std::string changed = points_text;
  changed.replace(changed.find("n * L"), 5, "L * n");
  Points of_another_model("n=1..5000", changed.c_str());
  CHECK_OK(wave_study_set_journal(of_another_model.study, file.path.c_str(), of_another_model.error.into()));
  CHECK_FAILS(WAVE_FAILED, "the model file has changed",
              wave_study_run(of_another_model.study, nullptr, nullptr, result.into(), of_another_model.error.into()));
  CHECK(file.bytes() == before);

  std::ofstream(file.path) << "a letter";
  CHECK_FAILS(WAVE_FAILED, "holds no results of a study",
              wave_study_run(points.study, nullptr, nullptr, result.into(), points.error.into()));
  CHECK(file.bytes() == "a letter");
  CHECK_OK(wave_study_set_journal(points.study, "/nowhere/x.journal", points.error.into()));
  CHECK_FAILS(WAVE_FAILED, "/nowhere/x.journal",
              wave_study_run(points.study, nullptr, nullptr, result.into(), points.error.into()));
  CHECK_FAILS(WAVE_MISUSE, "`file` is empty", wave_study_set_journal(points.study, "", points.error.into()));
}

TEST_CASE("the parts of a study have the rows of the whole, in their order") {
  Points points;
  const auto wanted = run(points.study);
  std::vector<std::string> rows;
  const std::uint64_t ends[] = {0, 1, 1, 13, 9999, 10000};
  for (std::size_t i = 1; i < std::size(ends); ++i) {
    Result result;
    Watcher watcher;
    CHECK_OK(wave_study_run_part(points.study, ends[i - 1], ends[i], Watcher::tell, &watcher, result.into(),
                                 points.error.into()));
    CHECK(watcher.last == ends[i] - ends[i - 1]);
    if (ends[i] == ends[i - 1]) continue;
    for (auto& row : rows_of(result)) rows.push_back(row);
  }
  CHECK(rows == wanted);
  Result result;
  CHECK_FAILS(WAVE_MISUSE, "are none of the 10000",
              wave_study_run_part(points.study, 0, 10001, nullptr, nullptr, result.into(), points.error.into()));
  CHECK_FAILS(WAVE_MISUSE, "are none of the 10000",
              wave_study_run_part(points.study, 2, 1, nullptr, nullptr, result.into(), points.error.into()));
}
