// The files that this run of the program writes. None of them may be read: it would be replaced.
#pragma once

#include <string>
#include <sys/stat.h>
#include <vector>

namespace wave::frontend {

class WrittenFiles {
 public:
  // Called before anything is read. `name` is for messages. Returns the name of what already goes to the same file,
  // whatever its path, or "". Files that are not plain, such as /dev/null, may be written by several, and read as well.
  std::string add(const std::string& path, const std::string& name);

  bool contains(const std::string& path) const;

  // Why a file that is open must not be read, or "".
  std::string refuse(int stream);
  // Whether that has happened: what was asked for is a mistake, and nothing is to be computed or written.
  bool has_refused() const { return has_refused_; }

 private:
  struct File {
    bool is_there = false;
    dev_t device = 0;
    ino_t number = 0;
    std::string place;  // of one that is not there yet: its path without links
    std::string name;
  };
  static File file_at(const std::string& path);
  const File* find(const File& file) const;

  std::vector<File> files_;
  bool has_refused_ = false;
};

// Those of this program, which runs one command, and reads in many places.
WrittenFiles& written_files();

}  // namespace wave::frontend
