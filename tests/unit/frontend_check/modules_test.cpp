// Modules: where they are found, cycles, and data files.
#include "tests/folder.h"
#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace wave::frontend {
namespace {

namespace fs = std::filesystem;

// A folder with modules.
class Folder : public wave::test::Folder {
 public:
  Checked load_file(const std::string& name, const SearchPath& search = {}) const {
    Checked checked;
    checked.program = load((path() / name).string(), search, checked.diagnostics);
    return checked;
  }
  Found codes(const std::string& name, const SearchPath& search = {}) const {
    Found codes;
    const Checked checked = load_file(name, search);
    for (const Diagnostic& d : checked.diagnostics.sorted()) codes.emplace_back(code_of(d.kind));
    return codes;
  }
};

}  // namespace

TEST_CASE("the programs that the language was designed for are free of errors") {
  for (const char* name : {"section7/sweep3d.wave", "section7/lu.wave", "section7/wavefront.wave"}) {
    Diagnostics diagnostics;
    load(std::string(WAVE_PROGRAMS) + "/" + name, {}, diagnostics);
    CHECK(diagnostics.all().empty());
  }
}

TEST_CASE("imports are relative to the importing file, with an alias, by name, or by path") {
  const Folder folder;
  folder.write("lib/mesh.wave", "import \"./units.wave\" as u\nlet side = u.one + 3");
  folder.write("lib/units.wave", "let one = 1");
  folder.write("a.wave", "import \"./lib/mesh.wave\" as g\nlet x: int = g.side");
  folder.write("b.wave", "import lib.mesh { side }\nlet x: int = side");
  folder.write("c.wave", "import lib.mesh\nlet x: int = mesh.side");
  CHECK(folder.codes("a.wave").empty());
  CHECK(folder.codes("b.wave").empty());
  CHECK(folder.codes("c.wave").empty());
}

TEST_CASE("modules are searched in the folders given") {
  const Folder folder, library;
  library.write("mesh.wave", "let side = 3");
  folder.write("a.wave", "import mesh\nlet x = mesh.side");
  CHECK(folder.codes("a.wave") == Found{"E0204"});
  CHECK(folder.codes("a.wave", {{library.path().string()}}).empty());
}

TEST_CASE("one file that is imported on two ways is one module") {
  const Folder folder;
  folder.write("p.wave", "type P { n: int }");
  folder.write("a.wave", "import \"./p.wave\" { P }\nfn f(p: P): int = p.n");
  folder.write("b.wave", "import \"./a.wave\" as a\nimport \"../" + folder.path().filename().string() +
                             "/p.wave\" { P }\nlet x = a.f(P(n = 1))");
  CHECK(folder.codes("b.wave").empty());
  CHECK(folder.load_file("b.wave").program->modules.size() == 3);
}

TEST_CASE("a cycle of imports is printed") {
  const Folder folder;
  folder.write("a.wave", "import \"./b.wave\" as b\nlet x = b.y");
  folder.write("b.wave", "import \"./a.wave\" as a\nlet y = a.x");
  const Checked checked = folder.load_file("a.wave");
  REQUIRE(checked.diagnostics.all().size() == 1);
  CHECK(code_of(checked.diagnostics.all()[0].kind) == "E0205");
  CHECK(checked.diagnostics.all()[0].message.find("b.wave") != std::string::npos);
}

TEST_CASE("an import gives a name another one, and only that") {
  const Folder folder;
  folder.write("mesh.wave", "let side = 3");
  folder.write("a.wave", "import mesh { side as width }\nlet side = 4\nlet x: int = width + side");
  folder.write("b.wave", "import mesh { side as width }\nlet x = side");
  folder.write("c.wave", "import mesh { side as width }\nlet width = 4");
  folder.write("d.wave", "import mesh { sides as width }\nlet x = width");
  CHECK(folder.codes("a.wave").empty());
  CHECK(folder.codes("b.wave") == Found{"E0201"});
  CHECK(folder.codes("c.wave") == Found{"E0202"});
  CHECK(folder.codes("d.wave") == Found{"E0203"});
}

TEST_CASE("what a module hands on is found as what it declares, through several modules") {
  const Folder folder;
  folder.write("mesh.wave", "let side = 3\nfn twice(x: int): int = 2 * x\ninterface Shape { fn area(): int }");
  folder.write("inner.wave", "export import mesh { side as width, twice }\nlet own = width");
  folder.write("all.wave", "wave 1\nexport import inner\nexport import mesh { Shape }\nlet x = inner.own");
  folder.write("a.wave", "import all\nlet x: int = all.twice(all.width) + all.own");
  folder.write("b.wave",
               "import all { width, Shape, twice as double }\nlet x: int = double(width)\n"
               "machine M : Shape { fn area(): int = 1 }");
  folder.write("c.wave", "import all as every\nmachine M : every.Shape { fn area(): int = 1 }");
  CHECK(folder.codes("all.wave").empty());
  CHECK(folder.codes("a.wave").empty());
  CHECK(folder.codes("b.wave").empty());
  CHECK(folder.codes("c.wave").empty());
}

TEST_CASE("an import without `export` hands on nothing") {
  const Folder folder;
  folder.write("mesh.wave", "let side = 3");
  folder.write("inner.wave", "import mesh { side }\nlet own = side");
  folder.write("a.wave", "import inner\nlet x = inner.side");
  folder.write("b.wave", "import inner { side }");
  CHECK(folder.codes("a.wave") == Found{"E0203"});
  CHECK(folder.codes("b.wave") == Found{"E0203"});
}

TEST_CASE("two declarations under one name are handed on by none, one declaration on two ways is one") {
  const Folder folder;
  folder.write("p.wave", "let side = 3");
  folder.write("q.wave", "let side = 4");
  folder.write("p_again.wave", "export import p");
  folder.write("two.wave", "export import p\nexport import q");
  folder.write("own.wave", "export import p\nlet side = 5");
  folder.write("same.wave", "export import p\nexport import p_again");
  folder.write("renamed.wave", "export import p\nexport import q { side as other }");
  folder.write("a.wave", "import renamed\nlet x: int = renamed.side + renamed.other");
  CHECK(folder.codes("two.wave") == Found{"E0202"});
  CHECK(folder.codes("own.wave") == Found{"E0202"});
  CHECK(folder.codes("same.wave").empty());
  CHECK(folder.codes("a.wave").empty());
  const Checked checked = folder.load_file("two.wave");
  const auto& labels = checked.diagnostics.all().at(0).labels;
  REQUIRE(labels.size() == 4);  // both imports and both declarations
  CHECK(checked.program->sources.text(labels[0].location) == "q");
  CHECK(checked.program->sources.text(labels[1].location) == "p");
}

TEST_CASE("names that are not found because of another error are not reported again") {
  const Folder folder;
  folder.write("broken.wave", "let a = = 3\nlet b = 4");
  folder.write("missing.wave", "export import nowhere\nexport import broken");
  folder.write("a.wave", "import missing { x }\nimport missing\nlet y = x + missing.z");
  CHECK(folder.codes("a.wave") == Found{"E0204", "E0112"});
  folder.write("cycle.wave", "export import back\nlet x = 1");
  folder.write("back.wave", "export import cycle\nlet y = 1");
  CHECK(folder.codes("cycle.wave") == Found{"E0205"});
}

TEST_CASE("the names that all modules hand on are bounded") {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "let a" + std::to_string(i) + " = 1\n";
  folder.write("m0.wave", text);
  for (int i = 1; i <= 6; ++i)
    folder.write("m" + std::to_string(i) + ".wave", "export import m" + std::to_string(i - 1));
  CHECK(folder.codes("m5.wave").empty());
  CHECK(folder.codes("m6.wave") == Found{"E0402"});
}

TEST_CASE("`export` is a name where no import follows") {
  const Folder folder;
  folder.write("a.wave", "let export = 3\nlet x = export + 1\nlet y = export\nimport std.comm");
  CHECK(folder.codes("a.wave").empty());
}

TEST_CASE("errors of an imported module are reported once, in its text") {
  const Folder folder;
  folder.write("bad.wave", "let x = 1 us + 1 B");
  folder.write("a.wave", "import \"./bad.wave\" as b\nlet y = b.x");
  CHECK(folder.codes("a.wave") == Found{"E0301"});
}

TEST_CASE("files that cannot be read are diagnostics") {
  const Folder folder;
  CHECK(folder.codes("none.wave") == Found{"E0612"});
  CHECK(folder.codes(".") == Found{"E0612"});
  folder.write("a.wave", "import \"./notes.txt\" as n");
  CHECK(folder.codes("a.wave") == Found{"E0204"});
}

TEST_CASE("data files lie below the module's folder or a folder given") {
  const Folder folder, outside;
  outside.write("secret.csv", "x [B], y [us]\n1, 2\n");
  folder.write("in/t.csv", "x [B], y [us]\n1, 2\n");
  folder.write("ok.wave", "let t: table(data): time = table \"in/t.csv\" key x value y linear");
  folder.write("up.wave", "let t = table \"../secret.csv\" key x value y linear");
  folder.write("absolute.wave", "let t = table \"" + outside.path().string() + "/secret.csv\" key x value y linear");
  folder.write("link.wave", "let t = table \"link.csv\" key x value y linear");
  folder.write("search.wave", "let t = table \"secret.csv\" key x value y linear");
  folder.write("column.wave", "let t = table \"in/t.csv\" key z value y linear");
  fs::create_symlink(outside.path() / "secret.csv", folder.path() / "link.csv");
  CHECK(folder.codes("ok.wave").empty());
  CHECK(folder.codes("up.wave") == Found{"E0209"});
  CHECK(folder.codes("absolute.wave") == Found{"E0209"});
  CHECK(folder.codes("link.wave") == Found{"E0209"});
  CHECK(folder.codes("search.wave") == Found{"E0209"});
  CHECK(folder.codes("search.wave", {{outside.path().string()}}).empty());
  CHECK(folder.codes("column.wave") == Found{"E0209"});
}

TEST_CASE("imports lie below the first file's folder or a folder given, and are plain files") {
  const Folder folder, outside;
  const std::string elsewhere = outside.path().string();
  outside.write("secret.wave", "let side = 3");
  folder.write("inner/up.wave", "import \"../mesh.wave\"\nlet x: int = mesh.side");
  folder.write("mesh.wave", "let side = 3");
  folder.write("ok.wave", "import \"./inner/up.wave\"\nlet x: int = up.x");
  folder.write("absolute.wave", "import \"" + elsewhere + "/secret.wave\"\nlet x = 1");
  folder.write("link.wave", "import \"./linked.wave\"\nlet x = 1");
  folder.write("pipe.wave", "import \"./fifo.wave\"\nlet x = 1");
  fs::create_symlink(outside.path() / "secret.wave", folder.path() / "linked.wave");
  REQUIRE(mkfifo((folder.path() / "fifo.wave").c_str(), 0600) == 0);
  CHECK(folder.codes("ok.wave").empty());
  CHECK(folder.codes("inner/up.wave") == Found{"E0216"});
  CHECK(folder.codes("inner/up.wave", {{folder.path().string()}}).empty());
  CHECK(folder.codes("absolute.wave") == Found{"E0216"});
  CHECK(folder.codes("link.wave") == Found{"E0216"});
  CHECK(folder.codes("link.wave", {{elsewhere}}).empty());
  CHECK(folder.codes("pipe.wave") == Found{"E0612"});
}

}  // namespace wave::frontend
