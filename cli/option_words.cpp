// See option_words.h.
#include "cli/option_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace wave::cli {

Declared Declared::required(bool is_required) const { return Declared(option_->required(is_required)); }
Declared Declared::excludes(Declared other) const { return Declared(option_->excludes(other.option_)); }
Declared Declared::delimiter(char between) const { return Declared(option_->delimiter(between)); }
Declared Declared::check(const std::function<std::string(const std::string&)>& trouble) const {
  return Declared(option_->check(trouble));
}
bool Declared::is_given() const { return option_->count() > 0; }

std::optional<Declared> find_option(const CLI::App& app, const std::string& name) {
  auto* const found = const_cast<CLI::App&>(app).get_option_no_throw(name);
  return found != nullptr ? std::optional(Declared(found)) : std::nullopt;
}

void after_reading(CLI::App& app, std::function<void()> then) { app.final_callback(std::move(then)); }

Declared add_read(CLI::App& app, const std::string& name, std::function<void(const std::string&)> read,
                  const std::string& type, const std::string& description) {
  const auto set = [read = std::move(read)](const CLI::results_t& given) {
    read(given.front());
    return true;
  };
  return Declared(app.add_option(name, set, description)->type_name(type)->expected(1)->take_last());
}

void refuse(const std::string& message, const std::string& help) {
  throw CLI::ValidationError(message + "\n" + help);  // command_line.cpp takes it apart again
}

Declared add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& description) {
  return Declared(app.add_flag(name, target, description));
}

Declared add_flag(CLI::App& app, const std::string& name, const std::function<void()>& then,
                  const std::string& description) {
  return Declared(app.add_flag_callback(name, then, description));
}

Declared add_text(CLI::App& app, const std::string& name, std::string& target, const std::string& type,
                  const std::string& description) {
  return Declared(app.add_option(name, target, description)->type_name(type));
}

Declared add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target, const std::string& type,
                  const std::string& description) {
  return Declared(app.add_option(name, target, description)->type_name(type)->allow_extra_args(false));
}

Declared add_rest(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                  const std::string& description) {
  return Declared(app.add_option(name, target, description)->type_name(""));
}

namespace {

// Of a verb that runs a program, which is none of its options.
class FormatterOfPrograms final : public CLI::Formatter {
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    return usage.insert(usage.find_last_not_of('\n') + 1, " PROGRAM [ARGUMENTS]");
  }
};

}  // namespace

void add_program(CLI::App& app, std::vector<std::string>& words) {
  app.prefix_command();
  app.formatter(std::make_shared<FormatterOfPrograms>());
  app.parse_complete_callback([&app, &words] {
    words = app.remaining();
    if (!words.empty() && words.front() == "--") words.erase(words.begin());
  });
}

void add_to_following(CLI::App& app, const std::string& name, std::vector<std::string>& of_each,
                      const std::string& rest, const std::string& type, const std::string& description) {
  const CLI::Option* const option = app.add_option(name, description)
                                        ->type_name(type)
                                        ->allow_extra_args(false)
                                        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const CLI::Option* const arguments = app.get_option(rest);
  // Only the order in which they were given tells which argument comes after which option.
  app.parse_complete_callback([&app, &of_each, option, arguments] {
    std::size_t given = 0;
    std::string now;
    for (const CLI::Option* const one : app.parse_order()) {
      if (one == option) now = option->results().at(given++);
      if (one == arguments) of_each.push_back(now);
    }
  });
}

void keep_words(CLI::App& app, std::vector<std::string>& words, const std::vector<std::string>& left_out) {
  app.parse_complete_callback([&app, &words, left_out] {
    std::map<const CLI::Option*, std::size_t> taken;
    for (const CLI::Option* const one : app.parse_order()) {
      const bool is_left_out =
          std::any_of(left_out.begin(), left_out.end(), [&](const std::string& name) { return one->check_name(name); });
      const std::string value = one->results().at(taken[one]++);
      if (is_left_out) continue;
      const bool is_flag = one->get_items_expected_max() == 0;
      if (one->get_positional())
        words.push_back(value);
      else if (!one->get_lnames().empty())
        words.push_back("--" + one->get_lnames().front() + (is_flag ? "" : "=" + value));
      else
        words.push_back("-" + one->get_snames().front() + (is_flag ? "" : value));
    }
  });
}

Declared add_numbers(CLI::App& app, const std::string& name, std::vector<int>& target, const std::string& description) {
  auto* const option = app.add_option(name, target, description)->type_name("N,...");
  return Declared(option->delimiter(',')->allow_extra_args(false));
}

std::optional<double> parse_share(std::string text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.pop_back();
  while (!text.empty() && text.back() == ' ') text.pop_back();
  const auto value = parse_number<double>(text);
  constexpr double hundred = 100;
  return value && percent ? *value / hundred : value;
}

Declared add_share(CLI::App& app, const std::string& name, std::optional<double>& target, double most,
                   const std::string& description) {
  const auto read = [&target, name, most](const std::string& text) {
    const auto value = parse_share(text);
    if (!value || !(*value > 0) || !(*value < most))
      refuse(fmt::format("`{}` does not take `{}`", name, text), "it takes a share such as `10%` or `0.1`");
    target = *value;
  };
  return add_read(app, name, read, "SHARE", description);
}

bool read_again(std::vector<std::string> words, const std::function<void(CLI::App&)>& declare) {
  CLI::App app;
  declare(app);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError&) {
    return false;
  }
  return true;
}

}  // namespace wave::cli
