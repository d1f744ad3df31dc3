// What is said of a command line that CLI11 cannot read. For command_line.cpp alone, the two see CLI11.
#pragma once

#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

std::vector<std::string> verb_names(const CLI::App& app);

// Of an error that parsing has thrown.
Misuse explain(const CLI::App& app, const CLI::ParseError& error);

// CLI11 takes a verb that it does not know for a stray argument; people deserve better.
std::optional<Misuse> find_unknown_verb(const CLI::App& app, int argc, const char* const* argv);

}  // namespace wave::cli
