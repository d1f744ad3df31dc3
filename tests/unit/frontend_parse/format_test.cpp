#include "frontend/format/formatter.h"
#include "support.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

std::string formatted(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const auto result = format(sources, sources.add("test", text), diagnostics);
  return result ? *result : "(errors)";
}

}  // namespace

TEST_CASE("formatting twice is formatting once, and keeps the program, over every program of the repository") {
  std::size_t count = 0;
  const auto programs = all_programs();
  const std::size_t step = wave::test::step_over(programs.size());
  for (std::size_t i = 0; i < programs.size(); i += step) {
    const auto& [name, text] = programs[i];
    CAPTURE(name);
    const std::string once = formatted(text);
    if (once == "(errors)") continue;
    ++count;
    CHECK(formatted(once) == once);
    CHECK(Parsed(once).tree() == Parsed(text).tree());
  }
  CHECK(count > 0);
}

TEST_CASE("the library and the examples are formatted") {
  for (const auto& [name, text] : all_programs()) {
    if (name.rfind("tests/", 0) == 0) continue;
    CAPTURE(name);
    CHECK(formatted(text) == text);
  }
}

TEST_CASE("spaces and indentation are set") {
  CHECK(formatted("model   M{\nparam n:int=4//cells\n   output x=f( n,m )[ 1 ]\n}") ==
        "model M {\n  param n: int = 4  //cells\n  output x = f(n, m)[1]\n}\n");
  CHECK(formatted("let a=b+c*d") == "let a = b+c*d\n");
  CHECK(formatted("let a = b +c*d") == "let a = b + c*d\n");
  CHECK(formatted("let o = [ ( + , - ) ]") == "let o = [(+,-)]\n");
  CHECK(formatted("let t = 23us  ±1 us") == "let t = 23 us ± 1 us\n");
  CHECK(formatted("let t = a - -b * - c") == "let t = a - -b * -c\n");
  CHECK(formatted("let t = - - c") == "let t = - -c\n");
  CHECK(formatted("let r = 1 .. 8 by * 2") == "let r = 1..8 by *2\n");
  CHECK(formatted("machine A:B extends C{ }") == "machine A : B extends C {}\n");
  CHECK(formatted("model M { process p on P using m { sweep from[NW]tiles 2{} } }") ==
        "model M { process p on P using m { sweep from [NW] tiles 2 {} } }\n");
  for (const std::string message : {"send (s) to [i+1]", "isend (s) to [i+1]", "recv (s) from [i-1]",
                                    "irecv (s) from [i-1]", "sendrecv (s) to [i+1] from [i-1]"}) {
    const std::string text = "model M { process p on P using m { " + message + " } }\n";
    CHECK(formatted(text) == text);
  }
}

TEST_CASE("imports with other names, and those that are handed on, are laid out as the others") {
  CHECK(formatted("export   import  mesh{side  as width,twice}\nlet a = 1\n  export import x") ==
        "export import mesh { side as width, twice }\nlet a = 1\nexport import x\n");
}

TEST_CASE("a step that begins with `on` stands as the others do, a plot goes on with it") {
  CHECK(formatted("machine M { resource rx of process; protocol p(s: data) { sender {} receiver {\nbusy 0\non arrival  "
                  " of x{acquire rx for "
                  "g;busy t}\nawait x\n} } }") ==
        "machine M { resource rx of process; protocol p(s: data) { sender {} receiver {\n  busy 0\n"
        "  on arrival of x { acquire rx for g; busy t }\n  await x\n} } }\n");
  CHECK(formatted("study s of M {\n  plot y vs x\non arrival\n}") ==
        "study s of M {\n  plot y vs x\n    on arrival\n}\n");
}

TEST_CASE("what follows a resource of each process does not go on with it") {
  CHECK(formatted(
            "machine M {\nresource tx of process\n/// What receives.\nresource rx of process\nparam L: time\n}\n") ==
        "machine M {\n  resource tx of process\n  /// What receives.\n  resource rx of process\n  param L: time\n}\n");
}

TEST_CASE("what begins with a word that continues elsewhere stands as what is beside it") {
  const std::string resources =
      "machine M {\n"
      "  /// One.\n"
      "  resource tx of process\n\n"
      "  /// Another.\n"
      "  resource rx of process\n"
      "  resource up[k: 4] of process\n"
      "  resource down[k: 4] of process\n"
      "}\n";
  CHECK(formatted(resources) == resources);
  const std::string arms =
      "fn f(from: int, to: int): int = when {\n"
      "  from == 1: 2\n"
      "  to == from: 3\n"
      "    + 4\n"
      "  within node: 5\n"
      "  else: 6\n"
      "}\n";
  CHECK(formatted(arms) == arms);
}

TEST_CASE("a call begins a line, whatever its name") {
  const std::string calls =
      "model M {\n"
      "  process p on P using net {\n"
      "    send 8 B to [i+1]\n"
      "    tag(3)\n"
      "    to(2)\n"
      "    let x = 1..n\n"
      "    by(3)\n"
      "    for a in 1..2, b in a..2 if a != b { on(a) }\n"
      "    within(4)\n"
      "  }\n"
      "}\n";
  CHECK(formatted(calls) == calls);
}

TEST_CASE("blocks of a grid keep their distance") {
  const std::string grid = "model M { grid P[i: 4, j: 4] levels { node: blocks (2, 2) } }\n";
  CHECK(formatted(grid) == grid);
}

TEST_CASE("units are not torn apart") {
  CHECK(formatted("let a = 0.07 us/B*s^2\nlet b = 10 B /s") == "let a = 0.07 us/B*s^2\nlet b = 10 B / s\n");
}

TEST_CASE("what was aligned stays aligned") {
  const std::string text =
      "machine M {\n"
      "  param L:   time      = 23 us      from \"A\"\n"
      "  param o_s: time      = 23 us      // up to 1 KiB\n"
      "  param G_l: time/data = 0.03 us/B\n"
      "}\n";
  CHECK(formatted(text) == text);
  CHECK(formatted("let a  = 1  // x\nlet bb = f( 2 )  // y\n") == "let a  = 1  // x\nlet bb = f(2)    // y\n");
}

TEST_CASE("continuing lines keep their distance, or stay under the token that they stood under") {
  const std::string text =
      "model M {\n"
      "  let a = max(b +\n"
      "                c,\n"
      "              d)\n"
      "        + e\n"
      "}\n";
  CHECK(formatted(text) == text);
  CHECK(formatted("let a = max( b,\n             c)\n") == "let a = max(b,\n            c)\n");
}

TEST_CASE("blank lines are kept, at most one, and none at the borders of blocks") {
  CHECK(formatted("\n\nlet a = 1\n\n\n\nlet b = 2\nmodel M {\n\n  let c = 3\n\n}\n\n") ==
        "let a = 1\n\nlet b = 2\nmodel M {\n  let c = 3\n}\n");
}

TEST_CASE("all comments stay, without trailing blanks") {
  CHECK(formatted("// a  \nmodel M {  // b\n// c\n  let x = 1\n      // d\n  // e\n}  // f\n// g") ==
        "// a\nmodel M {  // b\n  // c\n  let x = 1\n  // d\n  // e\n}  // f\n// g\n");
}

TEST_CASE("line ends become line feeds") {
  CHECK(formatted("let a = 1\r\n\r\nlet b = 2\r\n") == "let a = 1\n\nlet b = 2\n");
}

TEST_CASE("an empty file stays empty, a file with errors is left alone") {
  CHECK(formatted("") == "");
  CHECK(formatted(" \n\n") == "");
  CHECK(formatted("let a = \nlet b = 2") == "(errors)");
}
