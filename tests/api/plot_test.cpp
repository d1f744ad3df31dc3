// Plots of results, in all their forms.
#include "tests/api/handles.h"

#include <string>

using namespace wave::test;

namespace {

constexpr const char* farm =
    "wave 1\n"
    "model Farm {\n"
    "  param n: int = 4\n"
    "  param cost: time = 2 us\n"
    "  param name: string = \"<script>alert(1)</script>\"\n"
    "  output total = n * cost + 1 us in us\n"
    "}\n";

struct Drawn {
  Loaded loaded{farm};
  Result result;
  Error error;

  Drawn() {
    const Question study = sweep_of(loaded.model, {{"vary", "n=[1, 2, 4]"},
                                                   {"vary", "cost=[1 us, 3 us]"},
                                                   {"vary", "name=[\"<script>alert(1)</script>\", \"b\"]"}});
    CHECK_OK(wave_question_run(study, nullptr, nullptr, result.into(), error.into()));
  }
  std::string drawn(const Plot& plot, int form) {
    const char* bytes = nullptr;
    std::size_t size = 0;
    CHECK_OK(wave_plot_draw(plot, form, &bytes, &size, error.into()));
    REQUIRE(bytes[size] == '\0');
    return {bytes, size};
  }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a plot of a study has its units, its words and its points") {
  Drawn points;
  Plot plot;
  CHECK_OK(wave_plot_create(points.result, "total", "n", "cost", WAVE_SCALE_LOG, WAVE_SCALE_LINEAR, plot.into(),
                            points.error.into()));
  const std::string specification = points.drawn(plot, WAVE_PLOT_VEGA_LITE);
  CHECK(holds(specification, "\"title\":\"total [us]\""));
  CHECK(holds(specification, "\"type\":\"log\""));
  CHECK(holds(specification, "\"y\":13.0"));  // 4 * 3 us + 1 us
  const std::string words = points.drawn(plot, WAVE_PLOT_WORDS);
  CHECK(holds(words, "total [us] over n"));
  CHECK(points.drawn(plot, WAVE_PLOT_VEGA_LITE) == specification);
}

TEST_CASE("a page of a plot holds what draws it, and names of models as text") {
  Drawn points;
  Plot plot;
  CHECK_OK(wave_plot_create(points.result, "total", nullptr, nullptr, 0, 0, plot.into(), points.error.into()));
  const std::string page = points.drawn(plot, WAVE_PLOT_HTML);
  CHECK(holds(page, "Content-Security-Policy"));
  CHECK(holds(page, "alert(1)"));
  CHECK_FALSE(holds(page, "<script>alert"));
  CHECK_FALSE(holds(points.drawn(plot, WAVE_PLOT_VEGA_LITE), "var(--"));
}

#ifdef WAVE_HAS_DRAWING
TEST_CASE("drawings of a plot are SVG and PNG") {
  Drawn points;
  Plot plot;
  CHECK_OK(wave_plot_create(points.result, "total", "n", nullptr, 0, 0, plot.into(), points.error.into()));
  const std::string svg = points.drawn(plot, WAVE_PLOT_SVG);
  CHECK(svg.starts_with("<svg"));
  CHECK(holds(svg, "total [us]"));
  CHECK_FALSE(holds(svg, "<script"));
  CHECK(points.drawn(plot, WAVE_PLOT_PNG).starts_with("\x89PNG\r\n"));
  CHECK(points.drawn(plot, WAVE_PLOT_PDF).starts_with("%PDF-"));
}
#endif

TEST_CASE("a heat map and the parts of times are plots, too") {
  Drawn points;
  Plot plot;
  CHECK_OK(wave_plot_create(points.result, "total", "n, cost", nullptr, 0, 0, plot.into(), points.error.into()));
  CHECK(holds(points.drawn(plot, WAVE_PLOT_VEGA_LITE), "\"field\":\"v\""));
  Result parts;
  CHECK_OK(wave_model_explain(points.loaded.model, WAVE_BREAKDOWN, nullptr, 0, parts.into(), points.error.into()));
  CHECK_OK(wave_plot_create(parts, nullptr, nullptr, nullptr, 0, 0, plot.into(), points.error.into()));
  // 4 messages of 2 us, and the 1 us that is written in the model.
  const std::string bars = points.drawn(plot, WAVE_PLOT_VEGA_LITE);
  CHECK(holds(bars, "\"x\":8.0,\"y\":\"total\",\"s\":\"cost\""));
}

TEST_CASE("processes that count have a bar each, and others none") {
  Loaded loaded{
      "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel M {\n  param both: bool = true\n  grid P[i: 2]\n"
      "  process a on P using SP2() { compute(10 ms) }\n  process b on P using SP2() { compute(1 ms) }\n"
      "  process c on P using SP2() { compute(20 ms) }\n"
      "  output t = when { both: a.time + b.time; else: c.time }\n}\n"};
  Error error;
  Result paths;
  Plot plot;
  const auto drawn = [&] {
    CHECK_OK(wave_model_explain(loaded.model, WAVE_CRITICAL_PATH, nullptr, 0, paths.into(), error.into()));
    CHECK_OK(wave_plot_create(paths, nullptr, nullptr, nullptr, 0, 0, plot.into(), error.into()));
    const char* bytes = nullptr;
    CHECK_OK(wave_plot_draw(plot, WAVE_PLOT_VEGA_LITE, &bytes, nullptr, error.into()));
    return std::string(bytes);
  };
  const std::string both = drawn();
  CHECK(holds(both, "\"x\":10.0,\"y\":\"t: a\",\"s\":\"compute\""));
  CHECK(holds(both, "\"x\":1.0,\"y\":\"t: b\",\"s\":\"compute\""));
  CHECK_FALSE(holds(both, "t: c"));
  CHECK_OK(wave_model_set_integer(loaded.model, "both", 0, error.into()));
  const std::string one = drawn();
  CHECK(holds(one, "\"x\":20.0,\"y\":\"t\",\"s\":\"compute\""));
}

TEST_CASE("a timeline says what each process does when, up to the time that the process takes") {
  Loaded loaded{
      "wave 1\n"
      "import std.comm { Machine }\n"
      "machine Wire : Machine {\n"
      "  param L: time = 5 us\n"
      "  protocol eager(s: data) { sender { emit payload after L } receiver { await payload; busy 1 us } }\n"
      "}\n"
      "model M {\n"
      "  param n: int = 2\n"
      "  grid P[i: n]\n"
      "  process exchange on P using Wire() {\n"
      "    if i == 1 { compute(3 us); send 8 B to [i+1] }\n"
      "    if i == 2 { recv 8 B from [i-1]; compute(2 us) }\n"
      "  }\n"
      "  process other on P using Wire() { compute(1 us) }\n"
      "  param both: bool = false\n"
      "  output t = exchange.time + (if both then other.time else 0 s)\n"
      "}\n"};
  Plot plot;
  Error error;
  CHECK_OK(wave_plot_create_timeline(loaded.model, nullptr, plot.into(), error.into()));  // the only one that is read
  const char* bytes = nullptr;
  CHECK_OK(wave_plot_draw(plot, WAVE_PLOT_VEGA_LITE, &bytes, nullptr, error.into()));
  const std::string drawn = bytes;
  CHECK(holds(drawn, "{\"x\":0.0,\"e\":3.0,\"y\":\"P[1]\",\"s\":\"compute\"}"));
  CHECK(holds(drawn, "{\"x\":0.0,\"e\":8.0,\"y\":\"P[2]\",\"s\":\"wait for data\"}"));
  CHECK(holds(drawn, "{\"x\":8.0,\"e\":9.0,\"y\":\"P[2]\",\"s\":\"overhead\"}"));
  CHECK(holds(drawn, "{\"x\":9.0,\"e\":11.0,\"y\":\"P[2]\",\"s\":\"compute\"}"));
  CHECK(loaded.run("t") == 11e-6);
  CHECK_OK(wave_model_set_integer(loaded.model, "both", 1, error.into()));
  CHECK_FAILS(WAVE_FAILED, "`exchange`, `other`",
              wave_plot_create_timeline(loaded.model, nullptr, plot.into(), error.into()));
  CHECK_FAILS(WAVE_FAILED, "no process `exchang`",
              wave_plot_create_timeline(loaded.model, "exchang", plot.into(), error.into()));
  // More processes than there are lanes.
  CHECK_OK(wave_model_set_integer(loaded.model, "n", 70, error.into()));
  CHECK_OK(wave_plot_create_timeline(loaded.model, "exchange", plot.into(), error.into()));
  CHECK_OK(wave_plot_draw(plot, WAVE_PLOT_VEGA_LITE, &bytes, nullptr, error.into()));
  CHECK(holds(bytes, "64 of 70 processes"));
  CHECK_FALSE(holds(bytes, "P[65]"));
}

TEST_CASE("what a timeline cannot show has its reason") {
  Loaded endless{
      "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel M {\n  grid P[i: 1]\n"
      "  process p on P using SP2() { for k in 1..2000000 { compute(k * 1 us) } }\n  output t = p.time\n}\n"};
  Plot much;
  CHECK_FAILS(WAVE_FAILED, "does too much",
              wave_plot_create_timeline(endless.model, nullptr, much.into(), endless.error.into()));
  CHECK(code_of(endless.error) == "E0619");
  Loaded none{farm};
  Plot plot;
  Error error;
  CHECK_FAILS(WAVE_FAILED, "has no process", wave_plot_create_timeline(none.model, nullptr, plot.into(), error.into()));
  CHECK(code_of(error) == "E0617");
  Loaded unmet{
      "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel M {\n  param n: int = 0\n  require n > 0, \"none\"\n"
      "  grid P[i: 2]\n  process p on P using SP2() { compute(1 us) }\n  output t = p.time\n}\n"};
  CHECK_FAILS(WAVE_FAILED, "none", wave_plot_create_timeline(unmet.model, nullptr, plot.into(), error.into()));
}

TEST_CASE("a plot of what there is not says which columns there are") {
  Drawn points;
  Plot plot;
  CHECK_FAILS(WAVE_FAILED, "`n`, `cost`, `name`, `total`",
              wave_plot_create(points.result, "totals", nullptr, nullptr, 0, 0, plot.into(), points.error.into()));
  CHECK(code_of(points.error) == "E0700");
  CHECK_FAILS(WAVE_FAILED, "no column `k`",
              wave_plot_create(points.result, "total", "n, k", nullptr, 0, 0, plot.into(), points.error.into()));
}
