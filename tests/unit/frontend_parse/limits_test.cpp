// Anything nested or chained too deeply gives a diagnostic, without deep recursion. An algorithm that looks at pairs of
// tokens would exceed the time limit of the tests.
#include "frontend/parse/tokens.h"
#include "support.h"

#include <catch2/catch.hpp>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

std::string times(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string codes(const std::string& text) {
  const Parsed parsed(text);
  std::string result;
  for (const Diagnostic& diagnostic : parsed.diagnostics.all()) result += std::string(code_of(diagnostic.kind)) + " ";
  return result;
}

}  // namespace

TEST_CASE("deep nesting is one diagnostic") {
  const std::size_t many = 100000;
  CHECK(codes("let x = " + times(many, "(") + "1" + times(many, ")")) == "E0111 ");
  CHECK(codes("let x = " + times(many, "(")) == "E0111 ");
  CHECK(codes("let x = " + times(many, "[")) == "E0111 ");
  CHECK(codes("let x = " + times(many, "f(")) == "E0111 ");
  CHECK(codes("let x = " + times(many, "- ") + "1") == "E0111 ");
  CHECK(codes("let x = " + times(many, "not ") + "a") == "E0111 ");
  CHECK(codes("let x = a" + times(many, "^a")) == "E0111 ");
  CHECK(codes("let x = " + times(many, "if a then b else ") + "c") == "E0111 ");
  CHECK(codes("let x = " + times(many, "if a then ") + "c") == "E0111 ");
  CHECK(codes("let x = " + times(many, "if ") + "c") == "E0111 ");
  CHECK(codes("model M { process p on P using net " + times(5000, "{ if a ") + times(5000, "}") + " }") == "E0111 ");
  CHECK(codes("model M { process p on P using net { " + times(many, "if a { } else ") + "{ } } }") == "E0111 ");
  CHECK(codes("model M { process p on P using net { for a in xs" + times(many, ", a in xs") + " { } } }") == "E0111 ");
  CHECK(codes("let x = flops { for a in xs" + times(many, ", a in xs if a") + " { x = y } }") == "E0111 ");
  CHECK(codes("model M { process p on P using net { " +
              times(100, "for a in when { else: xs }, b in xs, c in xs, d in xs { ") + times(100, "} ") + "} }") ==
        "E0111 ");
  CHECK(codes("let f: " + times(many, "[") + "int" + times(many, "]") + " = 1") == "E0111 ");
  CHECK(codes("let f: " + times(many, "fn(): ") + "int = 1") == "E0111 ");
}

TEST_CASE("long chains are one diagnostic") {
  CHECK(codes("let x = 1" + times(100000, " + 1")) == "E0111 ");
  CHECK(codes("let x = a" + times(100000, ".b")) == "E0111 ");
  CHECK(codes("let x = a" + times(100000, "(1)")) == "E0111 ");
  CHECK(codes("let x = a" + times(100000, " and a")) == "E0111 ");
  CHECK(codes("let x = a" + times(100000, " < a")) == "E0111 ");
}

TEST_CASE("nesting and chains together stay within the bound on the tree") {
  std::string text = "1";
  for (int i = 0; i < 150; ++i) text = "(" + text + times(100, " + 1") + ")";
  CHECK(codes("let x = " + text) == "E0111 ");
}

TEST_CASE("what a person writes is within the bounds") {
  CHECK(codes("model M { process p on P using net { " + times(2000, "for k in 1..2 { compute(1 us) }\n") + "} }")
            .empty());
  CHECK(codes("let f = flops { " + times(2000, "for k in 1..2 { x = y }\n") + "}").empty());
  CHECK(codes("let f = flops { " + times(2000, "for k in 1..2, l in k..2 if l > 1 { x = y }\n") + "}").empty());
  CHECK(codes("let x = " + times(150, "(") + "1" + times(150, ")")) == "");
  CHECK(codes("let x = 1" + times(900, " + 1")) == "");
  CHECK(codes("let x = [" + times(20000, "a + b, ") + "1]") == "");
  CHECK(codes("model M { process p on P using net {" + times(3000, " if a { compute(-b) }\n") + "} }") == "");
  CHECK(codes("model M { process p on P using net {" + times(3000, " send -a to [i + 1]\n") + "} }") == "");
  CHECK(codes(times(3000, "let x = - a + b ^ 2\n")) == "");
}

TEST_CASE("a large file is a diagnostic about its size") { CHECK(codes(times(1 << 20, "// padding\n")) == "E0102 "); }

TEST_CASE("a file of brackets, quotes or stray characters does not flood") {
  CHECK(Parsed(times(20000, "let x = (\n")).diagnostics.all().size() <= 101);
  CHECK(Parsed(times(20000, ")\n")).diagnostics.all().size() <= 101);
  CHECK(Parsed(times(20000, "@\n")).diagnostics.all().size() <= 101);
  CHECK(Parsed(times(20000, "let = \n")).diagnostics.all().size() <= 101);
  CHECK(Parsed(times(20000, "\"\n")).diagnostics.all().size() <= 101);
}

TEST_CASE("what is no UTF-8 has no tokens") {
  for (const std::string text : {"let a = \xff", "\xc3", "caf\xe9 // x"}) {
    const Lexed lexed = lex(text);
    REQUIRE(lexed.tokens.size() == 1);
    CHECK(lexed.tokens.front().kind == TokenKind::end);
    CHECK(lexed.tokens.front().begin == text.size());
  }
}

TEST_CASE("invalid UTF-8 is reported where it begins") {
  for (const std::string bytes : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    const Parsed parsed("let x = 1 // " + bytes);
    REQUIRE(parsed.diagnostics.all().size() == 1);
    CHECK(code_of(parsed.diagnostics.all()[0].kind) == "E0101");
    CHECK(parsed.diagnostics.all()[0].labels[0].location.begin == 13);
  }
  CHECK(Parsed("// \u00E9 \u20AC \U0001F600").errors() == "");
}

TEST_CASE("a run of bytes without a meaning is one diagnostic") {
  CHECK(codes(std::string(2000, '\1')) == "E0103 ");
  CHECK(codes("let a = @@@@ 1\nlet b = $$$ 2\n") == "E0103 E0103 ");
}
