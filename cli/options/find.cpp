// `wave find`.
#include "cli/measures.h"
#include "cli/options/options.h"

namespace wave::cli {

void declare_find(CLI::App& app, FindCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("find", "Find where something holds");
  add_study_choice(verb, command.of, Points::otherwise);
  verb.add_option("--over", command.of.vary, "What is tried: --over \"n=1..64\" --over \"W=1 us..5 us\"")
      ->type_name("NAME=LIST")
      ->allow_extra_args(false)
      ->required();
  verb.add_option("--where", command.where, "What must hold: --where \"total <= 1 h\"; of several each")
      ->type_name("EXPR")
      ->allow_extra_args(false)
      ->required();
  auto* const all = verb.add_flag("--all", command.all, "Print every point at which it holds");
  verb.add_flag("--first", command.first, "Stop at the first point at which it holds")->excludes(all);
  const auto set = [&command](const CLI::results_t& given) {
    const auto seconds = parse_seconds(given.front());
    if (!seconds) {
      throw CLI::ValidationError(fmt::format(
          "`--point-limit` takes a positive amount with its unit, not `{}`\nfor example `--point-limit 10s`",
          given.front()));
    }
    command.point_limit_seconds = *seconds;
    return true;
  };
  verb.add_option("--point-limit", set, "Give up a point after this long; it counts as failed (default 60s)")
      ->type_name("AMOUNT")
      ->expected(1)
      ->take_last();
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
