// Measurements belong to the points of a study at which every parameter is what they say, however it got its value.
#include "analysis/validation/pairing.h"

#include "frontend/lower/given.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace wave;
using namespace wave::analysis;

namespace {

constexpr const char* model_text = R"(wave 1
interface Net { fn latency(): time }
machine Fast : Net { param L: time = 2 us  fn latency(): time = L }
machine Slow : Net { param L: time = 9 us  fn latency(): time = L }
model Code {
  param cores: int = 1
  param cells: int = 1000
  param threads: int = 1
  param half: int = cores div 2
  param W: time = 1 us
  param share: real = 0.5
  param warm: bool = false
  param kind: even | odd = even
  param title: string = "a"
  param net: Net { L: time } = Fast()
  require cells < 1000000, "too many"
  output time = (cells / cores) * W / threads + net.latency()
}
)";

// The rows of `table` (numbered from 0) that belong to each point, in the order of the product: "0 2||1". Points are
// apart by `|`. Then how many belong to none.
struct Result {
  std::string at;
  std::size_t elsewhere = 0;
  ResultTable rows;  // those at points
  std::string errors;
};

Result paired(const std::string& clauses, const std::string& table, const std::vector<std::string>& given = {},
              const std::vector<std::uint64_t>& selected = {}) {
  frontend::Diagnostics diagnostics;
  const std::string text = std::string(model_text) + "study s of Code {\n" + clauses + "\n show time\n}\n";
  const auto program = frontend::load("m.wave", {}, diagnostics, &text);
  REQUIRE_FALSE(diagnostics.has_errors());
  const frontend::Item *model = nullptr, *study = nullptr;
  for (const auto& one : program->main().items) {
    if (one->name.text == "Code") model = one.get();
    if (one->name.text == "s") study = one.get();
  }
  const auto engines = [](const ir::System& system) { return backend::make_interpreter(system); };
  const GivenModel of{*program, *model, given, engines, 1, {}};
  auto overrides = check_given(*program, *model, given, diagnostics);
  const auto points = StudyModel::make(*program, *study, std::move(overrides), engines, 1, {}, diagnostics);
  REQUIRE(points != nullptr);
  if (!selected.empty()) {
    Selection some = Selection::none();
    for (const std::uint64_t one : selected) some.add(one);
    points->select(some);
  }
  MeasuredColumns columns;
  for (const auto& variable : points->variables()) columns.names[variable.name] = variable.type;
  const MeasuredData data(*program, *model, program->sources.add("runs.csv", table), columns, diagnostics);
  Result result;
  const auto pairing = diagnostics.has_errors() ? std::nullopt : pair_rows({of, *study, *points}, data, diagnostics);
  for (const auto& one : diagnostics.all()) {
    if (one.severity == frontend::Severity::error) result.errors += one.message + "\n";
  }
  if (!pairing) return result;
  std::vector<std::uint64_t> lengths;
  for (const auto& one : points->variables()) lengths.push_back(length(*one.listed));
  const Combinations combinations(lengths, pairing->keys);
  const Product product(*points);
  for (std::uint64_t point = 0; point < product.size(); ++point) {
    if (point > 0) result.at += "|";
    const auto found = pairing->rows.find(combinations.at(points->selection().place(point)));
    if (found == pairing->rows.end()) continue;
    std::vector<std::string> rows;
    for (const std::size_t row : found->second) rows.push_back(std::to_string(row));
    result.at += fmt::format("{}", fmt::join(rows, " "));
  }
  result.elsewhere = pairing->elsewhere;
  result.rows = table_at_points(*points, data, *pairing);
  return result;
}

void check(const std::string& clauses, const std::string& table, const std::string& at, std::size_t elsewhere,
           const std::vector<std::string>& given = {}) {
  INFO(clauses << "\n" << table);
  const Result found = paired(clauses, table, given);
  CHECK(found.errors == "");
  CHECK(found.at == at);
  CHECK(found.elsewhere == elsewhere);
}

}  // namespace

TEST_CASE("what varies, is set, given or has its default must be what a row says", "[pairing]") {
  const std::string runs =
      "cores,cells,threads,time [ms]\n1,1000,1,1005\n2,1000,1,505\n4,1000,1,255\n2,1000,2,260\n4,4000,1,1010\n";
  check("vary cores in [1, 2, 4]", runs, "0|1|2", 2);
  check("vary cores in [1, 2, 4]; set cells = 1000 * cores", runs, "0||4", 3);
  check("vary cores in [1, 2, 4]", runs, "|3|", 4, {"threads=2"});
  check("vary cores in [1, 2, 4]; vary threads in [1, 2]", runs, "0||1|3|2|", 1);
  // A default that follows from what varies.
  check("vary cores in [1, 2, 4]", "half,time [s]\n1,5\n2,6\n7,7\n", "|0|1", 1);
  // A name of the study's own, of which the parameters are made.
  check("vary nodes in [1, 2]; set cores = 4 * nodes", "cores,time [s]\n4,1\n8,2\n12,3\n", "0|1", 1);
  check("vary nodes in [1, 2]; set cores = 4 * nodes", "nodes,cores,time [s]\n1,4,1\n2,4,2\n", "0|", 1);
}

TEST_CASE("values of every type are compared", "[pairing]") {
  check("vary cores in [1, 2]", "cores,W [ns],time [s]\n1,1000,1\n2,1000.5,2\n", "0|", 1);
  check("vary cores in [1, 2]; set W = 0.1 us * 3", "cores,W [us],time [s]\n1,0.3,1\n2,0.3,2\n", "0|1", 0);
  check("vary cores in [1, 3]; set share = 1 / cores", "cores,share,time [s]\n3,0.3333333333,1\n3,0.333,2\n", "|0", 1);
  check("vary cores in [1, 2]", "cores,warm,time [s]\n1,false,1\n2,true,2\n", "0|", 1);
  check("vary cores in [1, 2]; set warm = cores == 2", "cores,warm,time [s]\n1,false,1\n2,true,2\n", "0|1", 0);
  check("vary cores in [1, 2]", "cores,kind,time [s]\n1,even,1\n2,odd,2\n", "0|", 1);
  check("vary kind in [odd, even]", "kind,time [s]\neven,1\nodd,2\n", "1|0", 0);
  check("vary cores in [1, 2]", "cores,title,time [s]\n1,a,1\n2,b,2\n", "0|", 1);
  check("vary cores in [1, 2]", "cores,title,time [s]\n1,a,1\n2,b,2\n", "|1", 1, {"title=\"b\""});
  check("vary title in [\"b\", \"c\"]", "title,time [s]\nb,1\na,2\n", "0|", 1);
  check("vary share in [0.1, 0.2]", "share,time [s]\n0.2,1\n0.1,2\n0.2,3\n", "1|0 2", 0);
}

TEST_CASE("machines and their members are compared by what they are", "[pairing]") {
  check("vary cores in [1, 2]", "cores,net,time [s]\n1,Fast(),1\n2,Slow(),2\n2,Fast(L = 2000 ns),3\n", "0|2", 1);
  check("vary cores in [1, 2]", "cores,net,time [s]\n1,Fast(),1\n2,Slow(),2\n", "|1", 1, {"net=Slow()"});
  check("vary net in [Fast(), Slow()]", "net,time [s]\nSlow(),1\nFast(),2\n", "1|0", 0);
  check("vary net in [Fast(), Slow()]", "net,time [s]\nSlow( ),1\nFast(L = 2 us),2\nFast(L = 3 us),3\n", "1|0", 1);
  check("vary net in [Fast(), Slow()]", "net.L [us],time [s]\n9,1\n2,2\n3,3\n", "1|0", 1);
  check("vary cores in [1, 2]", "cores,net.L [us],time [s]\n1,2,1\n2,5,2\n", "|1", 1, {"net.L=5 us"});
  check("vary cores in [1, 2]; set net = Slow()", "cores,net,time [s]\n1,Fast(),1\n2,Slow(),2\n", "|1", 1);
  check("vary net.L in [1 us, 2 us]", "net,net.L [us],time [s]\nFast(),2,1\nSlow(),1,2\n", "|0", 1);
}

TEST_CASE("a row belongs to every point that it does not tell apart, and to none that was left out", "[pairing]") {
  check("vary cores in [1, 2]; vary W in [1 us, 2 us]", "cores,threads,time [s]\n1,1,1\n2,1,2\n", "0|0|1|1", 0);
  const Result some = paired("vary cores in [1, 2, 3]", "cores,time [s]\n1,1\n2,2\n", {}, {1, 2});
  CHECK(some.at == "1|");
  CHECK(some.elsewhere == 1);
  // At a point where the model fails something may have been measured all the same.
  check("vary cells in [10, 2000000]", "cells,threads,time [s]\n2000000,1,1\n", "|0", 0);
}

TEST_CASE("repetitions stand at their point one by one, and their mean counts", "[pairing]") {
  const Result found =
      paired("vary cores in [1, 2]; set cells = cores * 10", "cells,time [s]\n20,4\n10,1\n20,8\n30,5\n");
  CHECK(found.at == "1|0 2");
  REQUIRE(found.rows.rows == 3);
  // The axis is there although the table does not have it.
  CHECK(found.rows.columns[0].name == "cores");
  CHECK(std::get<std::vector<std::int64_t>>(found.rows.columns[0].values) == std::vector<std::int64_t>{1, 2, 2});
  CHECK(found.rows.columns.back().name == "time");
}

TEST_CASE("a text that is no machine is an error", "[pairing]") {
  CHECK(paired("vary cores in [1, 2]", "cores,net,time [s]\n1,Quick(),1\n").errors != "");
}

// Any study of four parameters, each of which varies, is set, given or has its default, against a plain count.
TEST_CASE("rows are paired as a count of all points and rows says", "[pairing]") {
  const unsigned seed = 20261129;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::array<std::string, 4> names{"cores", "cells", "threads", "half"};
  for (int round = 0; round < 60; ++round) {
    std::array<int, 4> way{};  // 0 varies, 1 is set, 2 is given, 3 has its default
    for (int& one : way) one = static_cast<int>(random() % 4);
    way[0] = 0;
    std::string clauses = "vary cores in [1, 2, 3]";
    std::vector<std::string> given;
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (way[i] == 0) clauses += fmt::format("; vary {} in [1, 2]", names[i]);
      if (way[i] == 1) clauses += fmt::format("; set {} = cores + {}", names[i], i);
      if (way[i] == 2) given.push_back(names[i] + "=2");
    }
    std::vector<std::array<int, 4>> points;
    for (int cores = 1; cores <= 3; ++cores) {
      std::vector<std::array<int, 4>> here{{cores, 0, 0, 0}};
      for (std::size_t i = 1; i < names.size(); ++i) {
        const int usual = i == 1 ? 1000 : i == 2 ? 1 : cores / 2;
        std::vector<std::array<int, 4>> more;
        for (auto one : here) {
          for (int value : way[i] == 0 ? std::vector{1, 2} : std::vector{0}) {
            one[i] = way[i] == 0 ? value : way[i] == 1 ? cores + static_cast<int>(i) : way[i] == 2 ? 2 : usual;
            more.push_back(one);
          }
        }
        here = more;
      }
      points.insert(points.end(), here.begin(), here.end());
    }
    std::array<bool, 4> has{};
    for (bool& one : has) one = random() % 2 == 0;
    std::string table;
    for (std::size_t i = 0; i < names.size(); ++i) table += has[i] ? names[i] + "," : "";
    table += "time [s]\n";
    std::vector<std::array<int, 4>> rows;
    for (int row = 0; row < 12; ++row) {
      auto one = points[random() % points.size()];
      if (random() % 3 == 0) one[random() % 4] += 1;
      rows.push_back(one);
      for (std::size_t i = 0; i < names.size(); ++i) table += has[i] ? fmt::format("{},", one[i]) : "";
      table += fmt::format("{}\n", row + 1);
    }
    std::string expected;
    std::set<std::size_t> there;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (p > 0) expected += "|";
      std::string here;
      for (std::size_t row = 0; row < rows.size(); ++row) {
        bool is_same = true;
        for (std::size_t i = 0; i < names.size(); ++i) is_same = is_same && (!has[i] || rows[row][i] == points[p][i]);
        if (!is_same) continue;
        there.insert(row);
        here += (here.empty() ? "" : " ") + std::to_string(row);
      }
      expected += here;
    }
    check(clauses, table, expected, rows.size() - there.size(), given);
  }
}
