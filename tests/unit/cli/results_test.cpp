#include "cli/results.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace wave::cli;
using namespace wave::frontend;
using wave::ir::Scalar;

namespace {

TypeRef type(decltype(Type::kind) kind) { return std::make_shared<const Type>(Type{std::move(kind)}); }
TypeRef time_type() { return type(types::Real{{1, 0, 0}}); }

Unit milliseconds() {
  Unit unit;
  unit.factors.push_back({{"ms", {}}, 1});
  unit.text = "ms";
  return unit;
}

// A single time, a time in ms, a failure, a series and a record.
struct Sample {
  std::vector<OutputInfo> infos;
  Results results;

  Sample() {
    infos.push_back({"iteration",
                     "One iteration.",
                     {},
                     RowsShape::single,
                     {{"iteration", time_type(), std::nullopt}},
                     {},
                     false,
                     {},
                     {}});
    infos.push_back({"total", "", {}, RowsShape::single, {{"total", time_type(), milliseconds()}}, {}, false, {}, {}});
    infos.push_back({"broken", "", {}, RowsShape::single, {}, {}, false, {}, {}});
    infos.push_back({"load",
                     "",
                     {},
                     RowsShape::series,
                     {{"q", type(types::Int{}), std::nullopt}, {"load", time_type(), std::nullopt}},
                     {},
                     false,
                     {},
                     {}});
    infos.push_back({"best",
                     "",
                     {},
                     RowsShape::record,
                     {{"mk", type(types::Int{}), std::nullopt}, {"who", type(types::String{}), std::nullopt}},
                     {},
                     false,
                     {},
                     {}});
    results.file = "a.wave";
    results.model = "M";
    results.engine = "interpreter";
    const std::vector<std::string> words{"north", "a,\"b\""};
    const auto add = [&](std::size_t output, std::size_t columns, std::vector<Scalar> cells) {
      results.outputs.push_back(table_of(infos[output], {columns, std::move(cells)}, words));
    };
    add(0, 1, {Scalar::of(14744202e6)});
    add(1, 1, {Scalar::of(0.1 * 1e12)});
    results.outputs.push_back(failed_table(infos[2], "E0501"));
    add(3, 2, {Scalar::of(std::int64_t{1}), Scalar::of(2.5e6), Scalar::of(std::int64_t{2}), Scalar::of(10e6)});
    add(4, 2, {Scalar::of(std::int64_t{5}), Scalar::of(std::int64_t{1})});
  }
};

}  // namespace

TEST_CASE("a table has a line for every value, points lined up, and a table for every series") {
  CHECK(written(document_of(Sample().results), Format("table")) ==
        "iteration   14.74 s        One iteration.\n"
        "total      100 ms\n"
        "broken     failed (E0501)\n"
        "\n"
        "load\n"
        "  q  load [us]\n"
        "  1        2.5\n"
        "  2       10.0\n"
        "\n"
        "best.mk   5\n"
        "best.who  a,\"b\"\n");
}

TEST_CASE("JSON has every value in full precision with its unit") {
  const auto json = nlohmann::json::parse(written(document_of(Sample().results), Format("json")));
  CHECK(json["model"] == "M");
  CHECK(json["engine"] == "interpreter");
  CHECK(json["tables"]["iteration"]["value"] == 14.744202);
  CHECK(json["tables"]["iteration"]["unit"] == "s");
  CHECK(json["tables"]["total"]["value"] == 100.0);
  CHECK(json["tables"]["total"]["unit"] == "ms");
  CHECK(json["tables"]["broken"]["code"] == "E0501");
  CHECK(json["tables"]["load"]["columns"][1]["unit"] == "s");
  CHECK(json["tables"]["load"]["rows"][1][0] == 2);
  CHECK(json["tables"]["load"]["rows"][1][1] == 1e-5);
  CHECK(json["tables"]["best"]["fields"]["who"]["value"] == "a,\"b\"");
}

TEST_CASE("CSV has a line for every value, with its row, column and unit") {
  CHECK(written(document_of(Sample().results), Format("csv")) ==
        "output,row,column,value,unit,status\n"
        "iteration,,,14.744202,s,evaluated\n"
        "total,,,100,ms,evaluated\n"
        "broken,,,,,failed E0501\n"
        "load,1,q,1,,evaluated\n"
        "load,1,load,2.5e-06,s,evaluated\n"
        "load,2,q,2,,evaluated\n"
        "load,2,load,1e-05,s,evaluated\n"
        "best,,mk,5,,evaluated\n"
        "best,,who,\"a,\"\"b\"\"\",,evaluated\n");
}

TEST_CASE("a shortcut is named in JSON always, and in a table where it stands for many points") {
  Sample sample;
  auto& reports = sample.results.reports;
  reports.push_back({"small", "closed form: equal paths", 100, 0, 0, 0, {}});
  reports.push_back({"start", "closed form: equal paths; 3 points", 1e9, 0, 0, 0, {}});
  reports.push_back({"slow", "rows i outer, j inner", 1e9, 0, 0, 0, {}});
  reports.push_back({"later", "closed form: equal paths", 1e7, 0, 0, 0, {}});
  CHECK(
      written(document_of(sample.results), Format("table")).ends_with("\n\nstart, later: closed form: equal paths\n"));
  const auto shown = nlohmann::json::parse(written(document_of(sample.results), Format("json")))["shortcuts"];
  REQUIRE(shown.size() == 3);
  CHECK(shown[0]["of"] == "small");
  CHECK(shown[1]["proof"] == "equal paths");
  reports = {{"around",
              "1 x sweep, certified tiles: 28 of 8000 evaluated, certified iterations: 3 of 419 evaluated",
              1e8,
              0,
              0,
              0,
              {}},
             {"start", "closed form: equal paths, as an expression", 1e8, 0, 0, 0, {}}};
  CHECK(written(document_of(sample.results), Format("table"))
            .ends_with(
                "\naround: certified tiles: 28 of 8000 evaluated\naround: certified iterations: 3 of 419 evaluated\n"
                "start: closed form: equal paths\n"));
  CHECK(nlohmann::json::parse(written(document_of(sample.results), Format("json")))["shortcuts"][1]["proof"] ==
        "certified iterations");
  reports = {{"slow", "rows i outer, j inner", 1e9, 0, 0, 0, {}}};
  CHECK_FALSE(nlohmann::json::parse(written(document_of(sample.results), Format("json"))).contains("shortcuts"));
}
