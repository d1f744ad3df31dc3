// A folder of files that this program makes: it appears as a whole, or not at all.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// Texts by the names of their files, "module/std.comm.html".
using FolderTexts = std::map<std::string, std::string>;

// A file of this name in the folder lists the others, so that a later run knows that all of them may go.
inline constexpr const char* list_of_files = "wave-files.txt";

// Why the folder cannot be made, or replaced because it holds what this program has not written; empty if it can.
std::string trouble_of_folder(const std::string& path);

// Adds to a file of the folder, by its name; files may take turns. False: something is wrong, and nothing more is
// needed.
using FolderSink = std::function<bool(const std::string& name, std::string_view text)>;
// Makes the folder of what `fill` writes, or puts it in the place of one that was made so before. `fill` returns what
// went wrong, or nothing; so does this.
std::string fill_folder(const std::string& path, const std::function<std::string(const FolderSink& sink)>& fill);

// Makes the folder, or puts it in the place of one that was made so before. Returns what went wrong, or nothing.
std::string replace_folder(const std::string& path, const FolderTexts& texts);

// Makes a folder that does not exist yet, with those above it, or fills one that is empty; of its files, people may run
// the `programs`. Returns what went wrong, or nothing. Then there is nothing that was not there before.
std::string make_folder(const std::string& path, const FolderTexts& texts, const std::vector<std::string>& programs);
// Whether nothing is in a folder, besides what a killed program has left of make_folder().
bool is_empty_folder(const std::string& path);

}  // namespace wave::cli
