// Runs the program and stops it at each of its calls of the system that concern files in some folders: they can fail,
// come short, or be where the program dies.
//
// The kernel stops it (ptrace, with a filter of seccomp so that nothing else is slowed down). A library that is loaded
// before others (LD_PRELOAD) would not see what the C library calls for itself (fopen, opendir, dlopen, mkostemps), and
// not get along with sanitizers.
#pragma once

#include "tests/studies/runs.h"

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wave::test {

struct FileCall {
  long number = 0;          // SYS_write, say
  std::string name;         // "write"
  std::string path;         // of the file or folder, absolute; of what is renamed its old name
  std::string to;           // its new one
  std::uint64_t bytes = 0;  // that are to be transferred; 0 of other calls

  // Of a folder itself: opened, read, synced.
  bool writes() const;       // bytes into a file
  std::string file() const;  // its name without the folder
  std::string text() const;  // "write 512 bytes, results.csv"
};

struct Fault {
  enum class Kind {
    none,
    error,         // the call is not made and fails
    short_count,   // half of the bytes are transferred
    death_before,  // the program is killed, and the call is not made
    death_after
  };
  Kind kind = Kind::none;
  int error = 0;
};

struct Watch {
  std::vector<std::string> folders;                              // calls on what lies elsewhere do not count
  std::function<Fault(const FileCall&)> before;                  // may be missing
  std::function<void(const FileCall&, long result)> after = {};  // the result is negative for an error
  std::function<bool()> prepare = {};                            // as of Run
};

// False: the system allows no tracing, or the processor is not known. `why` says so.
bool can_trace(std::string& why);

Finished trace(const std::string& folder, const std::vector<std::string>& arguments, const Watch& watch);

}  // namespace wave::test
