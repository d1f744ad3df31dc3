// The verbs. Each returns the program's exit code.
#pragma once

#include "cli/command_line.h"
#include "cli/console.h"

namespace wave::cli {

int execute(const RunCommand& command, const CommonOptions& options, Console& console);
int execute(const BatchCommand& command, const CommonOptions& options, Console& console);
int execute(const CheckCommand& command, const CommonOptions& options, Console& console);
int execute(const TestCommand& command, const CommonOptions& options, Console& console);
int execute(const FmtCommand& command, const CommonOptions& options, Console& console);
int execute(const DocCommand& command, const CommonOptions& options, Console& console);
int execute(const ExplainCommand& command, const CommonOptions& options, Console& console);
int execute(const CostCommand& command, const CommonOptions& options, Console& console);
int execute(const CountCommand& command, const CommonOptions& options, Console& console);
int execute(const FlopsCommand& command, const CommonOptions& options, Console& console);
int execute(const TraceCommand& command, const CommonOptions& options, Console& console);
int execute(const SweepCommand& command, const CommonOptions& options, Console& console);
int execute(const MergeCommand& command, const CommonOptions& options, Console& console);
int execute(const FitCommand& command, const CommonOptions& options, Console& console);
int execute(const ValidateCommand& command, const CommonOptions& options, Console& console);
int execute(const OptimizeCommand& command, const CommonOptions& options, Console& console);
int execute(const FindCommand& command, const CommonOptions& options, Console& console);
int execute(const CompareCommand& command, const CommonOptions& options, Console& console);
int execute(const DiffCommand& command, const CommonOptions& options, Console& console);
int execute(const ReportCommand& command, const CommonOptions& options, Console& console);

// Reports an error that has no place in a source; `help` may be empty. Returns `failure`.
int report_without_place(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                         const std::string& help);

// To the file, or to standard output where none is named. What the verb returns.
int write_result(const std::string& file, const std::string& text, Console& console);

// For wrong use that is found after the command line was read.
int report_misuse(Console& console, const std::string& message, const std::string& help);

}  // namespace wave::cli
