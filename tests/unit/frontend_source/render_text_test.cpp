#include "frontend/source/diagnostic_text.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::frontend;

namespace {

Diagnostic diagnostic(std::vector<Label> labels) {
  return {DiagnosticKind::misuse, "message", std::move(labels), {}, {}, Severity::error};
}

std::string rendered(const Diagnostic& d) { return render_text({}, d, Palette(false)); }

// Labels in files of these texts, which are called a.wave, b.wave and so on.
std::string rendered(const std::vector<std::string>& texts, std::vector<Label> labels) {
  Sources sources;
  for (const std::string& text : texts)
    sources.add(std::string(1, static_cast<char>('a' + sources.size())) + ".wave", text);
  return render_text(sources, diagnostic(std::move(labels)), Palette(false));
}

}  // namespace

TEST_CASE("a place is underlined with its text beside it") {
  CHECK(rendered({"let x = 1\nlet y = zz\n"}, {{{0, 18, 20}, "unknown"}}) ==
        "error[E0601]: message\n"
        "  --> a.wave:2:9\n"
        "   |\n"
        " 2 | let y = zz\n"
        "   |         ^^ unknown\n");
}

TEST_CASE("several places on one line hang their texts below each other") {
  CHECK(rendered({"let x = 23 us + 4 KiB\n"},
                 {{{0, 14, 15}, "adds unlike things"}, {{0, 8, 13}, "time"}, {{0, 16, 21}, "data"}}) ==
        "error[E0601]: message\n"
        "  --> a.wave:1:15\n"
        "   |\n"
        " 1 | let x = 23 us + 4 KiB\n"
        "   |         ----- ^ ----- data\n"
        "   |         |     |\n"
        "   |         |     adds unlike things\n"
        "   |         time\n");
}

TEST_CASE("lines between places are left out") {
  CHECK(rendered({"one\ntwo\nthree\nfour\nfive\n"}, {{{0, 19, 23}, "here"}, {{0, 0, 3}, "there"}}) ==
        "error[E0601]: message\n"
        "  --> a.wave:5:1\n"
        "   |\n"
        " 1 | one\n"
        "   | --- there\n"
        " ...\n"
        " 5 | five\n"
        "   | ^^^^ here\n");
}

TEST_CASE("places in several files have an excerpt each") {
  CHECK(rendered({"abc\n", "def\n"}, {{{1, 0, 3}, "used"}, {{0, 0, 1}, "declared"}}) ==
        "error[E0601]: message\n"
        "  --> b.wave:1:1\n"
        "   |\n"
        " 1 | def\n"
        "   | ^^^ used\n"
        "  ::: a.wave:1:1\n"
        "   |\n"
        " 1 | abc\n"
        "   | - declared\n");
}

TEST_CASE("a place over several lines is underlined where it begins and where it ends") {
  CHECK(rendered({"f(1,\n  2,\n  3)\n"}, {{{0, 0, 14}, "all of this"}}) ==
        "error[E0601]: message\n"
        "  --> a.wave:1:1\n"
        "   |\n"
        " 1 | f(1,\n"
        "   | ^^^^\n"
        " 2 |   2,\n"
        " 3 |   3)\n"
        "   |   ^^ all of this\n");
}

TEST_CASE("tabs and wide characters do not shift the underline") {
  CHECK(rendered({"\t\xe6\xbc\xa2 zz\n"}, {{{0, 5, 7}, ""}}) ==
        "error[E0601]: message\n"
        "  --> a.wave:1:4\n"
        "   |\n"
        " 1 |     \xe6\xbc\xa2 zz\n"
        "   |        ^^\n");
}

TEST_CASE("a very long line is clipped around its place") {
  const std::string text =
      rendered({std::string(100000, 'a') + "zz" + std::string(100000, 'b')}, {{{0, 100000, 100002}, "here"}});
  CHECK(text.size() < 1000);
  CHECK(text.find("…aaa") != std::string::npos);
  CHECK(text.find("^^ here") != std::string::npos);
}

TEST_CASE("wide characters before a place in a very long line do not shift its mark") {
  std::string before;
  for (int i = 0; i < 5000; ++i) before += "\xe6\xbc\xa2";
  for (const std::size_t more : {0, 1, 2, 3}) {
    const std::string line = before + std::string(more, 'a');
    const auto at = static_cast<std::uint32_t>(line.size());
    const std::string text = rendered({line + "zz" + before}, {{{0, at, at + 2}, "here"}});
    // 30 columns before it, and the sign that there is more.
    CHECK(text.find("\n   | " + std::string(31, ' ') + "^^ here") != std::string::npos);
    CHECK(text.find("zz\xe6\xbc\xa2") != std::string::npos);
  }
}

TEST_CASE("the end of a file and an empty file can be pointed at") {
  CHECK_THAT(rendered({"", "x"}, {{{0, 0, 0}, "here"}}), Catch::Contains("^ here"));
  CHECK_THAT(rendered({"", "x"}, {{{1, 1, 1}, "here"}}), Catch::Contains("|  ^ here"));
  CHECK_THAT(rendered({"", "x"}, {{{1, 50, 90}, "here"}}), Catch::Contains("^ here"));
}

TEST_CASE("notes and help stand below the excerpt, further lines indented") {
  auto d = diagnostic({});
  d.notes.push_back("one\ntwo");
  d.help.push_back("three");
  CHECK(rendered(d) ==
        "error[E0601]: message\n"
        "   = note: one\n"
        "           two\n"
        "   = help: three\n");
}

TEST_CASE("a message cannot command the terminal") {
  auto d = diagnostic({});
  d.message = "a\x1b[2Jb";
  CHECK(rendered(d).find('\x1b') == std::string::npos);
}
