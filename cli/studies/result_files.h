// The results of a study as files and as text: chunk by chunk, in the order of its points.
#pragma once

#include "analysis/study/journal.h"
#include "analysis/tables/row_table.h"
#include "cli/formats/document.h"

#include <functional>
#include <map>
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

// What failed in a chunk, row by row, and in all chunks by their kinds.
class RowFailures {
 public:
  void take(const analysis::Chunk& chunk);
  // "E0512: requirement not met", with the author's words where there are some; null where nothing of the row failed.
  const std::string* error(std::size_t row) const { return errors_[row] ? &errors_[row]->first : nullptr; }
  std::size_t kind(std::size_t row) const { return errors_[row]->second; }
  const std::vector<analysis::CountedFailure>& all() const { return all_; }

 private:
  std::vector<const std::pair<const std::string, std::size_t>*> errors_;
  std::map<std::string, std::size_t> known_;
  std::vector<analysis::CountedFailure> all_;
};

// Writes all rows. `out` gets piece after piece and says whether to go on. `progress` is told how many rows are
// written.
WrittenResults write_results(const analysis::StudyDescription& study, const std::vector<StoredChunk>& chunks,
                             Format format, const Sink& out,
                             const std::function<void(std::uint64_t rows)>& progress = {});

// The answer of a study, without tables: which it is, and what makes the same results again.
Document document_about(const analysis::StudyDescription& study);
// The ways in which points failed: code, title, words (true of each such point), message (of the first), first (from
// 1), points.
analysis::RowTable failures_table(const std::vector<analysis::CountedFailure>& failures);

// What stands before the first row, in files of all formats.
std::string head_of_results(const analysis::StudyDescription& study, Format format);

// Rows in columns for whoever looks at them, at most so many.
inline constexpr std::uint64_t most_table_rows = 10000;

}  // namespace wave::cli
