// Whole processes: what a user waits for.
#pragma once

#include <string>
#include <vector>

namespace wave::bench {

struct Child {
  int status = 0;            // its exit status; 128 and more: ended by a signal
  double wall = 0, cpu = 0;  // seconds
  double peak = 0;           // bytes of memory
  std::string output;        // standard output
};

// Runs a program to its end, standard error thrown away. `environment`: NAME=VALUE, beside what there is.
Child run(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});

}  // namespace wave::bench
