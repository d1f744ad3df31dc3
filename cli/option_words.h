// Kinds of options that CLI11 does not have, each with its own words for what it does not take: one of a few words, an
// amount with its unit, a whole number, a share. It includes CLI11, so only code that declares options includes it.
#pragma once

#include "frontend/source/diagnostics.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// An option whose value is read by `read`, which throws `refusal(...)` where it does not take the text. The last of
// several counts.
CLI::Option* add_read(CLI::App& app, const std::string& name, std::function<void(const std::string&)> read,
                      const std::string& type, const std::string& description);
// What is wrong, and how to go on, which may be empty.
CLI::ValidationError refusal(const std::string& message, const std::string& help);

// One text, such as a name or an expression.
CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& target, const std::string& type,
                      const std::string& description);
// Texts, one each time that the option is given.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target, const std::string& type,
                      const std::string& description);

// One of a few words; a mistyped one is answered with the nearest.
template <class T, class Target>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Target& target, const std::map<std::string, T>& choices,
                        const std::string& description) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  const std::string type = fmt::format("{}", fmt::join(words, "|"));
  const auto read = [&target, &choices, words, name](const std::string& text) {
    const auto found = choices.find(text);
    if (found == choices.end()) {
      const std::string near = frontend::nearest(text, words);
      throw refusal(
          fmt::format("`{}` does not take `{}`", name, text),
          near.empty() ? fmt::format("it takes one of {}", fmt::join(words, ", ")) : "did you mean `" + near + "`?");
    }
    target = found->second;
  };
  return add_read(app, name, read, type, description);
}

// An amount with its unit, as `parse` reads it.
template <class Value, class Parse>
CLI::Option* add_amount(CLI::App& app, const std::string& name, Value& target, Parse parse, const std::string& example,
                        const std::string& description) {
  const auto read = [&target, parse, name, example](const std::string& text) {
    const auto value = parse(text);
    if (!value) {
      throw refusal(fmt::format("`{}` takes a positive amount with its unit, not `{}`", name, text),
                    fmt::format("for example `{} {}`", name, example));
    }
    target = *value;
  };
  return add_read(app, name, read, "AMOUNT", description);
}

struct WholeRange {
  std::uint64_t from, to;
};

// A whole number, all of it digits.
template <class Target>
CLI::Option* add_whole(CLI::App& app, const std::string& name, Target& target, WholeRange range,
                       const std::string& description, const std::string& help = "") {
  const auto read = [&target, name, range, help](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < range.from || value > range.to) {
      const std::string to = range.to == UINT64_MAX ? "2^64 - 1" : std::to_string(range.to);
      throw refusal(fmt::format("`{}` takes a whole number from {} to {}, not `{}`", name, range.from, to, text), help);
    }
    if constexpr (requires { target.emplace(value); })
      target.emplace(value);
    else
      target = static_cast<Target>(value);
  };
  return add_read(app, name, read, "N", description);
}

// "10%", "0.1": a number, and as a hundredth where it has a percent sign.
std::optional<double> parse_share(std::string text);
// A share between 0 and `most`.
CLI::Option* add_share(CLI::App& app, const std::string& name, std::optional<double>& target, double most,
                       const std::string& description);

}  // namespace wave::cli
