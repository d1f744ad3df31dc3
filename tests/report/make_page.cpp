// Writes the page that the browser tests look at. It has everything that a report may hold, with names that try to be
// more than text.
// usage: make_page OUT.html [OUT.svg OUT.png], which also writes the first picture as files.
#include "analysis/pictures/drawing.h"
#include "analysis/pictures/page.h"
#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/tables.h"
#include "tests/unit/pictures/timeline_by_hand.h"

#include <fstream>
#include <iostream>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

constexpr const char* hostile =
    "</script><img src=x onerror=\"document.title='broken in'\"><b>bold</b>&amp; ${1+1} {{1+1}} \u202Eback";

Plot made(std::variant<Plot, std::string> plot) { return std::get<Plot>(std::move(plot)); }

analysis::ResultTable blocking_table() {
  std::vector<std::int64_t> mk, mmi;
  std::vector<double> total;
  for (const std::int64_t k : {1, 2, 5, 10, 20, 50, 100}) {
    for (const std::int64_t m : {1, 2, 3, 6}) {
      mk.push_back(k);
      mmi.push_back(m);
      total.push_back((12.0 + 9.0 / static_cast<double>(k * m) + 0.04 * static_cast<double>(k * m)) * second);
    }
  }
  return table_of({integers("mk", mk), integers("mmi", mmi), times("total", total)});
}

analysis::ResultTable many_series() {
  std::vector<std::int64_t> p, size;
  std::vector<double> total;
  for (std::int64_t s = 50; s <= 450; s += 50) {
    for (std::int64_t n = 1; n <= 4096; n *= 4) {
      size.push_back(s);
      p.push_back(n);
      total.push_back(static_cast<double>(s * s) / 100 * second / static_cast<double>(n) +
                      2 * ms * static_cast<double>(n));
    }
  }
  return table_of({integers("procs", p), integers("size", size), times("total", total)});
}

Page make_page() {
  Page page{"Sweep3D", "examples/sweep3d/sweep3d.wave", "wave 0.1.0", {}};
  auto measured = table_of({labelled("net", {"SP2()"}, {0, 0, 0, 0}), integers("n", {1, 4, 16, 64}),
                            times("total", {1.05 * second, 0.31 * second, 0.14 * second, 0.29 * second})});
  auto failing = scaling_table();
  std::get<std::vector<double>>(failing.columns[2].values)[3] = std::nan("");
  failing.columns[2].missing = {3};
  failing.failed.push_back(
      {{"the grid has no extent", {frontend::DiagnosticKind::bare_number, "the grid has no extent", {}, {}, {}}}, {3}});
  PageSection scaling{
      "Study scaling",
      {element::Words{"How the time falls with the number of processors.\n\nTwo machines are compared."}}};
  scaling.elements.push_back(element::Picture{
      made(plot_columns(scaling_table(), {"total", "n", std::nullopt, std::nullopt, std::nullopt}, &measured))});
  scaling.elements.push_back(
      element::Picture{made(plot_columns(many_series(), {"total", "procs", "size", true, true}))});
  PageTable results = page_table(failing, 1000);
  results.caption = "All points of scaling";
  scaling.elements.push_back(element::Numbers{results, true});
  scaling.elements.push_back(element::Remarks{{"1 of 14 points failed: the grid has no extent"}});
  page.sections.push_back(scaling);
  PageSection blocking{"Study blocking", {}};
  blocking.elements.push_back(element::Picture{made(plot_heat_map(blocking_table(), "mk", "mmi", "total"))});
  page.sections.push_back(blocking);
  PageSection time{"Where time goes", {}};
  time.elements.push_back(element::Picture{
      plot_bars("Where the time of each output goes", "output",
                {{"total",
                  {{"Wg, the work for one cell and angle", 800 * ms},
                   {"net.L", 90 * ms},
                   {"net.o", 60 * ms},
                   {"waiting", 50 * ms}}},
                 {"one iteration",
                  {{"Wg, the work for one cell and angle", 400 * ms}, {"net.L", 45 * ms}, {"net.o", 33 * ms}}}})});
  page.sections.push_back(time);
  auto table = scaling_table();
  table.columns[0].labels[0] = hostile;
  table.columns[2].name = hostile;
  table.columns[2].doc = hostile;
  PageSection names{hostile,
                    {element::Words{hostile}, element::Facts{{{hostile, hostile}}}, element::Code{hostile},
                     element::Remarks{{hostile}}}};
  names.elements.push_back(
      element::Picture{made(plot_columns(table, {hostile, "n", std::nullopt, std::nullopt, std::nullopt}))});
  PageTable texts = page_table(table, 5);
  texts.caption = hostile;
  names.elements.push_back(element::Numbers{texts, false});
  page.sections.push_back(names);
  PageSection inputs{"Inputs", {}};
  PageTable parameters{
      "Parameters",
      {{"parameter", "", false, false}, {"value", "", false, false}, {"where it comes from", "", false, false}},
      {},
      ""};
  parameters.rows = {
      {"n", "4", "-D n=4"},
      {"Wg", "0.7 us",
       "default; Hoisie et al., PPoPP 1999, measured on one processor of an SP/2 with the problem of 150 cells"},
      {"net.L", "23 us", "PPoPP'99, Table 1"}};
  inputs.elements.push_back(element::Numbers{parameters, false});
  inputs.elements.push_back(
      element::Code{"wave report examples/sweep3d/sweep3d.wave --model Sweep3D -D n=4 -D "
                    "a_parameter_with_a_rather_long_name=123456789 -o report.html"});
  page.sections.push_back(inputs);
  page.sections.push_back({"Timeline", {element::Picture{timeline_by_hand()}}});
  return page;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Page page = make_page();
  std::ofstream(argv[1], std::ios::binary) << render_page(page);
  for (int i = 2; i < argc && i < 4; ++i) {
    const auto file = draw_file(std::get<element::Picture>(page.sections[0].elements[1]).plot,
                                i == 2 ? drawing::Format::svg : drawing::Format::png);
    if (file.index() == 1) {
      std::cerr << std::get<1>(file) << "\n";
      return 1;
    }
    std::ofstream(argv[i], std::ios::binary) << std::get<0>(file);
  }
  return 0;
}
