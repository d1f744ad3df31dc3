// What a disk may hold after the power has failed: a model of a file system that promises what POSIX does and no more.
//
// It is told of every call on files of a folder, and keeps apart what programs see and what is certain to be on the
// disk. Contents are certain after fsync or fdatasync of the file, names after fsync of their folder. What was done
// since may be there or not, each for itself.
#pragma once

#include "tests/faults/tracer.h"

#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wave::test {

class Disk {
 public:
  using Contents = std::map<std::string, std::string>;  // of files, by path from the folder

  struct State {
    std::string name;  // "names are kept, data are lost"
    Contents files;
  };

  // What is below the folder is on the disk.
  explicit Disk(std::string folder);

  // A call was made.
  void made(const FileCall& call, long result);
  // What there may be if the power fails now.
  std::vector<State> after_power_loss() const;
  // What is certain.
  Contents certain() const;

  // Makes a folder hold these files and no others; folders stay.
  static void restore(const std::string& folder, const Contents& files);

 private:
  using File = std::uint64_t;  // one from its creation to its last name, whatever it is called
  using Names = std::map<std::string, File>;

  void look();
  std::string relative(const std::string& path) const;
  std::string seen(const std::string& name) const;

  const std::string folder_;
  Names now_, certain_names_;
  std::map<File, std::string> certain_data_;
  std::map<ino_t, File> numbers_;
  File next_ = 0;
};

}  // namespace wave::test
