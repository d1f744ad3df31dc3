// Comments that look like divisors, and similar comments that do not.
#include "support.h"

#include <catch2/catch.hpp>

namespace wave::frontend::test {

namespace {

// What is reported for `let x = ` followed by the text, in a module that declares `n`, `p` and `f`.
std::string after(const std::string& text) {
  return Parsed("let n = 8\nlet p = 4\nfn f(i, size) = i\nlet x = " + text + "\n").errors();
}

}  // namespace

TEST_CASE("a comment that reads like a divisor is reported") {
  CHECK(after("n // p") == "E0124 at `// p`");
  CHECK(after("n //p") == "E0124 at `//p`");
  CHECK(after("n // 2") == "E0124 at `// 2`");
  CHECK(after("(n + 1) // (p - 1)") == "E0124 at `// (p - 1)`");
  CHECK(after("f(n, 1) // f(p, 2) + 1") == "E0124 at `// f(p, 2) + 1`");
  CHECK(after("7 // p") == "E0124 at `// p`");
  CHECK(after("n * 7 // 2") == "E0124 at `// 2`");
  CHECK(after("n // p * n div 2") == "E0124 at `// p * n div 2`");
  CHECK(after("(n + 1) // 2 * 3") == "E0124 at `// 2 * 3`");
  CHECK(after("n // 2 - 1") == "E0124 at `// 2 - 1`");
  CHECK(after("n // (6 + 1)") == "E0124 at `// (6 + 1)`");
  CHECK(Parsed("fn half(n, size) = n // size\n").errors() == "E0124 at `// size`");
  CHECK(Parsed("fn half(n: int, size: int): int = n // size\n").errors() == "E0124 at `// size`");
  CHECK(Parsed("let m = sum(k in 1..9:\n  9 // k\n)\n").errors() == "E0124 at `// k`");
}

TEST_CASE("a comment that takes the end of a bracket along is reported with it") {
  CHECK(after("(n // 2) * p") == "E0107 at `(`; E0124 at `// 2) * p`");
  CHECK(after("f(n, n  // p)") == "E0107 at `(`; E0124 at `// p)`");
  CHECK(after("[n // f(p, 2), p]") == "E0107 at `[`");
  CHECK(after("(n // of (p) them)") == "E0107 at `(`");
}

TEST_CASE("other comments at the end of a line are comments") {
  for (const char* comment :
       {"processors", "eq (6)", "(6)",  "[12]", "4 KiB", "0.5 us", "of n", "n processors", "- p", "n = 4",
        "see p.",     "p:",     "p, n", "2, 4", "2.5",   "",       " ",    "p ... n",      "(p",  "time",
        "f of n",     "\"p\"",  "if p", "1/2",  "p?",    "p < n",  "3-4",  "1994-07-31"}) {
    INFO(comment);
    CHECK(after("n // " + std::string(comment)).empty());
  }
  for (const char* line :
       {"n  // 2", "n //  2", "n\t\t// 2", "n  // p", "12 // 6 per node", "12 // 6", "3 * 8 // 24", "7 // 2 + 5",
        "8 B // 2 * 4", "(3 + 4) // 7", "8 B // 2", "n * 8 B // 2", "\"a\" // 2", "[1, 2] // 2", "true // 1"}) {
    INFO(line);
    CHECK(after(line).empty());
  }
  CHECK(after("n\n// p").empty());
  CHECK(after("n /// p").empty());
  CHECK(after("[\n  n, // p\n  p]").empty());
  CHECK(Parsed("model M {\n  param p: int = 4\n  param n: int // p\n}\n").errors().empty());
  CHECK(Parsed("model M {\n  param p: int = 4\n  grid P[i: p] // p\n}\n").errors().empty());
}

}  // namespace wave::frontend::test
