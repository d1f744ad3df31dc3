// A file is written whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <sys/stat.h>

namespace wave::cli {

// Puts `text` in the place of the file at `path` (where a symbolic link leads), which keeps its mode; or makes it. What
// is no plain file, such as /dev/null, is written to. Returns what went wrong, or nothing.
std::string replace_file(const std::string& path, const std::string& text);

// The same piece by piece. What went wrong shows in the end, or in what write() returns.
class WholeFile {
 public:
  // `ending`: what is added to its name until it is whole, by who is the only one to write it; a new name if empty.
  explicit WholeFile(const std::string& path, const std::string& ending = {});
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // False: something is wrong, and nothing more need be written.
  bool write(std::string_view text);
  // The file takes its place. What went wrong, or nothing.
  std::string commit();

 private:
  void flush();

  std::string target_, temporary_, buffer_;
  struct stat info_{};
  int stream_ = -1;
  int error_ = 0;
  bool is_special_ = false;
};

}  // namespace wave::cli
