// The shape of the tree: precedence, layout, words.
#include "support.h"

#include <catch2/catch.hpp>

using namespace wave::frontend::test;

namespace {

std::string let_tree(const std::string& body) { return "module\n  let x\n" + body; }

}  // namespace

TEST_CASE("products bind more tightly than sums, powers more tightly than signs") {
  CHECK(expression_tree("-a ^ 2 + b * c") == let_tree("    binary +\n"
                                                      "      unary -\n"
                                                      "        binary ^\n"
                                                      "          name a\n"
                                                      "          integer 2\n"
                                                      "      binary *\n"
                                                      "        name b\n"
                                                      "        name c\n"));
}

TEST_CASE("sums associate to the left, powers to the right") {
  CHECK(expression_tree("a - b - c") == expression_tree("a - b\n  - c"));
  CHECK(expression_tree("a - b - c") ==
        let_tree("    binary -\n      binary -\n        name a\n        name b\n      name c\n"));
  CHECK(expression_tree("a ^ b ^ c") ==
        let_tree("    binary ^\n      name a\n      binary ^\n        name b\n        name c\n"));
}

TEST_CASE("not binds more loosely than a comparison and more tightly than and") {
  CHECK(expression_tree("not a < b and c") ==
        let_tree("    binary and\n      unary not\n        binary <\n          name a\n"
                 "          name b\n      name c\n"));
}

TEST_CASE("a number takes the unit after it on its line, with no space around its operators") {
  CHECK(expression_tree("0.07 us/B") == let_tree("    number 0.07 us/B\n"));
  CHECK(expression_tree("10 B / s") == let_tree("    binary /\n      number 10 B\n      name s\n"));
  CHECK(expression_tree("10 B /s") == expression_tree("10 B / s"));
  CHECK(expression_tree("4 KiB^-1*s") == let_tree("    number 4 KiB^-1*s\n"));
  CHECK(expression_tree("2*i") == let_tree("    binary *\n      integer 2\n      name i\n"));
  CHECK(expression_tree("40 B*(n)") == let_tree("    binary *\n      number 40 B\n      name n\n"));
}

TEST_CASE("a word on the next line is no unit") {
  CHECK(Parsed("model M { process p on P using net {\n let n = 3\n halo(n)\n } }").errors() == "");
}

TEST_CASE("the end of a line separates arms of when, unless the next line begins with a symbol") {
  const std::string lines = expression_tree("when {\n a < 1: b\n + 1\n not c: d\n else: e\n}");
  CHECK(lines == expression_tree("when { a < 1: b + 1; not c: d; else: e }"));
  CHECK(lines.find("case") != std::string::npos);
}

TEST_CASE("local lets end at a new line or a semicolon") {
  const Parsed lines("fn f(x: int): int =\n  let y = x\n    + 1\n  let z = y\n  y * z");
  const Parsed semicolons("fn f(x: int): int = let y = x + 1; let z = y; y * z");
  CHECK(lines.errors() == "");
  CHECK(lines.tree() == semicolons.tree());
  CHECK(Parsed("fn f(x: int): int = let y = x; -y").tree().find("unary -") != std::string::npos);
}

TEST_CASE("flop counts read statements as in C") {
  const Parsed parsed(
      "let w = flops { A[2*i] = B[j-1] + 1.5*C - 2; for k in 1..n { x = x + sqrt(y); } if (X > Y) Max = 2.0*X; else "
      "Max = "
      "(float) i + 3.0 }");
  CHECK(parsed.errors() == "");
  CHECK(parsed.tree().find("conversion float") != std::string::npos);
  CHECK(Parsed("let w = flops {\n a = b\n c = d\n sqrt(x)\n}").errors() == "");
}

TEST_CASE("words with a meaning in their place are names elsewhere") {
  for (const std::string word :
       {"time", "data", "work", "order", "tile", "phase", "from", "to",    "tag", "step", "log",   "value", "key",
        "on",   "by",   "send", "recv",  "wait", "set",   "show", "nodes", "int", "real", "after", "wave",  "within"}) {
    CAPTURE(word);
    const Parsed parsed("model M { param " + word + ": int = 3\n let y = f(" + word + " = " + word + ").x[" + word +
                        " - 1] + a." + word + "\n output z = " + word + " }");
    CHECK(parsed.errors() == "");
  }
}

TEST_CASE("a word with a parenthesis is a call, unless what follows makes a statement of it") {
  const auto process = [](const std::string& statements) {
    const Parsed parsed("model M { process p on P using net {\n" + statements + "\n} }");
    return parsed.errors().empty() ? parsed.tree() : parsed.errors();
  };
  const auto same = [&](const std::string& one, const std::string& other) { CHECK(process(one) == process(other)); };
  const auto differ = [&](const std::string& one, const std::string& other) { CHECK(process(one) != process(other)); };
  same("repeat (n) { step() }", "repeat n { step() }");
  same("send (a + b) to [i+1] tag (k)", "send a + b to [i+1] tag k");
  same("recv (a) from [i-1]\nwait(a)", "recv a from [i-1]; wait(a)");
  same("send (a)\nsend (b) to [i]", "send(a); send b to [i]");
  same("send 8 B to [i]\ntag(3)", "send 8 B to [i]; tag(3)");
  same("let x = 1..n\nby(3)", "let x = 1..n; by(3)");
  same("let f = table { 1: 2 } linear\nextend(3)", "let f = table { 1: 2 } linear; extend(3)");
  same("sweep from order\n  tiles (n) { step() }", "sweep from order tiles n { step() }");
  same("repeat (2)\nrepeat (2) { to(3) }", "repeat(2); repeat 2 { to(3) }");
  same("let x = within\nwaitall", "let x = within; waitall");
  differ("send 8 B to [i] tag(3)", "send 8 B to [i]; tag(3)");
  differ("let x = 1..n by(3)", "let x = 1..n; by(3)");
  CHECK(expression_tree("(int) - 1") == expression_tree("int - 1"));
}

TEST_CASE("a loop with several binders is a loop in a loop, and a filter a condition") {
  const auto process = [](const std::string& statements) {
    return Parsed("model M { process p on P using net { " + statements + " } }").tree();
  };
  CHECK(process("for a in xs, b in ys { step() }") == process("for a in xs { for b in ys { step() } }"));
  CHECK(process("for a in xs if p, b in ys if q { step() }") ==
        process("for a in xs { if p { for b in ys { if q { step() } } } }"));
  CHECK(expression_tree("flops { for a in xs, b in ys if q { x = y } }") ==
        expression_tree("flops { for a in xs { for b in ys { if q { x = y } } } }"));
}

TEST_CASE("after a dot keywords are names") {
  CHECK(
      expression_tree("a.model.in + b.if") ==
      let_tree(
          "    binary +\n      member in\n        member model\n          name a\n      member if\n        name b\n"));
}

TEST_CASE("sign tuples, uncertain values, ranges and comprehensions have their nodes") {
  CHECK(expression_tree("[(+,-), (-)]") == let_tree("    list\n      corner (+,-)\n      corner (-)\n"));
  CHECK(expression_tree("23 us \u00B1 1 us") ==
        let_tree("    uncertain\n      number 23 us\n      deviation: number 1 us\n"));
  CHECK(expression_tree("23 us +- 1 us") == expression_tree("23 us \u00B1 1 us"));
  CHECK(expression_tree("1..8 by *2") ==
        let_tree("    range\n      integer 1\n      to: integer 8\n      by *: integer 2\n"));
  CHECK(expression_tree("[a for x in xs for y in ys if p]") == expression_tree("[a for x in xs, y in ys if p]"));
  CHECK(expression_tree("count(x in xs if p)") ==
        let_tree("    reduce count\n      for x: name xs\n      if: name p\n"));
}

TEST_CASE("messages name their peers by direction, offset and place") {
  const Parsed parsed(
      "model M { process p on P using net { recv from upwind (i, j)\n isend 8 B to [i+1, j] tag 3 as a\n irecv from "
      "P[e] as b\n"
      " wait a; waitall; waitany a, b; let waitany = 3; ready { for k in 1..3 { task when recv 8 B from [i-1, j] tag "
      "k, recv from [i, j-1] priority k { "
      "compute(1 us) } } }; let ready = 1; let task = ready; let priority = task; sendrecv 8 B to [i+1, j] from [i-1, "
      "j] tag 2; sendrecv(8 B); "
      "let sendrecv = 3\n allreduce(8 "
      "B) along i } }");
  CHECK(parsed.errors() == "");
  CHECK(parsed.tree().find("from upwind i, j") != std::string::npos);
  CHECK(parsed.tree().find("isend as a") != std::string::npos);
  CHECK(parsed.tree().find("isend as sendrecv()") != std::string::npos);
  CHECK(parsed.tree().find("let sendrecv") != std::string::npos);
  CHECK(parsed.tree().find("waitany a, b") != std::string::npos);
  CHECK(parsed.tree().find("let waitany") != std::string::npos);
  CHECK(parsed.tree().find("task") != std::string::npos);
  CHECK(parsed.tree().find("let priority") != std::string::npos);
  CHECK(parsed.tree().find("call along i") != std::string::npos);
}

TEST_CASE("an empty file is a module without items") {
  for (const char* text : {"", "\n", "// nothing\n", "\xEF\xBB\xBF", "wave 1\n"}) {
    const Parsed parsed(text);
    CHECK(parsed.errors() == "");
    CHECK(parsed.module->items.empty());
  }
}

TEST_CASE("places of expressions cover their text") {
  const Parsed parsed("\xEF\xBB\xBFlet x = (a + \u00E9) // \u00E9\nlet y = a + f(b)[1].c");
  REQUIRE(parsed.module->items.size() == 2);
  const auto& let = std::get<wave::frontend::item::Let>(parsed.module->items[1]->node);
  CHECK(parsed.sources.text(let.value->location) == "a + f(b)[1].c");
  CHECK(parsed.sources.text(parsed.module->items[1]->name.location) == "y");
}

TEST_CASE("the programs of the library and the examples parse") {
  for (const auto& [name, text] : all_programs()) {
    if (name.rfind("tests/", 0) == 0) continue;
    CAPTURE(name);
    CHECK(Parsed(text).errors() == "");
  }
}

TEST_CASE("acquire and arrival are steps of protocols, and names elsewhere") {
  const std::string tree = Parsed(
                               "machine M { resource tx of process; resource rx of process; protocol p(s: data) { "
                               "sender { acquire tx for g; busy o }\n"
                               "receiver { on arrival of a { acquire rx for g; busy o }\n on arrival of b busy o } } }")
                               .tree();
  CHECK(tree.find("acquire tx\n") != std::string::npos);
  CHECK(tree.find("on arrival of a\n") < tree.find("acquire rx\n"));
  CHECK(tree.find("on arrival of b\n") != std::string::npos);
  CHECK(Parsed("model M {\n procedure acquire() on P { compute(1 us) }\n procedure arrival(n: int) on P { acquire() }\n"
               " process p on P using net { acquire()\n arrival(2)\n acquire() } }")
            .errors() == "");
}
