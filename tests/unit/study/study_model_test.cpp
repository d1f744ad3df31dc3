// Studies as functions of what varies: values, sets, other points, choices between systems, and failures.
#include "analysis/study/study_model.h"

#include "analysis/uncertainty/propagation.h"
#include "frontend/check/program.h"

#include <catch2/catch.hpp>

namespace wave::analysis {
namespace {

using frontend::Diagnostics;
using frontend::Item;

constexpr const char* text = R"(wave 1
interface Net { fn latency(): time }
machine Fast : Net { param L: time = 2 us  fn latency(): time = L }
machine Slow : Net { param L: time = 9 us  fn latency(): time = L }
model Pipe {
  param procs: int = 4
  param n: int = 2 in 1..100
  param m: int = 2
  param W: time = 60 us
  param net: Net { L: time } = Fast()
  param kind: even | odd = even
  output total = W / (n * m) + (n + m) * net.L in us
  output parts = n + m
  output tag = if kind == even then 1 else 2
}
study split of Pipe {
  vary procs in [1, 4, 12]
  set n = argmin(d in 1..procs if procs mod d == 0: total(n = d, m = procs div d)), m = procs div n
  show total, width = n, speedup = total[procs = 1] / total, efficiency = speedup / procs
}
study machines of Pipe {
  vary net in [Fast(), Slow(), Fast(L = 5 us)]
  vary k in 1..2
  set W = default * k
  show total, half = total[k = 1] / total
}
study again of Pipe {
  vary n in [1, 2]
  show total = total[n = 2] * 2, twice = total * 2, first = twice[n = 1]
}
study all of Pipe {
  vary n in [1, 2]
}
study paths of Pipe {
  vary net.L in [1 us, 4 us, 7 us]
  show total, copy = total(n = 1)
}
)";

struct Loaded {
  explicit Loaded(const std::string& source = text) : program(frontend::load("study.wave", {}, diagnostics, &source)) {}
  const Item& item(const std::string& name) const {
    for (const auto& one : program->main().items) {
      if (one->name.text == name) return *one;
    }
    throw std::runtime_error("no " + name);
  }
  std::unique_ptr<StudyModel> open(const Item& study, StudySampling sampling = {}) {
    return StudyModel::make(
        *program, study, {}, [](const ir::System& system) { return backend::make_interpreter(system); }, 1, {},
        diagnostics, frontend::StudyAsks::results, sampling);
  }
  std::string errors() const {
    std::string all;
    for (const auto& one : diagnostics.all()) all += one.message + "\n";
    return all;
  }

  Diagnostics diagnostics;
  std::unique_ptr<frontend::Program> program;
};

ResultTable all_points(StudyModel& model) {
  const Product product(model.variables());
  auto outcome = model.evaluate(product.points(0, product.size()), {});
  REQUIRE(std::holds_alternative<ResultTable>(outcome));
  return std::get<ResultTable>(std::move(outcome));
}

const ResultColumn& column(const ResultTable& table, const std::string& name) {
  for (const auto& one : table.columns) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no column " + name);
}

std::vector<double> reals(const ResultTable& table, const std::string& name) {
  return std::get<std::vector<double>>(column(table, name).values);
}
std::vector<std::int64_t> integers(const ResultTable& table, const std::string& name) {
  return std::get<std::vector<std::int64_t>>(column(table, name).values);
}

constexpr double us = 1e6;  // in picoseconds

double total(double n, double m, double W, double L) { return W / (n * m) + (n + m) * L; }

}  // namespace

TEST_CASE("sets follow what varies, and other points follow the sets") {
  Loaded loaded;
  const auto model = loaded.open(loaded.item("split"));
  INFO(loaded.errors());
  REQUIRE(model);
  const auto table = all_points(*model);
  REQUIRE(table.rows == 3);
  std::vector<double> best;
  std::vector<std::int64_t> widths;
  for (const int procs : {1, 4, 12}) {
    double least = 1e300;
    int width = 0;
    for (int d = 1; d <= procs; ++d) {
      if (procs % d != 0) continue;
      const double here = total(d, procs / d, 60 * us, 2 * us);
      if (here < least) least = here, width = d;
    }
    best.push_back(least);
    widths.push_back(width);
  }
  CHECK(reals(table, "total") == best);
  CHECK(integers(table, "width") == widths);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(reals(table, "speedup")[i] == best[0] / best[i]);
    CHECK(reals(table, "efficiency")[i] == best[0] / best[i] / static_cast<double>(integers(table, "procs")[i]));
  }
}

TEST_CASE("what shapes the system is chosen, point by point") {
  Loaded loaded;
  const auto model = loaded.open(loaded.item("machines"));
  INFO(loaded.errors());
  REQUIRE(model);
  REQUIRE(model->variables()[0].shapes);
  CHECK(model->variables()[0].labels == std::vector<std::string>{"Fast()", "Slow()", "Fast(L = 5 us)"});
  const auto table = all_points(*model);
  REQUIRE(table.rows == 6);
  std::size_t row = 0;
  for (const double L : {2 * us, 9 * us, 5 * us}) {
    for (const int k : {1, 2}) {
      CHECK(reals(table, "total")[row] == total(2, 2, 60 * us * k, L));
      CHECK(reals(table, "half")[row] == total(2, 2, 60 * us, L) / total(2, 2, 60 * us * k, L));
      ++row;
    }
  }
}

TEST_CASE("a parameter inside another varies, and holds for copies of the model") {
  Loaded loaded;
  const auto model = loaded.open(loaded.item("paths"));
  INFO(loaded.errors());
  REQUIRE(model);
  CHECK(model->variables()[0].usual == 2 * us);
  const auto table = all_points(*model);
  CHECK(reals(table, "total") ==
        std::vector<double>{total(2, 2, 60 * us, us), total(2, 2, 60 * us, 4 * us), total(2, 2, 60 * us, 7 * us)});
  CHECK(reals(table, "copy") ==
        std::vector<double>{total(1, 2, 60 * us, us), total(1, 2, 60 * us, 4 * us), total(1, 2, 60 * us, 7 * us)});
}

TEST_CASE("a show sees those before it, and a study without any shows all outputs") {
  Loaded loaded;
  const auto model = loaded.open(loaded.item("again"));
  INFO(loaded.errors());
  REQUIRE(model);
  const auto table = all_points(*model);
  const double once = 2 * total(2, 2, 60 * us, 2 * us);
  CHECK(reals(table, "total") == std::vector<double>{once, once});
  CHECK(reals(table, "twice") == std::vector<double>{2 * once, 2 * once});
  CHECK(reals(table, "first") == std::vector<double>{2 * once, 2 * once});
  const auto all = loaded.open(loaded.item("all"));
  INFO(loaded.errors());
  REQUIRE(all);
  REQUIRE(all->shown().size() == 3);
  CHECK(all->shown()[1].name == "parts");
}

TEST_CASE("a study is asked for clause by clause") {
  Loaded loaded;
  const auto study = frontend::ask(*loaded.program, loaded.item("Pipe"),
                                   {{{"--vary", "n=1..3"}, {"--vary", "W"}, {"--vary", "kind=[odd, even]"}},
                                    {{"--show", "total, tag, n * m <= 4, total in ms"}}},
                                   loaded.diagnostics);
  INFO(loaded.errors());
  REQUIRE(study);
  const auto model = loaded.open(*study);
  INFO(loaded.errors());
  REQUIRE(model);
  const auto& variables = model->variables();
  REQUIRE(variables.size() == 3);
  CHECK(variables[0].lower == 1);
  CHECK(variables[0].upper == 100);
  CHECK_FALSE(variables[1].listed);
  CHECK(variables[1].usual == 60 * us);
  CHECK(variables[2].labels == std::vector<std::string>{"even", "odd"});
  CHECK(std::get<std::vector<std::int64_t>>(*variables[2].listed) == std::vector<std::int64_t>{1, 0});
  const std::vector<ColumnValues> points{std::vector<std::int64_t>{1, 200, 3}, std::vector<double>{us, us, 8 * us},
                                         std::vector<std::int64_t>{0, 0, 1}};
  auto outcome = model->evaluate(points, {});
  REQUIRE(std::holds_alternative<ResultTable>(outcome));
  const auto& table = std::get<ResultTable>(outcome);
  CHECK(reals(table, "total")[0] == total(1, 2, us, 2 * us));
  CHECK(reals(table, "total")[2] == total(3, 2, 8 * us, 2 * us));
  CHECK(integers(table, "tag")[2] == 2);
  CHECK(integers(table, "n * m <= 4")[0] == 1);
  CHECK(integers(table, "n * m <= 4")[2] == 0);
  REQUIRE(table.failed.size() == 1);
  CHECK(table.failed[0].rows == std::vector<std::uint64_t>{1});
  CHECK(table.failed[0].kind() == frontend::DiagnosticKind::outside_range);
}

TEST_CASE("the rows of a table are points, with the values and units of its cells") {
  Loaded loaded;
  const auto& pipe = loaded.item("Pipe");
  const auto file = loaded.program->sources.add("points.csv", "n,net.L [us],kind\n3,5,odd\n1,2,even\n3,5,odd\n");
  ValueTable table(*loaded.program, pipe, file, loaded.diagnostics);
  const auto study =
      frontend::ask(*loaded.program, pipe,
                    {{{"--columns", "n"}, {"--columns", "net.L"}, {"--columns", "kind"}}, {{"--show", "total, tag"}}},
                    loaded.diagnostics);
  INFO(loaded.errors());
  REQUIRE(study);
  const auto model = loaded.open(*study);
  INFO(loaded.errors());
  REQUIRE(model);
  std::vector<std::string> words;
  table.read_rows(words);
  model->list_rows(table.take_columns(), words);
  CHECK(length(table.columns()[0].values) == 0);
  CHECK(table.columns()[0].path == "n");
  REQUIRE(model->variables()[1].unit);
  CHECK(model->variables()[1].unit->text == "us");
  const Product rows(*model);
  REQUIRE(rows.size() == 3);
  const auto points = rows.points(0, 3);
  CHECK(model->take_points() == points);
  CHECK_FALSE(model->variables()[0].listed);
  auto outcome = model->evaluate(points, {});
  REQUIRE(std::holds_alternative<ResultTable>(outcome));
  const auto& found = std::get<ResultTable>(outcome);
  CHECK(found.failed.empty());
  CHECK(integers(found, "n") == std::vector<std::int64_t>{3, 1, 3});
  CHECK(integers(found, "tag") == std::vector<std::int64_t>{2, 1, 2});
  const double first = total(3, 2, 60 * us, 5 * us), second = total(1, 2, 60 * us, 2 * us);
  CHECK(reals(found, "total") == std::vector<double>{first, second, first});
}

TEST_CASE("no rows have columns all the same, and a study of one point has one row") {
  Loaded loaded;
  const auto& pipe = loaded.item("Pipe");
  const auto some =
      frontend::ask(*loaded.program, pipe, {{{"--vary", "n"}}, {{"--show", "total"}}}, loaded.diagnostics);
  const auto one = frontend::ask(*loaded.program, pipe, {{}, {{"--show", "total, tag"}}}, loaded.diagnostics);
  REQUIRE(some);
  REQUIRE(one);
  const std::vector<ColumnValues> none{std::vector<std::int64_t>{}};
  auto outcome = loaded.open(*some)->evaluate(none, {});
  REQUIRE(std::holds_alternative<ResultTable>(outcome));
  CHECK(std::get<ResultTable>(outcome).columns.size() == 2);
  CHECK(std::get<ResultTable>(outcome).rows == 0);
  outcome = loaded.open(*one)->evaluate({}, {});
  REQUIRE(std::holds_alternative<ResultTable>(outcome));
  CHECK(reals(std::get<ResultTable>(outcome), "total") == std::vector<double>{total(2, 2, 60 * us, 2 * us)});
}

TEST_CASE("what fails without anything bound has a cell of its type, and strings keep their texts") {
  Loaded loaded(R"(wave 1
interface Net { fn latency(): time }
machine A : Net { param L: time = 1 us  fn latency(): time = L }
model M {
  param n: int = 7
  param net: Net { L: time } = A()
  param title: string = "plain"
  output name = if 100 div (n - 7) > 3 then "a" else "b"
  output count = 10 div (n - 7)
  output holds = 10 div (n - 7) > 3
  output time = net.L / (n - 7)
  output heading = title
}
study set_only of M { set n = 7  show name, count, holds, time }
study shaped of M { vary net in [A(), A(L = 2 us)]  show name, count, holds, time }
study shaped_well of M { vary net in [A(), A(L = 2 us)]  set n = 8  show name, time }
study words of M { vary title in ["x", "a longer one"]  show heading }
)");
  for (const char* const name : {"set_only", "shaped"}) {
    const auto model = loaded.open(loaded.item(name));
    INFO(loaded.errors());
    REQUIRE(model);
    const auto table = all_points(*model);
    CHECK(count_rows(table.failed) == table.rows);
    CHECK(integers(table, "name").size() == table.rows);
    CHECK(integers(table, "count").size() == table.rows);
    CHECK(integers(table, "holds").size() == table.rows);
    CHECK(reals(table, "time").size() == table.rows);
  }
  const auto well = loaded.open(loaded.item("shaped_well"));
  REQUIRE(well);
  const auto table = all_points(*well);
  CHECK(table.failed.empty());
  CHECK(column(table, "name").labels[static_cast<std::size_t>(integers(table, "name")[1])] == "a");
  CHECK(reals(table, "time") == std::vector<double>{us, 2 * us});
  const auto words = loaded.open(loaded.item("words"));
  REQUIRE(words);
  const auto titles = all_points(*words);
  for (const char* const name : {"title", "heading"}) {
    const auto& texts = column(titles, name);
    CHECK(texts.labels[static_cast<std::size_t>(integers(titles, name)[0])] == "x");
    CHECK(texts.labels[static_cast<std::size_t>(integers(titles, name)[1])] == "a longer one");
  }
  CHECK(words->variables()[0].labels.size() >= 2);
}

TEST_CASE("a list that depends on what varies by detours is refused, and a range is none that moves") {
  Loaded loaded(R"(wave 1
model M {
  param n: int = 4
  param k: int = 1 in 1..n
  let half = n div 2
  output x = n + k
}
study s of M { vary n in [4, 8]  vary k in 1..half  show x }
study t of M { vary n in [4, 8]  vary k in 1..2  show x }
)");
  CHECK_FALSE(loaded.open(loaded.item("s")));
  REQUIRE(loaded.diagnostics.has_errors());
  CHECK(loaded.diagnostics.all().front().kind == frontend::DiagnosticKind::wrong_study);
  loaded.diagnostics = {};
  const auto model = loaded.open(loaded.item("t"));
  REQUIRE(model);
  CHECK(model->variables()[1].lower == 1);
  CHECK_FALSE(model->variables()[1].upper);
}

TEST_CASE("what cannot be a study is refused with a reason") {
  const auto refused = [](const frontend::Asked& asked) {
    Loaded loaded;
    const auto study = frontend::ask(*loaded.program, loaded.item("Pipe"), asked, loaded.diagnostics);
    if (study) CHECK_FALSE(loaded.open(*study));
    REQUIRE(loaded.diagnostics.has_errors());
    return loaded.diagnostics.all().front().kind;
  };
  using Kind = frontend::DiagnosticKind;
  CHECK(refused({{{"--vary", "nn=1..3"}}, {{"--show", "total"}}}) == Kind::unknown_name);
  CHECK(refused({{{"--vary", "net.M=[1 us]"}}, {{"--show", "total"}}}) == Kind::unknown_parameter);
  CHECK(refused({{{"--vary", "n=3..1"}}, {{"--show", "total"}}}) == Kind::wrong_study);
  CHECK(refused({{{"--vary", "n=1..10^12"}}, {{"--show", "total"}}}) == Kind::wrong_study);
  CHECK(refused({{{"--vary", "n=1..3"}, {"--vary", "m=1..n"}}, {{"--show", "total"}}}) == Kind::wrong_study);
  CHECK(refused({{{"--vary", "n=1..3"}}, {{"--show", "totl"}}}) == Kind::unknown_name);
  CHECK(refused({{{"--vary", "n=1..3 } study x of Pipe { show total"}}, {{"--show", "total"}}}) ==
        Kind::unmatched_bracket);
  CHECK(refused({{{"--vary", "n=1..3 set m = 2"}}, {{"--show", "total"}}}) == Kind::unexpected_token);
  CHECK(refused({{{"--vary", "=1..3"}}, {{"--show", "total"}}}) == Kind::unexpected_token);
}

TEST_CASE("the product counts with the last variable first") {
  std::vector<Variable> variables(3);
  variables[0].listed = ColumnValues(std::vector<std::int64_t>{1, 2});
  variables[1].listed = ColumnValues(std::vector<double>{0.5, 1.5, 2.5});
  variables[2].listed = ColumnValues(std::vector<std::int64_t>{7, 8});
  const Product product(variables);
  REQUIRE(product.size() == 12);
  for (std::uint64_t begin = 0; begin <= 12; ++begin) {
    for (std::uint64_t end = begin; end <= 12; ++end) {
      const auto points = product.points(begin, end);
      for (std::uint64_t i = begin; i < end; ++i) {
        CHECK(std::get<std::vector<std::int64_t>>(points[0])[i - begin] == static_cast<std::int64_t>(1 + i / 6));
        CHECK(std::get<std::vector<double>>(points[1])[i - begin] == 0.5 + static_cast<double>(i / 2 % 3));
        CHECK(std::get<std::vector<std::int64_t>>(points[2])[i - begin] == static_cast<std::int64_t>(7 + i % 2));
      }
    }
  }
  for (auto& one : variables) one.listed = ColumnValues(std::vector<std::int64_t>(std::size_t{1} << 22));
  CHECK(Product(variables).size() == ~std::uint64_t{0});
}

TEST_CASE("the spread at a point is that of the model there, whatever other points there are") {
  Loaded loaded(R"(wave 1
model M {
  param a: time = 9 us ± 2 us in 8 us..
  param n: int = 3
  param word: string = "x"
  let b = 3 us ± 1 us
  require n < 5, "no more"
  output t = max(a, b * n)
  output count = floor(a / 1 us) + n
  output name = word
}
study over of M { vary n in [1, 2, 3, 5]  show t, count, name }
study one of M { vary n in [3]  show t, count, name }
study fixed of M { vary n in [1, 2]  set a = 9 us  show width = n * 1 us }
)");
  const StudySampling sampling{500, 3};
  const auto model = loaded.open(loaded.item("over"), sampling), alone = loaded.open(loaded.item("one"), sampling);
  INFO(loaded.errors());
  REQUIRE((model && alone));
  CHECK(model->drawn() == 2);
  const auto table = all_points(*model), single = all_points(*alone);
  // The same draws by the model itself, with the parameter at this value.
  Diagnostics diagnostics;
  const auto lowered = frontend::lower_model(*loaded.program, loaded.item("M"), {}, diagnostics, {.uncertain = true});
  const auto engine = backend::make_interpreter(lowered.system);
  const auto inputs = uncertain_inputs(lowered, *engine, {});
  const auto outcome = propagate(lowered, *engine, inputs, {&lowered.outputs[0], &lowered.outputs[1]}, 500, 3, 1, {});
  const auto& expected = std::get<Propagation>(outcome);
  REQUIRE(expected.spreads.size() == 2);
  for (const auto& [found, row] : {std::pair(&table, std::size_t{2}), std::pair(&single, std::size_t{0})}) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string name = k == 0 ? "t" : "count";
      const Summary& summary = expected.spreads[k].summary;
      CHECK(reals(*found, name + ".mean")[row] == summary.mean);
      CHECK(reals(*found, name + ".deviation")[row] == summary.deviation);
      CHECK(reals(*found, name + ".low")[row] == summary.low);
      CHECK(reals(*found, name + ".high")[row] == summary.high);
    }
    CHECK(reals(*found, "t")[row] == 9 * us);
    CHECK(integers(*found, "samples")[row] == 500);
  }
  // A point that fails has no spread, and one without anything drawn has none either.
  REQUIRE(table.failed.size() == 1);
  CHECK(table.failed[0].rows == std::vector<std::uint64_t>{3});
  CHECK(column(table, "t.mean").missing == std::vector<std::uint64_t>{3});
  const auto fixed = loaded.open(loaded.item("fixed"), sampling);
  REQUIRE(fixed);
  const auto still = all_points(*fixed);
  CHECK(reals(still, "width.mean") == reals(still, "width"));
  CHECK(reals(still, "width.deviation") == std::vector<double>{0, 0});
}

}  // namespace wave::analysis
