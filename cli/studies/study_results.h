// Where the results of a study go: which format, which journal, and what is said of those that cannot be used.
#pragma once

#include "analysis/study/journal.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/studies/result_files.h"

#include <optional>
#include <string>

namespace wave::cli {

// As `asked`, else as the name ends; else a table where a person looks at standard output, CSV where nobody does.
Format format_for(const std::string& output, std::optional<Format> asked);

std::string journal_of(const std::string& output);  // "results.csv.journal"
bool is_part_name(const std::string& output);       // "first.part"

// Says what is wrong with a journal or a part.
void report(Console& console, const std::string& path, const analysis::JournalTrouble& trouble);

// Whether a file of results begins as those of this study do, and has as many rows, as far as that can be told.
bool holds_results_of(const analysis::StudyDescription& study, const std::string& path, Format format);

// Writes results to `output`, whole or not at all, or to standard output where it is empty; says what went wrong, and
// which points failed. Nothing: it could not be written; else how many points failed.
// `holds_journal`: nobody else writes to that name meanwhile.
std::optional<std::uint64_t> deliver(Console& console, const analysis::StudyDescription& study,
                                     const std::vector<StoredChunk>& chunks, const std::string& output, Format format,
                                     bool holds_journal);

}  // namespace wave::cli
