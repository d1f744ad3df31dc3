// Programs of the repository, damaged at random: parsing ends with a tree, and its locations lie inside the text.
#include "frontend/format/formatter.h"
#include "support.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave::frontend;
using namespace wave::frontend::test;

namespace {

const std::vector<std::string>& snippets() {
  static const std::vector<std::string> words = {
      "(",     ")",           "[",    "]",   "{",   "}",      "let ",    "model ", "=",      "==",   ",",
      ";",     ":",           "..",   "\"",  "///", "//",     "\n",      " if ",   " else ", "+-",   "^",
      "-",     "not ",        "1e9",  "9 B", "/s",  "when {", "flops {", "table ", "\u00B1", "\xFF", "\u00E9",
      "fn f(", "sweep from ", "for ", "in ", "@",   "&&",     "test \"", "0..",    "by *"};
  return words;
}

std::string mutate(std::string text, std::mt19937& random) {
  const std::size_t edits = 1 + random() % 4;
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const std::size_t length = random() % 20;
    switch (random() % 4) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, snippets()[random() % snippets().size()]); break;
      case 2: text.insert(at, text.substr(random() % text.size(), 3 * length)); break;
      default: text[at] = static_cast<char>(random() % 128); break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("damaged programs are parsed to the end, and formatted alike twice") {
  const unsigned seed = 4711;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<std::string> programs;
  for (auto& [name, text] : all_programs()) {
    if (text.size() < 8000) programs.push_back(std::move(text));
  }
  REQUIRE(!programs.empty());
  for (std::uint64_t i = 0; i < wave::test::fewer(3000); ++i) {
    const std::string text = mutate(programs[random() % programs.size()], random);
    CAPTURE(i, text);
    const Parsed parsed(text);
    REQUIRE(parsed.module != nullptr);
    parsed.tree();
    for (const Diagnostic& diagnostic : parsed.diagnostics.all()) {
      for (const Label& label : diagnostic.labels) {
        REQUIRE(label.location.begin <= label.location.end);
        REQUIRE(label.location.end <= text.size());
      }
    }
    if (!parsed.diagnostics.all().empty()) continue;
    Sources sources;
    Diagnostics diagnostics;
    const auto once = format(sources, sources.add("once", text), diagnostics);
    REQUIRE(once);
    REQUIRE(format(sources, sources.add("twice", *once), diagnostics) == once);
  }
}
