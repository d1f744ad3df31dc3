// Runs whole processes, to measure what a user waits for.
#pragma once

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

}  // namespace wave::bench
