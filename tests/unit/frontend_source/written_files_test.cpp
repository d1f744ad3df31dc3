// What a run writes, it must not read.
#include "frontend/source/written_files.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "wave-written-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string make(const std::string& name) const {
    std::ofstream(path_ / name) << name;
    return *this / name;
  }

 private:
  fs::path path_;
};

std::string refusal_of(WrittenFiles& files, const std::string& path) {
  const int stream = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(stream >= 0);
  const std::string why = files.refuse(stream);
  close(stream);
  return why;
}

}  // namespace

TEST_CASE("what is written is not read, through a link or another spelling of its path either") {
  const Folder folder;
  const std::string there = folder.make("m.csv"), other = folder.make("other.csv");
  fs::create_directory(folder / "below");
  fs::create_symlink(there, folder / "link.csv");
  fs::create_hard_link(there, folder / "hard.csv");
  WrittenFiles files;
  CHECK(files.add(folder / "link.csv", "`--out link.csv`") == "");
  CHECK(refusal_of(files, other) == "");
  CHECK_FALSE(files.has_refused());
  for (const std::string name : {"m.csv", "link.csv", "hard.csv", "below/../m.csv"}) {
    CHECK(refusal_of(files, folder / name) == "`--out link.csv` would replace it");
    CHECK(files.contains(folder / name));
  }
  CHECK(files.has_refused());
}

TEST_CASE("two outputs are not one file, whether it is there or not") {
  const Folder folder;
  folder.make("there");
  fs::create_directory(folder / "below");
  fs::create_directory_symlink(folder / "below", folder / "link");
  WrittenFiles files;
  CHECK(files.add(folder / "there", "a") == "");
  CHECK(files.add(folder / "link/../there", "b") == "a");
  CHECK(files.add(folder / "below/new", "c") == "");
  CHECK(files.add(folder / "link/new", "d") == "c");
  CHECK(files.add(folder / "below/./new", "e") == "c");
  CHECK(files.add(folder / "new", "f") == "");
}

TEST_CASE("what is no plain file is written and read by all") {
  WrittenFiles files;
  CHECK(files.add("/dev/null", "a") == "");
  CHECK(files.add("/dev/null", "b") == "");
  CHECK(refusal_of(files, "/dev/null") == "");
  CHECK_FALSE(files.contains("/dev/null"));
}

}  // namespace wave::frontend
