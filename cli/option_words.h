// Kinds of options, each with its own words for values that it does not take. CLI11 reads them. Only option_words.cpp
// and command_line.cpp include CLI11, because every file that does compiles all of it.
#pragma once

#include "base/numbers.h"
#include "base/text.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wave::cli {

// An option that was declared.
class Declared {
 public:
  explicit Declared(CLI::Option* option) : option_(option) {}

  Declared required(bool is_required = true) const;
  Declared excludes(Declared other) const;
  Declared delimiter(char between) const;
  // `trouble` says what is wrong with a text and, on a second line, how to go on. It is empty if the text is fine.
  Declared check(const std::function<std::string(const std::string&)>& trouble) const;
  bool is_given() const;  // on the command line that was read

 private:
  CLI::Option* option_;
};

// Finds an option by one of its names; nothing if the verb does not have it.
std::optional<Declared> find_option(const CLI::App& app, const std::string& name);
// Calls `then` when the whole command line of the verb was read.
void after_reading(CLI::App& app, std::function<void()> then);

// An option whose value `read` reads; `read` calls `refuse` if it does not take the text. If the option is repeated,
// the last one counts.
Declared add_read(CLI::App& app, const std::string& name, std::function<void(const std::string&)> read,
                  const std::string& type, const std::string& description);
// Ends the reading with what is wrong and how to go on. The latter may be empty.
[[noreturn]] void refuse(const std::string& message, const std::string& help);

// An option that applies to the arguments of `rest` that come after it, until it is given again: its value for each of
// them, empty before the first. `rest` is declared already.
void add_to_following(CLI::App& app, const std::string& name, std::vector<std::string>& of_each,
                      const std::string& rest, const std::string& type, const std::string& description);

// When the verb's command line was read, `words` are what was given, in its order, without the options of `left_out`
// (named as in "--out"): for another command line that asks for the same.
void keep_words(CLI::App& app, std::vector<std::string>& words, const std::vector<std::string>& left_out);

// Sets `target` if the option is given.
Declared add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& description);
// Calls `then` if the option is given.
Declared add_flag(CLI::App& app, const std::string& name, const std::function<void()>& then,
                  const std::string& description);
// One text, such as a name or an expression.
Declared add_text(CLI::App& app, const std::string& name, std::string& target, const std::string& type,
                  const std::string& description);
// Several texts, one each time the option is given.
Declared add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target, const std::string& type,
                  const std::string& description);
// Texts without an option before them: the rest of the command line.
Declared add_rest(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                  const std::string& description);
// A program and its arguments: all from the first word on that is no option, as they are.
void add_program(CLI::App& app, std::vector<std::string>& words);
// Whole numbers, separated by commas.
Declared add_numbers(CLI::App& app, const std::string& name, std::vector<int>& target, const std::string& description);

// One of a few words. A mistyped word is answered with the nearest one.
template <class T, class Target>
Declared add_choice(CLI::App& app, const std::string& name, Target& target, const std::map<std::string, T>& choices,
                    const std::string& description) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  const std::string type = join_texts(words, "|");
  const auto read = [&target, &choices, words, name](const std::string& text) {
    const auto found = choices.find(text);
    if (found == choices.end()) {
      const std::string near = frontend::nearest(text, words);
      refuse(
          fmt::format("`{}` does not take `{}`", name, text),
          near.empty() ? fmt::format("it takes one of {}", join_texts(words, ", ")) : frontend::did_you_mean({near}));
    }
    target = found->second;
  };
  return add_read(app, name, read, type, description);
}

// An amount with its unit, as `parse` reads it.
template <class Value, class Parse>
Declared add_amount(CLI::App& app, const std::string& name, Value& target, Parse parse, const std::string& example,
                    const std::string& description) {
  const auto read = [&target, parse, name, example](const std::string& text) {
    const auto value = parse(text);
    if (!value) {
      refuse(fmt::format("`{}` takes a positive amount with its unit, not `{}`", name, text),
             fmt::format("for example `{} {}`", name, example));
    }
    target = *value;
  };
  return add_read(app, name, read, "AMOUNT", description);
}

struct WholeRange {
  std::uint64_t from, to;
};

// A whole number, written in digits only.
template <class Target>
Declared add_whole(CLI::App& app, const std::string& name, Target& target, WholeRange range,
                   const std::string& description, const std::string& help = "") {
  const auto read = [&target, name, range, help](const std::string& text) {
    const auto value = parse_number<std::uint64_t>(text);
    if (!value || *value < range.from || *value > range.to) {
      const std::string to = range.to == UINT64_MAX ? "2^64 - 1" : std::to_string(range.to);
      refuse(fmt::format("`{}` takes a whole number from {} to {}, not `{}`", name, range.from, to, text), help);
    }
    if constexpr (requires { target.emplace(*value); })
      target.emplace(*value);
    else
      target = static_cast<Target>(*value);
  };
  return add_read(app, name, read, "N", description);
}

// Reads "10%" or "0.1". A number with a percent sign is divided by a hundred.
std::optional<double> parse_share(std::string text);
// A share between 0 and `most`.
Declared add_share(CLI::App& app, const std::string& name, std::optional<double>& target, double most,
                   const std::string& description);

// Reads the words of an earlier command line of a verb, without the program's name and the verb, into what `declare`
// declares. False if they are not understood.
bool read_again(std::vector<std::string> words, const std::function<void(CLI::App&)>& declare);

}  // namespace wave::cli
