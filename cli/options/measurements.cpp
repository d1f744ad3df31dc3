// The options of verbs that hold a model against measurements.
#include "cli/options/options.h"

#include <charconv>
#include <optional>

namespace wave::cli {
namespace {

std::optional<double> read_share(std::string text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.pop_back();
  while (!text.empty() && text.back() == ' ') text.pop_back();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr double hundred = 100;
  return percent ? value / hundred : value;
}

}  // namespace

CLI::Option* add_share(CLI::App& app, const std::string& name, const std::function<void(double)>& take, double most,
                       const std::string& description) {
  const auto set = [take, name, most](const CLI::results_t& given) {
    const auto value = read_share(given.front());
    if (!value || !(*value > 0) || !(*value < most)) {
      throw CLI::ValidationError(
          fmt::format("`{}` does not take `{}`\nit takes a share such as `10%` or `0.1`", name, given.front()));
    }
    take(*value);
    return true;
  };
  return app.add_option(name, set, description)->type_name("SHARE")->expected(1)->take_last();
}

void add_measurements(CLI::App& app, Measurements& measurements, bool required) {
  app.add_option("--data", measurements.data,
                 "Measured run times: a CSV file with a column for each parameter and one of measurements")
      ->type_name("CSV")
      ->required(required);
  app.add_option("--measured", measurements.measured,
                 "The column of measurements (default: the only one that is no parameter)")
      ->type_name("NAME");
  app.add_option("--ignore", measurements.ignored, "A column that is passed over")
      ->type_name("NAME")
      ->allow_extra_args(false);
  // `wave report` has points as well, of which it says the same.
  if (app.get_option_no_throw("--where") != nullptr) return;
  app.add_option("--where", measurements.where, "Take the rows of which this holds: --where \"n * m == 1\"")
      ->type_name("EXPR");
}

}  // namespace wave::cli
