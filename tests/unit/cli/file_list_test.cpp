#include "cli/files.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace wave::cli;
using wave::test::Folder;
namespace fs = std::filesystem;

TEST_CASE("a folder stands for its files in alphabetical order of their paths") {
  const Folder folder;
  const auto b = folder.write("b.wave", "\n"), deep = folder.write("a/z/deep.wave", "\n"),
             a = folder.write("a/first.wave", "\n");
  folder.write("b.wav", "\n");
  wave::frontend::Diagnostics diagnostics;
  CHECK(expand_folders({"x.wave", folder.path().string(), "-"}, diagnostics) ==
        std::vector<std::string>{"x.wave", a, deep, b, "-"});
  CHECK(diagnostics.all().empty());
}

TEST_CASE("a folder with too many entries or too deep is refused whole, and no other") {
  const Folder folder;
  for (const char* name : {"a/1.wave", "a/2.txt", "b/1.wave"}) folder.write(name, "\n");
  const std::string a = (folder.path() / "a").string();
  for (const FolderBounds bounds : {FolderBounds{.entries = 4}, FolderBounds{.depth = 0}}) {
    wave::frontend::Diagnostics diagnostics;
    CHECK(expand_folders({folder.path().string(), a}, diagnostics, bounds) == std::vector<std::string>{a + "/1.wave"});
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].kind == wave::frontend::DiagnosticKind::unusable_folder);
  }
  wave::frontend::Diagnostics diagnostics;
  CHECK(expand_folders({folder.path().string()}, diagnostics, {.depth = 1, .entries = 5}).size() == 2);
}
