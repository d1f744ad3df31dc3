// The command line as what is to be executed. CLI11 is known to command_line*.cpp, options/ and verbs/ alone.
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
