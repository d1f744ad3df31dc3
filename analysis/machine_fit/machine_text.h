// Writes a fitted machine as a module of the language that says where each number comes from.
#pragma once

#include "analysis/machine_fit/machine_fit.h"

namespace wave::analysis::machine_fit {

struct Provenance {
  std::string name;                    // of the machine: an identifier
  std::vector<std::string> tools;      // what measured: "the OSU micro-benchmarks"
  std::vector<std::string> files;      // as the user named them: any bytes
  std::string command;                 // the command that made it
  std::string version;                 // of the program
  std::vector<std::string> digests{};  // SHA-256 of the files; empty if they are not shown
};

// The text passes `wave check`, whatever the names of the files are. Without times of single messages, the machine only
// has functions.
std::string machine_text(const MachineFit& fit, const Provenance& provenance);

// A value with its unit and, in `±`, its standard error: "23.1 us ± 0.4 us".
std::string quantity_text(const MachineParameter& parameter);

// What in a model takes the time of this operation, if the machine is used: "`reduce_scatter(s)` in a process".
std::string use_text(const CollectiveFit& fit, bool in_machine);
// Its declaration in a machine, with where it comes from.
std::string parameter_text(const MachineParameter& parameter, double probability);

// "52 us * log2(p) + (0.03 us/B * p ^ 1.29) * s"
std::string formula_text(const CollectiveFit& fit);

}  // namespace wave::analysis::machine_fit
