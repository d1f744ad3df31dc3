// Rows of a file against those that a study has found: a file of rows does not say by itself what it holds.
#pragma once

#include "analysis/study/run.h"
#include "cli/studies/result_files.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// The rows of a text, one after the other, that comes in pieces. In CSV a row may have several lines, within quotes.
class RowReader {
 public:
  explicit RowReader(Format format) : has_quotes_(format->lines && format->lines->in_quotes) {}
  // The rows that end in this piece, without their ends of line.
  std::vector<std::string> take(std::string_view piece);

 private:
  const bool has_quotes_;
  bool in_quotes_ = false;
  std::string row_;  // what there is of the present one
};

// Whether the file, of a format whose rows are lines, has these rows where they belong, to the byte, but for points
// that were given up for time or memory. `chunks` rise.
bool holds_rows(const analysis::StudyDescription& study, const std::vector<StoredChunk>& chunks,
                const std::string& path, Format format);

// Whether a file holds the results of this study. A file of rows does not say of which model, so its rows are held
// against points that are evaluated again: some all over, then from the first on, as many as there is time for. Of most
// studies that is every one.
bool holds_results(const analysis::StudyDescription& study, analysis::Shard shard, analysis::ChunkComputer& computer,
                   const std::string& path, Format format);

}  // namespace wave::cli
