// `wave validate`.
#include "cli/options/options.h"

namespace wave::cli {

void declare_validate(CLI::App& app, ValidateCommand& command, CommonOptions& common) {
  constexpr double most = 1e6;
  auto& verb = *app.add_subcommand("validate", "Hold a model against measurements");
  add_model(verb, command.of.file, command.of.model);
  add_measurements(verb, command.data, true);
  verb.add_option(
          "--show", command.of.show,
          "What of the model is measured: total, 12*exact (default: the output of the column's name, or the only one)")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  add_share(
      verb, "--within", [&command](double share) { command.within = share; }, most,
      "Fail (exit code 1) where a prediction is off by more: --within 10%");
  add_share(
      verb, "--mean-within", [&command](double share) { command.mean_within = share; }, most,
      "Fail where predictions are off by more on average");
  verb.add_flag("--same-ranking", command.same_ranking, "Fail where configurations are not ranked as measured");
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_overrides(verb, command.of.overrides);
  add_engine(verb, command.of.engine);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
