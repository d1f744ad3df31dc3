// The library follows its style guide, and the checks find every kind of breach.
#include "frontend/parse/parser.h"
#include "style_rules.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wave::library {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Every .wave file below a folder of the library, sorted by path.
std::vector<fs::path> programs(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WAVE_STDLIB) / folder)) {
    if (entry.path().extension() == ".wave") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string module_name(const fs::path& path) {
  std::string name = path.lexically_relative(WAVE_STDLIB).replace_extension().string();
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

struct Parsed {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::unique_ptr<frontend::Module> module;

  Parsed(const std::string& name, const std::string& text) {
    module = frontend::parse_module(sources, sources.add(name, text), diagnostics);
    module->name = name;
  }
};

const StyleGuide& guide() {
  static const StyleGuide read = read_style_guide(text_of(fs::path(WAVE_STDLIB) / "STYLE.md"));
  return read;
}

std::vector<std::string> findings_in(const std::string& text) {
  const Parsed parsed("std.sample", text);
  REQUIRE(parsed.diagnostics.all().empty());
  return style_findings(parsed.sources, *parsed.module, guide());
}

}  // namespace

TEST_CASE("the style guide lists sources and symbols") {
  CHECK(guide().source_keys.size() >= 11);
  CHECK(guide().symbols.at("Wg") == "time");
}

TEST_CASE("the library keeps to its style guide") {
  std::string findings;
  for (const fs::path& path : programs("std")) {
    const Parsed parsed(module_name(path), text_of(path));
    for (const std::string& finding : style_findings(parsed.sources, *parsed.module, guide()))
      findings += finding + "\n";
  }
  CHECK(findings == "");
}

TEST_CASE("every model and every machine of the library is tested", "[long]") {
  std::vector<std::string> tests;
  for (const fs::path& path : programs("tests")) tests.push_back(text_of(path));
  std::string untested;
  for (const fs::path& path : programs("std")) {
    const Parsed parsed(module_name(path), text_of(path));
    for (const std::string& name : names_to_test(*parsed.module)) {
      const auto tests_it = [&](const std::string& test) { return is_tested_by(test, module_name(path), name); };
      if (std::none_of(tests.begin(), tests.end(), tests_it)) untested += module_name(path) + "." + name + "\n";
    }
  }
  CHECK(untested == "");
}

TEST_CASE("docs/library.md has every module, model and machine of the library") {
  const std::string page = text_of(fs::path(WAVE_STDLIB).parent_path() / "docs" / "library.md");
  std::string missing;
  for (const fs::path& path : programs("std")) {
    const Parsed parsed(module_name(path), text_of(path));
    if (page.find("| `" + module_name(path) + "` |") == std::string::npos) missing += module_name(path) + "\n";
    for (const std::string& name : names_to_test(*parsed.module)) {
      if (page.find("`" + name + "`") == std::string::npos) missing += module_name(path) + "." + name + "\n";
    }
  }
  CHECK(missing == "");
}

TEST_CASE("a module in the style of the guide has no findings") {
  CHECK(findings_in(R"(/// Samples.
wave 1

/// A part, `work` of it on `dop` processors.
type Part { work: work, dop: int }

/// A machine after PPoPP'99. Valid for everything.
machine M {
  param L: time = 23 us in 0 us.. from "PPoPP'99, Table 1"   /// latency
  param o_s: time = 3 us from "an assumption: small"         /// overhead
  /// Table 1.
  fn G(s: data): time/data = if s <= 1 KiB then 0.07 us/B else 0.03 us/B
}
/// The same with more latency.
machine Far extends M { override param L: time = 40 us from "a choice: far" }

/// Halves, after Hockney.
model Half {
  param Wg: time = 0          /// one cell
  param n: int in 1..         /// processors
  let W = Wg / 2              /// half of it
  /// What it takes.
  output total = n * W
  grid P[i: n]
}
)")
            .empty());
}

TEST_CASE("each breach of the guide is found") {
  const auto only = [](const std::string& text) {
    const std::vector<std::string> findings = findings_in("/// Samples.\nwave 1\n" + text);
    REQUIRE(findings.size() == 1);
    return findings.front();
  };
  CHECK(findings_in("wave 1\n").front() == "std.sample: the module has no documentation before `wave 1`");
  CHECK(only("fn f(x: int): int = x\n") == "std.sample: `f` has no documentation");
  CHECK(only("/// M.\nmodel M { param x: int }\n") == "std.sample: `M.x` has no documentation");
  CHECK(only("/// A part.\ntype Part { work: work }\n") == "std.sample: `Part` does not say what its field `work` is");
  CHECK(only("/// M.\nmodel M { param x: int = 4 /// parts\n }\n") ==
        "std.sample: `M.x` does not say where its 4 is from");
  CHECK(only("/// M.\nmodel M { param x: time = 3 us from \"a friend\" /// parts\n }\n") ==
        "std.sample: `M.x` has a source that is not in STYLE.md: \"a friend\"");
  CHECK(only("/// f.\nfn f(x: time): time = 3 * x\n") == "std.sample: `f` does not say where its 3 is from");
  CHECK(only("/// Eq (3), but of which paper?\nfn f(x: time): time = 3 * x\n") ==
        "std.sample: `f` does not say where its 3 is from");
  CHECK(only("/// f.\nfn f(s: data): bool = s <= 1 KiB\n") == "std.sample: `f` does not say where its 1 KiB is from");
  CHECK(only("/// M.\nmachine M { }\n") == "std.sample: `M` does not say what it is `Valid for`");
  CHECK(only("/// m.\nmodel m { }\n") == "std.sample: `m` does not begin with a capital");
  CHECK(only("/// f.\nfn Foo(x: int): int = x\n") == "std.sample: `Foo` has capitals, and is no symbol of STYLE.md");
  CHECK(only("/// f.\nfn delay_us(x: int): int = x\n") == "std.sample: `delay_us` ends in a unit");
  CHECK(only("/// f.\nfn W_pre(x: int): int = x\n") ==
        "std.sample: `W_pre` is of type int, and STYLE.md's `W` of type time");
}

TEST_CASE("a model counts as tested where a test file imports and calls it") {
  const std::string file = "import std.a.b { Other, M }\ntest \"x\" { expect M().x == 1 }\n";
  CHECK(is_tested_by(file, "std.a.b", "M"));
  CHECK_FALSE(is_tested_by(file, "std.a.b", "N"));
  CHECK_FALSE(is_tested_by(file, "std.a.b", "Other"));
  CHECK_FALSE(is_tested_by(file, "std.a", "M"));
  CHECK_FALSE(is_tested_by("import std.a.b { M }\nlet m = M()\n", "std.a.b", "M"));
}

}  // namespace wave::library
