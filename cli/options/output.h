// Where results go, and as what: `--format`, `-o` and other files that are written.
#pragma once

#include "cli/formats/document.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wave::cli {

void add_format(CLI::App& app, Format& format);
// Of points: where it is not given, it is not known yet.
void add_format(CLI::App& app, std::optional<Format>& format);

// A file to be written, which no input and no other output may be. What it holds shows in its name: another ending
// than these is refused, unless --format says what it holds. A name without an ending promises nothing.
enum class HeldBy { name, format };
void add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
              const std::string& description, HeldBy held = HeldBy::name);
// The endings of files that hold results.
std::vector<std::string> endings_of_results();
// -o, after --format: where that is not given, the end of the file's name says it.
void add_output(CLI::App& app, std::string& output, Format& format);

}  // namespace wave::cli
