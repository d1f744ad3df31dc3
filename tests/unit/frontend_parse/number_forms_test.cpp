// Numbers and headings of tables as people write them: what is read, what is not, and what is said of it.
#include "frontend/parse/headings.h"
#include "frontend/parse/quantity_reader.h"
#include "frontend/parse/units.h"
#include "frontend/source/diagnostics.h"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

using namespace wave::frontend;

namespace {

std::optional<Unit> unit_named(const std::string& text) {
  if (text.empty()) return std::nullopt;
  Diagnostics diagnostics;
  auto unit = read_unit(text, {}, "", diagnostics);
  REQUIRE(unit);
  return unit;
}

constexpr double second = 1e12;

}  // namespace

TEST_CASE("numbers are read in the forms in which programs print them", "[number_forms]") {
  struct Case {
    const char *unit, *text;
    std::optional<double> value;  // in base units
    char decimal = '.';
  };
  const auto none = std::nullopt;
  for (const Case& one : {
           Case{"s", "18.6", 18.6 * second},
           {"s", "18.6 s", 18.6 * second},
           {"s", "18.6s", 18.6 * second},
           {"s", "18600 ms", 18.6 * second},
           {"s", "18600ms", 18.6 * second},
           {"ms", "18.6 sec", 18.6 * second},
           {"ms", "18.6 Seconds", 18.6 * second},
           {"s", "5 \u00B5s", 5e6},
           {"s", "5 usec", 5e6},
           {"s", "1.5D+03", 1500 * second},
           {"s", "1.5d3", 1500 * second},
           {"s", "1.5Q-1", 0.15 * second},
           {"s", "0.186+002", 18.6 * second},
           {"s", "1.86E+01", 18.6 * second},
           {"s", "-1.5D+03", -1500 * second},
           {"s", "0:18.60", 18.6 * second},
           {"s", "1:18.60", 78.6 * second},
           {"s", "75:00", 4500 * second},
           {"s", "1:02:03.5", 3723.5 * second},
           {"s", "2-03:04:05", 183845 * second},
           {"ms", "0:18.60", 18.6 * second},
           {"s", "1m23.4s", 83.4 * second},
           {"s", "0m18.600s", 18.6 * second},
           {"s", "1h2m3s", 3723 * second},
           {"s", "1 min 23.4 s", 83.4 * second},
           {"min", "1:30", 90 * second},
           {"h", "1:30:00", 5400 * second},
           {"h", "1:30", none},
           {"s", "1:2", none},
           {"s", "1:60", none},
           {"s", "1:02:03:04", none},
           {"s", "18 600", none},
           {"s", "18'600", none},
           {"s", "18,600", none},
           {"s", "18,6", none},
           {"s", "1,234.5", none},
           {"s", "64 KiB", none},
           {"s", "5 m", none},
           {"s", "abc", none},
           {"s", "", none},
           {"s", "NA", none},
           {"s", "nan", none},
           {"s", "inf", none},
           {"s", "1e400", none},
           {"s", "3-5", none},
           {"s", "18.6 \u00B1 0.1", none},
           {"s", "18,600", 18.6 * second, ','},
           {"s", "18,6", 18.6 * second, ','},
           {"s", "18", 18 * second, ','},
           {"s", "1,5D+03", 1500 * second, ','},
           {"s", "0:18,60", 18.6 * second, ','},
           {"s", "0m18,600s", 18.6 * second, ','},
           {"s", "18,6 s", 18.6 * second, ','},
           {"s", "18.6", none, ','},
           {"s", "1.234,5", none, ','},
           {"B", "64 KiB", 65536},
           {"B", "64KB", 64000},
           {"KiB", "1 MB", 1e6},
           {"B", "1 mb", none},
           {"B/s", "2 GB/s", 2e-3},
           {"B/s", "2 GB/sec", 2e-3},
           {"flop/s", "3 GFLOPS", 3e-3},
           {"", "1.5D+03", 1500},
           {"", "18 s", none},
           {"", "0:18", none},
       }) {
    INFO(one.text << " in " << one.unit << ", decimal " << one.decimal);
    const auto value = QuantityReader(unit_named(one.unit), one.decimal).read(one.text);
    REQUIRE(value.has_value() == one.value.has_value());
    if (value) CHECK(*value == Approx(*one.value).epsilon(1e-14));
  }
}

TEST_CASE("where units stand in cells, a number without one is refused", "[number_forms]") {
  const QuantityReader reader(unit_named("s"), '.', true);
  CHECK(reader.read("18.6 s") == 18.6 * second);
  CHECK(reader.read("18600 ms") == 18.6 * second);
  CHECK_FALSE(reader.read("18.6"));
  CHECK(reader.why_not("18.6").message == "`18.6` has no unit, as other cells of the column have");
}

TEST_CASE("what is wrong with a number is said, and how to go on", "[number_forms]") {
  struct Case {
    const char *text, *message, *help;
    char decimal = '.';
  };
  for (const Case& one : {
           Case{"18,600", "`18,600` may be 18.6 or 18 600",
                "where the comma begins the decimals: `--decimal ,`; where it groups digits, take it out: `18600`"},
           {"18,6", "`18,6` has a decimal comma", "to read it: `--decimal ,`"},
           {"1,234.5", "`1,234.5` has commas between its digits", "take them out: `1234.5`"},
           {"1,234,567", "`1,234,567` has commas between its digits", "take them out: `1234567`"},
           {"18.6", "`18.6` has a point, where decimals begin with a comma",
            "leave `--decimal ,` out if they begin with a point; take points between groups of digits out", ','},
           {"18 600", "`18 600` has its digits in groups", "write them without anything in between"},
           {"1:2", "`1:2` is no time", "times are read as `1:02.5`, `1:02:03.5` or `1m2.5s`"},
           {"5 foo", "`5 foo` is no number, and `foo` no unit", ""},
           {"5.1.2", "`5.1.2` is no number", ""},
           {"5 B", "`5 B` is in B, the column in s", ""},
           {"1e400", "`1e400` is too large", ""},
           {"NA", "`NA` is no number", ""},
           {"", "an empty cell", ""},
           {"abc", "`abc` is no number", ""},
       }) {
    INFO(one.text);
    const auto why = QuantityReader(unit_named("s"), one.decimal).why_not(one.text);
    CHECK(why.message == one.message);
    CHECK(why.help == one.help);
  }
  CHECK(why_no_number("18,600", '.', false).help ==
        "where the comma begins the decimals: write `18.6`; where it groups digits, take it out: `18600`");
}

TEST_CASE("units are found where people put them", "[headings]") {
  struct Case {
    const char *heading, *name, *stem, *unit, *name_unit;
  };
  for (const Case& one : {
           Case{"time [s]", "time", "", "s", ""},
           {"time[s]", "time", "", "s", ""},
           {"time [seconds]", "time", "", "s", ""},
           {"time [\u00B5s]", "time", "", "us", ""},
           {"time [nonsense]", "time", "", "nonsense", ""},
           {"time (s)", "time", "", "s", ""},
           {"Time(s)", "Time", "", "s", ""},
           {"Time (Seconds)", "Time", "", "s", ""},
           {"time (mean)", "time (mean)", "", "", ""},
           {"time (min)", "time (min)", "", "", ""},
           {"time [min]", "time", "", "min", ""},
           {"rate (GB/s)", "rate", "", "GB/s", ""},
           {"time_ms", "time_ms", "time", "", "ms"},
           {"wall_ms", "wall_ms", "wall", "", "ms"},
           {"t_us", "t_us", "t", "", "us"},
           {"time_s", "time_s", "time", "", "s"},
           {"elapsed_seconds", "elapsed_seconds", "elapsed", "", "s"},
           {"time-usec", "time-usec", "time", "", "us"},
           {"time ms", "time ms", "time", "", "ms"},
           {"time, s", "time, s", "time", "", "s"},
           {"time in seconds", "time in seconds", "time", "", "s"},
           {"wallMs", "wallMs", "wall", "", "ms"},
           {"timeSec", "timeSec", "time", "", "s"},
           {"time_ms_mean", "time_ms_mean", "time", "", "ms"},
           {"us_median", "us_median", "", "", "us"},
           {"seconds", "seconds", "", "", "s"},
           {"Seconds", "Seconds", "", "", "s"},
           {"usec", "usec", "", "", "us"},
           {"GB/s", "GB/s", "", "", "GB/s"},
           {"bw_MBps", "bw_MBps", "bw", "", "MB/s"},
           {"bw_mb_per_s", "bw_mb_per_s", "", "", ""},
           {"bw_MB_per_s", "bw_MB_per_s", "bw", "", "MB/s"},
           {"size_KB", "size_KB", "size", "", "kB"},
           {"size_KiB", "size_KiB", "size", "", "KiB"},
           {"sizeKiB", "sizeKiB", "", "", ""},
           {"size_bytes", "size_bytes", "size", "", "B"},
           {"size_mb", "size_mb", "", "", ""},
           {"GFLOPS", "GFLOPS", "", "", "Gflop/s"},
           {"time_min", "time_min", "", "", ""},
           {"time_minutes", "time_minutes", "time", "", "min"},
           {"steps_per_s", "steps_per_s", "", "", ""},
           {"cells/s", "cells/s", "", "", ""},
           {"ns_per_day", "ns_per_day", "", "", ""},
           {"speedup", "speedup", "", "", ""},
           {"efficiency [%]", "efficiency", "", "", ""},
           {"status", "status", "", "", ""},
           {"ranks", "ranks", "", "", ""},
           {"items", "items", "", "", ""},
           {"s", "s", "", "", ""},
           {"h", "h", "", "", ""},
           {"", "", "", "", ""},
       }) {
    INFO(one.heading);
    const auto found = read_heading(std::string_view(one.heading));
    CHECK(found.name == one.name);
    CHECK(found.stem == one.stem);
    CHECK(found.unit == one.unit);
    CHECK(found.name_unit == one.name_unit);
  }
}

TEST_CASE("a column is called by its name, with or without the unit in it, or by its whole heading", "[headings]") {
  const auto heading = read_heading(std::string_view("wall_ms"));
  CHECK(heading.is_called("wall_ms"));
  CHECK(heading.is_called("wall"));
  CHECK_FALSE(heading.is_called("ms"));
  const auto second_one = read_heading(std::string_view("Time (s)"));
  CHECK(second_one.is_called("Time"));
  CHECK(second_one.is_called("Time (s)"));
  CHECK_FALSE(second_one.is_called("time"));
  CHECK_FALSE(second_one.is_called(""));
}

TEST_CASE("what stands where nothing was measured is known", "[number_forms]") {
  for (const char* text : {"", "NA", "n/a", "nan", "NaN", "null", "None", "-", "--"}) CHECK(is_missing_number(text));
  for (const char* text : {"0", "inf", "-1", "x", "failed"}) CHECK_FALSE(is_missing_number(text));
}
