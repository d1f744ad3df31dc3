// The command line as one of the verbs' structs. CLI11 is known to command_line*.cpp and options/ alone.
#pragma once

#include "cli/commands.h"

#include <string>
#include <variant>

namespace wave::cli {

using Command =
    std::variant<RunCommand, BatchCommand, CheckCommand, TestCommand, FmtCommand, DocCommand, ExplainCommand,
                 CostCommand, CountCommand, FlopsCommand, TraceCommand, SweepCommand, MergeCommand, FitCommand,
                 ValidateCommand, OptimizeCommand, FindCommand, CompareCommand, DiffCommand, ReportCommand>;

struct Request {
  CommonOptions common;
  Command command;
};
struct Information {
  std::string text;
};  // --help, --version
struct Misuse {
  std::string message;
  std::string help;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
};

std::variant<Request, Information, Misuse> parse_command_line(int argc, const char* const* argv);

}  // namespace wave::cli
