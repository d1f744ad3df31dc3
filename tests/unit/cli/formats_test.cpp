#include "cli/formats/document.h"
#include "cli/formats/readable.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>

using namespace wave::cli;

namespace {

// A count, a time that failed once, a word that needs quotes in every format, and the limit of a row.
Document sample() {
  Document document;
  OutputTable& table = document.tables.emplace_back();
  table.rows = 2;
  table.columns = {integer_column("n", {1, 2}),
                   number_column("time", "us", {1.5, std::numeric_limits<double>::quiet_NaN()}),
                   word_column("who", {"a|b", "c,\"d\""}), list_column("limited by", {{"x", "y"}, {}})};
  document.data = [](const std::vector<OutputTable>& tables) {
    DataWriter data;
    data.begin_object(Layout::lines).key("kind").value("sample");
    add_columns(data, tables.front());
    data.key("rows").rows(0, true).key("then").later([] { return Data{std::int64_t{7}}; });
    return data.end_object().take();
  };
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

TEST_CASE("JSON Lines have an object a row, with the headings of CSV and lists as lists") {
  CHECK(written(sample(), Format("jsonl")) ==
        "{\"n\": 1, \"time [us]\": 1.5, \"who\": \"a|b\", \"limited by\": [\"x\", \"y\"]}\n"
        "{\"n\": 2, \"time [us]\": null, \"who\": \"c,\\\"d\\\"\", \"limited by\": []}\n");
}

TEST_CASE("a JSON document has rows where it refers to them, and then what was only known behind them") {
  const auto json = nlohmann::json::parse(written(sample(), Format("json")));
  CHECK(json["kind"] == "sample");
  CHECK(json["columns"][1] == nlohmann::json{{"name", "time"}, {"unit", "us"}});
  CHECK(json["rows"][0] == nlohmann::json{{"n", 1}, {"time", 1.5}, {"who", "a|b"}, {"limited by", {"x", "y"}}});
  CHECK(json["rows"][1]["time"].is_null());
  CHECK(json["then"] == 7);
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
  document.tables.front().name = "best";
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
