// Which syntax errors are reported, and where. Golden programs check the wording.
#include "support.h"

#include <catch2/catch.hpp>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

std::string errors(const std::string& text) { return Parsed(text).errors(); }
std::string in_model(const std::string& body) { return errors("model M {\n" + body + "\n}\nlet after = 1\n"); }

std::string message(const std::string& text) {
  const Parsed parsed(text);
  REQUIRE(!parsed.diagnostics.all().empty());
  return parsed.diagnostics.all().front().message;
}

}  // namespace

TEST_CASE("independent errors are all reported, one for each declaration or statement") {
  CHECK(in_model("  let a = 1 +\n  let b = (2 3)\n  param c = 4\n  let d = 5\n  output 7 = d\n  let e == 3") ==
        "E0112 at `+`; E0112 at `3`; E0116 at `c`; E0112 at `7`; E0112 at `==`");
  CHECK(in_model("  process p on P using net {\n    send to downwind i\n    compute(1 us\n    recv from upwnd i\n    "
                 "let = 3\n  }") == "E0112 at `downwind`; E0107 at `(`; E0112 at `i`; E0112 at `=`");
}

TEST_CASE("an error in one declaration leaves the others") {
  const Parsed parsed(
      "model M {\n  let a = * 2\n  let b = 2\n  fn f(x: int: int = x\n  fn g(x: int): int = x\n}\nmodel N {}\n");
  CHECK(parsed.errors() == "E0112 at `*`; E0107 at `(`");
  REQUIRE(parsed.module->items.size() == 2);
  CHECK(std::get<item::Model>(parsed.module->items[0]->node).members.size() == 4);
}

TEST_CASE("brackets that lack a partner are found by indentation and by keywords") {
  CHECK(in_model("  let a = (1 + 2\n  let b = 3") == "E0107 at `(`");
  CHECK(in_model("  let a = [1, 2\n  let b = 3") == "E0107 at `[`");
  CHECK(in_model("  let a = (1 + 2))\n  let b = 3") == "E0108 at `)`");
  CHECK(in_model("  let a = (1 + 2]\n  let b = 3") == "E0108 at `]`");
  CHECK(errors("model M {\n  let a = 1\n\nmodel N {\n  let b = 2\n}\n") == "E0107 at `{`");
  CHECK(errors("model M {\n  let a = 1\n") == "E0107 at `{`");
  CHECK(in_model("  process p on P using net {\n    repeat 3 {\n      compute(1 us)\n  }\n  let b = 3") ==
        "E0107 at `{`");
  CHECK(errors("let a = 1\n}\nlet b = 2\n") == "E0108 at `}`");
}

TEST_CASE("operators of other languages are named once each") {
  CHECK(errors("let a = b && c || !d % 2 ** 3") ==
        "E0104 at `&&`; E0104 at `||`; E0104 at `!`; E0104 at `%`; E0104 at `**`");
  CHECK(errors("/* old */\nlet a = 1") == "E0104 at `/*`");
  CHECK(errors("let a = b \u2264 c") == "E0104 at `\u2264`");
}

TEST_CASE("= for == is told from other uses of =") {
  CHECK(in_model("  let a = if b = 1 then 2 else 3") == "E0117 at `=`");
  CHECK(in_model("  let a = b = 1") == "E0117 at `=`");
  CHECK(in_model("  require n = 1, \"one\"") == "E0117 at `=`");
  CHECK(errors("test \"t\" {\n  expect a = b\n}") == "E0117 at `=`");
  CHECK(in_model("  n = 3") == "E0122 at `n`");
}

TEST_CASE("keywords are not names") {
  CHECK(errors("let model = 3") == "E0113 at `model`");
  CHECK(in_model("  param if: int = 3") == "E0113 at `if`");
  CHECK(errors("fn f(in: int): int = 3") == "E0113 at `in`");
}

TEST_CASE("declarations and statements stand in their places") {
  CHECK(errors("param n: int = 3\nmodel M { test \"x\" {} }") == "E0115 at `param`; E0115 at `test`");
  CHECK(in_model("  process p on P using net { busy 3 us }") == "E0115 at `busy`");
  CHECK(
      errors("machine M { protocol p(s: data) { sender { compute(3 us)\n emit a after 0 } receiver { await a } } }") ==
      "E0115 at `compute`");
  CHECK(in_model("  process p on P using net { acquire tx for 3 us; on arrival of x { busy 1 us } }") ==
        "E0115 at `acquire`; E0115 at `on arrival`");
  const auto in_receiver = [](const std::string& steps) {
    return errors("machine M { protocol p(s: data) { sender { emit a after 0 } receiver { " + steps + " } } }");
  };
  CHECK(in_receiver("await a; on arrival of a busy 1 us") == "");
  CHECK(in_receiver("on arrival of a { acquire rx for 2 us; busy 1 us }\n await a") == "");
  CHECK(in_receiver("on arrival of a { busy 1 us; acquire rx for 2 us }\n await a") ==
        "E0115 at `acquire rx for 2 us`");
  CHECK(in_receiver("on arrival of a { busy 1 us; busy 1 us; await a }\n await a") == "E0115 at `busy 1 us`");
  CHECK(in_receiver("on arrival of a { compute(1 us); busy 1 us }; await a") == "E0115 at `compute`");
  CHECK(in_receiver("on arrival of a { }; await a") == "E0112 at `{`");
  CHECK(in_receiver("on arrival of a { acquire rx for 2 us }; await a") == "E0112 at `{`");
  CHECK(in_receiver("on arrival of a { acquire rx 2 us; busy 1 us }; await a") == "E0112 at `2 us`");
  CHECK(errors("study s of M { let a = 3 }") == "E0115 at `let`");
  CHECK(errors("let a = 1\nwave 1") == "E0118 at `wave`");
}

TEST_CASE("strings end on their line") {
  CHECK(in_model("  require a, \"text\n  let b = 2") == "E0105 at `\"text`");
  CHECK(errors("let a = \"x\\") == "E0105 at `\"x\\`");
  CHECK(errors("let a = \"\\x \\\u00E9\"") == "E0106 at `\\x`; E0106 at `\\\u00E9`");
}

TEST_CASE("what was expected is said in the words of the language") {
  CHECK(message("let a = 1 +") == "expected an expression, found the end of the file");
  CHECK(message("let a = f(b c)") == "expected `,` or `)`, found `c`");
  CHECK(message("let a: = 3") == "expected a type, found `=`");
  CHECK(message("let 3 = a") == "expected a name, found the number `3`");
  CHECK(message("let a = if b then c") == "expected `else`, found the end of the file");
  CHECK(message("model M output x = 3") == "expected `{`, found the keyword `output`");
  CHECK(message("test one { }") == "expected a string, found `one`");
}

TEST_CASE("expressions alone are parsed to their end") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(parse_expression(sources, sources.add("-D n", "1 + f(2)"), diagnostics) != nullptr);
  CHECK(diagnostics.all().empty());
  CHECK(parse_expression(sources, sources.add("-D n", "1 +"), diagnostics) == nullptr);
  CHECK(parse_expression(sources, sources.add("-D n", "1 2"), diagnostics) == nullptr);
  CHECK(parse_expression(sources, sources.add("-D n", ""), diagnostics) == nullptr);
  CHECK(parse_expression(sources, sources.add("-D n", "5 uss"), diagnostics) == nullptr);
  CHECK(diagnostics.all().size() == 4);
}

TEST_CASE("a declaration that something follows on its line, or that lacks a part, stands for anything") {
  const Parsed parsed("fn q(x) { x + 1 }\nmachine M {\n  protocol p(s: data) { sender { busy 1 us } }\n}\n");
  CHECK(parsed.errors() == "E0112 at `{`; E0112 at `p`");
  REQUIRE(parsed.module->items.size() == 2);
  CHECK(std::holds_alternative<item::Unknown>(parsed.module->items[0]->node));
  CHECK(std::holds_alternative<item::Unknown>(std::get<item::Machine>(parsed.module->items[1]->node).members[0]->node));
}
