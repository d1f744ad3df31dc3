// `wave explain`: the page of a diagnostic.
#include "cli/embedded.h"
#include "cli/option_words.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace wave::cli {
namespace {

struct ExplainCommand {
  std::string code;  // empty: the list of all
};

void declare(CLI::App& verb, ExplainCommand& command, CommonOptions&) {
  add_text(verb, "CODE", command.code, "", "For example E0123");
}

// "e0123", "E123" and "123" are E0123.
std::string normalise(const std::string& code) {
  std::string digits =
      !code.empty() && std::toupper(static_cast<unsigned char>(code[0])) == 'E' ? code.substr(1) : code;
  const bool number = !digits.empty() && digits.size() <= 4 &&
                      std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); });
  if (!number) return code;
  return "E" + std::string(4 - digits.size(), '0') + digits;
}

std::string list_of_all() {
  std::string text;
  for (const auto kind : frontend::all_kinds()) text += fmt::format("{}  {}\n", code_of(kind), title_of(kind));
  return text;
}

int execute(const ExplainCommand& command, const CommonOptions&, Console& console) {
  if (command.code.empty()) {
    console.print(list_of_all());
    return success;
  }
  const std::string code = normalise(command.code);
  std::vector<std::string> codes;
  for (const auto& [name, text] : diagnostic_pages()) {
    if (name == code) {
      console.print(text);
      return success;
    }
    codes.push_back(name);
  }
  const std::string near = frontend::nearest(code, codes);
  return report_misuse(console, fmt::format("there is no diagnostic `{}`", command.code),
                       (near.empty() ? "" : frontend::did_you_mean({near}) + " ") + "`wave explain` lists them all");
}

}  // namespace

Verb explain_verb() {
  return make_verb<ExplainCommand>("explain", "Explain a diagnostic, or list them all",
                                   {{"List all diagnostics", "wave explain"}, {"Read about one", "wave explain E0501"}},
                                   declare, execute);
}

}  // namespace wave::cli
