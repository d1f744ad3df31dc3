// One set of measurements in all forms in which people have them: the same numbers are read from each, and what was not
// plain is said.
#include "analysis/validation/measured_data.h"
#include "analysis/validation/measured_help.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace wave;
using analysis::MeasuredColumns;
using analysis::MeasuredData;
using analysis::TableReading;

namespace {

constexpr const char* scaling_text = R"(wave 1
model Scaling {
  param ranks: int = 1 in 1..
  param serial: time = 0.6 s in 0 s..
  param work: time = 18 s in 0 s..
  param bytes: data = 0 B
  output time = serial + work / ranks
}
)";

class Read {
 public:
  explicit Read(const std::string& text, const std::string& measured = "", TableReading reading = {},
                std::vector<std::string> ignored = {}) {
    static const std::string model(scaling_text);
    program = frontend::load("m.wave", {}, diagnostics, &model);
    REQUIRE_FALSE(diagnostics.has_errors());
    const std::uint32_t file = program->sources.add("measured", text);
    const frontend::Item* const found = find_item(*program, "Scaling", diagnostics);
    data.emplace(*program, *found, file, MeasuredColumns{measured, std::move(ignored), {}, {}, reading}, diagnostics);
  }
  std::string help() const {
    REQUIRE_FALSE(diagnostics.all().empty());
    const auto& all = diagnostics.all().front().help;
    return all.empty() ? "" : all.back();
  }
  std::string message() const { return diagnostics.all().empty() ? "" : diagnostics.all().front().message; }

  frontend::Diagnostics diagnostics;
  std::unique_ptr<frontend::Program> program;
  std::optional<MeasuredData> data;
};

void check_usual(const Read& read) {
  INFO(read.message() + " " + (read.diagnostics.all().empty() ? "" : read.help()));
  REQUIRE_FALSE(read.diagnostics.has_errors());
  REQUIRE(read.data->rows() == 3);
  const auto& measured = read.data->measured();
  CHECK(measured[0] == Approx(18.6e12).epsilon(1e-14));
  CHECK(measured[1] == Approx(9.612e12).epsilon(1e-14));
  CHECK(measured[2] == Approx(5.124e12).epsilon(1e-14));
  CHECK(read.data->dimension() == frontend::Dimension{1, 0, 0});
  REQUIRE(read.data->parameters().size() == 1);
  CHECK(read.data->parameters()[0].name == "ranks");
  CHECK(std::get<std::vector<std::int64_t>>(read.data->parameters()[0].values) == std::vector<std::int64_t>{1, 2, 4});
}

}  // namespace

TEST_CASE("a table is read in the form in which somebody has it", "[measured_forms]") {
  struct Case {
    std::string text, note;
  };
  for (const Case& one : {
           Case{"ranks,time [s]\n1,18.6\n2,9.612\n4,5.124\n", ""},
           {"ranks,time [seconds]\n1,18.6\n2,9.612\n4,5.124\n", "`time [seconds]` is read in s"},
           {"ranks,time [ms]\n1,18600\n2,9612\n4,5124\n", ""},
           {"ranks,Time(s)\n1,18.6\n2,9.612\n4,5.124\n", "`Time(s)` is read in s"},
           {"ranks,Time (ms)\n1,18600\n2,9612\n4,5124\n", "`Time (ms)` is read in ms"},
           {"ranks,wall_ms\n1,18600.0\n2,9612.0\n4,5124.0\n", "`wall_ms` is read in ms"},
           {"ranks,t_us\n1,18600000\n2,9612000\n4,5124000\n", "`t_us` is read in us"},
           {"ranks,seconds\n1,18.6\n2,9.612\n4,5.124\n", "`seconds` is read in s"},
           {"ranks,elapsed (\u00B5s)\n1,18600000\n2,9612000\n4,5124000\n", "`elapsed (\u00B5s)` is read in us"},
           {"ranks,time_usec\n1,18600000\n2,9612000\n4,5124000\n", "`time_usec` is read in us"},
           {"Ranks,Time_s\n1,18.6\n2,9.612\n4,5.124\n", "`Time_s` is read in s"},
           {"ranks,time\n1,18.6 s\n2,9.612 s\n4,5124 ms\n", ""},
           {"ranks,time\n1,0:18.600\n2,0:09.612\n4,0:05.124\n", "`0:18.600` is read as minutes and seconds"},
           {"ranks,time [s]\n1,0:18.600\n2,0:09.612\n4,0:05.124\n", "`0:18.600` is read as minutes and seconds"},
           {"ranks,real\n1,0m18.600s\n2,0m9.612s\n4,0m5.124s\n", ""},
           {"ranks,elapsed\n1,00:00:18.600\n2,00:00:09.612\n4,00:00:05.124\n", ""},
           {"ranks,time [s]\n1,1.86D+01\n2,9.612D+00\n4,5.124D0\n", ""},
           {"ranks,time [s]\n1,0.186E+02\n2,.9612E+01\n4,5.124E+00\n", ""},
           {"ranks,time [s]\n1,18.6\nranks,time [s]\n2,9.612\nranks,time [s]\n4,5.124\n",
            "2 lines that repeat the header are passed over"},
           {",ranks,time [s]\n0,1,18.6\n1,2,9.612\n2,4,5.124\n",
            "the first column has no name and counts the rows: it is passed over"},
           {"ranks,time [s],\n1,18.6,\n2,9.612,\n4,5.124,\n", ""},
           {"ranks;time [s]\n1;18.6\n2;9.612\n4;5.124\n", ""},
           {"ranks\ttime [s]\n1\t18.6\n2\t9.612\n4\t5.124\n", ""},
           {"# gnuplot\nranks   time_s\n  1     18.6\n  2      9.612\n  4      5.124\n", "`time_s` is read in s"},
           {"\xEF\xBB\xBFranks,\"time [s]\"\r\n\"1\",\"18.6\"\r\n\"2\",\"9.612\"\r\n\"4\",\"5.124\"\r\n", ""},
           {"# of Monday\nranks,time [s]\n\n1,18.6\n# again\n2,9.612\n4,5.124\n", ""},
           {R"({"ranks": 1, "time_s": 18.6}
{"ranks": 2, "time_s": 9.612}
{"ranks": 4, "time_s": 5.124})",
            "`time_s` is read in s"},
           {R"([{"ranks": 1, "time": "18.6 s"}, {"ranks": 2, "time": "9.612 s"}, {"ranks": 4, "time": "5.124 s"}])",
            ""},
           {R"({"params":{"ranks":1},"metric":"time_ms","callpath":"main","value":18600}
{"params":{"ranks":2},"metric":"time_ms","callpath":"main","value":9612}
{"params":{"ranks":4},"metric":"time_ms","callpath":"main","value":5124})",
            "`time_ms` is read in ms"},
           {"PARAMETER ranks\nPOINTS (1) (2) (4)\nREGION main\nMETRIC seconds\nDATA 18.6\nDATA 9.612\nDATA 5.124\n",
            "`seconds` is read in s"},
       }) {
    INFO(one.text);
    const Read read(one.text);
    check_usual(read);
    CHECK((one.note.empty() ? read.data->notes().empty() || one.text.starts_with("Ranks")
                            : std::find(read.data->notes().begin(), read.data->notes().end(), one.note) !=
                                  read.data->notes().end()));
    CHECK(read.data->is_called("time") ==
          (read.data->name() != "seconds" && one.text.find("ime") != std::string::npos));
  }
}

TEST_CASE("what a text does not say can be said", "[measured_forms]") {
  check_usual(Read("ranks,wall\n1,18600\n2,9612\n4,5124\n", "wall [ms]"));
  check_usual(Read("ranks,wall_ms\n1,18.6\n2,9.612\n4,5.124\n", "wall_ms [s]"));
  check_usual(Read("ranks,time (s),other\n1,18.6,1\n2,9.612,1\n4,5.124,1\n", "time", {}, {"other"}));
  check_usual(Read("ranks,Time (s)\n1,18.6\n2,9.612\n4,5.124\n", "Time (s)"));
  check_usual(Read("ranks,time_ms,other_ms\n1,18600,1\n2,9612,1\n4,5124,1\n", "time", {}, {"other"}));
  const std::string comma = "ranks,time [s]\n1,\"18,600\"\n2,\"9,612\"\n4,\"5,124\"\n";
  check_usual(Read(comma, "", {',', false}));
  check_usual(Read("ranks;time [s]\n1;18,600\n2;9,612\n4;5,124\n", "", {',', false}));
  check_usual(Read("ranks;time\n1;0:18,600\n2;0:09,612\n4;0:05,124\n", "", {',', false}));
  check_usual(Read("ranks,time [s]\n1,18.6\n2,9.612\n3,\n3,NA\nnan,5\n4,5.124\n", "", {'.', true}));
  const Read skipped("ranks,time [s]\n1,18.6\n2,9.612\n3,\n3,-\n4,5.124\n", "", {'.', true});
  check_usual(skipped);
  CHECK(skipped.data->notes() == std::vector<std::string>{"2 rows that lack a number are passed over"});
  CHECK(skipped.data->line(2) == 6);
  check_usual(
      Read("{\"ranks\": 1, \"time_s\": 18.6}\n{\"ranks\": 2, \"time_s\": 9.612}\n{\"ranks\": 3}\n"
           "{\"ranks\": 4, \"time_s\": 5.124}",
           "", {'.', true}));
  const std::string profiles = R"({"params":{"ranks":1},"metric":"time","callpath":"main","value":18.6}
{"params":{"ranks":2},"metric":"time","callpath":"main","value":9.612}
{"params":{"ranks":2},"metric":"visits","callpath":"main","value":3}
{"params":{"ranks":4},"metric":"time","callpath":"main","value":5.124})";
  check_usual(Read(profiles, "time [s]"));
  CHECK(Read(profiles).message() == "measurements of several things");
  CHECK(Read(profiles).help() == "say which, as in `--measured \"time\"`; there are `time`, `visits`");
}

TEST_CASE("a table that could be read in two ways is refused", "[measured_forms]") {
  struct Case {
    std::string text, message, help;
  };
  for (const Case& one : {
           Case{"ranks,time [s]\n1,\"18,600\"\n", "`18,600` may be 18.6 or 18 600",
                "where the comma begins the decimals: `--decimal ,`; where it groups digits, take it out: `18600`"},
           {"ranks;time [s]\n1;18,6\n", "`18,6` has a decimal comma", "to read it: `--decimal ,`"},
           {"ranks,time [s]\n1,\n", "an empty cell where `time` needs a value",
            "`--skip-missing` passes over the rows that lack a number"},
           {"ranks,time [s]\n1,NA\n", "`NA` is no number", "`--skip-missing` passes over the rows that lack a number"},
           {"ranks,time [s]\nNA,1\n", "`NA` is no value of `ranks`",
            "`--skip-missing` passes over the rows that lack a number"},
           {"ranks,time\n1,18.6 s\n2,9.6\n", "`9.6` has no unit, as other cells of the column have",
            "give it one, or the whole column"},
           {"ranks,time [h]\n1,1:30\n", "`1:30` may be hours and minutes, or minutes and seconds",
            "write `1:30:00` for hours and minutes, `0:01:30` for minutes and seconds"},
           {"ranks,bytes_mb,time [s]\n1,1,2\n", "which column is that of the measurements?", ""},
       }) {
    INFO(one.text);
    const Read read(one.text);
    CHECK(read.message() == one.message);
    if (!one.help.empty()) CHECK(read.help() == one.help);
  }
}

TEST_CASE("units of parameters stand where people put them, too", "[measured_forms]") {
  for (const char* heading : {"bytes [KiB]", "bytes (KiB)", "bytes_KiB", "Bytes_KiB"}) {
    INFO(heading);
    const Read read("ranks," + std::string(heading) + ",time [s]\n1,64,2\n");
    REQUIRE_FALSE(read.diagnostics.has_errors());
    CHECK(std::get<std::vector<double>>(read.data->parameters()[1].values) == std::vector<double>{65536});
  }
  const Read thousands("ranks,bytes_KB,time [s]\n1,64,2\n");
  REQUIRE_FALSE(thousands.diagnostics.has_errors());
  CHECK(std::get<std::vector<double>>(thousands.data->parameters()[1].values) == std::vector<double>{64000});
  const Read cells("ranks,bytes,time [s]\n1,64 KiB,2\n2,1 MiB,2\n");
  REQUIRE_FALSE(cells.diagnostics.has_errors());
  CHECK(std::get<std::vector<double>>(cells.data->parameters()[1].values) == std::vector<double>{65536, 1048576});
}

TEST_CASE("speed-ups and efficiencies are ratios of times", "[measured_forms]") {
  struct Case {
    std::string text, ratio;
  };
  for (const Case& one : {
           Case{"ranks,speedup\n1,1\n2,1.9\n4,3.6\n", "time[ranks = 1] / time"},
           {"ranks,Speed-up\n2,1\n4,1.9\n", "time[ranks = 2] / time"},
           {"ranks,efficiency\n1,1\n2,0.95\n", "time[ranks = 1] / time * 1 / ranks"},
           {"ranks,parallel efficiency [%]\n2,100\n4,95\n", "100 * time[ranks = 2] / time * 2 / ranks"},
           {"ranks,flavour\n1,1\n2,1.9\n", ""},
       }) {
    INFO(one.text);
    const Read read(one.text);
    REQUIRE_FALSE(read.diagnostics.has_errors());
    CHECK(analysis::ratio_of_times(*read.data, "time") == one.ratio);
  }
}

TEST_CASE("where `min` may be minutes, that is offered too") {
  for (const auto& [heading, is_offered] : {std::pair("wall (min)", true),
                                            {"wall_min", true},
                                            {"Min", true},
                                            {"wall_min_mean", true},
                                            {"wall", false},
                                            {"minimal", false},
                                            {"admin", false}}) {
    INFO(heading);
    const Read read(std::string("ranks,") + heading + "\n1,1\n2,2\n");
    REQUIRE_FALSE(read.diagnostics.has_errors());
    frontend::Diagnostic diagnostic;
    analysis::help_on_missing_unit(*read.data, "time", {1, 0, 0}, diagnostic);
    REQUIRE(diagnostic.help.size() == 1);
    const std::string option = std::string("`--measured \"") + heading + " [min]\"` for minutes, ";
    CHECK((diagnostic.help.front().find(option) != std::string::npos) == is_offered);
    if (is_offered)
      CHECK(Read("ranks," + std::string(heading) + "\n1,1\n", heading + std::string(" [min]")).data->measured() ==
            std::vector<double>{60e12});
  }
}
