// Tables of measurements: the meaning of columns, repetitions, and what is reported about unusable tables, and where.
#include "analysis/validation/measured_data.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave;
using analysis::MeasuredColumns;
using analysis::MeasuredData;
using frontend::DiagnosticKind;

namespace {

constexpr const char* model_text = R"(wave 1
import std.comm { Machine }
import std.machines.ibm_sp2 { SP2 }
model M {
  param net: Machine { L: time } = SP2()
  param n: int
  param m: int = 1
  param Wg: time = 1 us
  param mode: fast | slow = fast
  param title: string = "x"
  output total = n * Wg
}
)";

class Measured {
 public:
  explicit Measured(const std::string& text, const MeasuredColumns& columns = {}) {
    static const std::string model(model_text);
    program = frontend::load("m.wave", {}, diagnostics, &model);
    REQUIRE_FALSE(diagnostics.has_errors());
    const std::uint32_t file = program->sources.add("measured.csv", text);
    const frontend::Item* const found = find_item(*program, "M", diagnostics);
    REQUIRE(found != nullptr);
    data.emplace(*program, *found, file, columns, diagnostics);
  }
  // The kind, line and column of the first diagnostic.
  std::tuple<DiagnosticKind, std::uint32_t, std::uint32_t> first() const {
    REQUIRE_FALSE(diagnostics.all().empty());
    const auto& one = diagnostics.all().front();
    const auto location = one.labels.at(0).location;
    CHECK(program->sources.name(location.file) == "measured.csv");
    const auto at = program->sources.line_column(location.file, location.begin);
    return {one.kind, at.line, at.column};
  }

  frontend::Diagnostics diagnostics;
  std::unique_ptr<frontend::Program> program;
  std::optional<MeasuredData> data;
};

using Where = std::tuple<DiagnosticKind, std::uint32_t, std::uint32_t>;
constexpr auto unusable = DiagnosticKind::unusable_measurements;
constexpr auto bad_table = DiagnosticKind::bad_value_table;

}  // namespace

TEST_CASE("the column that is no parameter is that of the measurements", "[measured_data]") {
  const Measured found("n,Wg [us],time [ms]\n4,2.5,10\n8,2.5,5.5\n");
  REQUIRE(found.diagnostics.all().empty());
  CHECK(found.data->name() == "time");
  CHECK(found.data->measured() == std::vector<double>{1e10, 5.5e9});
  CHECK(found.data->clauses() == std::vector<std::string>{"n", "Wg"});
  CHECK(found.data->configurations().size() == 2);
  CHECK(std::isnan(found.data->configurations()[0].deviation));
  CHECK(found.data->line(1) == 3);
  const auto table = found.data->table();
  REQUIRE(table.columns.size() == 3);
  CHECK(std::get<std::vector<double>>(table.columns[1].values) == std::vector<double>{2.5e6, 2.5e6});
  CHECK(table.columns[0].varied);
  CHECK_FALSE(table.columns[2].varied);
}

TEST_CASE("a column is named and others are passed over where that is said", "[measured_data]") {
  MeasuredColumns columns;
  columns.measured = "Wg";
  columns.ignored = {"note"};
  const Measured found("n,note,Wg [us]\n4,warm,2.5\n", columns);
  REQUIRE(found.diagnostics.all().empty());
  CHECK(found.data->name() == "Wg");
  CHECK(found.data->clauses() == std::vector<std::string>{"n"});
  CHECK(found.data->measured() == std::vector<double>{2.5e6});
}

TEST_CASE("rows with the same parameters are repetitions, wherever they stand", "[measured_data]") {
  const Measured found("n,time [s]\n4,10\n8,7\n4,12\n4.0,14\n");
  REQUIRE(found.diagnostics.all().empty());
  REQUIRE(found.data->configurations().size() == 2);
  const auto& repeated = found.data->configurations()[0];
  CHECK(repeated.rows == std::vector<std::size_t>{0, 2, 3});
  CHECK(repeated.mean == Approx(12e12));
  CHECK(repeated.deviation == Approx(2e12));
  CHECK(repeated.least == Approx(10e12));
  CHECK(repeated.most == Approx(14e12));
}

TEST_CASE("a row that stands twice is a warning", "[measured_data]") {
  const Measured found("n,time [s]\n4,10\n8,7\n4,10\n");
  CHECK(found.first() == Where{unusable, 4, 1});
  CHECK_FALSE(found.diagnostics.has_errors());
  CHECK(found.data->configurations()[0].rows.size() == 2);
}

TEST_CASE("machines and strings are kept as they are written", "[measured_data]") {
  const Measured found(
      "net,title,n,time [s]\nSP2(),a,1,1\n\"SP2(o = 3 us, L = 2 us)\",\"say \"\"b\"\"\",1,2\nSP2(),a,2,3\n");
  REQUIRE(found.diagnostics.all().empty());
  CHECK(found.data->clauses() ==
        std::vector<std::string>{"net=[SP2(), SP2(o = 3 us, L = 2 us)]", "title=[\"a\", \"say \\\"b\\\"\"]", "n"});
  CHECK(std::get<std::vector<std::int64_t>>(found.data->parameters()[0].values) == std::vector<std::int64_t>{0, 1, 0});
}

TEST_CASE("Windows line ends, a byte-order mark and comments are read over", "[measured_data]") {
  const Measured found("\xEF\xBB\xBF# runs\r\n\r\nn,mode,\"time [s]\"\r\n4,fast,1.5\r\n5,slow,2\r\n");
  REQUIRE(found.diagnostics.all().empty());
  CHECK(found.data->measured() == std::vector<double>{1.5e12, 2e12});
  CHECK(found.data->line(0) == 4);
}

TEST_CASE("configurations can be taken away", "[measured_data]") {
  Measured found("n,time [s]\n1,1\n2,2\n3,3\n");
  found.data->keep({1, 0, 1});
  REQUIRE(found.data->configurations().size() == 2);
  CHECK(found.data->configurations()[1].mean == 3e12);
}

TEST_CASE("what is wrong with a table of measurements is said with its place", "[measured_data]") {
  struct Case {
    const char* text;
    Where where;
  };
  const Case cases[] = {
      {"", {bad_table, 1, 1}},
      {"\xEF\xBB\xBF", {bad_table, 1, 1}},
      {"n,m\n1,2\n", {unusable, 1, 1}},                // no column is measured
      {"n,time [s],note\n1,2,x\n", {unusable, 1, 3}},  // two columns could be the measured one
      {"nn,time [s]\n1,2\n", {unusable, 1, 1}},
      {"n,n,time [s]\n1,1,2\n", {bad_table, 1, 3}},
      {"n,,time [s]\n1,1,2\n", {bad_table, 1, 3}},
      {"n,Wg,time [s]\n1,1,2\n", {DiagnosticKind::bare_number, 1, 3}},
      {"n,Wg [B],time [s]\n1,1,2\n", {DiagnosticKind::dimension_mismatch, 1, 7}},
      {"n,time [sce]\n1,1\n", {DiagnosticKind::unknown_unit, 1, 9}},
      {"n,time [s]\n1,nan\n", {bad_table, 2, 3}},
      {"n,time [s]\n\xEF\xBB\xBF# not,1\n", {bad_table, 2, 1}},  // would be a comment as a text of its own
      {"n,time [s]\n1,inf\n", {bad_table, 2, 3}},
      {"n,time [s]\n1,2\n2,-3\n", {unusable, 3, 3}},
      {"n,time [s]\n1,0\n", {unusable, 2, 3}},
      {"n,time [s]\n1,\n", {bad_table, 2, 3}},
      {"n,time [s]\n1,2 B\n", {bad_table, 2, 3}},
      {"n,time [s]\n1.5,2\n", {bad_table, 2, 1}},
      {"n,mode,time [s]\n1,quick,2\n", {bad_table, 2, 3}},
      {"n,time [s]\n1,2\n2", {bad_table, 3, 2}},  // the last row is cut off
      {"n,time [s]\n1,2,3\n", {bad_table, 2, 5}},
      {"net,n,time [s]\n,1,2\n", {bad_table, 2, 1}},
      {"n,time [s]\n", {bad_table, 1, 1}},  // no rows
      {"n,\"time [s]\n1,2\n", {bad_table, 1, 3}},
  };
  for (const auto& one : cases) {
    const Measured found(one.text);
    INFO(one.text);
    CHECK(found.first() == one.where);
  }
}

TEST_CASE("a table that ends in the middle of a row says so", "[measured_data]") {
  const Measured found("n,time [s]\n1,2\n2");
  REQUIRE(found.diagnostics.has_errors());
  REQUIRE(found.diagnostics.all().front().notes.size() == 1);
  CHECK(found.diagnostics.all().front().notes.front().find("is it whole?") != std::string::npos);
}

TEST_CASE("a last line without an end is taken with a warning", "[measured_data]") {
  const Measured found("n,time [s]\n1,110\n2,6");
  CHECK(found.first() == Where{unusable, 3, 1});
  CHECK_FALSE(found.diagnostics.has_errors());
  CHECK(found.data->rows() == 2);
}

TEST_CASE("columns that are named and not there are said to be missing", "[measured_data]") {
  MeasuredColumns columns;
  columns.measured = "tme";
  const Measured missing("n,time [s]\n1,2\n", columns);
  CHECK(missing.first() == Where{unusable, 1, 1});
  CHECK(missing.diagnostics.all().front().help == std::vector<std::string>{"did you mean `time`?"});
  MeasuredColumns ignored;
  ignored.ignored = {"note"};
  CHECK(Measured("n,time [s]\n1,2\n", ignored).first() == Where{unusable, 1, 1});
  MeasuredColumns named;
  named.measured = "time";
  CHECK(Measured("n,nn,time [s]\n1,1,2\n", named).first() == Where{unusable, 1, 3});
}
