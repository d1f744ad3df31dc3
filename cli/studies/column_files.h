// The results of a study as a folder of columns, which numpy maps into memory: `total.npy` and so on, a file each, and
// `columns.json`, which says what they are.
#pragma once

#include "analysis/study/journal.h"
#include "cli/console.h"
#include "cli/studies/result_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// Writes all of them, or nothing; says what went wrong, and which points failed. Nothing: they could not be written;
// else how many points failed.
std::optional<std::uint64_t> deliver_columns(Console& console, const analysis::StudyDescription& study,
                                             const std::vector<StoredChunk>& chunks, const std::string& folder);

// Whether a folder holds the columns of this study.
bool holds_columns(const analysis::StudyDescription& study, const std::string& folder);

}  // namespace wave::cli
