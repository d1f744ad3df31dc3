// `wave optimize`.
#include "cli/measures.h"
#include "cli/options/options.h"

#include <limits>

namespace wave::cli {
namespace {

const std::map<std::string, OptimizeMethod> methods{{"auto", OptimizeMethod::automatic},
                                                    {"exhaustive", OptimizeMethod::exhaustive},
                                                    {"bounds", OptimizeMethod::bounds},
                                                    {"search", OptimizeMethod::search}};

void add_seconds(CLI::App& verb, const std::string& name, double& target, const std::string& description) {
  const auto set = [&target, name](const CLI::results_t& given) {
    const auto seconds = parse_seconds(given.front());
    if (!seconds) {
      throw CLI::ValidationError(fmt::format(
          "`{}` takes a positive amount with its unit, not `{}`\nfor example `{} 10s`", name, given.front(), name));
    }
    target = *seconds;
    return true;
  };
  verb.add_option(name, set, description)->type_name("AMOUNT")->expected(1)->take_last();
}

}  // namespace

void declare_optimize(CLI::App& app, OptimizeCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("optimize", "Find the best configuration");
  add_study_choice(verb, command.of, Points::otherwise);
  verb.add_option("--over", command.of.vary,
                  "What may be chosen: --over \"n=1..64\" --over \"mk=[1,5,10]\" --over \"W=1 us..5 us\"")
      ->type_name("NAME=LIST")
      ->allow_extra_args(false)
      ->required();
  verb.add_option("--minimize", command.minimize,
                  "What is to be small: an output or an expression; several give their Pareto front")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--maximize", command.maximize, "What is to be large")->type_name("EXPR")->allow_extra_args(false);
  verb.add_option("--subject-to", command.subject_to, "What must hold: --subject-to \"n * m <= 1024\"")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--top", command.top, "How many of the best are shown (default 10)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_seconds(verb, "--budget", command.budget_seconds, "How long it may look: 10s, 5min, none (default 60s)");
  verb.add_option("--points", command.most_points,
                  "How many points it may evaluate (default: as many as there is time for)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
  add_choice(verb, "--method", command.method, methods,
             "How it looks: at all points, by bounds, or by a search that proves nothing");
  verb.add_option("--seed", command.seed, "Of the random numbers of a search (default 1)")->type_name("N");
  add_seconds(verb, "--point-limit", command.point_limit_seconds,
              "Give up a point after this long; it counts as failed (default 60s)");
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
