// Runs whole processes, to measure what a user waits for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wave::bench {

struct Child {
  int status = 0;            // its exit status; 128 and more: a signal ended it
  double wall = 0, cpu = 0;  // seconds
  double peak = 0;           // of memory, in bytes
  std::string output;        // on standard output
};

// Runs a program to its end, without its standard error. `environment` adds NAME=VALUE to the present one.
Child run(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});

// Each figure's own median, the worst status, and the output of the first run.
Child median(std::vector<Child> runs);

// A folder for the files of this program's runs, which goes when they end.
struct Folder {
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // `wave` keeps its kernels below this folder; `forget` removes them.
  std::vector<std::string> environment() const { return {"XDG_CACHE_HOME=" + (path / "cache").string()}; }
  void forget() const { std::filesystem::remove_all(path / "cache"); }

  std::filesystem::path path;
};

}  // namespace wave::bench
