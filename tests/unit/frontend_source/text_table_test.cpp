// Tables of text: which format and which separator they have, what is passed over, and what is wrong with their shape.
#include "frontend/source/text_table.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace wave::frontend;

namespace {

using Rows = std::vector<std::vector<std::string>>;

// The header and the rows; a row that is wrong is what is said of it.
Rows rows_of(std::string_view text, std::string_view series = {}) {
  TextTable table(text, series);
  Rows rows(1);
  for (const CsvCell& cell : table.header()) rows.back().push_back(cell.unquoted());
  if (table.trouble()) rows.push_back({table.trouble()->message});
  while (table.next()) {
    rows.emplace_back();
    if (table.trouble()) {
      rows.back() = {table.trouble()->message};
      continue;
    }
    for (const CsvCell& cell : table.cells()) rows.back().push_back(cell.unquoted());
  }
  return rows;
}

const Rows usual = {{"ranks", "time [s]"}, {"1", "18.6"}, {"2", "9.6"}};

}  // namespace

TEST_CASE("one table is the same however its cells are separated and whatever stands around it", "[text_table]") {
  for (const std::string_view text : {
           "ranks,time [s]\n1,18.6\n2,9.6\n",
           "ranks, time [s]\n1, 18.6\n2, 9.6",
           "ranks;time [s]\n1;18.6\n2;9.6\n",
           "ranks\ttime [s]\n1\t18.6\n2\t9.6\n",
           "ranks time [s]\n1 18.6\n2 9.6\n",
           "ranks   time [s]\n    1     18.6\n    2      9.6\n",
           "\"ranks\"\t\"time [s]\"\n1\t18.6\n\"2\"\t9.6\n",
           "\"ranks\" \"time [s]\"\n1 18.6\n\"2\" 9.6\n",
           "ranks,time [s],\n1,18.6,\n2,9.6,\n",
           "ranks,time [s]\n1,18.6,\n2,9.6,\n",
           "ranks,time [s],\n1,18.6\n2,9.6\n",
           "ranks;time [s];\n1;18.6;\n2;9.6;\n",
           "\xEF\xBB\xBF# runs\r\n\r\nranks,time [s]\r\n1,18.6\r\n\r\n2,9.6\r\n",
           "ranks,time [s]\n1,18.6\nranks,time [s]\n2,9.6\n",
           "ranks,time [s]\n1,18.6\nranks , \"time [s]\"\n2,9.6\nranks,time [s]\n",
           ",ranks,time [s]\n0,1,18.6\n1,2,9.6\n",
           "Unnamed: 0,ranks,time [s]\n0,1,18.6\n1,2,9.6\n",
           "\"\",\"ranks\",\"time [s]\"\n\"1\",1,18.6\n\"2\",2,9.6\n",
           ",ranks,time [s]\n0,1,18.6\n,ranks,time [s]\n0,2,9.6\n",
           R"({"ranks": 1, "time [s]": 18.6}
{"ranks": 2, "time [s]": 9.6}
)",
           R"([{"ranks": 1, "time [s]": 18.6}, {"ranks": 2, "time [s]": "9.6"}])",
           R"([
  {
    "ranks": 1,
    "time [s]": 18.6
  },
  {
    "ranks": 2,
    "time [s]": 9.6
  }
])",
           R"({"params": {"ranks": 1}, "metric": "time [s]", "callpath": "main", "value": 18.6}
{"params": {"ranks": 2}, "metric": "time [s]", "callpath": "main", "value": 9.6})",
           R"({"parameters":{"ranks":1};"metric":"time [s]";"callpath":"main";"value":18.6}
{"parameters":{"ranks":2};"metric":"time [s]";"callpath":"main";"value":9.6})",
           "PARAMETER ranks\nPOINTS (1) (2)\nREGION main\nMETRIC time [s]\nDATA 18.6\nDATA 9.6\n",
           "# Extra-P\nPARAMETER ranks\n\nPOINTS 1 2\n\nMETRIC time [s]\nREGION main\nDATA 18.6\nDATA 9.6",
           "PARAMETER ranks\nPOINTS ( 1 )\nPOINTS ( 2 )\nMETRIC time [s]\nDATA 18.6\nDATA 9.6\n",
       }) {
    INFO(text);
    CHECK(rows_of(text) == usual);
  }
}

TEST_CASE("a first column is passed over only if it has no name and counts the rows", "[text_table]") {
  CHECK(rows_of(",time\n1,18.6\n2,9.6\n") == Rows{{"", "time"}, {"1", "18.6"}, {"2", "9.6"}});
  CHECK(rows_of(",time\n0,18.6\n2,9.6\n") == Rows{{"", "time"}, {"0", "18.6"}, {"2", "9.6"}});
  CHECK(rows_of("i,time\n0,18.6\n1,9.6\n") == Rows{{"i", "time"}, {"0", "18.6"}, {"1", "9.6"}});
  TextTable table(",time\n0,18.6\n1,9.6\n");
  while (table.next()) {}
  CHECK(table.remarks() ==
        std::vector<std::string>{"the first column has no name and counts the rows: it is passed over"});
}

TEST_CASE("tabs keep empty cells apart", "[text_table]") {
  CHECK(rows_of("a\tb\tc\n1\t\t3\n\t2\t3\n1\t2\t\n") ==
        Rows{{"a", "b", "c"}, {"1", "", "3"}, {"", "2", "3"}, {"1", "2", ""}});
}

TEST_CASE("a comma that is no separator divides nothing", "[text_table]") {
  CHECK(rows_of("ranks;time [s]\n1;18,6\n2;9,6\n") == Rows{{"ranks", "time [s]"}, {"1", "18,6"}, {"2", "9,6"}});
  CHECK(rows_of("ranks;time, mean\n1;18,6\n") == Rows{{"ranks", "time, mean"}, {"1", "18,6"}});
  CHECK(rows_of("ranks,time (s; mean)\n1,18.6\n") == Rows{{"ranks", "time (s; mean)"}, {"1", "18.6"}});
  CHECK(rows_of("time [s]\n18.6 s\n9.6 s\n") == Rows{{"time [s]"}, {"18.6 s"}, {"9.6 s"}});
  CHECK(rows_of("time [s]\n18.6\n") == Rows{{"time [s]"}, {"18.6"}});
}

TEST_CASE("objects are rows: with lists, without some members, with objects inside, with escapes", "[text_table]") {
  CHECK(rows_of(R"({"n": 1, "t": [2, 3]} {"n": 4, "t": [5]})") == Rows{{"n", "t"}, {"1", "2"}, {"1", "3"}, {"4", "5"}});
  CHECK(rows_of("{\"n\": 1}\n{\"t\": 2, \"n\": 3}\n{\"t\": null}") ==
        Rows{{"n", "t"}, {"1", ""}, {"3", "2"}, {"", "null"}});
  CHECK(rows_of(R"({"n": [1, 2], "value": 3})") == Rows{{"n", "value"}, {"1", "3"}, {"2", "3"}});
  CHECK(rows_of(R"({"net": {"L": 1, "o": {"s": 2}}})") == Rows{{"net.L", "net.o.s"}, {"1", "2"}});
  CHECK(rows_of(R"({"na\"me": "a\\b\nc"})") == Rows{{"na\"me"}, {"a\\b\nc"}});
  CHECK(rows_of(R"({"value": 3, "n": 1})") == Rows{{"n", "value"}, {"1", "3"}});
  CHECK(rows_of(R"({"params": {"n": 1}, "value": [3, 4]})") == Rows{{"n", "value"}, {"1", "3"}, {"1", "4"}});
}

TEST_CASE("lists of objects follow each other where runs are appended", "[text_table]") {
  for (const std::string_view text : {
           "[{\"n\": 1}]\n[{\"n\": 2}]\n",
           "[{\"n\": 1}],\n[{\"n\": 2}]",
           "{\"n\": 1}\n[{\"n\": 2},]\n[]",
           "[{\"n\": 1}]\n{\"n\": 2}\n",
       }) {
    INFO(text);
    CHECK(rows_of(text) == Rows{{"n"}, {"1"}, {"2"}});
  }
}

TEST_CASE("only a row may be cut off with which the text ends, and no object whose brace is closed", "[text_table]") {
  struct Case {
    std::string_view text;
    bool may_be;
  };
  for (const Case& one : {
           Case{"n;t\n1;2", true},
           {"n;t\n1;2\n", false},
           {"{\"n\": 1}\n{\"n\": 2}", false},
           {"[{\"n\": [1, 2]}]", false},
           {"PARAMETER n\nPOINTS 1\nDATA 2", true},
           {"PARAMETER n\nPOINTS 1\nDATA 2\n", false},
       }) {
    INFO(one.text);
    TextTable table(one.text);
    bool may_be = false;
    while (table.next()) may_be = table.may_be_cut_off();
    CHECK(may_be == one.may_be);
  }
}

TEST_CASE("a bracket that does not end is looked for in its line only, and not far", "[text_table]") {
  CHECK(rows_of("a [ b\n1 2 3\n") == Rows{{"a", "[", "b"}, {"1", "2", "3"}});
  std::string line, lines = "a b\n";
  for (int i = 0; i < 200'000; ++i) line += "a [ ";
  for (int i = 0; i < 200'000; ++i) lines += "1 [\n";
  line += "\n1 2\n";
  CHECK(TextTable(line).header().size() == 1);
  CHECK(rows_of(lines).size() == 200'001);
}

TEST_CASE("of several things that were measured one is chosen", "[text_table]") {
  const std::string_view lines = R"({"params":{"n":1},"metric":"time","callpath":"main","value":1}
{"params":{"n":1},"metric":"time","callpath":"main->solve","value":2}
{"params":{"n":1},"metric":"visits","callpath":"main","value":3})";
  CHECK(TextTable(lines).series() == std::vector<std::string>{"time of main", "time of main->solve", "visits of main"});
  CHECK(TextTable(lines).trouble()->message == "measurements of several things");
  CHECK(rows_of(lines, "time of main->solve") == Rows{{"n", "time of main->solve"}, {"1", "2"}});
  const std::string_view text =
      "PARAMETER n\nPARAMETER m\nPOINTS (1 2) (3 4)\nMETRIC time\nREGION a\nDATA 1 2\nDATA 3\nREGION b\nDATA 5\nDATA "
      "6\n";
  CHECK(rows_of(text, "time of a") == Rows{{"n", "m", "time of a"}, {"1", "2", "1"}, {"1", "2", "2"}, {"3", "4", "3"}});
}

TEST_CASE("what is wrong with a text is said where it is", "[text_table]") {
  struct Case {
    std::string_view text, message;
  };
  for (const Case& one : {
           Case{"{\"n\": 1, \"t\" 2}", "a colon was expected"},
           {"{\"n\": 1\n", "the name of a member in quotes was expected"},
           {"{\"n\": }", "a number, a word or a text in quotes was expected"},
           {"{n: 1}", "the name of a member in quotes was expected"},
           {"{\"n: 1}", "a text that does not end"},
           {"{\"n\": [1], \"t\": [2]}", "two lists in one object"},
           {"{\"n\": [[1]]}", "a number, a word or a text in quotes was expected"},
           {"{\"n\": 1} 5", "an object in braces was expected"},
           {"[{\"n\": 1}] done {\"n\": 2}", "an object in braces was expected"},
           {"[{\"n\": 1},\n{\"n\": 2}", "a list of objects that does not end"},
           {"{\"n\": 1, \"t\": 2, \"n\": 3}", "two members of one name in an object"},
           {"{\"n\": 1, \"n\": [2, 3]}", "two members of one name in an object"},
           {"{\"net\": {\"L\": 1}, \"net.L\": 2}", "two members of one name in an object"},
           {"{\"value\": 1, \"value\": 2}", "two members of one name in an object"},
           {"{\"params\": {\"n\": 1}, \"metric\": \"a\", \"metric\": \"b\", \"value\": 1}",
            "two members of one name in an object"},
           {"{\"value\": [1, 2], \"n\": [3, 4]}", "two lists in one object"},
           {"{\"params\": {\"n\": 1}, \"value\": []}", "a list without a value"},
           {"{\"params\": {\"n\": 1}, \"metric\": \"t\"}",
            "an object with `params`, `metric` or `callpath` has no `value`"},
           {"{\"params\": {\"n\": 1}, \"value\": 1}\n{\"n\": 1, \"t\": 2}",
            "only some of the objects have a `metric` or `params`"},
           {"PARAMETER n\nPOINTS 1 2\nDATA 1\n", "DATA for 1 of 2 points"},
           {"PARAMETER n\nPOINTS 1\nDATA 1\nDATA 2\n", "more lines DATA than points"},
           {"PARAMETER n m\nPOINTS (1 2) (3)\n", "points have a coordinate for each parameter"},
           {"PARAMETER n\nPOINTS 1\nVALUE 1\n", "a line that Extra-P's text format does not have"},
           {"PARAMETER n\nDATA 1\n", "more lines DATA than points"},
           {"PARAMETER n\nPOINTS 1 2\nDATA 1\nDATA\n", "a line DATA without a value"},
           {"PARAMETER n\nPOINTS 1 2\nDATA ( )\nDATA 1\n", "a line DATA without a value"},
       }) {
    INFO(one.text);
    const auto rows = rows_of(one.text);
    CHECK(rows.back() == std::vector<std::string>{std::string(one.message)});
  }
}

TEST_CASE("a row is read again where it stands", "[text_table]") {
  for (const std::string_view text : {"a;b\n1;2\n3;4\n", ",a,b\n0,1,2\n1,3,4\n", "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}",
                                      "PARAMETER a\nPOINTS 1 3\nMETRIC b\nDATA 2\nDATA 4\n"}) {
    INFO(text);
    TextTable table(text), again(text);
    while (table.next()) {
      REQUIRE(again.again(table.line_begin(), table.line_end()));
      REQUIRE(again.cells().size() == 2);
      for (std::size_t i = 0; i < 2; ++i) CHECK(again.cells()[i].text == table.cells()[i].text);
    }
  }
}

TEST_CASE("any text is a table or none, and its cells lie in it", "[text_table]") {
  const unsigned seed = 20;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::vector<std::string> pieces = {"{",  "}",  "[", "]",          "\"a\"",     ":",          ",",      ";",
                                           "1",  "\n", " ", "\"params\"", "\"value\"", "\"metric\"", "\\",     "\"",
                                           "\t", "(",  ")", "POINTS",     "DATA",      "PARAMETER",  "REGION", "METRIC",
                                           "n",  "#"};
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 3 == 0 ? "{" : round % 3 == 1 ? "PARAMETER n\nPOINTS 1 2\n" : "";
    for (unsigned count = random() % 30; count > 0; --count) text += pieces[random() % pieces.size()];
    TextTable table(text);
    std::size_t rows = 0;
    while (table.next()) {
      REQUIRE(++rows <= 2 * text.size() + 2);
      REQUIRE(table.line_begin() <= table.line_end());
      REQUIRE(table.line_end() <= text.size());
      if (table.trouble()) {
        REQUIRE(table.trouble()->begin <= table.trouble()->end);
        REQUIRE(table.trouble()->end <= text.size());
        continue;
      }
      REQUIRE(table.cells().size() == table.header().size());
      for (const CsvCell& cell : table.cells()) {
        REQUIRE(cell.end <= text.size());
        REQUIRE(cell.text == std::string_view(text).substr(cell.begin, cell.end - cell.begin));
      }
    }
  }
}
