// Files that a program may read: modules, and the data files of tables. Everything is bounded, and nothing outside the
// named folders is opened. Files that this run writes are never read.
#pragma once

#include <string>
#include <sys/stat.h>
#include <vector>

namespace wave::frontend {

// The files that this run of the program writes. None of them may be read: it would be replaced.
class WrittenFiles {
 public:
  // Called before anything is read. `name` is for messages. Returns the name of what already goes to the same file,
  // whatever its path, or "". Files that are not plain, such as /dev/null, may be written by several, and read as well.
  std::string add(const std::string& path, const std::string& name);

  bool contains(const std::string& path) const;

  // Why an open file must not be read, or "".
  std::string refuse(int stream);
  // Whether that has happened. Then what was asked for is a mistake, and nothing is to be computed or written.
  bool has_refused() const { return has_refused_; }

 private:
  struct File {
    bool is_there = false;
    dev_t device = 0;
    ino_t number = 0;
    std::string resolved;  // the path without links, of a file that does not exist yet
    std::string name;
  };
  static File file_at(const std::string& path);
  const File* find(const File& file) const;

  std::vector<File> files_;
  bool has_refused_ = false;
};

// Of the command that this thread runs, which reads in many places.
WrittenFiles& written_files();

constexpr std::size_t largest_data_file = std::size_t{64} << 20;

struct FileText {
  bool ok = false;
  std::string text;         // of the file, or why it cannot be read ("it is a folder")
  bool is_outside = false;  // of the folders that it must lie below
};

// The whole of a file of at most `limit` bytes, which the user named: it may be a pipe, and lie anywhere.
FileText read_file(const std::string& path, std::size_t limit);

// The same for a file that may be no pipe, because others named it.
FileText read_plain_file(const std::string& path, std::size_t limit);

// The whole of a file of at most `limit` bytes, which a file named: a plain one below one of `roots`, and never outside
// them, through a link or otherwise.
FileText read_file_below(const std::string& path, const std::vector<std::string>& roots, std::size_t limit);

// A path with its symbolic links resolved, so that one file has one name. The path itself if it does not exist.
std::string canonical(const std::string& path);

std::string folder_of(const std::string& path);
std::string join(const std::string& folder, const std::string& path);
bool is_file(const std::string& path);
bool is_absolute(const std::string& path);

// Reads a data file that a module in `folder` names `path`. It lies below that folder or one of `folders`, and never
// outside them, through a link or otherwise.
FileText read_data_file(const std::string& path, const std::string& folder, const std::vector<std::string>& folders);

}  // namespace wave::frontend
