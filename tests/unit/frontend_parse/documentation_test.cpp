#include "support.h"

#include <catch2/catch.hpp>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

const Item& member(const Parsed& parsed, std::size_t item, std::size_t member) {
  return *std::get<item::Model>(parsed.module->items.at(item)->node).members.at(member);
}

}  // namespace

TEST_CASE("a comment on its own line documents the declaration after it, one at the line's end the one begun last") {
  const Parsed parsed(
      "/// Head.\nwave 1\n/// A model.\n///\n/// Two paragraphs.\nmodel M {\n  param n: int = 4   /// cells\n"
      "  param a: int; param b: int /// of b\n  /// Before.\n  let c = a +   /// After.\n    b\n}\n");
  REQUIRE(parsed.errors() == "");
  CHECK(parsed.module->doc == "Head.");
  CHECK(parsed.module->items[0]->doc == "A model.\n\nTwo paragraphs.");
  CHECK(member(parsed, 0, 0).doc == "cells");
  CHECK(member(parsed, 0, 1).doc == "");
  CHECK(member(parsed, 0, 2).doc == "of b");
  CHECK(member(parsed, 0, 3).doc == "Before.\nAfter.");
}

TEST_CASE("before the first import documentation is the module's") {
  const Parsed parsed("/// Head.\nimport std.comm\nmodel M {}\n");
  REQUIRE(parsed.errors() == "");
  CHECK(parsed.module->doc == "Head.");
}

TEST_CASE("documentation that documents nothing is an error") {
  CHECK(Parsed("model M {\n  let a = 1\n  /// nothing\n}\n").errors() == "E0114 at `/// nothing`");
  CHECK(Parsed("let a = 1\n/// end\n").errors() == "E0114 at `/// end`");
  CHECK(Parsed("let a = f(\n  /// inside\n  1)\n").errors() == "E0114 at `/// inside`");
  CHECK(Parsed("import a\n/// between\nimport b\n").errors() == "E0114 at `/// between`");
}

TEST_CASE("two or four slashes are plain comments") {
  const Parsed parsed("// a\n////////\nlet a = 1 //// b\n");
  REQUIRE(parsed.errors() == "");
  CHECK(parsed.module->items[0]->doc == "");
}
