// Text in columns: cells, quotes, what is skipped, and that no input makes the reader read elsewhere.
#include "frontend/source/text_table.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave::frontend;

namespace {

std::vector<std::vector<std::string>> rows_of(std::string_view text) {
  CsvReader reader(text);
  std::vector<std::vector<std::string>> rows;
  for (std::vector<CsvCell> cells; reader.next(cells);) {
    rows.emplace_back();
    for (const CsvCell& cell : cells) rows.back().push_back(cell.unquoted());
  }
  return rows;
}

using Rows = std::vector<std::vector<std::string>>;

}  // namespace

TEST_CASE("cells lose the blanks around them, and lines their ends") {
  CHECK(rows_of("a, b\t,c\r\n 1,2 ,3") == Rows{{"a", "b", "c"}, {"1", "2", "3"}});
}

TEST_CASE("empty lines, comments and a byte order mark do not count") {
  CHECK(rows_of("\xEF\xBB\xBF# of a table\n\n  \na,b\n\r\n#1,2\n3,4\n") == Rows{{"a", "b"}, {"3", "4"}});
  CHECK(rows_of("").empty());
  CHECK(rows_of("\n\n#\n").empty());
}

TEST_CASE("a cell in quotes may hold commas, blanks and quotes") {
  CHECK(rows_of("\"a,b\", \" c \" ,\"say \"\"so\"\"\"\n") == Rows{{"a,b", " c ", "say \"so\""}});
  CHECK(rows_of("\"\",x") == Rows{{"", "x"}});
}

TEST_CASE("an apostrophe that keeps a cell from being a formula is none of its text, any other is") {
  CHECK(rows_of("'=a,\"'@b\",'a=b,'-5\n'x,',it's") == Rows{{"=a", "@b", "'a=b", "-5"}, {"'x", "'", "it's"}});
  CHECK(rows_of("''=a,'',\"'\t\"") == Rows{{"'=a", "''", "\t"}});
}

TEST_CASE("a comma at the end of a line begins an empty cell") {
  CHECK(rows_of("a,\n,b\n,") == Rows{{"a", ""}, {"", "b"}, {"", ""}});
}

TEST_CASE("a quote that does not end is trouble on its own line only") {
  CsvReader reader("\"a,b\nc\nd,\"e\"f\n");
  std::vector<CsvCell> cells;
  REQUIRE(reader.next(cells));
  CHECK(cells.size() == 1);
  REQUIRE(reader.trouble().size() == 1);
  CHECK(reader.trouble()[0].begin == 0);
  REQUIRE(reader.next(cells));
  CHECK(cells[0].text == "c");
  REQUIRE(reader.next(cells));
  CHECK(reader.trouble().size() == 2);
  CHECK_FALSE(reader.next(cells));
}

TEST_CASE("a heading is a name and a unit in brackets") {
  const auto heading = [](std::string_view text) {
    CsvCell cell{text, 10, static_cast<std::uint32_t>(10 + text.size()), false};
    return split_heading(cell);
  };
  CHECK(heading("Wg [us]").name == "Wg");
  CHECK(heading("Wg [us]").unit == "us");
  CHECK(heading("Wg [us]").unit_begin == 14);
  CHECK(heading("net.G[ us/B ]").unit == "us/B");
  CHECK(heading("n").unit.empty());
  CHECK(heading("n]").name == "n]");
  CHECK(heading("[us]").name.empty());
}

TEST_CASE("any text is read to its end, in cells that lie inside it") {
  const unsigned seed = 20261120;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::string_view likely = ",\"\n\r #[]ab1.e-\t;";
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 60, ' ');
    for (char& c : text) c = random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    CsvReader reader(text);
    std::vector<CsvCell> cells;
    std::size_t lines = 0;
    while (reader.next(cells)) {
      REQUIRE(++lines <= text.size());
      REQUIRE_FALSE(cells.empty());
      REQUIRE(reader.line_begin() < reader.line_end());
      for (const CsvCell& cell : cells) {
        REQUIRE(cell.begin <= cell.end);
        REQUIRE(cell.end <= text.size());
        REQUIRE(cell.text == std::string_view(text).substr(cell.begin, cell.end - cell.begin));
        split_heading(cell);
        cell.unquoted();
      }
    }
  }
}

TEST_CASE("cells without end on one line are not all taken") {
  const std::string text = std::string(CsvReader::most_cells + 1000, ',') + "\nnext";
  CsvReader reader(text);
  std::vector<CsvCell> cells;
  REQUIRE(reader.next(cells));
  CHECK(cells.size() == CsvReader::most_cells);
  REQUIRE(reader.next(cells));
  CHECK(cells.size() == 1);
  CHECK_FALSE(reader.next(cells));
}

TEST_CASE("a table says of every row that has not the shape of its header what is wrong, and where") {
  struct Case {
    std::string_view text;  // below the header `a,b`
    std::string_view message, marked;
    bool is_cut_off = false;
  };
  const std::string_view decimal = "a row of 3 cells below a header of 2",
                         short_row = "a row of one cell below a header of 2";
  for (const Case& one : {Case{"1,2", "", ""},
                          {"\"1\", 2 \r\n", "", ""},
                          {"\n# 1,2,3\n 1,2\n", "", ""},
                          {"1,\n", "", ""},
                          {"\"1,5\",2\n", "", ""},
                          {"1,1,5\n", decimal, "5"},
                          {"1,1,\n", "", ""},
                          {"1\n", short_row, ""},
                          {"1", short_row, "", true},
                          {"1,\"2\n", "a quoted cell that does not end", "\"2"},
                          {"1,\"2\"3\n", "a quoted cell that does not end", "\"2\"3"}}) {
    INFO(one.text);
    const std::string text =
        "\xEF\xBB\xBF"
        "a,b\n" +
        std::string(one.text);
    TextTable table(text);
    REQUIRE(table.header().size() == 2);
    CHECK_FALSE(table.trouble());
    REQUIRE(table.next());
    CHECK(table.trouble().has_value() != one.message.empty());
    if (table.trouble()) {
      CHECK(table.trouble()->message == one.message);
      CHECK(text.substr(table.trouble()->begin, table.trouble()->end - table.trouble()->begin) == one.marked);
      CHECK(table.trouble()->is_cut_off == one.is_cut_off);
      CHECK((one.is_cut_off || one.message == short_row || !table.trouble()->help.empty()));
    }
    CHECK_FALSE(table.next());
  }
  CHECK(TextTable("# nothing\n").header().empty());
  CHECK(TextTable("a,\"b\n1,2\n").trouble().has_value());
}
