// `wave sweep` as one of several programs that a launcher started: each computes a part of the study, and they know
// nothing of each other.
#pragma once

#include "analysis/study/launcher.h"
#include "analysis/study/points.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/options.h"

#include <optional>
#include <string>

namespace wave::cli {

// The launch that this program is one of several of. Nothing: it is alone.
std::optional<analysis::Launch> launch_of_several();

inline analysis::Shard shard_of(const analysis::Launch& launch) {
  return {static_cast<std::uint32_t>(launch.rank) + 1, static_cast<std::uint32_t>(launch.size)};
}

// "results.csv.parts/3.part". Makes the folder; what went wrong is in `trouble`.
std::string part_of_launch(const analysis::Launch& launch, const std::string& output, std::string& trouble);

// The exit code of a misuse, reported: the programs would write one file, or read one input.
std::optional<int> refuse_shared_output(const analysis::Launch& launch, const std::string& output, Console& console);
std::optional<int> refuse_standard_input(const analysis::Launch& launch, const StudyChoice& choice, Console& console);
int refuse_shared_job(const analysis::Launch& launch, Console& console);

// What the first of them says when its part is whole: how the parts are put together.
void remark_on_merging(const analysis::Launch& launch, const std::string& output, std::optional<Format> format,
                       Console& console);

}  // namespace wave::cli
