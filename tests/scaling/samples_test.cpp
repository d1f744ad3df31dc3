// Whatever the grammar lets grow has a sample, so that nobody has to think of it.
#include "tests/scaling/samples.h"

#include "tests/scaling/grammar.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace wave;

TEST_CASE("every list, every rule that stands in itself and every kind of node of the grammar has a sample") {
  std::ifstream file(WAVE_SOURCE_DIR "/grammar/WaveParser.g4");
  std::stringstream grammar;
  grammar << file.rdbuf();
  std::set<std::string> sampled;
  for (const test::Sample& sample : test::samples()) sampled.insert(sample.of.begin(), sample.of.end());
  std::set<std::string> grown;
  for (const std::string& one : test::what_grows(grammar.str())) {
    INFO("`" << one << "` of the grammar has no sample in tests/scaling/samples.cpp");
    CHECK(sampled.count(one) == 1);
    grown.insert(one);
  }
  CHECK(grown.size() > 100);
  for (const std::string& one : sampled) {
    INFO("`" << one << "` has a sample, but the grammar has nothing of that name");
    CHECK(grown.count(one) == 1);
  }
}

TEST_CASE("what grows is found in a grammar") {
  const std::string grammar =
      "parser grammar G;\noptions { tokenVocab = L; }\n// A comment; with: (signs)*\n"
      "all : (item | COMMA)* EOF ;\nitem : LEFT item+ RIGHT | word (DOT word)* | NUMBER ;\nword : NAME ;\n";
  CHECK(test::what_grows(grammar) == std::vector<std::string>{"all: (item | COMMA)*", "item: item+",
                                                              "item: (DOT word)*", "item in itself",
                                                              "item | LEFT item+ RIGHT", "item | word (DOT word)*"});
}
