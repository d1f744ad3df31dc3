// Texts that the build puts into the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::cli {

// The version of the program. WAVE_VERSION comes from the build system.
inline constexpr const char* version = WAVE_VERSION;

// The pages of docs/diagnostics, by code.
const std::vector<std::pair<std::string, std::string>>& diagnostic_pages();

// The documentation: texts in Markdown, and pictures in SVG, by their paths ("docs/guide.md"). The pages of diagnostics
// are not among them.
const std::vector<std::pair<std::string, std::string>>& documentation();

// What all scripts of `wave sweep --slurm` have in common (studies/slurm_job.sh), alone.
const std::vector<std::pair<std::string, std::string>>& job_scripts();

// The source of the library that records MPI calls (recorder/recorder.c), what it includes (recorder/folding.h), and
// the header for programs that name their phases (recorder/wave_record.h).
const std::vector<std::pair<std::string, std::string>>& recorders();

}  // namespace wave::cli
