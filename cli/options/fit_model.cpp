// `wave fit` where it fits parameters of a model.
#include "cli/options/options.h"

#include <charconv>

namespace wave::cli {
namespace {

const std::map<std::string, Minimize> losses{{"relative", Minimize::relative}, {"absolute", Minimize::absolute}};
constexpr int most_starts = 1000;

void add_starts(CLI::App& app, int& starts) {
  const auto set = [&starts](const CLI::results_t& given) {
    const std::string& text = given.front();
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most_starts) {
      throw CLI::ValidationError(fmt::format("`--starts` takes a number from 1 to {}, not `{}`", most_starts, text));
    }
    starts = value;
    return true;
  };
  app.add_option("--starts", set, "From how many points the best is looked for (default 8)")
      ->type_name("N")
      ->expected(1)
      ->take_last();
}

}  // namespace

void add_model_fit(CLI::App& app, ModelFit& fit) {
  app.add_option("--model", fit.of.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  add_measurements(app, fit.data, false);
  app.add_option("--params", fit.params,
                 "The parameters to fit: --params Wg,net.L; they start at their defaults, or at what -D says")
      ->type_name("NAME,...")
      ->allow_extra_args(false)
      ->delimiter(',');
  app.add_option("--bounds", fit.bounds,
                 "Between what: --bounds \"Wg=0.1us..2us\" (default: the range that the model declares)")
      ->type_name("NAME=RANGE")
      ->allow_extra_args(false);
  add_choice(app, "--minimize", fit.minimize, losses,
             "Whose squares: of relative errors, or of errors as they are (default relative)");
  app.add_flag("--in-place", fit.in_place, "Write the fitted values into the file of the model itself");
  app.add_flag("--robust", fit.robust, "Let measurements that are far off count less, or not at all");
  add_starts(app, fit.starts);
  app.add_option(
         "--show", fit.of.show,
         "What of the model is measured: total, 12*exact (default: the output of the column's name, or the only one)")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  add_overrides(app, fit.of.overrides);
  add_engine(app, fit.of.engine);
}

}  // namespace wave::cli
