// A run must not read what it writes.
#include "frontend/source/files.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

std::string refusal_of(WrittenFiles& files, const std::string& path) {
  const int stream = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(stream >= 0);
  const std::string why = files.refuse(stream);
  close(stream);
  return why;
}

}  // namespace

TEST_CASE("what is written is not read, through a link or another spelling of its path either") {
  const test::Folder folder;
  const std::string there = folder.write("m.csv", ""), other = folder.write("other.csv", "");
  fs::create_directory(folder.path() / "below");
  fs::create_symlink(there, folder.path() / "link.csv");
  fs::create_hard_link(there, folder.path() / "hard.csv");
  WrittenFiles files;
  CHECK(files.add(folder.path() / "link.csv", "`--out link.csv`") == "");
  CHECK(refusal_of(files, other) == "");
  CHECK_FALSE(files.has_refused());
  for (const std::string name : {"m.csv", "link.csv", "hard.csv", "below/../m.csv"}) {
    CHECK(refusal_of(files, folder.path() / name) == "`--out link.csv` would replace it");
    CHECK(files.contains(folder.path() / name));
  }
  CHECK(files.has_refused());
}

TEST_CASE("two outputs are not one file, whether it is there or not") {
  const test::Folder folder;
  folder.write("there", "");
  fs::create_directory(folder.path() / "below");
  fs::create_directory_symlink(folder.path() / "below", folder.path() / "link");
  WrittenFiles files;
  CHECK(files.add(folder.path() / "there", "a") == "");
  CHECK(files.add(folder.path() / "link/../there", "b") == "a");
  CHECK(files.add(folder.path() / "below/new", "c") == "");
  CHECK(files.add(folder.path() / "link/new", "d") == "c");
  CHECK(files.add(folder.path() / "below/./new", "e") == "c");
  CHECK(files.add(folder.path() / "new", "f") == "");
}

TEST_CASE("what is no plain file is written and read by all") {
  WrittenFiles files;
  CHECK(files.add("/dev/null", "a") == "");
  CHECK(files.add("/dev/null", "b") == "");
  CHECK(refusal_of(files, "/dev/null") == "");
  CHECK_FALSE(files.contains("/dev/null"));
}

}  // namespace wave::frontend
