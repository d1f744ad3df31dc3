// Files that are written, whole or not at all, and the files that a verb reads.
#pragma once

#include "cli/ending.h"
#include "frontend/source/diagnostics.h"

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace wave::cli {

// Whether a path is written through rather than replaced. That holds for anything that is not a plain file (/dev/null,
// a pipe), and for what this program has open under such a name (/dev/stdout, /dev/fd/3), whatever lies behind it, so
// that `>> log` keeps what the log held.
bool is_written_through(const std::string& path);

// The reason why nothing can be written to `path`, as far as that shows beforehand; empty if there is none.
std::string trouble_of_output(const std::string& path);

// Replaces the file at `path` by `text` (where a symbolic link leads, and with the mode that it had), makes a new file,
// or writes through. Returns what went wrong, or nothing.
std::string replace_file(const std::string& path, const std::string& text);

// The same piece by piece. Errors show at the end, or in the result of write().
class WholeFile {
 public:
  // A caller that alone writes the file may give an `ending`, which is added to its name until the file is whole. If it
  // is empty, the temporary name is a new one.
  explicit WholeFile(const std::string& path, const std::string& ending = {});
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // False if something is wrong. Then the caller need not write any more.
  bool write(std::string_view text);
  // Puts the file in its place. Returns what went wrong, or nothing.
  std::string commit();

 private:
  void open_beside(const std::string& ending);
  bool make_temporary();
  void flush();

  std::string target_, temporary_, buffer_;
  struct stat info_{};
  std::optional<Temporary> made_;  // the temporary file
  int stream_ = -1;
  int lock_ = -1;  // of the temporary file: another descriptor, which outlives stream_
  int error_ = 0;
  bool writes_through_ = false;
  bool is_terminal_ = false;
};

// A temporary file or folder is called `b.csv.kT3xQz.wave-new`, as nobody else's is. Whoever writes it holds a lock on
// it.
inline constexpr std::string_view temporary_ending = ".wave-new";

// Removes the temporary files and folders that killed programs of this user have left of `target`.
void remove_abandoned(const std::string& target);

// Renames a file that is on the disk already, and has the disk keep its new name, too. Returns 0 or the error.
int put_in_place(const std::string& temporary, const std::string& target);

// Writes all of a text to a stream of the system, which may take it in pieces. Returns 0 or the error.
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

// How much a folder may hold.
struct FolderBounds {
  int depth = 64;
  std::size_t entries = 100'000;  // files and folders of any kind
};

// The files that a verb reads: those that were named and, for a folder, all `.wave` files below it. The files of a
// folder stand where the folder was named, in alphabetical order. Hidden files and folders (their names begin with a
// dot) are skipped, and so are links below the folder: their targets are found in their own place, or lie outside. A
// file that folders contain twice is taken once. A folder that cannot be read is an error in `diagnostics`. If nothing
// is named, the project of the current folder is meant.
std::vector<std::string> expand_folders(const std::vector<std::string>& named, frontend::Diagnostics& diagnostics,
                                        FolderBounds bounds = {});

}  // namespace wave::cli
