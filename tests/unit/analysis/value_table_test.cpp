// Tables of parameter values: which columns are allowed, and what is reported about others and about their cells, and
// where.
#include "analysis/value_table.h"

#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave;
using frontend::DiagnosticKind;

namespace {

constexpr const char* model_text = R"(wave 1
import std.comm { Machine }
import std.machines.ibm_sp2 { SP2 }
model M {
  param net: Machine { L: time } = SP2()
  param n: int
  param Wg: time = 1 us
  param G: time/data = 1 us/B
  param mode: fast | slow = fast
  param f: real = 1
  param title: string = "x"
  param sizes: [int] = [1, 2]
  output total = n * Wg
}
)";

class Table {
 public:
  explicit Table(const std::string& text) {
    static const std::string model(model_text);
    program_ = frontend::load("m.wave", {}, diagnostics, &model);
    REQUIRE_FALSE(diagnostics.has_errors());
    const std::uint32_t file = program_->sources.add("values.csv", text);
    const frontend::Item* const found = find_item(*program_, "M", diagnostics);
    REQUIRE(found != nullptr);
    table.emplace(*program_, *found, file, diagnostics);
    if (!diagnostics.has_errors()) table->read_rows(words);
  }
  std::vector<DiagnosticKind> kinds() const {
    std::vector<DiagnosticKind> result;
    for (const auto& one : diagnostics.all()) result.push_back(one.kind);
    return result;
  }
  // The line and column of the first diagnostic.
  std::pair<std::uint32_t, std::uint32_t> where() const {
    REQUIRE_FALSE(diagnostics.all().empty());
    const auto location = diagnostics.all().front().labels.at(0).location;
    const auto at = program_->sources.line_column(location.file, location.begin);
    CHECK(program_->sources.name(location.file) == "values.csv");
    return {at.line, at.column};
  }

  frontend::Diagnostics diagnostics;
  std::vector<std::string> words;
  std::optional<analysis::ValueTable> table;

 private:
  std::unique_ptr<frontend::Program> program_;
};

using At = std::pair<std::uint32_t, std::uint32_t>;
using Kinds = std::vector<DiagnosticKind>;

}  // namespace

TEST_CASE("columns hold the values of their parameters, in base units") {
  const Table t("n,Wg [us],G [ns/B],mode,f,net.L [s],title\n3,1.5,2,slow,0.25,1,x y\n-1,0,0,fast,1,0.5,\n");
  REQUIRE(t.kinds().empty());
  const auto& columns = t.table->columns();
  REQUIRE(columns.size() == 7);
  CHECK(std::get<std::vector<std::int64_t>>(columns[0].values) == std::vector<std::int64_t>{3, -1});
  CHECK(std::get<std::vector<double>>(columns[1].values) == std::vector<double>{1.5e6, 0});
  CHECK(std::get<std::vector<double>>(columns[2].values) == std::vector<double>{2000, 0});
  CHECK(std::get<std::vector<std::int64_t>>(columns[3].values) == std::vector<std::int64_t>{1, 0});
  CHECK(std::get<std::vector<double>>(columns[4].values) == std::vector<double>{0.25, 1});
  CHECK(std::get<std::vector<double>>(columns[5].values) == std::vector<double>{1e12, 0.5e12});
  CHECK(t.words == std::vector<std::string>{"x y", ""});
  CHECK(t.table->rows().size() == 2);
}

TEST_CASE("a column that cannot be one is reported at its heading") {
  const auto check = [](const std::string& header, DiagnosticKind kind, At location) {
    INFO(header);
    const Table t(header + "\n1\n");
    CHECK(t.kinds() == Kinds{kind});
    CHECK(t.where() == location);
  };
  check("n,nn", DiagnosticKind::unknown_parameter, {1, 3});
  check("n,net.K [us]", DiagnosticKind::unknown_parameter, {1, 3});
  check("net", DiagnosticKind::fixed_parameter, {1, 1});
  check("n,sizes", DiagnosticKind::fixed_parameter, {1, 3});
  check("# m\n\nWg", DiagnosticKind::bare_number, {3, 1});
  check("Wg []", DiagnosticKind::bare_number, {1, 1});
  check("Wg [B]", DiagnosticKind::dimension_mismatch, {1, 5});
  check("n [us]", DiagnosticKind::dimension_mismatch, {1, 4});
  check("f [us]", DiagnosticKind::dimension_mismatch, {1, 4});
  check("mode [us]", DiagnosticKind::dimension_mismatch, {1, 7});
  check("Wg [usce]", DiagnosticKind::unknown_unit, {1, 5});
  check("n,n", DiagnosticKind::bad_value_table, {1, 3});
  check("n,,f", DiagnosticKind::bad_value_table, {1, 3});
  check("n," + std::string(5000, 'x'), DiagnosticKind::bad_value_table, {1, 3});
  check("n,\"f", DiagnosticKind::bad_value_table, {1, 3});
}

TEST_CASE("a cell that is no value is reported where it stands, and the others are read") {
  const auto check = [](const std::string& rows, At location) {
    INFO(rows);
    const Table t("n,Wg [us],mode\n" + rows);
    CHECK(t.kinds() == Kinds{DiagnosticKind::bad_value_table});
    CHECK(t.where() == location);
  };
  check("1,1,fast\nx,1,fast\n", {3, 1});
  check("1.5,1,fast\n", {2, 1});
  check("1,1B,fast\n", {2, 3});
  check("1,nan,fast\n", {2, 3});
  check("1, ,fast\n", {2, 4});
  check("1,1,faster\n", {2, 5});
  check("1,1\n", {2, 4});
  check("1,1,fast,1\n", {2, 10});
  check("1,1e400,fast\n", {2, 3});
  check("1,1,\"fast\n", {2, 5});
  const Table two("n,Wg [us],mode\nx,1,fast\n1,1,fast\n1,y,fast\n");
  CHECK(two.kinds() == Kinds(2, DiagnosticKind::bad_value_table));
}

TEST_CASE("a table without columns is an error, one without rows a warning") {
  const Table nothing(" \n# n\n");
  CHECK(nothing.diagnostics.has_errors());
  const Table header("n\n");
  CHECK(header.kinds() == Kinds{DiagnosticKind::bad_value_table});
  CHECK_FALSE(header.diagnostics.has_errors());
}

TEST_CASE("a table full of errors is given up early") {
  std::string text = "n\n";
  for (int i = 0; i < 1000; ++i) text += "x\n";
  CHECK(Table(text).diagnostics.all().size() == 20);
}

TEST_CASE("the stand-ins of columns let a model be lowered that has no default for them") {
  Table t("n,mode,title,f,Wg [us]\n1,fast,x,1,1\n");
  CHECK(t.table->stand_ins().size() == 5);
  CHECK(t.kinds().empty());
}

TEST_CASE("a cell is found where it stands, in the series that was read, also after texts were added") {
  const std::string model(model_text);
  for (const auto& [text, series] :
       {std::pair("n,x\n1,7\n2,8\n", ""),
        {"{\"n\":1,\"x\":7}\n{\"n\":2,\"x\":8}", ""},
        {"PARAMETER n\nPOINTS 1 2\nMETRIC x\nREGION a\nDATA 5\nDATA 6\nREGION b\nDATA 7\nDATA 8\n", "x of b"}}) {
    INFO(text);
    frontend::Diagnostics diagnostics;
    const auto program = frontend::load("m.wave", {}, diagnostics, &model);
    const std::uint32_t file = program->sources.add("values", text);
    const frontend::Item* const found = find_item(*program, "M", diagnostics);
    REQUIRE(found != nullptr);
    analysis::ValueTable table(*program, *found, file, diagnostics, {{1}, {}, {}, series, {}});
    std::vector<std::string> words;
    table.read_rows(words);
    REQUIRE_FALSE(diagnostics.has_errors());
    REQUIRE(table.rows().size() == 2);
    const auto cell = [&](std::size_t row, std::size_t at) {
      return std::string(program->sources.text(table.location(row, at)));
    };
    CHECK(cell(1, 1) == "8");
    for (int i = 0; i < 100; ++i) program->sources.add("more", "x");
    CHECK(cell(0, 1) == "7");
    CHECK(cell(1, 0) == "2");
  }
}

TEST_CASE("any table is read or reported") {
  const unsigned seed = 77;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::string_view likely = ",\"\n 0123.e-[]usnWgfast";
  for (std::uint64_t round = 0; round < test::rounds_of(150); ++round) {
    std::string text = random() % 2 == 0 ? "n,Wg [us],mode\n" : "";
    for (std::size_t i = random() % 80; i > 0; --i) {
      text += random() % 10 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    const Table t(text);
    if (t.diagnostics.has_errors()) continue;
    for (const auto& column : t.table->columns()) {
      REQUIRE(std::visit([](const auto& values) { return values.size(); }, column.values) == t.table->rows().size());
    }
  }
}
