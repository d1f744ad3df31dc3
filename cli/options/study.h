// What verbs on many points share: which points of which model, how long one may take, measurements to compare with,
// and pictures.
#pragma once

#include "analysis/study/points.h"
#include "cli/options/common.h"
#include "cli/options/model.h"

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace wave::cli {

struct StudyChoice : ModelChoice {
  std::string study;              // of the file; empty: the only one, or what `vary` asks for
  std::vector<std::string> vary;  // "n=1..1024 by *2"
  // "total", "speedup = total[n = 1] / total"; empty: all outputs that are single values
  std::vector<std::string> show;
  std::vector<std::string> where;  // "n * m <= 1024": what holds at each of the points
  std::string columns;  // a CSV file whose rows are the points, or "-"; empty: `vary` or the study lists them
  EngineSettings engine;
};

// Pictures of a study's points, beside its results.
struct Drawing {
  std::string svg, png;  // files; empty: none
  bool in_terminal = false;
  std::string of;  // "total vs n by net on log, log"; empty: what the study plots, or what suits it
  bool any() const { return !svg.empty() || !png.empty() || in_terminal; }
};

// Measured run times, as a table of parameter values with a column of measurements.
struct Measurements {
  std::string data;                  // a CSV file, or "-"
  std::string measured;              // the column of measurements; empty: the only one that is no parameter
  std::vector<std::string> ignored;  // columns that are passed over
  std::vector<std::string> where;    // what must hold of a row; empty: all are taken
};

// FILE, --model, -D, --show, and how it is evaluated; with --vary, --where and --study unless the verb has its own
// words for them.
enum class Points { varied, otherwise };
void add_study_choice(CLI::App& app, StudyChoice& choice, Points points);
// --columns: a table of points.
CLI::Option* add_columns(CLI::App& app, std::string& columns);
// --shard.
void add_shard(CLI::App& app, analysis::Shard& shard);
// --point-limit.
void add_point_limit(CLI::App& app, double& seconds);
// --data, --measured, --ignore, --where. What is `required` has to be given.
void add_measurements(CLI::App& app, Measurements& measurements, bool required);
// --show, of what was measured.
void add_measured_output(CLI::App& app, std::vector<std::string>& show);
// --svg, --png, --plot and --draw.
void add_drawing(CLI::App& app, Drawing& drawing);

}  // namespace wave::cli
