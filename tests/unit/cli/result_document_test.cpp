// Reads documents of results back, whole ones and whatever else a file may hold.
#include "cli/studies/result_document.h"

#include "tests/folder.h"

#include <catch2/catch.hpp>

using namespace wave::cli;

namespace {

const std::string run = R"doc({
  "wave": "0.1.0", "verb": "run", "file": "farm.wave", "model": "Farm", "engine": "interpreter",
  "text": "ab12", "given": {"net": "Far()"},
  "parameters": {"net": {"value": null, "given": true}, "net.L": {"value": 2e-05, "unit": "s", "given": false},
                 "n": {"value": 4, "given": false},
                 "on": {"value": true, "given": false}, "mode": {"value": "fast", "given": false}},
  "tables": {"total": {"status": "evaluated", "shape": "single", "value": 0.25, "unit": "s"},
              "both": {"status": "evaluated", "shape": "record",
                       "fields": {"a": {"value": 1}, "b": {"value": 2, "unit": "B"}}},
              "each": {"status": "evaluated", "shape": "series",
                       "columns": [{"name": "k"}, {"name": "each", "unit": "s"}], "rows": [[1, 0.5], [2, null]]},
              "bad": {"status": "failed", "code": "E0501", "shape": "single"}}
})doc";

const std::string sweep = R"doc({
  "wave": "0.1.0", "verb": "sweep", "file": "farm.wave", "model": "Farm",
  "command": ["sweep", "farm.wave", "-D", "net=Far()", "--vary", "n=1..2"],
  "inputs": [{"what": "the library", "is": "1"}, {"what": "the model file", "is": "2"}], "points": 2,
  "tables": {"points": {"columns": [{"name": "n", "is": "parameter"}, {"name": "total", "unit": "s", "is": "output"}],
             "rows": [[1, 0.5], [2, null]]}}
})doc";

class Reading {
 public:
  std::optional<ResultDocument> operator()(const std::string& text) {
    const std::string path = folder_.write("x.json", text);
    CommonOptions options;
    options.diagnostics = DiagnosticFormat::json;
    Console console(options);
    return read_result(console, path, std::size_t{1} << 30);
  }

 private:
  wave::test::Folder folder_;
};

}  // namespace

TEST_CASE("a run is read with its parameters, outputs, and what was given") {
  const auto document = Reading()(run);
  REQUIRE(document);
  CHECK_FALSE(document->is_sweep);
  CHECK(document->knows_given);
  CHECK(document->given == std::vector<std::pair<std::string, std::string>>{{"net", "Far()"}});
  CHECK(document->text == "ab12");
  REQUIRE(document->parameters.size() == 5);
  CHECK(document->parameters[0].second.given);
  CHECK_FALSE(document->parameters[0].second.value.number);
  CHECK(text_of(document->parameters[1].second.value) == "2e-05 s");
  CHECK(document->parameters[3].second.value.number == 1);
  CHECK(text_of(document->parameters[4].second.value) == "fast");
  REQUIRE(document->outputs.size() == 4);
  CHECK(document->outputs[0].second.cells.front().second.number == 0.25);
  CHECK(document->outputs[1].second.cells[1].first == ".b");
  CHECK(document->outputs[2].second.cells.size() == 4);
  CHECK(document->outputs[2].second.cells[3].first == "[2].each");
  CHECK_FALSE(document->outputs[2].second.cells[3].second.number);
  CHECK(document->outputs[3].second.code == "E0501");
}

TEST_CASE("a sweep is read with its columns and rows, and what -D gave") {
  const auto document = Reading()(sweep);
  REQUIRE(document);
  CHECK(document->is_sweep);
  CHECK(document->given == std::vector<std::pair<std::string, std::string>>{{"net", "Far()"}});
  CHECK(document->columns[0].is_parameter);
  CHECK_FALSE(document->columns[1].is_parameter);
  REQUIRE(document->rows.size() == 2);
  CHECK(document->rows[0][1].number == 0.5);
  CHECK_FALSE(document->rows[1][1].number);
  CHECK(document->text.size() == 64);
}

TEST_CASE("a document of before results said what was given is read as well") {
  std::string text = run;
  text.replace(text.find("\"given\": {\"net\": \"Far()\"},"), 26, "");
  const auto document = Reading()(text);
  REQUIRE(document);
  CHECK_FALSE(document->knows_given);
}

TEST_CASE("a byte-order mark and Windows line ends do not matter") {
  std::string text = "\xEF\xBB\xBF" + run;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  CHECK(Reading()(text));
}

TEST_CASE("what ends anywhere before its end is no result") {
  Reading reading;
  for (const auto* whole : {&run, &sweep}) {
    for (std::size_t length = 0; length + 1 < whole->size(); length += 7) {
      INFO(length);
      CHECK_FALSE(reading(whole->substr(0, length)));
    }
  }
}

TEST_CASE(
    "what has something else in the place of any part is no result, or one without it, and never ends the program") {
  Reading reading;
  for (const auto* whole : {&run, &sweep}) {
    for (const char* other : {"null", "[]", "{}", "7", "\"x\"", "1e999", "NaN", "[[[[]]]]"}) {
      // Replaces each value that begins after a colon, one after the other.
      for (std::size_t at = whole->find(": "); at != std::string::npos; at = whole->find(": ", at + 1)) {
        const auto end = whole->find_first_of(",}", at);
        const std::string text = whole->substr(0, at + 2) + other + whole->substr(end);
        (void)reading(text);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("other documents, and what is nested without end, are no results") {
  Reading reading;
  CHECK_FALSE(reading(""));
  CHECK_FALSE(reading("[]"));
  CHECK_FALSE(reading("{}"));
  CHECK_FALSE(reading("{\"columns\": [], \"rows\": []}"));
  CHECK_FALSE(reading(std::string(100000, '[')));
  CHECK_FALSE(reading("{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "}"));
  CHECK_FALSE(reading(std::string("\0\xff\xfe", 3)));
}
