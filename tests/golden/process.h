// Runs the program as a user does, and handles text files.
#pragma once

#include "tests/folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace wave::golden {

struct Ran {
  std::string output;  // standard output and standard error, in the order they came
  int code = 0;        // 128 + n where signal n ended it
};

// Runs a shell command in a folder, with the folder of `wave` first in PATH.
Ran run(const std::string& command, const std::filesystem::path& folder);
// Says where `wave` is, for run(), and clears variables that would change its output.
void prepare_environment(const std::filesystem::path& wave);
std::string quote(const std::string& word);  // for the shell

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);
std::vector<std::string> split_lines(const std::string& text);
void replace_all(std::string& text, const std::string& what, const std::string& by);

// Files below `folder` whose name ends in `extension`, sorted.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, const std::string& extension);

// Prints how the two differ.
void show_difference(const std::string& name, const std::string& expected, const std::string& actual);

}  // namespace wave::golden
