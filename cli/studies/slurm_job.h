// A study as an array job of Slurm: a script that submits itself. Each task computes a part (`wave sweep --shard`), and
// a job that waits for all of them merges.
#pragma once

#include "cli/console.h"
#include "cli/formats/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wave::cli {

struct SlurmJob {
  int parts = 0;
  std::vector<std::string> study;  // the words behind `wave` that each part is asked for with, but for which it is
  std::string output;              // of the merged results
  std::optional<Format> format;
};

std::string job_script_of(const std::string& output);    // "results.csv.slurm"
std::string parts_folder_of(const std::string& output);  // "results.csv.parts"

// Writes the script, for a study of so many points, and says how to submit it. The job works in the folder that is
// current now, with the program that is running. Returns the exit code of the verb.
int write_job_script(const SlurmJob& job, std::uint64_t points, Console& console);

// --slurm.
void add_slurm(CLI::App& app, int& parts);

}  // namespace wave::cli
