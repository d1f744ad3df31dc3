// Studies through the C interface that go on where they ended, and that others compute in parts.
#include "tests/api/handles.h"

#include <algorithm>
#include <cstdio>
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

constexpr const char* all_of_n = "n=1..5000";

struct Points : Loaded {
  // Of some values of `n`, of a model, with further options.
  explicit Points(const Options& more = {}, const char* vary = all_of_n, const char* text = points_text)
      : Loaded(text) {
    Options options{{"vary", vary}, {"vary", "mode=[fast, slow]"}};
    options.insert(options.end(), more.begin(), more.end());
    study = sweep_of(model, options);
  }
  // With a journal.
  explicit Points(const File& file, const char* vary = all_of_n, const char* text = points_text)
      : Points(Options{{"journal", file.path.string()}}, vary, text) {}
  Question study;
};

// Every column of a table as text, reals to the bit, and the codes.
std::vector<std::string> rows_of(const wave_result* result, std::size_t table = 0) {
  auto info = empty<wave_output_info>();
  CHECK_OK(wave_result_output(result, table, &info, nullptr));
  std::vector<std::string> rows(info.rows);
  const auto add = [&](const auto& cells, const auto& written) {
    REQUIRE(cells.size() == rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] += written(cells[row]) + std::string(" ");
  };
  for (std::size_t i = 0; i < info.columns; ++i) {
    auto column = empty<wave_column_info>();
    CHECK_OK(wave_result_column(result, table, i, &column, nullptr));
    const auto digits = [](double real) {
      char text[64];
      std::snprintf(text, sizeof text, "%a", real);
      return std::string(text);
    };
    if (column.cell == WAVE_REAL) add(column_of<double>(result, table, i), digits);
    if (column.cell == WAVE_INTEGER)
      add(column_of<std::int64_t>(result, table, i), [](std::int64_t whole) { return std::to_string(whole); });
    if (column.cell == WAVE_TEXT)
      add(column_of<const char*>(result, table, i), [](const char* text) { return std::string(text); });
  }
  const std::int32_t* codes = nullptr;
  std::size_t count = 0;
  CHECK_OK(wave_result_codes(result, table, &codes, &count, nullptr));
  for (std::size_t row = 0; codes && row < count; ++row) rows[row] += std::to_string(codes[row]);
  return rows;
}

std::vector<std::string> run(wave_question* study) {
  Result result;
  Error error;
  CHECK_OK(wave_question_run(study, nullptr, nullptr, result.into(), error.into()));
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
    Points points(file);
    Watcher watcher;
    watcher.stop_at = told + 50;
    Result result;
    CHECK_FAILS(WAVE_STOPPED, "stopped",
                wave_question_run(points.study, Watcher::tell, &watcher, result.into(), points.error.into()));
    CHECK(watcher.first > first);  // what the run before has kept counts
    CHECK(watcher.last < wanted.size());
    told = watcher.last;
    first = watcher.first;
  }
  Points points(file);
  Watcher watcher;
  Result result;
  CHECK_OK(wave_question_run(points.study, Watcher::tell, &watcher, result.into(), points.error.into()));
  CHECK(watcher.first > first);
  CHECK(watcher.last == wanted.size());
  CHECK(rows_of(result) == wanted);

  const std::string whole = file.bytes();
  Watcher again;
  CHECK_OK(wave_question_run(points.study, Watcher::tell, &again, result.into(), points.error.into()));
  CHECK(rows_of(result) == wanted);
  CHECK(again.calls == 1);  // nothing is evaluated a second time
  CHECK(file.bytes() == whole);
}

TEST_CASE("a journal that was cut short is made whole again") {
  const File file;
  Points points(file);
  const auto wanted = run(points.study);
  std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) - 100);
  CHECK(run(points.study) == wanted);
  file.remove();
  CHECK(run(Points().study) == wanted);
  CHECK_FALSE(std::filesystem::exists(file.path));
}

TEST_CASE("a journal of another study, and what is no journal, are refused and left as they are") {
  const File file;
  const auto refuses = [](Points& points, const char* words) {
    Result result;
    CHECK_FAILS(WAVE_FAILED, words,
                wave_question_run(points.study, nullptr, nullptr, result.into(), points.error.into()));
    CHECK(result == nullptr);
  };
  Points points(file);
  run(points.study);
  const std::string before = file.bytes();
  Points others(file, "n=1..5001");
  refuses(others, "`--vary n` has changed");
  CHECK(code_of(others.error) == "E0702");
  auto info = empty<wave_points_info>();
  CHECK_FAILS(WAVE_FAILED, "`--vary n` has changed", wave_question_points(others.study, &info, others.error.into()));
  std::string changed = points_text;
  changed.replace(changed.find("n * L"), 5, "L * n");
  Points of_another_model(file, all_of_n, changed.c_str());
  refuses(of_another_model, "the model file has changed");
  CHECK(file.bytes() == before);

  std::ofstream(file.path) << "a letter";
  refuses(points, "holds no results of a study");
  CHECK(file.bytes() == "a letter");
  Points nowhere(Options{{"journal", "/nowhere/x.journal"}});
  refuses(nowhere, "/nowhere/x.journal");
}

namespace {

using Range = std::pair<std::uint64_t, std::uint64_t>;

wave_points_info described(Points& points) {
  auto info = empty<wave_points_info>();
  CHECK_OK(wave_question_points(points.study, &info, points.error.into()));
  return info;
}

std::vector<Range> open_points(Points& points) {
  const auto info = described(points);
  std::vector<Range> all;
  for (std::size_t i = 0; i < info.open_count; ++i) all.emplace_back(info.open[2 * i], info.open[2 * i + 1]);
  return all;
}

std::string plan_of(Points& points) {
  const auto info = described(points);
  return info.plan_size == 0 ? "" : std::string(static_cast<const char*>(info.plan), info.plan_size);
}

std::string part_of(Points& points, std::uint64_t begin, std::uint64_t end, const std::string& plan = {}) {
  const void* part = nullptr;
  std::size_t size = 0;
  Watcher watcher;
  CHECK_OK(wave_question_compute(points.study, begin, end, plan.data(), plan.size(), Watcher::tell, &watcher, &part,
                                 &size, points.error.into()));
  CHECK(watcher.last == end - begin);
  return {static_cast<const char*>(part), size};
}

wave_status add(Points& points, std::uint64_t begin, std::uint64_t end, const std::string& part) {
  return wave_question_add(points.study, begin, end, part.data(), part.size(), points.error.into());
}

}  // namespace

TEST_CASE("a study says how many points it has and what its results depend on, and opens again for an option") {
  Points points, same, others(Options(), "n=1..4999"), where(Options{{"where", "n > 4000"}});
  CHECK(described(points).count == 10000);
  const std::string id = described(points).id;
  CHECK_FALSE(id.empty());
  CHECK(id == described(same).id);
  CHECK(id != described(others).id);
  CHECK_OK(add(points, 0, 10, part_of(same, 0, 10)));
  CHECK(open_points(points) == std::vector<Range>{{10, 10000}});
  CHECK_OK(wave_set(points.study, "where", "n > 4000", points.error.into()));
  CHECK(described(points).count == 2000);
  CHECK(open_points(points) == std::vector<Range>{{0, 2000}});
  CHECK(described(points).id == std::string(described(where).id));
  CHECK(run(points.study) == run(where.study));
}

TEST_CASE("the parts of a study that is divided have the rows of the whole") {
  const auto wanted = run(Points().study);
  Points other, points;
  const std::uint64_t ends[] = {0, 1, 1, 13, 9999, 10000};
  for (std::size_t i = 1; i < std::size(ends); ++i) {
    const std::string part = part_of(other, ends[i - 1], ends[i]);
    if (ends[i] > ends[i - 1]) CHECK_OK(add(points, ends[i - 1], ends[i], part));
  }
  CHECK(open_points(points).empty());
  Watcher watcher;
  Result result;
  CHECK_OK(wave_question_run(points.study, Watcher::tell, &watcher, result.into(), points.error.into()));
  CHECK(rows_of(result) == wanted);
  CHECK(watcher.calls == 1);  // nothing is left to evaluate
  const void* part = nullptr;
  std::size_t size = 0;
  for (const auto& [begin, end] : {Range{0, 10001}, Range{2, 1}}) {
    CHECK_FAILS(WAVE_MISUSE, "are none of the 10000",
                wave_question_compute(points.study, begin, end, nullptr, 0, nullptr, nullptr, &part, &size,
                                      points.error.into()));
  }
  Watcher impatient;
  impatient.stop_at = 1;
  CHECK_FAILS(WAVE_STOPPED, "stopped",
              wave_question_compute(other.study, 0, 10000, nullptr, 0, Watcher::tell, &impatient, &part, &size,
                                    other.error.into()));
  CHECK(part == nullptr);
}

TEST_CASE("parts that others compute make the study, in whatever order, and what is missing is evaluated") {
  const auto wanted = run(Points().study);
  const File file;
  const bool has_journal = GENERATE(false, true);
  Points other, points = has_journal ? Points(file) : Points();
  CHECK(open_points(points) == std::vector<Range>{{0, 10000}});
  for (const auto& [begin, end] : {Range{5000, 10000}, Range{0, 1}, Range{17, 400}})
    CHECK_OK(add(points, begin, end, part_of(other, begin, end)));
  CHECK(open_points(points) == std::vector<Range>{{1, 17}, {400, 5000}});
  CHECK_FAILS(WAVE_MISUSE, "is there already", add(points, 0, 1, part_of(other, 0, 1)));
  CHECK_FAILS(WAVE_MISUSE, "are none of the 10000", add(points, 0, 10001, ""));
  CHECK(run(points.study) == wanted);
  if (!has_journal) return;
  Points again(file);  // finds it all in the journal
  CHECK(open_points(again).empty());
  CHECK(run(again.study) == wanted);
}

TEST_CASE("parts of another study or of other points, and damaged ones, are refused and not kept") {
  Points points;
  Points other_values(Options(), "n=1..4999 by 1");
  Points other_model(Options(), all_of_n,
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

TEST_CASE("a reduced study that others compute has the bits of one that is not divided, pass by pass") {
  const Options reductions{{"reduce", "best 5 of total"},
                           {"reduce", "mean and extremes of total by mode"},
                           {"reduce", "quantiles 10%, 50%, 90% of total exact"}};
  const auto tables_of = [](Points& points) {
    std::vector<std::vector<std::string>> tables;
    Result result;
    CHECK_OK(wave_question_run(points.study, nullptr, nullptr, result.into(), points.error.into()));
    auto info = empty<wave_result_info>();
    CHECK_OK(wave_result_describe(result, &info, points.error.into()));
    for (std::size_t i = 0; i < info.outputs; ++i) tables.push_back(rows_of(result, i));
    return tables;
  };
  Points whole(reductions), points(reductions), other(reductions), of_points;
  const auto wanted = tables_of(whole);
  REQUIRE(wanted.size() == 3);
  CHECK(wanted[0].size() == 5);
  CHECK_FAILS(WAVE_FAILED, "", add(points, 0, 5000, part_of(of_points, 0, 5000)));
  std::vector<std::string> plans;
  std::string part_of_first_pass;
  while (!open_points(points).empty() && plans.size() < 4) {
    const std::string plan = plan_of(points);
    CHECK(std::find(plans.begin(), plans.end(), plan) == plans.end());
    CHECK(open_points(points) == std::vector<Range>{{0, 10000}});
    if (!plans.empty()) CHECK_FAILS(WAVE_FAILED, "", add(points, 4000, 10000, part_of_first_pass));
    plans.push_back(plan);
    const std::string last = part_of(other, 4000, 10000, plan);
    if (plans.size() == 1) part_of_first_pass = last;
    CHECK_OK(add(points, 4000, 10000, last));
    CHECK(open_points(points) == std::vector<Range>{{0, 4000}});
    CHECK_FAILS(WAVE_MISUSE, "is there already", add(points, 4000, 10000, last));
    CHECK_OK(add(points, 0, 1, part_of(other, 0, 1, plan)));
    CHECK_OK(add(points, 1, 4000, part_of(other, 1, 4000, plan)));
  }
  CHECK(plans.size() == 2);  // the quantiles have seen the points twice
  CHECK(tables_of(points) == wanted);
  const void* part = nullptr;
  std::size_t size = 0;
  CHECK(wave_question_compute(other.study, 0, 10, "nonsense", 8, nullptr, nullptr, &part, &size, other.error.into()) ==
        WAVE_FAILED);
}

TEST_CASE("a run that is stopped leaves its journal to others") {
  for (const char* const reduction : {"", "best 2 of total"}) {
    const File file;
    Options options{{"journal", file.path.string()}};
    if (*reduction != 0) options.push_back({"reduce", reduction});
    const Points first(options), second(options);
    Result result;
    Error error;
    const wave_progress stops = [](std::uint64_t done, std::uint64_t, void*) { return done > 0 ? 1 : 0; };
    CHECK(wave_question_run(first.study, stops, nullptr, result.into(), error.into()) == WAVE_STOPPED);
    CHECK_OK(wave_question_run(second.study, nullptr, nullptr, result.into(), error.into()));
    CHECK_OK(wave_question_run(first.study, nullptr, nullptr, result.into(), error.into()));
  }
}

TEST_CASE("a part without points says whether it is of the same study") {
  for (const char* const reduction : {"", "best 2 of total"}) {
    Options options;
    if (*reduction != 0) options.push_back({"reduce", reduction});
    const Points own(options), same(options), other(options, "n=1..7");
    const void* part = nullptr;
    std::size_t size = 0;
    Error error;
    CHECK_OK(wave_question_compute(same.study, 0, 0, nullptr, 0, nullptr, nullptr, &part, &size, error.into()));
    CHECK_OK(wave_question_add(own.study, 0, 0, part, size, error.into()));
    CHECK_FAILS(WAVE_FAILED, "is of another study", wave_question_add(other.study, 0, 0, part, size, error.into()));
    CHECK_FAILS(WAVE_FAILED, "is damaged", wave_question_add(own.study, 0, 0, part, size - 1, error.into()));
  }
}

TEST_CASE("what is wrong with the options of a study is said when it is looked at first") {
  Loaded loaded(points_text);
  Error error;
  Result result;
  auto info = empty<wave_points_info>();
  const void* part = nullptr;
  std::size_t size = 0;
  const auto refuses = [&](const Options& options, wave_status status, const char* words) {
    CAPTURE(words);
    const Question study = sweep_of(loaded.model, options);
    CHECK_FAILS(status, words, wave_question_run(study, nullptr, nullptr, result.into(), error.into()));
    CHECK_FAILS(status, words, wave_question_points(study, &info, error.into()));
    CHECK_FAILS(status, words,
                wave_question_compute(study, 0, 1, nullptr, 0, nullptr, nullptr, &part, &size, error.into()));
    CHECK_FAILS(status, words, wave_question_add(study, 0, 0, "", 0, error.into()));
  };
  refuses({{"vary", "m=1..4"}}, WAVE_FAILED, "`m`");
  refuses({{"vary", "n=1..4"}, {"show", "totl"}}, WAVE_FAILED, "did you mean `total`?");
  refuses({{"vary", "n=1..4"}, {"where", "n >"}}, WAVE_FAILED, "error[E");
  refuses({{"vary", "n=1..4"}, {"where", "n > 4"}}, WAVE_FAILED, "no point is left");
  refuses({{"vary", "n=1..4"}, {"reduce", "worst 3 of total"}}, WAVE_FAILED, "error[E");
  refuses({}, WAVE_MISUSE, "vary");
  const Question study = sweep_of(loaded.model, {});
  CHECK_FAILS(WAVE_MISUSE, "did you mean `vary`?", wave_set(study, "vry", "n=1..4", error.into()));
  CHECK_FAILS(WAVE_MISUSE, "journal is empty", wave_set(study, "journal", "", error.into()));
  CHECK_FAILS(WAVE_MISUSE, "declared by a program", wave_set(study, "study", "Growth", error.into()));
}
