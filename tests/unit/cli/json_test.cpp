#include "cli/formats/json.h"

#include "cli/diagnostics.h"
#include "cli/formats/document.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

using namespace wave::cli;

TEST_CASE("what is written as JSON is read back by another reader") {
  DataWriter json;
  json.begin_object(Layout::lines).key("a").value(1.5).key("b \"quoted\"\n").begin_array();
  json.value(std::int64_t{-9223372036854775807}).value(true).null().value("\xc3\xa4").end_array();
  json.key("empty").begin_object().end_object().end_object();
  const auto read = nlohmann::json::parse(written(json.take()));
  CHECK(read["a"] == 1.5);
  CHECK(read["b \"quoted\"\n"][0] == -9223372036854775807);
  CHECK(read["b \"quoted\"\n"][1] == true);
  CHECK(read["b \"quoted\"\n"][2].is_null());
  CHECK(read["b \"quoted\"\n"][3] == "\xc3\xa4");
  CHECK(read["empty"].empty());
}

TEST_CASE("doubles survive JSON bit by bit") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const double read = std::strtod(written(Data{value}).c_str(), nullptr);
    CHECK(std::memcmp(&read, &value, sizeof value) == 0);
  }
}

TEST_CASE("what is no number in JSON is null") {
  DataWriter json;
  json.begin_array().value(std::nan("")).value(std::numeric_limits<double>::infinity()).end_array();
  CHECK(written(json.take()) == "[null, null]\n");
}

TEST_CASE("strings of any bytes are JSON") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (auto n = random() % 20; n > 0; --n) text += static_cast<char>(random());
    CHECK_NOTHROW(nlohmann::json::parse(written(Data{text})));
  }
}

TEST_CASE("a diagnostic as JSON has its place, labels, notes and help") {
  using namespace wave::frontend;
  Sources sources;
  const auto file = sources.add("a.wave", "let x = 1\nlet y = zz\n");
  Diagnostics diagnostics;
  auto& d = diagnostics.add(DiagnosticKind::misuse, {file, 18, 20}, "message", "here");
  d.labels.push_back({{file, 4, 5}, "there"});
  d.notes.push_back("note");
  d.help.push_back("help");
  const auto read = nlohmann::json::parse(render_json(sources, diagnostics.all().front()));
  CHECK(read["code"] == "E0601");
  CHECK(read["kind"] == "misuse");
  CHECK(read["severity"] == "error");
  CHECK(read["file"] == "a.wave");
  CHECK(read["line"] == 2);
  CHECK(read["column"] == 9);
  CHECK(read["end"]["column"] == 11);
  CHECK(read["labels"][0]["primary"] == true);
  CHECK(read["labels"][1]["line"] == 1);
  CHECK(read["labels"][1]["text"] == "there");
  CHECK(read["notes"][0] == "note");
  CHECK(read["help"][0] == "help");
}

TEST_CASE("a diagnostic without a place as JSON has no line") {
  using namespace wave::frontend;
  Diagnostics diagnostics;
  diagnostics.add(DiagnosticKind::misuse, {}, "message");
  const auto read = nlohmann::json::parse(render_json({}, diagnostics.all().front()));
  CHECK(read["file"].is_null());
  CHECK_FALSE(read.contains("line"));
}

TEST_CASE("no text in JSON commands a terminal, and none is lost") {
  const std::string text = "a\x1b[31m\x7f\xc2\x9b[2J\xe2\x80\xae\xc3\xa4";
  const std::string json = json_string(text);
  CHECK(json == "\"a\\u001b[31m\\u007f\\u009b[2J\\u202e\xc3\xa4\"");
  CHECK(nlohmann::json::parse(json) == text);
}

TEST_CASE("diagnostics are counted by severity") {
  CHECK(count_line(0, 0) == "");
  CHECK(count_line(1, 0) == "1 error");
  CHECK(count_line(2, 1) == "2 errors, 1 warning");
  CHECK(count_line(0, 2) == "2 warnings");
}
