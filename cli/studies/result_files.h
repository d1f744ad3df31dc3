// The results of a study as files and as text: chunk by chunk, in the order of its points.
#pragma once

#include "analysis/study/journal.h"
#include "cli/formats/document.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// A chunk, and where it is kept.
struct StoredChunk {
  const analysis::Journal* journal = nullptr;
  analysis::Journal::Entry entry;
};
// Of one journal, or of several that are parts of one study, by range.
std::vector<StoredChunk> chunks_of(const std::vector<const analysis::Journal*>& journals);

struct WrittenResults {
  std::string trouble;  // what went wrong, or nothing
  std::uint64_t rows = 0, failed = 0;
  std::vector<analysis::CountedFailure> failures;  // by first point
};

// Writes all rows. `out` gets piece after piece and says whether to go on. `progress` is told how many rows are
// written.
WrittenResults write_results(const analysis::StudyDescription& study, const std::vector<StoredChunk>& chunks,
                             Format format, const Sink& out,
                             const std::function<void(std::uint64_t rows)>& progress = {});

// What stands before the first row, in files of all formats.
std::string head_of_results(const analysis::StudyDescription& study, Format format);

// Rows in columns for whoever looks at them, at most so many.
inline constexpr std::uint64_t most_table_rows = 10000;

}  // namespace wave::cli
