#include "cli/formats/document.h"
#include "cli/formats/readable.h"
#include "frontend/source/csv.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>

using namespace wave::cli;

namespace {

// A count, a time that failed once, a word that needs quotes in every format, and the limit of a row.
Document sample() {
  Document document = document_about("m.wave", "");
  document.verb = "sample";
  document.says = {"all of it"};
  OutputTable& table = document.tables.emplace_back();
  table.name = "best";
  table.rows = 2;
  table.columns = {integer_column("n", {1, 2}),
                   number_column("time", "us", {1.5, std::numeric_limits<double>::quiet_NaN()}),
                   word_column("who", {"a|b", "c,\"d\""}), list_column("limited by", {{"x", "y"}, {}})};
  document.page = [](const std::vector<OutputTable>& tables) {
    return Passages{{"what was *found*\nin all\n\n", readable(tables.front(), 4)}, {"\nthe end\n"}};
  };
  return document;
}

}  // namespace

TEST_CASE("every format has a word and an ending of its own") {
  std::set<std::string_view> words, endings;
  for (const auto* one : Format::all()) {
    CHECK(words.insert(one->word).second);
    CHECK(endings.insert(one->ending).second);
    CHECK(Format::of_file("results" + std::string(one->ending)) == Format(one->word));
  }
  CHECK(Format() == Format("table"));
  CHECK_FALSE(Format::of_file("results.xlsx"));
}

TEST_CASE("CSV quotes what a comma or a quote is in, and leaves what failed empty") {
  CHECK(written(sample(), Format("csv")) ==
        "n,time [us],who,limited by\n"
        "1,1.5,a|b,x; y\n"
        "2,,\"c,\"\"d\"\"\",\n");
}

TEST_CASE("no word in CSV is a formula, and Wave reads all of them as they were") {
  const std::vector<std::string> words = {"=1+1", "+x",   "-x y",    "@SUM(A1)", "\t=1", "'=1",      "''-1",
                                          "'-5",  "'tis", "it's so", "#x",       " x ",  "=\"a,b\"", "-"};
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = words.size();
  table.columns = {word_column("word", words), integer_column("n", std::vector<std::int64_t>(words.size(), -1))};
  const std::string text = written(document, Format("csv"));
  wave::frontend::CsvReader reader(text);
  std::vector<wave::frontend::CsvCell> cells;
  REQUIRE(reader.next(cells));
  for (const auto& word : words) {
    REQUIRE(reader.next(cells));
    REQUIRE(cells.size() == 2);
    CHECK(cells[0].unquoted() == word);
    CHECK(cells[1].text == "-1");
    const std::string_view line = std::string_view(text).substr(reader.line_begin());
    CHECK(std::string_view("=+-@\t\r").find(line[line[0] == '"' ? 1 : 0]) == std::string_view::npos);
  }
}

TEST_CASE("numbers in CSV are no formulas, whatever their sign") {
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = 3;
  table.columns = {word_column("word", {"-5", "+2.5e3", "-x"}), number_column("t", "s", {-1.5, -0.25, 2})};
  CHECK(written(document, Format("csv")) == "word,t [s]\n-5,-1.5\n+2.5e3,-0.25\n'-x,2\n");
}

TEST_CASE("CSV repeats the lines of a table, but for words in them that would be formulas") {
  const std::vector<std::string> lines = {"-5, a=b,x", "1,=2+3,\"y,z\"", "1,'=2+3,-4", "2,\" @a\",5"};
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = lines.size();
  table.columns = {integer_column("n", {0, 0, 0, 0}), word_column("w", lines), word_column("v", lines)};
  table.lines = {3, "n,w,v", [&](std::size_t row) -> std::string_view { return lines[row]; }};
  CHECK(written(document, Format("csv")) == "n,w,v\n-5, a=b,x\n1,'=2+3,\"y,z\"\n1,'=2+3,-4\n2,\" @a\",5\n");
}

TEST_CASE("JSON Lines have an object a row, with the headings of CSV and lists as lists") {
  CHECK(written(sample(), Format("jsonl")) ==
        "{\"n\": 1, \"time [us]\": 1.5, \"who\": \"a|b\", \"limited by\": [\"x\", \"y\"]}\n"
        "{\"n\": 2, \"time [us]\": null, \"who\": \"c,\\\"d\\\"\", \"limited by\": []}\n");
}

TEST_CASE("a JSON document says what it is about, and has each table by its name with the rows as lists") {
  const auto json = nlohmann::json::parse(written(sample(), Format("json")));
  CHECK(json["verb"] == "sample");
  CHECK(json["file"] == "m.wave");
  CHECK_FALSE(json.contains("model"));
  const auto& best = json["tables"]["best"];
  CHECK(best["columns"][1] == nlohmann::json{{"name", "time"}, {"unit", "us"}});
  CHECK(best["rows"][0] == nlohmann::json{1, 1.5, "a|b", {"x", "y"}});
  CHECK(best["rows"][1][1].is_null());
  CHECK(json["says"] == nlohmann::json{"all of it"});
}

TEST_CASE("a table stands between its prose, with its columns below their headings") {
  CHECK(written(sample(), Format("table")) ==
        "what was *found*\nin all\n\n"
        "n  time [us]  who    limited by\n"
        "1        1.5  a|b    x; y\n"
        "2             c,\"d\"\n"
        "\nthe end\n");
}

TEST_CASE("Markdown has the same page, tables between bars, and nothing that it would take for its own") {
  CHECK(written(sample(), Format("markdown")) ==
        "what was \\*found\\*  \nin all\n\n"
        "| n | time \\[us\\] | who | limited by |\n"
        "|---:|---:|---|---|\n"
        "| 1 | 1.5 | a\\|b | x; y |\n"
        "| 2 |  | c,\"d\" |  |\n"
        "\nthe end\n");
}

TEST_CASE("several tables say of each value or row which output it is of") {
  Document document = sample();
  document.shape = Document::Shape::outputs;
  document.tables.front().columns.resize(2);
  OutputTable& failed = document.tables.emplace_back();
  failed.name = "broken";
  failed.failed = "E0501";
  CHECK(written(document, Format("csv")) ==
        "output,row,column,value,unit,status\n"
        "best,1,n,1,,evaluated\n"
        "best,1,time,1.5,us,evaluated\n"
        "best,2,n,2,,evaluated\n"
        "best,2,time,,us,evaluated\n"
        "broken,,,,,failed E0501\n");
  CHECK(written(document, Format("jsonl")) ==
        "{\"output\": \"best\", \"row\": 1, \"n\": 1, \"time [us]\": 1.5}\n"
        "{\"output\": \"best\", \"row\": 2, \"n\": 2, \"time [us]\": null}\n"
        "{\"output\": \"broken\", \"status\": \"failed E0501\"}\n");
}
