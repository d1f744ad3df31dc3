// `wave fit`: the first word decides whether a machine is fitted or a model.
#include "analysis/machine_fit/timings.h"
#include "cli/studies/fit.h"

#include <fmt/format.h>

namespace wave::cli {

int execute(const FitCommand& command, const CommonOptions& options, Console& console) {
  if (!command.of_model.data.data.empty()) return fit_model(command, options, console);
  if (command.of_model.in_place) {
    return report_misuse(console, "`--in-place` is for a model that is fitted with `--data`",
                         "`-o machine.wave` writes a machine");
  }
  const bool machine = analysis::machine_fit::tool_named(command.files.front()).has_value();
  if (machine) return fit_machine(command, options, console);
  return report_misuse(
      console, fmt::format("`{}` is neither a kind of benchmark nor a model with `--data`", command.files.front()),
      "a machine: `wave fit osu|imb|netgauge|csv FILE... -o machine.wave`; a model: `wave fit FILE --data measured.csv "
      "--params ...`");
}

}  // namespace wave::cli
