// Files that are written, whole or not at all, and those that a verb goes through.
#pragma once

#include "frontend/source/diagnostics.h"

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace wave::cli {

// Whether a path is written to rather than replaced: what is no plain file (/dev/null, a pipe), and what this program
// has open under such a name (/dev/stdout, /dev/fd/3), whatever lies behind it: `>> log` keeps what the log held.
bool is_written_through(const std::string& path);

// The reason why nothing can be written at `path`, as far as it shows beforehand; or nothing.
std::string trouble_of_output(const std::string& path);

// Replaces the file at `path` (where a symbolic link leads) by `text`, and keeps its mode; or makes the file; or writes
// through. Returns what went wrong, or nothing.
std::string replace_file(const std::string& path, const std::string& text);

// The same piece by piece. What went wrong shows in the end, or in what write() returns.
class WholeFile {
 public:
  // `ending` is added to its name until it is whole, by a caller that alone writes it. Where it is empty, the name is
  // new.
  explicit WholeFile(const std::string& path, const std::string& ending = {});
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // False if something is wrong. Then nothing more need be written.
  bool write(std::string_view text);
  // The file takes its place. What went wrong, or nothing.
  std::string commit();

 private:
  void open_beside(const std::string& ending);
  void flush();

  std::string target_, temporary_, buffer_;
  struct stat info_{};
  int stream_ = -1;
  int error_ = 0;
  bool writes_through_ = false;
};

// All of a text to a stream of the system, which may take it in pieces. 0, or the error.
inline int write_all(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(stream, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// What a folder may hold to be gone through.
struct FolderBounds {
  int depth = 64;
  std::size_t entries = 100'000;  // files and folders of any kind
};

// The files that a verb goes through: those named, and of a folder all `.wave` files below it. Folders stand in the
// place where they were named, their files in alphabetical order. What is hidden (its name begins with a
// dot) is skipped, and so are links below the folder: what they lead to is found where it lies, or lies outside. A file
// that is met twice in folders is taken once. A folder that cannot be gone through is an error in `diagnostics`.
std::vector<std::string> expand_folders(const std::vector<std::string>& named, frontend::Diagnostics& diagnostics,
                                        FolderBounds bounds = {});

}  // namespace wave::cli
