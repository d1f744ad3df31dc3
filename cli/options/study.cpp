// See study.h.
#include "cli/options/study.h"

#include "cli/measures.h"
#include "cli/options/output.h"
#include "cli/options/words.h"

#include <charconv>

namespace wave::cli {
namespace {

// "3/8".
std::optional<analysis::Shard> parse_shard(const std::string& text) {
  constexpr unsigned most = 1'000'000;
  analysis::Shard shard;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, shard.count);
  const bool is_number = second.ec == std::errc() && second.ptr == end;
  if (!is_number || shard.index < 1 || shard.index > shard.count || shard.count > most) return std::nullopt;
  return shard;
}

}  // namespace

void add_shard(CLI::App& app, analysis::Shard& shard) {
  const auto read = [&shard](const std::string& text) {
    const auto given = parse_shard(text);
    if (!given)
      throw refusal(fmt::format("`--shard` takes a part and how many there are, not `{}`", text),
                    "for example `--shard 3/8`, the third of eight");
    shard = *given;
  };
  add_read(app, "--shard", read, "I/N",
           "Only this part of the points, into a file for `wave merge`: --shard 3/8 --out third.part");
}

CLI::Option* add_columns(CLI::App& app, std::string& columns) {
  return add_text(app, "--columns", columns, "CSV",
                  "A CSV file whose first line names parameters, with units: \"n,Wg [us]\"; - reads standard input");
}

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
