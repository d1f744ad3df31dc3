// What a fit of a machine is asked, and its steps up to the times that are fitted. docs/fit-a-machine.md says what each
// option means.
#pragma once

#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/machine_text.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

struct MachineQuestion {
  std::vector<std::string> files;        // the kind of benchmark, "osu" or "auto", and its files
  std::string output;                    // what the machine's file will be called; empty: nobody wants it
  std::string name;                      // of the machine; empty: after the output
  std::string protocols;                 // "eager,eager,rendezvous"; empty: found
  int segments = 0;                      // 0: as many as a criterion finds
  std::vector<std::string> assumptions;  // "o=23us"
  std::vector<int> processes;            // of each file, or of each table that does not say
  std::vector<std::string> within;       // of each of `files`: what both ends of a message share
  std::vector<int> pairs;                // of tables that do not say; else only times of so many pairs at once
  std::vector<int> tables;               // only these, as `--explain` numbers them; empty: all
  bool keep_outliers = false;
  std::string operation;     // of a collective, where no file says
  std::string sizes;         // "1 KiB..64 KiB"; empty: all
  bool is_absolute = false;  // the errors whose squares are to be small are errors as they are, not relative ones
  double confidence = 0.95;
  TableReading reading = {};  // of tables with commas
};

inline constexpr int most_segments = 20;
inline constexpr std::size_t most_bytes_of_benchmark = std::size_t{64} << 20;

struct SizeRange {
  double from = 0, to = 0;
};

// What the options come to.
struct FitPlan {
  FitOptions options;
  std::optional<SizeRange> sizes;
};
std::optional<WrongQuestion> read_question(const MachineQuestion& question, FitPlan& plan);

// Whether a fit takes this word as the kind of benchmark: that of a tool, or `auto`.
bool is_kind_of_benchmark(const std::string& word);
inline constexpr std::string_view kinds_of_benchmarks = "auto|osu|imb|netgauge|nccl|csv";

// Adds the tables that file number `index` of the question holds (the first is 1), under this name.
void read_benchmark(const MachineQuestion& question, std::size_t index, const std::string& name, std::string text,
                    frontend::Sources& sources, Timings& timings, frontend::Diagnostics& diagnostics);

// When all files are read: makes series of the tables, and leaves out the times that are not asked for. Tables that do
// not go together, or of which too little is known, are diagnostics.
std::optional<WrongQuestion> keep_asked(const MachineQuestion& question, const FitPlan& plan,
                                        const frontend::Sources& sources, Timings& timings,
                                        frontend::Diagnostics& diagnostics);

// Options that say how messages of one pair are fitted, where there are several pairs or places.
std::optional<WrongQuestion> check_options_of_pairs(const MachineQuestion& question);

// The fit of messages of one pair, and of collectives. Nothing, with diagnostics, where there is too little data.
std::optional<MachineFit> fit_asked(const MachineQuestion& question, FitPlan plan, const Timings& timings,
                                    frontend::Sources& sources, frontend::Diagnostics& diagnostics);

// Where the machine comes from. `sources` holds the files first, in their order.
Provenance provenance_of(const MachineQuestion& question, const Timings& timings, const frontend::Sources& sources,
                         const std::string& version);

}  // namespace wave::analysis::machine_fit
