// Journals in the state in which crashes, full disks, bad disks and other programs leave them.
#include "analysis/study/journal.h"

#include "analysis/study/run.h"
#include "tests/folder.h"
#include "tests/unit/study/counting_model.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace wave;
using namespace wave::analysis;
using test::CountingModel;
using Opening = Journal::Opening;
using Kind = JournalTrouble::Kind;

namespace {

using Opened = std::variant<std::unique_ptr<Journal>, JournalTrouble>;

std::unique_ptr<Journal> good(Opened opened) {
  if (const auto* trouble = std::get_if<JournalTrouble>(&opened))
    FAIL("trouble " << static_cast<int>(trouble->kind) << " " << trouble->text);
  return std::move(std::get<std::unique_ptr<Journal>>(opened));
}

JournalTrouble bad(Opened opened) {
  REQUIRE(std::holds_alternative<JournalTrouble>(opened));
  return std::get<JournalTrouble>(std::move(opened));
}

const std::atomic<bool> never{false};

// The contents of a journal, as text.
std::string contents(const Journal& journal) {
  std::string text;
  for (const auto& entry : journal.entries()) {
    const auto chunk = journal.read(entry);
    REQUIRE(chunk);
    for (std::size_t row = 0; row < chunk->range.size(); ++row) {
      const auto word = static_cast<std::size_t>(std::get<std::vector<std::int64_t>>(chunk->columns[2].values)[row]);
      text += fmt::format(
          "{} {} {} {}\n", chunk->range.begin + row, std::get<std::vector<double>>(chunk->columns[0].values)[row],
          std::get<std::vector<std::int64_t>>(chunk->columns[1].values)[row], chunk->columns[2].labels.at(word));
    }
    for (const auto& failure : chunk->failed) {
      for (const std::uint64_t point : failure.rows) text += fmt::format("{} {}\n", point, code_of(failure.kind()));
    }
  }
  return text;
}

void fill(Journal& journal, CountingModel& model, std::uint64_t chunk = 7) {
  ChunkComputer computer(model, journal.id(), {}, never);
  for (PointSet open = journal.open_points(); !open.empty();) {
    const PointRange range = open.take(chunk);
    REQUIRE(journal.append(range, computer.compute(range).value()).empty());
  }
}

// A journal that is written to its end: its bytes, and how many of them stand before the first chunk.
std::pair<std::string, std::size_t> finished_journal(const std::string& path, CountingModel& model,
                                                     std::uint64_t chunk) {
  auto journal = good(Journal::open(path, describe(model), {}, Opening::fresh));
  const std::size_t head = test::contents_of(path).size();
  fill(*journal, model, chunk);
  journal.reset();
  return {test::contents_of(path), head};
}

std::string whole_study(std::uint64_t chunk = 7) {
  const test::Folder folder;
  CountingModel model(20, 5);
  const auto journal = good(Journal::open((folder.path() / "j").string(), describe(model), {}, Opening::fresh));
  fill(*journal, model, chunk);
  return contents(*journal);
}

}  // namespace

TEST_CASE("a description of rows is read again, and lists of different lengths are none") {
  CountingModel model(5, 5);
  auto study = describe(model);
  study.selection = Selection::all_rows();
  study.points = 5;
  const auto again = decode_description(encode(study));
  REQUIRE(again);
  CHECK(again->selection == study.selection);
  CHECK(id_of(*again) == id_of(study));
  CHECK(id_of(study) != id_of(describe(model)));
  CHECK(StudyPoints(*again).at({2, 4}) ==
        std::vector<ColumnValues>{std::vector<std::int64_t>{3, 4}, std::vector<double>{2e6 + 0.1, 3e6 + 0.1}});
  study.selection = Selection::all_rows().emptied();
  study.points = 2;
  for (const std::uint64_t row : {1UL, 4UL}) study.selection.add(row);
  const auto some = decode_description(encode(study));
  REQUIRE(some);
  CHECK(some->selection == study.selection);
  CountingModel other(5, 4);
  auto uneven = describe(other);
  uneven.selection = Selection::all_rows();
  uneven.points = 5;
  CHECK_FALSE(decode_description(encode(uneven)));
}

TEST_CASE("a selection of very many points is read at once") {
  auto study = describe(CountingModel(256, 1));
  const auto column = study.columns.front();
  study.columns.insert(study.columns.begin(), 6, column);
  study.selection = Selection::none();
  study.selection.add(2, std::uint64_t{1} << 55);
  study.points = study.selection.size();
  const auto again = decode_description(encode(study));
  REQUIRE(again);
  CHECK(again->selection == study.selection);
  study.selection.add((std::uint64_t{1} << 56) - 1, 2);  // beyond the product
  study.points = study.selection.size();
  CHECK_FALSE(decode_description(encode(study)));
}

TEST_CASE("measurements beside the rows of a table are in no description") {
  auto study = describe(CountingModel(5, 5));
  study.measured.push_back({study.columns[2], {0}, {{0, 1.5}}});
  CHECK(decode_description(encode(study)));
  study.selection = Selection::all_rows();
  study.points = 5;
  CHECK_FALSE(decode_description(encode(study)));
}

TEST_CASE("a chunk says what failed, and a code that no kind has makes it none") {
  Chunk chunk;
  chunk.range = {10, 13};
  chunk.columns.push_back({std::vector<double>{1, 2, 3}, {12}, {}});
  chunk.failed.push_back({{"no good", {frontend::DiagnosticKind::require_failed, "12 is no good", {}, {}, {}}}, {12}});
  const StudyId study = id_of(describe(CountingModel(20, 5)));
  const std::string bytes = encode(study, chunk);
  const auto contents = read_record(bytes, &study)->contents;
  const auto again = decode(contents);
  REQUIRE(again);
  REQUIRE(again->failed.size() == 1);
  CHECK(again->failed[0].kind() == frontend::DiagnosticKind::require_failed);
  CHECK(again->failed[0].message() == "12 is no good");
  CHECK(again->failed[0].words == "no good");
  CHECK(again->failed[0].rows == std::vector<std::uint64_t>{12});
  CHECK(error_text(again->failed[0]) == "E0512: no good");
  std::string unknown(contents);
  unknown.replace(unknown.find("E0512"), 5, "E9999");
  CHECK_FALSE(decode(unknown));
}

TEST_CASE("a chunk whose columns are not those of the study is not read") {
  const test::Folder folder;
  const auto study = describe(CountingModel(20, 5));
  const auto journal = good(Journal::open((folder.path() / "j").string(), study, {}, Opening::fresh));
  Chunk chunk;
  chunk.range = {0, 1};
  chunk.columns.push_back({std::vector<double>{1}, {}, {}});
  chunk.columns.push_back({std::vector<std::int64_t>{1}, {}, {}});
  chunk.columns.push_back({std::vector<std::int64_t>{0}, {}, {"even"}});
  REQUIRE(journal->append(chunk.range, encode(journal->id(), chunk)).empty());
  chunk.range = {1, 2};
  chunk.columns[0].values = std::vector<std::int64_t>{1};  // total is a time
  REQUIRE(journal->append(chunk.range, encode(journal->id(), chunk)).empty());
  REQUIRE(journal->entries().size() == 2);
  CHECK(journal->read(journal->entries()[0]));
  CHECK_FALSE(journal->read(journal->entries()[1]));
}

TEST_CASE("what a journal holds does not depend on the size of chunks") {
  const std::string expected = whole_study();
  CHECK(expected.find("99 ") != std::string::npos);
  for (const std::uint64_t chunk : {1U, 2U, 33U, 100U, 1000U}) CHECK(whole_study(chunk) == expected);
}

TEST_CASE("a journal is gone on with where it ended, and no point is evaluated twice") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  {
    const auto journal = good(Journal::open(path, study, {}, Opening::fresh));
    ChunkComputer computer(model, journal->id(), {}, never);
    for (const PointRange range : {PointRange{40, 60}, PointRange{0, 3}, PointRange{99, 100}}) {
      REQUIRE(journal->append(range, *computer.compute(range)).empty());
    }
  }
  CHECK(model.rows() == 24);
  const auto journal = good(Journal::open(path, study, {}, Opening::resume));
  CHECK(journal->done().count() == 24);
  CHECK(journal->open_points().ranges() == std::vector<PointRange>{{3, 40}, {60, 99}});
  fill(*journal, model);
  CHECK(model.rows() == 100);
  CHECK(contents(*journal) == whole_study());
}

TEST_CASE("a journal that is there already is left alone unless one says what to do") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  { fill(*good(Journal::open(path, study, {}, Opening::fresh)), model); }
  const std::string before = test::contents_of(path);
  CHECK(bad(Journal::open(path, study, {}, Opening::fresh)).kind == Kind::already_there);
  CHECK(test::contents_of(path) == before);
  CHECK(good(Journal::open(path, study, {}, Opening::restart))->done().empty());
  CHECK(test::contents_of(path).size() < before.size());
}

TEST_CASE("a journal of another study says what is different, and stays as it is") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  { fill(*good(Journal::open(path, study, {}, Opening::fresh)), model); }
  const std::string before = test::contents_of(path);
  const auto differences_with = [&](const std::function<void(StudyDescription&)>& change) {
    auto other = study;
    change(other);
    const auto trouble = bad(Journal::open(path, other, {}, Opening::resume));
    CHECK(trouble.kind == Kind::other_study);
    CHECK(test::contents_of(path) == before);
    return trouble.differences;
  };
  using Texts = std::vector<std::string>;
  CHECK(differences_with([](auto& other) { other.version = "2"; }) ==
        Texts{"it is of version 1.2.3 of the program, this is 2"});
  CHECK(differences_with([](auto& other) { other.inputs[0].value = "4567"; }) == Texts{"the model file has changed"});
  CHECK(differences_with([](auto& other) { other.inputs.pop_back(); }) == Texts{"`-D kt` is no longer there"});
  CHECK(differences_with([](auto& other) { other.inputs.push_back({"`-D jt`", "3"}); }) == Texts{"`-D jt` is new"});
  CHECK(differences_with([](auto& other) { other.columns[2].name = "sum"; }).size() == 1);
  CHECK(differences_with([](auto& other) { other.columns[2].multiplier = 2; }).size() == 1);
  CHECK(differences_with([](auto& other) { std::get<std::vector<double>>(*other.columns[1].listed)[0] = 7; }).size() ==
        1);
  CHECK(bad(Journal::open(path, study, {2, 3}, Opening::resume)).kind == Kind::other_part);
}

TEST_CASE("two programs do not write to one journal") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  auto journal = good(Journal::open(path, study, {}, Opening::fresh));
  CHECK(bad(Journal::open(path, study, {}, Opening::resume)).kind == Kind::in_use);
  CHECK(bad(Journal::open(path, study, {}, Opening::restart)).kind == Kind::in_use);
  fill(*journal, model);
  journal.reset();
  CHECK(good(Journal::open(path, study, {}, Opening::resume))->done().count() == 100);
}

TEST_CASE("wherever a journal is cut off, what is whole is kept and the rest is evaluated again") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  const auto [whole, head] = finished_journal(path, model, 30);
  const std::string expected = whole_study();
  for (std::size_t length = head; length < whole.size(); length += 13) {
    test::write_file(path, whole.substr(0, length));
    const auto journal = good(Journal::open(path, study, {}, Opening::resume));
    const std::uint64_t kept = journal->done().count();
    CHECK(kept % 30 == 0);
    CHECK(kept < 100);
    CountingModel again(20, 5);
    fill(*journal, again, 30);
    REQUIRE(contents(*journal) == expected);
    CHECK(again.rows() == 100 - kept);
    CHECK(test::contents_of(path) == whole);
  }
  for (std::size_t length = 1; length < head; length += 7) {
    test::write_file(path, whole.substr(0, length));
    CHECK(good(Journal::open(path, study, {}, Opening::resume))->done().empty());
    CHECK(test::contents_of(path).size() == head);
  }
}

TEST_CASE("whatever bits flip, no wrong result is kept") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  const auto [whole, head] = finished_journal(path, model, 10);
  const std::string expected = whole_study();
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    const std::size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    test::write_file(path, damaged);
    auto opened = Journal::open(path, study, {}, Opening::resume);
    if (at < head) {
      REQUIRE(std::holds_alternative<JournalTrouble>(opened));
      continue;
    }
    const auto journal = good(std::move(opened));
    CHECK(journal->damaged_bytes() > 0);
    CHECK(journal->done().count() == 90);  // of ten chunks, one is lost and the others are found again
    CountingModel again(20, 5);
    fill(*journal, again, 10);
    REQUIRE(contents(*journal) == expected);
    CHECK(again.rows() == 10);
  }
}

TEST_CASE("files that are no journals are refused, whatever is in them") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  std::string beginning;
  {
    const auto journal = good(Journal::open(path, study, {}, Opening::fresh));
    beginning = test::contents_of(path).substr(0, 60);
  }
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string text = round % 2 == 0 ? beginning.substr(0, random() % 60) : "";
    const std::size_t length = 1 + random() % 3000;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(random());
    test::write_file(path, text);
    for (const auto opening : {Opening::fresh, Opening::resume, Opening::restart}) {
      CHECK(bad(Journal::open(path, study, {}, opening)).kind == Kind::not_a_journal);
    }
    CHECK(bad(Journal::open_part(path)).kind == Kind::not_a_journal);
    CHECK(test::contents_of(path) == text);
  }
  CHECK(bad(Journal::open_part((folder.path() / "none").string())).kind == Kind::cannot_read);
  CHECK(bad(Journal::open((folder.path() / "no" / "folder").string(), study, {}, Opening::fresh)).kind ==
        Kind::cannot_write);
  CHECK(bad(Journal::open(folder.path().string(), study, {}, Opening::fresh)).kind == Kind::cannot_write);
  CHECK(bad(Journal::open("/dev/null", study, {}, Opening::fresh)).kind == Kind::cannot_write);
}

TEST_CASE("a chunk of another study is not taken") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  auto other = study;
  other.inputs[0].value = "4567";
  ChunkComputer computer(model, id_of(other), {}, never);
  { REQUIRE(good(Journal::open(path, study, {}, Opening::fresh))->append({0, 5}, *computer.compute({0, 5})).empty()); }
  CHECK(good(Journal::open(path, study, {}, Opening::resume))->done().empty());
}

TEST_CASE("where a file can grow no further, a journal keeps what was whole") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  std::uint64_t size = 0;
  {
    const auto journal = good(Journal::open(path, study, {}, Opening::fresh));
    size = test::contents_of(path).size();
  }
  const pid_t child = fork();  // the limit applies to a whole process
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{size + 3000, size + 3000};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto opened = Journal::open(path, study, {}, Opening::resume);
    auto* const journal = std::get_if<std::unique_ptr<Journal>>(&opened);
    if (journal == nullptr) _exit(1);
    ChunkComputer computer(model, (*journal)->id(), {}, never);
    for (PointSet open = (*journal)->open_points(); !open.empty();) {
      const PointRange range = open.take(10);
      if (!(*journal)->append(range, *computer.compute(range)).empty()) _exit((*journal)->done().count() == 0 ? 2 : 0);
    }
    _exit(3);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  const auto journal = good(Journal::open(path, study, {}, Opening::resume));
  CHECK(journal->damaged_bytes() == 0);
  CHECK(journal->done().count() > 0);
  CHECK(journal->done().count() < 100);
  fill(*journal, model, 10);
  CHECK(contents(*journal) == whole_study());
}

TEST_CASE("a part says which it is, and whether it is finished") {
  const test::Folder folder;
  CountingModel model(20, 5);
  const auto study = describe(model);
  PointSet all;
  for (std::uint32_t index = 1; index <= 3; ++index) {
    const std::string path = (folder.path() / std::to_string(index)).string();
    {
      const auto journal = good(Journal::open(path, study, {index, 3}, Opening::fresh));
      fill(*journal, model);
      CHECK(!good(Journal::open_part(path))->is_finished());
      REQUIRE(journal->finish().empty());
    }
    const auto part = good(Journal::open_part(path));
    CHECK(part->is_finished());
    CHECK(part->shard() == Shard{index, 3});
    CHECK(part->open_points().empty());
    CHECK(part->id() == id_of(study));
    for (const auto& range : part->done().ranges()) all.add(range);
  }
  CHECK(all.ranges() == std::vector<PointRange>{{0, 100}});
  CHECK(model.rows() == 100);
}

TEST_CASE("a link in the place of a journal is not followed") {
  const test::Folder folder;
  CountingModel model(20, 5);
  const std::string other = folder.write("notes", ""), path = (folder.path() / "j").string();
  std::filesystem::create_symlink(other, path);
  CHECK(bad(Journal::open(path, describe(model), {}, Opening::restart)).kind == Kind::cannot_write);
}

TEST_CASE("points that failed for time or memory are evaluated again where there is more of it") {
  const test::Folder folder;
  const std::string path = (folder.path() / "j").string();
  CountingModel model(20, 5);
  const auto study = describe(model);
  const PointLimits usual{1, 1000}, more_time{2, 1000}, more_memory{1, 2000}, less{0.5, 500};
  {
    const auto journal = good(Journal::open(path, study, {}, Opening::fresh, usual));
    ChunkComputer computer(model, journal->id(), usual, never);
    model.endless = {3};
    model.huge = {9};
    for (PointSet open = journal->open_points(); !open.empty();) {
      const PointRange range = open.take(10);
      REQUIRE(journal->append(range, *computer.compute(range)).empty());
    }
  }
  CHECK(good(Journal::open(path, study, {}, Opening::resume, usual))->open_points().empty());
  CHECK(good(Journal::open(path, study, {}, Opening::resume, less))->open_points().empty());
  CHECK(good(Journal::open(path, study, {}, Opening::resume, more_time))->open_points().ranges() ==
        std::vector<PointRange>{{10, 20}});
  CHECK(good(Journal::open(path, study, {}, Opening::resume, more_memory))->open_points().ranges() ==
        std::vector<PointRange>{{10, 20}, {40, 50}});
  CountingModel able(20, 5);
  {
    const auto journal = good(Journal::open(path, study, {}, Opening::resume, usual));
    fill(*journal, able, 10);
    CHECK(able.rows() == 20);
    CHECK(contents(*journal) == whole_study());
    REQUIRE(journal->finish().empty());
  }
  const auto part = good(Journal::open_part(path));
  CHECK(part->damaged_bytes() == 0);
  CHECK(contents(*part) == whole_study());
}
