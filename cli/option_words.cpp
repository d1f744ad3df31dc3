// See option_words.h.
#include "cli/option_words.h"

namespace wave::cli {

CLI::Option* add_read(CLI::App& app, const std::string& name, std::function<void(const std::string&)> read,
                      const std::string& type, const std::string& description) {
  const auto set = [read = std::move(read)](const CLI::results_t& given) {
    read(given.front());
    return true;
  };
  return app.add_option(name, set, description)->type_name(type)->expected(1)->take_last();
}

CLI::ValidationError refusal(const std::string& message, const std::string& help) {
  return CLI::ValidationError(message + "\n" + help);  // taken apart in command_line.cpp
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& target, const std::string& type,
                      const std::string& description) {
  return app.add_option(name, target, description)->type_name(type);
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target, const std::string& type,
                      const std::string& description) {
  return app.add_option(name, target, description)->type_name(type)->allow_extra_args(false);
}

std::optional<double> parse_share(std::string text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.pop_back();
  while (!text.empty() && text.back() == ' ') text.pop_back();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr double hundred = 100;
  return percent ? value / hundred : value;
}

CLI::Option* add_share(CLI::App& app, const std::string& name, std::optional<double>& target, double most,
                       const std::string& description) {
  const auto read = [&target, name, most](const std::string& text) {
    const auto value = parse_share(text);
    if (!value || !(*value > 0) || !(*value < most))
      throw refusal(fmt::format("`{}` does not take `{}`", name, text), "it takes a share such as `10%` or `0.1`");
    target = *value;
  };
  return add_read(app, name, read, "SHARE", description);
}

}  // namespace wave::cli
