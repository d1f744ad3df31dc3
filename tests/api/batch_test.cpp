// Batches, explanations and studies through the C interface.
#include "tests/api/handles.h"

#include <cmath>
#include <cstring>
#include <vector>

using namespace wave::test;

namespace {

constexpr const char* rows_text = R"(wave 1
type Costs { send: time, receive: time }
model M {
  param n: int = 4 in 1..
  param L: time = 1 us
  param mode: fast | slow = fast
  param name: string = "x"
  param on: bool = true
  output total = n * L + (if mode == slow then 1 ms else 0 us) + (if on then 1 s else 0 s) in ms
  output twice = 2 * n
  output word = if name == "y" then "why" else name
  output costs = Costs(send = L, receive = 2 * L)
  output checked = if n > 100 then error("too many") else n
}
)";

wave_column column(const char* name, const std::vector<double>& data) {
  return {name, data.data(), data.size(), WAVE_REAL, 0};
}
wave_column column(const char* name, const std::vector<std::int64_t>& data) {
  return {name, data.data(), data.size(), WAVE_INTEGER, 0};
}
wave_target target(const char* name, std::vector<double>& data, int unit = WAVE_SI) {
  return {name, data.data(), data.size(), WAVE_REAL, 0, unit};
}

}  // namespace

TEST_CASE("each row of a batch has the bits of a run of its own") {
  Loaded all(rows_text);
  const std::vector<std::int64_t> n{1, 2, 3, 40, 100};
  const std::vector<double> L{1e-6, 2.5e-6, 1.0 / 3, 7e-7, 0.1};
  std::vector<double> totals(5), in_ms(5), sends(5);
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const wave_column columns[] = {column("n", n), column("L", L)};
  const wave_target targets[] = {target("total", totals), target("total", in_ms, WAVE_ASKED),
                                 target("costs.send", sends)};
  std::size_t failed = 99;
  CHECK_OK(wave_batch_run(batch, 5, columns, 2, targets, 3, nullptr, &failed, nullptr, nullptr, all.error.into()));
  CHECK(failed == 0);
  for (std::size_t row = 0; row < 5; ++row) {
    CHECK_OK(wave_model_set_integer(all.model, "n", n[row], all.error.into()));
    CHECK_OK(wave_model_set_real(all.model, "L", L[row], all.error.into()));
    CHECK(totals[row] == all.run("total"));
    CHECK(sends[row] == all.run("costs.send"));
    CHECK(in_ms[row] == Approx(1e3 * totals[row]));
  }
}

TEST_CASE(
    "a quantity of a column is the whole number of base units that it is nearest to, as far as a double can say") {
  Loaded all("wave 1\nmodel M { param L: time; output same = L in ps }\n");
  std::vector<double> in_ps{0, -0.0, 1, 3, 5e6, 1e15, 0x1p50 + 1, 0x1p51 - 1, 0x1p51 + 1, 0x1p52 + 1};
  for (std::size_t whole = in_ps.size(); whole-- > 2;) in_ps.push_back(-in_ps[whole]);
  const std::size_t whole = in_ps.size();
  for (const double other : {0.5, 1.5, 2.5, 1.0 / 3, 0x1p40 + 0.5, 0x1p60, 1e300}) in_ps.push_back(other);
  std::vector<double> in_s, found(in_ps.size());
  for (const double ps : in_ps) in_s.push_back(ps / 1e12);
  Batch batch;
  CHECK_OK(wave_model_set(all.model, "L", "1 s", all.error.into()));
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const wave_column columns[] = {column("L", in_s)};
  const wave_target targets[] = {target("same", found, WAVE_ASKED)};
  CHECK_OK(
      wave_batch_run(batch, in_s.size(), columns, 1, targets, 1, nullptr, nullptr, nullptr, nullptr, all.error.into()));
  for (std::size_t row = 0; row < in_ps.size(); ++row) {
    CAPTURE(row, in_ps[row]);
    const double wanted = row < whole ? in_ps[row] : in_s[row] * 1e12;
    CHECK(found[row] == wanted);
    CHECK(std::signbit(found[row]) == std::signbit(wanted));
  }
}

namespace {

// More rows than are evaluated at a time, of which every 997th fails.
struct ManyRows {
  ManyRows() {
    for (std::size_t row = 0; row < count; ++row) {
      n.push_back(row % 997 == 13 ? 101 : 1 + static_cast<std::int64_t>(row % 100));
      L.push_back(static_cast<double>(row) * 1.25e-9);
      names.push_back(row < count / 2 ? "x" : row % 2 ? "y" : "z");
    }
  }
  wave_status run(wave_batch* batch, wave_progress progress, void* data, wave_error** error) {
    const wave_column columns[] = {column("n", n), column("L", L), {"name", names.data(), names.size(), WAVE_TEXT, 0}};
    const wave_target targets[] = {
        target("total", totals), target("checked", checked), {"word", words.data(), count, WAVE_TEXT, 0, WAVE_SI}};
    return wave_batch_run(batch, count, columns, 3, targets, 3, codes.data(), &failed, progress, data, error);
  }

  static constexpr std::size_t count = 150'000;
  std::vector<std::int64_t> n;
  std::vector<double> L, totals = std::vector<double>(count), checked = std::vector<double>(count);
  std::vector<const char*> names, words = std::vector<const char*>(count);
  std::vector<std::int32_t> codes = std::vector<std::int32_t>(count, -1);
  std::size_t failed = 0;
};

struct Told {
  std::uint64_t calls = 0, last = 0, all = 0, stop_at = ~std::uint64_t{0};
  bool rises = true;
  static int tell(std::uint64_t done, std::uint64_t all, void* data) {
    auto& told = *static_cast<Told*>(data);
    told.rises &= done >= told.last;
    ++told.calls;
    told.last = done;
    told.all = all;
    return done >= told.stop_at ? 1 : 0;
  }
};

}  // namespace

TEST_CASE("a batch of more rows than are evaluated at a time is one batch, and says how far it is") {
  Loaded all(rows_text);
  CHECK_OK(wave_set(all.context, "threads", "1", all.error.into()));
  CHECK_OK(wave_program_load(all.context, "test.wave", rows_text, nullptr, 0, all.program.into(), all.error.into()));
  CHECK_OK(wave_model_open(all.program, nullptr, all.model.into(), all.error.into()));
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  ManyRows rows;
  Told told;
  CHECK_OK(rows.run(batch, Told::tell, &told, all.error.into()));
  CHECK(told.rises);
  CHECK(told.calls > 2);
  CHECK(told.last == ManyRows::count);
  CHECK(told.all == ManyRows::count);
  std::size_t failed = 0;
  bool is_right = true;
  for (std::size_t row = 0; row < ManyRows::count; ++row) {
    const bool fails = row % 997 == 13;
    failed += fails;
    is_right &= (rows.codes[row] != 0) == fails && std::isnan(rows.checked[row]) == fails;
    is_right &= std::string(rows.words[row]) == (rows.names[row][0] == 'y' ? "why" : rows.names[row]);
  }
  CHECK(is_right);
  CHECK(rows.failed == failed);
  Error failures;
  CHECK_OK(wave_batch_failures(batch, failures.into(), all.error.into()));
  CHECK_THAT(text_of(failures), Catch::Contains("in row 13, and in " + std::to_string(failed - 1) + " more"));
  for (const std::size_t row : {std::size_t{0}, std::size_t{65535}, std::size_t{65536}, std::size_t{149'999}}) {
    CHECK_OK(wave_model_set_integer(all.model, "n", rows.n[row], all.error.into()));
    CHECK_OK(wave_model_set_real(all.model, "L", rows.L[row], all.error.into()));
    CHECK(rows.totals[row] == all.run("total"));
  }
}

TEST_CASE("a batch ends where its callback says so, and can be run again") {
  Loaded all(rows_text);
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  ManyRows rows;
  Told told;
  told.stop_at = 1000;
  CHECK_FAILS(WAVE_STOPPED, "stopped", rows.run(batch, Told::tell, &told, all.error.into()));
  CHECK(told.last < ManyRows::count);
  Told at_once;
  at_once.stop_at = 0;
  CHECK_FAILS(WAVE_STOPPED, "stopped", rows.run(batch, Told::tell, &at_once, all.error.into()));
  CHECK(at_once.calls == 1);
  CHECK_OK(rows.run(batch, nullptr, nullptr, all.error.into()));
}

TEST_CASE("a column of a machine's parameter reaches the machine's copies, as -D does") {
  Loaded all(R"(wave 1
machine Net { param L: time = 1 us; param o: time = 1 us; fn both(): time = L + o }
model M {
  param net: Net = Net()
  let other = net(o = 5 us)
  output total = other.both()
}
)");
  const std::vector<double> L{3e-6, 7e-6};
  std::vector<double> totals(2);
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const wave_column columns[] = {column("net.L", L)};
  const wave_target targets[] = {target("total", totals)};
  CHECK_OK(wave_batch_run(batch, 2, columns, 1, targets, 1, nullptr, nullptr, nullptr, nullptr, all.error.into()));
  CHECK(totals == std::vector<double>{8e-6, 12e-6});
}

TEST_CASE("columns may have any stride, and cells any type that fits") {
  Loaded all(rows_text);
  struct Row {
    char odd;
    std::int64_t n;
    const char* mode;
    unsigned char on;
    const char* name;
    double total;
    const char* word;
  };
  std::vector<Row> rows{{0, 2, "fast", 1, "y", 0, nullptr}, {0, 3, "slow", 0, "z", 0, nullptr}};
  const std::ptrdiff_t stride = sizeof(Row);
  const wave_column columns[] = {{"n", &rows[1].n, 2, WAVE_INTEGER, -stride},
                                 {"mode", &rows[0].mode, 2, WAVE_TEXT, stride},
                                 {"on", &rows[0].on, 2, WAVE_BOOLEAN, stride},
                                 {"name", &rows[0].name, 2, WAVE_TEXT, stride}};
  const wave_target targets[] = {{"total", &rows[0].total, 2, WAVE_REAL, stride, WAVE_SI},
                                 {"word", &rows[0].word, 2, WAVE_TEXT, stride, WAVE_SI}};
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  CHECK_OK(wave_batch_run(batch, 2, columns, 4, targets, 2, nullptr, nullptr, nullptr, nullptr, all.error.into()));
  CHECK(rows[0].total == 1.000003);
  CHECK(rows[1].total == 0.001002);
  CHECK(std::string(rows[0].word) == "why");
  CHECK(std::string(rows[1].word) == "z");
}

TEST_CASE("rows that fail have a code, and the others their values") {
  Loaded all(rows_text);
  const std::vector<std::int64_t> n{1, 0, 101, 7};
  std::vector<double> checked(4);
  std::vector<std::int32_t> codes(4);
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const wave_column columns[] = {column("n", n)};
  const wave_target targets[] = {target("checked", checked)};
  std::size_t failed = 0;
  CHECK_OK(wave_batch_run(batch, 4, columns, 1, targets, 1, codes.data(), &failed, nullptr, nullptr, all.error.into()));
  CHECK(failed == 2);
  CHECK(checked[0] == 1);
  CHECK(std::isnan(checked[1]));
  CHECK(std::isnan(checked[2]));
  CHECK(checked[3] == 7);
  CHECK(codes[0] == 0);
  CHECK(codes[1] == 514);
  CHECK(codes[2] == 513);
  Error failures;
  CHECK_OK(wave_batch_failures(batch, failures.into(), all.error.into()));
  CHECK_THAT(text_of(failures), Catch::Contains("in row 1") && Catch::Contains("in row 2"));
}

TEST_CASE("wrong columns are refused by name") {
  Loaded all(rows_text);
  Batch batch;
  CHECK_OK(wave_batch_create(all.model, batch.into(), all.error.into()));
  const std::vector<std::int64_t> n{1, 2};
  std::vector<double> L{1e-6, std::nan("")}, totals(2), small(1);
  const auto run = [&](std::vector<wave_column> columns, std::vector<wave_target> targets) {
    return wave_batch_run(batch, 2, columns.data(), columns.size(), targets.data(), targets.size(), nullptr, nullptr,
                          nullptr, nullptr, all.error.into());
  };
  CHECK_FAILS(WAVE_MISUSE, "row 1 of column `L` is no finite number", run({column("L", L)}, {target("total", totals)}));
  CHECK_FAILS(WAVE_FAILED, "`m`", run({column("m", n)}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "two columns `n`", run({column("n", n), column("n", n)}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "row 0 of column `n` is 1e-06, which is no whole number",
              run({column("n", L)}, {target("total", totals)}));
  const std::vector<double> whole{1, 2}, none{1, 0x1p63};
  CHECK(run({column("n", whole)}, {target("total", totals)}) == WAVE_OK);
  const auto of_doubles = totals;
  CHECK(run({column("n", n)}, {target("total", totals)}) == WAVE_OK);
  CHECK(totals == of_doubles);
  CHECK_FAILS(WAVE_MISUSE, "row 1 of column `n`", run({column("n", none)}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "there is no such value", run({column("n", n)}, {target("totl", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "room for 1", run({column("n", n)}, {target("total", small)}));
  CHECK_FAILS(WAVE_MISUSE, "null pointer", run({{"n", nullptr, 2, WAVE_INTEGER, 0}}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "no type of cells", run({{"n", n.data(), 2, 17, 0}}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "there are no columns", run({}, {target("total", totals)}));
  CHECK_FAILS(WAVE_MISUSE, "there are no targets", run({column("n", n)}, {}));
  CHECK(run({column("n", n)}, {target("total", totals)}) == WAVE_OK);
}

TEST_CASE("breakdowns, critical paths and sensitivities are tables that add up") {
  Loaded all(R"(wave 1
import std.machines.ibm_sp2 { SP2 }
import std.comm { Machine }
model M {
  param net: Machine { L: time } = SP2()
  param w: time = 10 us
  param n: int = 4
  grid P[i: n]
  process pipe on P using net {
    for k in 1..3 {
      if i > 1 { recv 64 B from P[i-1] }
      compute(w)
      if i < n { send 64 B to P[i+1] }
    }
  }
  output total = pipe.finish
}
)");
  const char* const total[] = {"total"};
  const char* const parameters[] = {"w"};
  const char* const wrong[] = {"total", "totl"};
  Result result;
  CHECK_OK(wave_model_explain(all.model, WAVE_BREAKDOWN, total, 1, result.into(), all.error.into()));
  std::size_t index = 0;
  CHECK_OK(wave_result_find(result, "total.breakdown", &index, all.error.into()));
  double sum = 0;
  for (const double time : column_of<double>(result, index, 2)) sum += time;
  CHECK(sum == Approx(all.run("total")));
  CHECK_OK(wave_model_explain(all.model, WAVE_CRITICAL_PATH, nullptr, 0, result.into(), all.error.into()));
  CHECK_OK(wave_result_find(result, "total.path", &index, all.error.into()));
  CHECK_OK(wave_result_find(result, "total.statements", &index, all.error.into()));
  CHECK(wave_result_find(result, "total.breakdown", &index, all.error.into()) == WAVE_MISUSE);
  CHECK_OK(wave_model_explain(all.model, WAVE_SENSITIVITIES, parameters, 1, result.into(), all.error.into()));
  const auto derivative = column_of<double>(result, 0, 1);
  REQUIRE(derivative.size() == 1);
  CHECK(derivative[0] >= 4);
  for (const int what : {WAVE_BREAKDOWN, WAVE_CRITICAL_PATH})
    CHECK_FAILS(WAVE_MISUSE, "no output `totl`",
                wave_model_explain(all.model, what, wrong, 2, result.into(), all.error.into()));
}

TEST_CASE("an explanation of several outputs has the tables of each, and of no others") {
  Loaded all("wave 1\nmodel M { param w: time = 1 us; output a = w; output b = 2 * w; output c = 3 * w }\n");
  const char* const two[] = {"a", "c"};
  Result result;
  std::size_t index = 0;
  CHECK_OK(wave_model_explain(all.model, WAVE_BREAKDOWN, two, 2, result.into(), all.error.into()));
  CHECK_OK(wave_result_find(result, "a.breakdown", &index, all.error.into()));
  CHECK_OK(wave_result_find(result, "c.breakdown", &index, all.error.into()));
  CHECK(wave_result_find(result, "b.breakdown", &index, all.error.into()) == WAVE_MISUSE);
}

TEST_CASE("a study that the program declares is opened by its name, or as the only one") {
  Loaded all(
      "wave 1\nmodel M { param n: int = 1; output x = n * 1 s }\nstudy Growth of M {\n  vary n in [1, 2, 4]\n"
      "  show x\n}\n");
  for (const Options& options : {Options{{"study", "Growth"}}, Options{}}) {
    const Question study = sweep_of(all.program, options);
    Result result;
    CHECK_OK(wave_question_run(study, nullptr, nullptr, result.into(), all.error.into()));
    CHECK(column_of<double>(result, 0, 1) == std::vector<double>{1, 2, 4});
  }
  Result result;
  const Question wrong = sweep_of(all.program, {{"study", "Grow"}});
  CHECK_FAILS(WAVE_FAILED, "`Growth`", wave_question_run(wrong, nullptr, nullptr, result.into(), all.error.into()));
  CHECK(result == nullptr);
}

TEST_CASE("a study gives a row for each point, and its callback may stop it") {
  Loaded all(rows_text);
  const Question study = sweep_of(all.model, {{"vary", "n=1..4"},
                                              {"vary", "mode=[fast, slow]"},
                                              {"show", "total"},
                                              {"show", "ratio = total[n = 1] / total"},
                                              {"where", "n != 3"}});
  auto points = empty<wave_points_info>();
  CHECK_OK(wave_question_points(study, &points, all.error.into()));
  CHECK(points.count == 6);
  std::uint64_t seen = 0;
  const auto note = [](std::uint64_t done, std::uint64_t all, void* data) {
    *static_cast<std::uint64_t*>(data) = done;
    return done > all ? 1 : 0;
  };
  Result result;
  CHECK_OK(wave_question_run(study, note, &seen, result.into(), all.error.into()));
  CHECK(seen == 6);
  auto info = empty<wave_output_info>();
  CHECK_OK(wave_result_output(result, 0, &info, all.error.into()));
  CHECK(std::string(info.name) == "points");
  CHECK(info.rows == 6);
  CHECK(info.columns == 4);
  CHECK(column_of<double>(result, 0, 3)[0] == 1);
  CHECK(std::string(column_of<const char*>(result, 0, 1)[1]) == "slow");
  std::size_t count = 0;
  const std::int32_t* codes = nullptr;
  CHECK_OK(wave_result_codes(result, 0, &codes, &count, all.error.into()));
  CHECK(count == 6);
  const auto stop = [](std::uint64_t, std::uint64_t, void*) { return 1; };
  CHECK(wave_question_run(study, stop, nullptr, result.into(), all.error.into()) == WAVE_STOPPED);
  const Question wrong = sweep_of(all.model, {{"vary", "m=1..4"}});
  CHECK(wave_question_run(wrong, nullptr, nullptr, result.into(), all.error.into()) == WAVE_FAILED);
  CHECK(wave_question_points(wrong, &points, all.error.into()) == WAVE_FAILED);
}
