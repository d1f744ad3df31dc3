// `wave compare`.
#include "cli/options/options.h"

namespace wave::cli {

void declare_compare(CLI::App& app, CompareCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("compare", "Hold a model with other parameters beside itself");
  add_study_choice(verb, command.of, Points::varied);
  verb.add_option("--with", command.with,
                  "One side: --with net=A --with \"net=B, mk=5\"; with one only, the other is the model as it is")
      ->type_name("NAME=EXPR,...")
      ->allow_extra_args(false)
      ->required();
  verb.add_option("--crossover", command.crossover, "Where one side overtakes the other: --crossover \"n=1..65536\"")
      ->type_name("NAME[=LIST]");
  verb.add_flag("--no-breakdown", command.no_breakdown, "Do not look for where the difference is made");
  add_seed(verb, command.seed, "Of the orders in which more than ten changes are made (default 1)");
  add_format(verb, command.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
