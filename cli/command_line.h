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

std::variant<RequestedVerb, Information, Misuse> parse_command_line(int argc, const char* const* argv);

}  // namespace wave::cli
