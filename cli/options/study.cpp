// See study.h.
#include "cli/options/study.h"

#include "cli/measures.h"
#include "cli/options/output.h"
#include "cli/options/words.h"

namespace wave::cli {

void add_study_choice(CLI::App& app, StudyChoice& choice, Points points) {
  add_model_file(app, choice.file);
  add_model_name(app, choice.model);
  if (points == Points::varied) {
    add_list(app, "--vary", choice.vary, "NAME=LIST",
             "Vary a parameter: --vary \"n=1..1024 by *2\" --vary \"mk=[1,5,10]\"; several form a product");
    add_list(app, "--where", choice.where, "EXPR",
             "Only the points at which this holds: --where \"n * m <= 1024\"; of several, all");
    add_text(app, "--study", choice.study, "NAME", "A study of the file (default: the only one)");
  }
  add_list(app, "--show", choice.show, "EXPR,...",
           "What to show: total,speedup=total[n=1]/total (default: all outputs that are single values)");
  add_overrides(app, choice.overrides);
  add_engine(app, choice.engine);
}

void add_point_limit(CLI::App& app, double& seconds) {
  add_amount(app, "--point-limit", seconds, parse_seconds, "10s",
             "Give up a point after this long; it then counts as failed (default 60s)");
}

void add_measurements(CLI::App& app, Measurements& measurements, bool required) {
  add_text(app, "--data", measurements.data, "CSV",
           "Measured run times: a CSV file with a column for each parameter and one of measurements")
      ->required(required);
  add_text(app, "--measured", measurements.measured, "NAME",
           "The column of measurements (default: the only one that is no parameter)");
  add_list(app, "--ignore", measurements.ignored, "NAME", "A column to pass over");
  // `wave report` has points as well, of which it says the same.
  if (app.get_option_no_throw("--where") != nullptr) return;
  add_list(app, "--where", measurements.where, "EXPR",
           "Only the rows for which this holds: --where \"n * m == 1\"; of several, all");
}

void add_measured_output(CLI::App& app, std::vector<std::string>& show) {
  add_list(app, "--show", show, "EXPR",
           "What of the model was measured: total, 12*exact (default: the output of the column's name, or the only "
           "one)");
}

void add_drawing(CLI::App& app, Drawing& drawing) {
  add_file(app, "--svg", drawing.svg, {".svg"}, "Draw the first plot into this file as well");
  add_file(app, "--png", drawing.png, {".png"}, "The same, as a bitmap");
  app.add_flag("--plot", drawing.in_terminal, "Draw the plots in the terminal as well");
  add_text(app, "--draw", drawing.of, "PLOT",
           "What is drawn (default: what the study plots): --draw \"total vs n by net on log, log\"");
}

}  // namespace wave::cli
