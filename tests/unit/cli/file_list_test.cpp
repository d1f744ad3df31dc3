#include "cli/file_list.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace wave::cli;
namespace fs = std::filesystem;

namespace {

// A folder that is gone after the test.
struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "wave-files-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  std::string add(const std::string& name) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "\n";
    return (path / name).string();
  }
  fs::path path;
};

}  // namespace

TEST_CASE("a folder stands for its files in alphabetical order of their paths") {
  const Folder folder;
  const auto b = folder.add("b.wave"), deep = folder.add("a/z/deep.wave"), a = folder.add("a/first.wave");
  folder.add("b.wav");
  wave::frontend::Diagnostics diagnostics;
  CHECK(expand_folders({"x.wave", folder.path.string(), "-"}, diagnostics) == std::vector<std::string>{"x.wave", a, deep, b, "-"});
  CHECK(diagnostics.all().empty());
}

TEST_CASE("a folder with too many entries or too deep is refused whole, and no other") {
  const Folder folder;
  for (const char* name : {"a/1.wave", "a/2.txt", "b/1.wave"}) folder.add(name);
  const std::string a = (folder.path / "a").string();
  for (const FolderBounds bounds : {FolderBounds{.entries = 4}, FolderBounds{.depth = 0}}) {
    wave::frontend::Diagnostics diagnostics;
    CHECK(expand_folders({folder.path.string(), a}, diagnostics, bounds) == std::vector<std::string>{a + "/1.wave"});
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].kind == wave::frontend::DiagnosticKind::unusable_folder);
  }
  wave::frontend::Diagnostics diagnostics;
  CHECK(expand_folders({folder.path.string()}, diagnostics, {.depth = 1, .entries = 5}).size() == 2);
}
