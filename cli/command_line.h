// Turns the command line into what is to be executed. Only command_line.cpp and option_words.cpp include CLI11.
#pragma once

#include "cli/verb.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::cli {

struct RequestedVerb {
  CommonOptions common;
  Execution execute;
};
struct Information {
  std::string text;
};  // --help, --version
struct Misuse {
  std::string message;
  std::string help;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
};

// What a verb takes, for whoever shows it elsewhere.
struct OptionShape {
  std::vector<std::string> names;  // "-o", "--out"; of an argument without an option its name alone, "FILE"
  std::string value;               // "NAME=EXPR", "csv|json"; empty: it takes none, or is an argument without an option
  std::string description;
  bool is_repeated = false;  // as an argument without an option: takes all that are left
  bool is_argument() const { return names.front().front() != '-'; }
};
struct VerbShape {
  std::string name, summary;
  std::vector<OptionShape> options;
};
std::vector<VerbShape> shapes_of_verbs();

std::variant<RequestedVerb, Information, Misuse> parse_command_line(int argc, const char* const* argv);

// An option of a question by its name: "over" and "n=1..64" are `--over n=1..64`, "all" and "true" the flag `--all`,
// and "machine" is the argument MACHINE.
struct GivenOption {
  std::string name, value;
};
// What a client asks, read as a command line with these options would be.
std::variant<RequestedVerb, Misuse> parse_question(const Verb& verb, const std::vector<GivenOption>& options);
// Whether a verb has an option or an argument of that name.
bool has_option(const Verb& verb, const std::string& name);

}  // namespace wave::cli
