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

namespace {

using Range = std::pair<std::uint64_t, std::uint64_t>;

std::vector<Range> open_points(Points& points) {
  const std::uint64_t* ends = nullptr;
  std::size_t count = 0;
  CHECK_OK(wave_study_open_points(points.study, &ends, &count, points.error.into()));
  std::vector<Range> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(ends[2 * i], ends[2 * i + 1]);
  return all;
}

std::string part_of(Points& points, std::uint64_t begin, std::uint64_t end) {
  const void* part = nullptr;
  std::size_t size = 0;
  CHECK_OK(wave_study_compute(points.study, begin, end, nullptr, nullptr, &part, &size, points.error.into()));
  return {static_cast<const char*>(part), size};
}

wave_status add(Points& points, std::uint64_t begin, std::uint64_t end, const std::string& part) {
  return wave_study_add(points.study, begin, end, part.data(), part.size(), points.error.into());
}

}  // namespace

TEST_CASE("parts that others compute make the study, in whatever order, and what is missing is evaluated") {
  const auto wanted = run(Points().study);
  Points other, points;
  const File file;
  const bool has_journal = GENERATE(false, true);
  if (has_journal) CHECK_OK(wave_study_set_journal(points.study, file.path.c_str(), points.error.into()));
  CHECK(open_points(points) == std::vector<Range>{{0, 10000}});
  for (const auto& [begin, end] : {Range{5000, 10000}, Range{0, 1}, Range{17, 400}})
    CHECK_OK(add(points, begin, end, part_of(other, begin, end)));
  CHECK(open_points(points) == std::vector<Range>{{1, 17}, {400, 5000}});
  CHECK_FAILS(WAVE_MISUSE, "is there already", add(points, 0, 1, part_of(other, 0, 1)));
  CHECK_FAILS(WAVE_MISUSE, "are none of the 10000", add(points, 0, 10001, ""));
  CHECK(run(points.study) == wanted);
  if (!has_journal) return;
  Points again;  // finds it all in the journal
  CHECK_OK(wave_study_set_journal(again.study, file.path.c_str(), again.error.into()));
  CHECK(open_points(again).empty());
  CHECK(run(again.study) == wanted);
}

TEST_CASE("parts of another study or of other points, and damaged ones, are refused and not kept") {
  Points points;
  Points other_values("n=1..4999 by 1");
  Points other_model("n=1..5000",
                     "wave 1\nmodel M { param n: int = 1\n param mode: fast | slow = fast\n output t = n }");
  const std::string part = part_of(points, 3, 7), none = part_of(points, 3, 3);
  CHECK_FAILS(WAVE_FAILED, "the part of the points 4 to 7 is of another study",
              add(points, 3, 7, part_of(other_values, 3, 7)));
  CHECK(text_of(points.error).find("`--vary n` has changed") != std::string::npos);
  CHECK_FAILS(WAVE_FAILED, "the part of point 4 is of another study", add(points, 3, 4, part_of(other_model, 0, 0)));
  CHECK(text_of(points.error).find("the model file has changed") != std::string::npos);
  CHECK_FAILS(WAVE_FAILED, "holds other points", add(points, 3, 8, part));
  CHECK_FAILS(WAVE_FAILED, "holds other points", add(points, 2, 7, part));
  CHECK_FAILS(WAVE_FAILED, "is damaged", add(points, 3, 7, none));
  CHECK_FAILS(WAVE_FAILED, "is damaged", add(points, 3, 7, part + "x"));
  CHECK_FAILS(WAVE_FAILED, "is damaged", add(points, 3, 7, part + part.substr(none.size())));
  for (std::size_t i = 0; i < part.size(); ++i) {
    std::string damaged = part;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    CHECK_FAILS(WAVE_FAILED, "is damaged", add(points, 3, 7, damaged));
    CHECK_FAILS(WAVE_FAILED, "is damaged", add(points, 3, 7, part.substr(0, i)));
  }
  CHECK(open_points(points) == std::vector<Range>{{0, 10000}});
  CHECK_OK(add(points, 3, 7, part));
}
