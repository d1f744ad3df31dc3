// A folder of files that this program makes: it appears as a whole, or not at all.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace wave::cli {

// A file of this name in the folder lists the others, so that a later run knows that all of them may go.
inline constexpr const char* list_of_files = "wave-files.txt";

// Why the folder cannot be made, or replaced because it holds what this program has not written; empty if it can.
std::string trouble_of_folder(const std::string& path);

class WholeFolder {
 public:
  explicit WholeFolder(std::string path);
  ~WholeFolder();
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  // Adds a file, "module/std.comm.html". After an error nothing more is written.
  void write(const std::string& name, std::string_view text);
  // Puts the folder in its place. Returns what went wrong, or nothing.
  std::string commit();

 private:
  std::string path_, temporary_, error_;
  std::set<std::string> names_;
};

}  // namespace wave::cli
