// What journals keep of studies that are reduced: a state, which goes on after any crash.
#include "analysis/study/journal.h"
#include "analysis/study/reduce/reduced_run.h"
#include "tests/folder.h"
#include "tests/random/environment.h"
#include "tests/unit/study/counting_model.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace wave;
using namespace wave::analysis;
using test::CountingModel;
using Opening = Journal::Opening;

namespace {

const std::atomic<bool> never_stopped{false};

StudyDescription reduced_description(const CountingModel& model) {
  auto study = describe(model);
  study.reductions = {"best 7 of total", "mean and extremes of total by n", "median of total exact"};
  return study;
}

std::unique_ptr<ReducedStudy> make_reduced(const StudyDescription& study) {
  return std::get<std::unique_ptr<ReducedStudy>>(ReducedStudy::make(study));
}

std::string reduced_whole(CountingModel& model) {
  const auto study = reduced_description(model);
  const auto whole = make_reduced(study);
  ChunkComputer computer(model, id_of(study), {}, never_stopped);
  do REQUIRE(reduce_here(computer, *whole, PointSet({0, study.points}), {}).trouble.empty());
  while (whole->begin_next_pass());
  return whole->encode();
}

std::unique_ptr<Journal> opened(const std::string& path, const StudyDescription& study) {
  auto journal = Journal::open(path, study, {}, Opening::resume);
  REQUIRE(std::holds_alternative<std::unique_ptr<Journal>>(journal));
  return std::get<std::unique_ptr<Journal>>(std::move(journal));
}

// Goes on to the end; `see` is called after each state that was kept.
template <class See>
std::string reduce_on(const std::string& path, CountingModel& model, const See& see) {
  const auto study = reduced_description(model);
  const auto journal = opened(path, study);
  const auto reduced = make_reduced(study);
  if (const auto state = journal->state()) REQUIRE(reduced->decode(*state));
  CHECK(reduced->done().count() == journal->done().count());
  ChunkComputer computer(model, journal->id(), {}, never_stopped);
  do {
    for (PointSet open = PointSet({0, study.points}).without(reduced->done()); !open.empty();) {
      reduced->take(*computer.find(open.take(997)));
      REQUIRE(journal->keep_state(reduced->encode()).empty());
      see();
    }
  } while (reduced->begin_next_pass());
  return reduced->encode();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST_CASE("a reduced study goes on from its journal as it was at any time, cut or damaged anywhere") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string(), copy = (folder.path() / "copy").string();
  CountingModel model(5, 2500);  // more values than bins: exact quantiles take two passes
  model.failing = {4};
  const std::string whole = reduced_whole(model);
  std::vector<std::string> files;
  CHECK(reduce_on(path, model, [&] { files.push_back(bytes_of(path)); }) == whole);
  REQUIRE(files.size() > 12);
  std::size_t longest = 0;
  for (const auto& file : files) longest = std::max(longest, file.size());
  CHECK(longest < 5 * files.front().size() + 5 * whole.size());  // it does not grow with what was computed
  std::size_t at = 0;
  const std::size_t step = test::step_over(files.size());
  for (std::size_t i = 0; i < files.size(); i += step) {
    const std::string& file = files[i];
    write_bytes(copy, file);
    CHECK(reduce_on(copy, model, [] {}) == whole);
    at = (at * 31 + 977) % file.size();
    write_bytes(copy, file.substr(0, std::max(files.front().size(), at)));
    CHECK(reduce_on(copy, model, [] {}) == whole);
    std::string damaged = file;
    damaged[std::max(files.front().size() / 2, at)] ^= 0x20;
    write_bytes(copy, damaged);
    if (std::holds_alternative<JournalTrouble>(Journal::open(copy, reduced_description(model), {}, Opening::resume)))
      continue;  // its beginning
    CHECK(reduce_on(copy, model, [] {}) == whole);
  }
}

TEST_CASE("a reduced study has nothing of points that were given up, and takes them where there is more time") {
  CountingModel model(16, 2);
  model.failing = {3};
  const std::string whole = reduced_whole(model);
  const auto study = reduced_description(model);
  model.endless = {7};
  model.huge = {12};
  const PointLimits little{1, 1000};
  ChunkComputer computer(model, id_of(study), little, never_stopped);
  const auto reduced = make_reduced(study);
  reduce_here(computer, *reduced, PointSet({0, study.points}), {});
  CHECK(reduced->failed() == 6);
  REQUIRE(reduced->failures().size() == 3);
  CHECK(reduced->failures()[0].message() == "3 is no good");
  CHECK(reduced->tables()[0].counted == 26);
  CHECK(reduced->tables()[0].without_value == 6);
  auto again = make_reduced(study);
  REQUIRE(again->decode(reduced->encode()));
  again->forget_given_up(little);
  CHECK(again->done().count() == 32);
  again->forget_given_up({2, 1000});
  CHECK(again->done().count() == 28);
  model.endless = {};
  model.huge = {};
  ChunkComputer able(model, id_of(study), {}, never_stopped);
  do reduce_here(able, *again, PointSet({0, study.points}), {});
  while (again->begin_next_pass());
  CHECK(again->encode() == whole);
}

TEST_CASE("a front is bounded, and so are groups") {
  CountingModel model(2000, 600);
  auto study = describe(model);
  study.reductions = {"sum of total by n, W"};
  auto made = ReducedStudy::make(study);
  REQUIRE(std::holds_alternative<StudyReductionTrouble>(made));
  CHECK(std::get<StudyReductionTrouble>(made).trouble.message == "`sum of total by n, W` makes 1200000 groups");
  study.reductions = {"pareto of n, max n, W"};
  CHECK(std::holds_alternative<StudyReductionTrouble>(ReducedStudy::make(study)));
  study.reductions = {"pareto of n, max steps"};  // n rises, and steps with it
  CountingModel wide(1'000'000, 1);
  auto wide_study = describe(wide);
  wide_study.reductions = study.reductions;
  const auto reduced = make_reduced(wide_study);
  ChunkComputer computer(wide, id_of(wide_study), {}, never_stopped);
  reduce_here(computer, *reduced, PointSet({0, wide_study.points}), {});
  CHECK(reduced->trouble() == "the front of `pareto of n, max steps` has more than 100000 points");
  CHECK(reduced->done().count() < wide_study.points);
}
