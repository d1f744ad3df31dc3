// A failure at a point stays with that point.
#include "analysis/study/run.h"

#include "tests/unit/study/counting_model.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace wave;
using namespace wave::analysis;
using test::CountingModel;

namespace {

Chunk chunk_of(const std::string& record, const StudyId& study) {
  const auto read = read_record(record, &study);
  REQUIRE(read);
  auto chunk = decode(read->contents);
  REQUIRE(chunk);
  return *chunk;
}

// the code of the failure at each point
std::map<std::uint64_t, std::string> failed_in(const Chunk& chunk) {
  std::map<std::uint64_t, std::string> failed;
  for (const auto& failure : chunk.failed) {
    for (const std::uint64_t point : failure.rows) failed[point] = code_of(failure.kind());
  }
  return failed;
}

}  // namespace

TEST_CASE("a point that fails, never ends or is too large is an error of its own row") {
  CountingModel model(16, 2);
  model.failing = {3, 4};
  model.endless = {7};
  model.huge = {12};
  const auto study = id_of(describe(model));
  const std::atomic<bool> never{false};
  ChunkComputer computer(model, study, {}, never);
  const Chunk chunk = chunk_of(*computer.compute({0, 32}), study);
  CHECK(failed_in(chunk) == std::map<std::uint64_t, std::string>{{4, "E0512"},
                                                                 {5, "E0512"},
                                                                 {6, "E0512"},
                                                                 {7, "E0512"},
                                                                 {12, "E0610"},
                                                                 {13, "E0610"},
                                                                 {22, "E0611"},
                                                                 {23, "E0611"}});
  CHECK(computer.computed() == 32);
  REQUIRE(chunk.failed.size() == 3);
  CHECK(chunk.failed[0].message() == "3 is no good");
  const auto& totals = std::get<std::vector<double>>(chunk.columns[0].values);
  const auto& names = std::get<std::vector<std::int64_t>>(chunk.columns[2].values);
  REQUIRE(totals.size() == 32);
  for (std::uint64_t point = 0; point < 32; ++point) {
    const double n = static_cast<double>(point / 2 + 1), work = point % 2 == 0 ? 0.1 : 1e6 + 0.1;
    const bool fails = failed_in(chunk).count(point) > 0;
    CHECK((fails ? std::isnan(totals[point]) : totals[point] == work / n));
    if (!fails)
      CHECK(chunk.columns[2].labels.at(static_cast<std::size_t>(names[point])) ==
            (point / 2 % 2 == 0 ? "odd" : "even"));
  }
}

TEST_CASE("the order of chunks and their sizes do not change what is found") {
  const std::atomic<bool> never{false};
  CountingModel model(30, 3);
  model.failing = {2, 29};
  const auto study = id_of(describe(model));
  std::map<std::uint64_t, double> totals;
  ChunkComputer computer(model, study, {}, never);
  const auto end = run_here(computer, PointSet({0, 90}), [&](PointRange range, std::string_view record) {
    const Chunk chunk = chunk_of(std::string(record), study);
    CHECK(chunk.range == range);
    for (std::uint64_t i = range.begin; i < range.end; ++i)
      totals[i] = std::get<std::vector<double>>(chunk.columns[0].values)[i - range.begin];
    return std::string();
  });
  CHECK(!end.stopped);
  CHECK(end.trouble.empty());
  CHECK(model.rows() == 90);
  const Chunk whole = chunk_of(*ChunkComputer(model, study, {}, never).compute({0, 90}), study);
  const auto& expected = std::get<std::vector<double>>(whole.columns[0].values);
  for (std::uint64_t i = 0; i < 90; ++i)
    CHECK((std::isnan(expected[i]) ? std::isnan(totals[i]) : totals[i] == expected[i]));
}

TEST_CASE("a run that is told to stop hands over whole chunks alone") {
  std::atomic<bool> stop{false};
  CountingModel model(1000, 3);
  model.press = &stop;
  model.press_at = 3;
  const auto study = id_of(describe(model));
  ChunkComputer computer(model, study, {}, stop);
  PointSet done;
  const auto end = run_here(computer, PointSet({0, 3000}), [&](PointRange range, std::string_view record) {
    CHECK(chunk_of(std::string(record), study).range == range);
    done.add(range);
    return std::string();
  });
  CHECK(end.stopped);
  CHECK(done.count() > 0);
  CHECK(done.count() < 3000);
  CHECK(done.count() == computer.computed());
}

TEST_CASE("a run ends where its results find no room") {
  const std::atomic<bool> never{false};
  CountingModel model(1000, 3);
  ChunkComputer computer(model, id_of(describe(model)), {}, never);
  int taken = 0;
  const auto end = run_here(computer, PointSet({0, 3000}),
                            [&](PointRange, std::string_view) { return ++taken == 2 ? "no space" : ""; });
  CHECK(end.trouble == "no space");
  CHECK(taken == 2);
}

TEST_CASE("chunks grow until they take a while, and shrink where points are slow") {
  ChunkSizes sizes;
  std::uint64_t expected = 1;
  while (expected < ChunkSizes::largest) {
    CHECK(sizes.next() == expected);
    sizes.took(expected, 1e-6);
    expected = std::min(8 * expected, ChunkSizes::largest);
  }
  CHECK(sizes.next() == ChunkSizes::largest);
  sizes.took(ChunkSizes::largest, 1000 * ChunkSizes::wanted_seconds);
  CHECK(sizes.next() == 65);
  sizes.took(65, 1000);
  CHECK(sizes.next() == 1);
}

TEST_CASE("descriptions are read as they were written, and no others") {
  CountingModel model(5, 2);
  const auto study = describe(model);
  const std::string bytes = encode(study);
  const auto read = decode_description(bytes);
  REQUIRE(read);
  CHECK(encode(*read) == bytes);
  CHECK(differences(study, *read).empty());
  CHECK(read->varied() == 2);
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK(!decode_description(bytes.substr(0, length)));
  CHECK(!decode_description(bytes + "x"));
}
