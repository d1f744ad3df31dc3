// `wave report`, and the options of pictures.
#include "cli/options/options.h"

namespace wave::cli {

void add_drawing(CLI::App& app, Drawing& drawing) {
  add_file(app, "--svg", drawing.svg, {".svg"}, "Draw the first plot into this file, too");
  add_file(app, "--png", drawing.png, {".png"}, "The same as an image of points");
  app.add_flag("--plot", drawing.in_terminal, "Draw the plots in the terminal, too");
  app.add_option("--draw", drawing.of,
                 "What is drawn (default: what the study plots): --draw \"total vs n by net on log, log\"")
      ->type_name("PLOT");
}

void declare_report(CLI::App& app, ReportCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand(
      "report", "Write a page with results, plots, where time goes, and where its numbers come from");
  add_study_choice(verb, command.of, Points::varied);
  add_measurements(verb, command.data, false);
  verb.add_flag("--no-breakdown", command.no_breakdown, "Leave out where time goes");
  add_file(verb, "-o,--out,--output", command.output, {".html", ".htm"}, "Into this file: report.html");
  verb.get_option("--output")->required();
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
