// Formulas that are found again from the numbers that they gave.
#include "analysis/inferred/formulas.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>

namespace {

using namespace wave::analysis::inferred;
using What = Formulas::What;

// RunsOnGrids with their parameters on grids of two axes.
struct RunsOnGrids {
  std::vector<Parameters> parameters;
  std::vector<RankGrid> grids;

  void add(const Parameters& of_run, std::int64_t rows, std::int64_t columns) {
    parameters.push_back(of_run);
    grids.push_back({{rows, columns}, {false, false}});
  }
  std::vector<Where> places() const {
    std::vector<Where> result;
    for (std::size_t run = 0; run < grids.size(); ++run) {
      for (std::int64_t rank = 0; rank < grids[run].count(); ++rank)
        result.push_back({&parameters[run], &grids[run], grids[run].place_of(rank), 0, 0});
    }
    return result;
  }
};

RunsOnGrids several() {
  RunsOnGrids runs;
  runs.add({{"n", 17}, {"m", 12}, {"k", 5}}, 3, 3);
  runs.add({{"n", 20}, {"m", 31}, {"k", 3}}, 4, 3);
  runs.add({{"n", 26}, {"m", 23}, {"k", 4}}, 3, 4);
  runs.add({{"n", 33}, {"m", 20}, {"k", 7}}, 2, 5);
  return runs;
}

std::int64_t part(std::int64_t whole, std::int64_t parts, std::int64_t k) {
  return whole / parts + (k < whole % parts ? 1 : 0);
}

const std::vector<std::string> names{"n", "m", "k"};

template <class Value>
std::vector<Formulas::Value> values_of(const std::vector<Where>& places, const Value& value) {
  std::vector<Formulas::Value> values;
  for (std::size_t row = 0; row < places.size(); ++row)
    values.push_back({row, static_cast<double>(value(places[row]))});
  return values;
}

}  // namespace

TEST_CASE("sizes of parts of a grid are found, and hold elsewhere", "[inferred]") {
  const RunsOnGrids runs = several();
  const auto places = runs.places();
  struct Case {
    const char* what;
    std::function<std::int64_t(const Parameters&, const Where&)> value;
  };
  const auto n = [](const Parameters& p) { return p.at("n"); };
  const auto m = [](const Parameters& p) { return p.at("m"); };
  const auto k = [](const Parameters& p) { return p.at("k"); };
  const Case cases[] = {
      {"a constant", [](const Parameters&, const Where&) { return std::int64_t{40}; }},
      {"a parameter", [&](const Parameters& p, const Where&) { return 8 * n(p); }},
      {"a product", [&](const Parameters& p, const Where&) { return 24 * n(p) * k(p); }},
      {"a square", [&](const Parameters& p, const Where&) { return 8 * (n(p) + 1) * (n(p) + 1); }},
      {"a border", [&](const Parameters& p, const Where& w) { return 8 * part(n(p), w.grid->extents[0], w.place[0]); }},
      {"a border with both ends",
       [&](const Parameters& p, const Where& w) { return 8 * (part(m(p), w.grid->extents[1], w.place[1]) + 2); }},
      {"a face",
       [&](const Parameters& p, const Where& w) { return 40 * k(p) * part(n(p), w.grid->extents[0], w.place[0]); }},
      {"two parts",
       [&](const Parameters& p, const Where& w) {
         return 8 * part(n(p), w.grid->extents[0], w.place[0]) * part(m(p), w.grid->extents[1], w.place[1]);
       }},
      {"for each rank", [&](const Parameters&, const Where& w) { return 4 * w.grid->count(); }},
      {"inner points",
       [&](const Parameters& p, const Where& w) {
         return 40 * (part(n(p), w.grid->extents[0], w.place[0]) - (w.place[0] == 0) -
                      (w.place[0] == w.grid->extents[0] - 1));
       }},
      {"a sum", [&](const Parameters& p, const Where&) { return 8 * n(p) + 16; }},
  };
  // Other runs than those that the formulas are found from.
  RunsOnGrids others;
  others.add({{"n", 41}, {"m", 29}, {"k", 2}}, 5, 3);
  others.add({{"n", 19}, {"m", 64}, {"k", 11}}, 3, 6);
  for (const Case& one : cases) {
    INFO(one.what);
    Formulas formulas(names, 2, places);
    const auto values = values_of(places, [&](const Where& where) { return one.value(*where.parameters, where); });
    const Fit& fit = formulas.fit(values, What::bytes, false);
    REQUIRE(fit.best);
    for (const Where& where : others.places())
      CHECK(formulas.value_of(*fit.best, where) == Approx(static_cast<double>(one.value(*where.parameters, where))));
  }
}

TEST_CASE("counts are found, and hold elsewhere", "[inferred]") {
  const RunsOnGrids runs = several();
  const auto places = runs.places();
  struct Case {
    const char* what;
    std::function<std::int64_t(const Parameters&)> value;
  };
  const Case cases[] = {
      {"a parameter", [](const Parameters& p) { return p.at("n"); }},
      {"less one", [](const Parameters& p) { return p.at("n") - 1; }},
      {"blocks", [](const Parameters& p) { return 2 * ((p.at("n") + p.at("k") - 1) / p.at("k")); }},
      {"whole blocks", [](const Parameters& p) { return p.at("n") / p.at("k"); }},
      {"the rest", [](const Parameters& p) { return p.at("n") % p.at("k"); }},
  };
  for (const Case& one : cases) {
    INFO(one.what);
    Formulas formulas(names, 2, places);
    const auto values = values_of(places, [&](const Where& where) { return one.value(*where.parameters); });
    const Fit& fit = formulas.fit(values, What::rounds, true);
    REQUIRE(fit.best);
    const Parameters other{{"n", 47}, {"m", 9}, {"k", 6}};
    const RankGrid grid{{2, 2}, {false, false}};
    CHECK(formulas.value_of(*fit.best, {&other, &grid, {0, 1}, 0, 0}) == Approx(static_cast<double>(one.value(other))));
  }
}

TEST_CASE("of parameters that were never varied apart, other formulas are kept", "[inferred]") {
  RunsOnGrids runs;
  runs.add({{"n", 16}, {"m", 16}}, 2, 2);
  runs.add({{"n", 20}, {"m", 20}}, 2, 2);
  const auto places = runs.places();
  Formulas formulas({"n", "m"}, 2, places);
  const Fit& fit =
      formulas.fit(values_of(places, [](const Where& w) { return 8 * w.parameters->at("n"); }), What::bytes, true);
  REQUIRE(fit.best);
  CHECK_FALSE(fit.others.empty());
}

TEST_CASE("random numbers have no formula", "[inferred][long]") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> size(1000, 100000);
  const RunsOnGrids runs = several();
  const auto places = runs.places();
  for (int time = 0; time < 20; ++time) {
    Formulas formulas(names, 2, places);
    CHECK_FALSE(formulas.fit(values_of(places, [&](const Where&) { return size(random); }), What::bytes, false).best);
    CHECK_FALSE(formulas.fit(values_of(places, [&](const Where&) { return size(random); }), What::rounds, false).best);
  }
}

TEST_CASE("few numbers are no reason for a long formula", "[inferred]") {
  RunsOnGrids runs;
  runs.add({{"n", 100}, {"m", 3}, {"k", 20}}, 2, 2);
  runs.add({{"n", 200}, {"m", 3}, {"k", 16}}, 4, 2);
  const auto places = runs.places();
  Formulas formulas(names, 2, places);
  const Fit& fit = formulas.fit(values_of(places, [](const Where& w) { return w.parameters->at("n") == 100 ? 7 : 11; }),
                                What::rounds, true);
  CHECK_FALSE((fit.best && fit.best->above.size() + fit.best->below.size() > 3));
}
