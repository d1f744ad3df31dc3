// A folder of files that this program makes: it appears as a whole, or not at all.
#pragma once

#include <map>
#include <string>

namespace wave::cli {

// Texts by the names of their files, "module/std.comm.html".
using FolderTexts = std::map<std::string, std::string>;

// A file of this name in the folder lists the others, so that a later run knows that all of them may go.
inline constexpr const char* list_of_files = "wave-files.txt";

// Why the folder cannot be made, or replaced because it holds what this program has not written; empty if it can.
std::string trouble_of_folder(const std::string& path);

// Makes the folder, or puts it in the place of one that was made so before. Returns what went wrong, or nothing.
std::string replace_folder(const std::string& path, FolderTexts texts);

}  // namespace wave::cli
