// Files that a program may read: modules, and the data files of tables. Everything is bounded, nothing
// outside the folders that were named is opened.
#pragma once

#include "frontend/check/program.h"

#include <string>
#include <vector>

namespace wave::frontend::check {

constexpr std::size_t largest_data_file = std::size_t{64} << 20;

struct FileText {
  bool ok = false;
  std::string text;  // of the file, or why it cannot be read ("it is a folder")
};

// The whole of a file of at most `limit` bytes.
FileText read_file(const std::string& path, std::size_t limit);

// A path with its symbolic links resolved, so that one file has one name; the path itself where it does
// not exist.
std::string canonical(const std::string& path);

std::string folder_of(const std::string& path);
std::string join(const std::string& folder, const std::string& path);
bool is_file(const std::string& path);

// A data file named `path` by a module in `folder`: below that folder or one of `folders`, never outside them,
// through a link or otherwise.
FileText read_data_file(const std::string& path, const std::string& folder, const std::vector<std::string>& folders);

}  // namespace wave::frontend::check
