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

struct Points {
  Loaded loaded{farm};
  Study study;
  Result result;
  Error error;

  Points() {
    const char* const vary[] = {"n=[1, 2, 4]", "cost=[1 us, 3 us]", "name=[\"<script>alert(1)</script>\", \"b\"]"};
    CHECK_OK(wave_study_create(loaded.model, vary, 3, nullptr, 0, nullptr, 0, study.into(), error.into()));
    CHECK_OK(wave_study_run(study, nullptr, nullptr, result.into(), error.into()));
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
  Points points;
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
  Points points;
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
  Points points;
  Plot plot;
  CHECK_OK(wave_plot_create(points.result, "total", "n", nullptr, 0, 0, plot.into(), points.error.into()));
  const std::string svg = points.drawn(plot, WAVE_PLOT_SVG);
  CHECK(svg.starts_with("<svg"));
  CHECK(holds(svg, "total [us]"));
  CHECK_FALSE(holds(svg, "<script"));
  CHECK(points.drawn(plot, WAVE_PLOT_PNG).starts_with("\x89PNG\r\n"));
}
#endif

TEST_CASE("a heat map and the parts of times are plots, too") {
  Points points;
  Plot plot;
  CHECK_OK(wave_plot_create_map(points.result, "total", "n", "cost", plot.into(), points.error.into()));
  CHECK(holds(points.drawn(plot, WAVE_PLOT_VEGA_LITE), "\"field\":\"v\""));
  Result parts;
  CHECK_OK(wave_model_breakdown(points.loaded.model, nullptr, parts.into(), points.error.into()));
  CHECK_OK(wave_plot_create_parts(parts, plot.into(), points.error.into()));
  // 4 messages of 2 us, and the 1 us that is written in the model.
  const std::string bars = points.drawn(plot, WAVE_PLOT_VEGA_LITE);
  CHECK(holds(bars, "\"x\":8.0,\"y\":\"total\",\"s\":\"cost\""));
}

TEST_CASE("a plot of what there is not says which columns there are") {
  Points points;
  Plot plot;
  CHECK_FAILS(WAVE_FAILED, "`n`, `cost`, `name`, `total`",
              wave_plot_create(points.result, "totals", nullptr, nullptr, 0, 0, plot.into(), points.error.into()));
  CHECK(code_of(points.error) == "E0700");
  CHECK_FAILS(WAVE_FAILED, "no column `k`",
              wave_plot_create_map(points.result, "total", "n", "k", plot.into(), points.error.into()));
}
