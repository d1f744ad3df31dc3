// A file is written whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <sys/stat.h>

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
  // `ending`: what is added to its name until it is whole, by who is the only one to write it; a new name if empty.
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

}  // namespace wave::cli
