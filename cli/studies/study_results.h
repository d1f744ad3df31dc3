// Where the results of a study go: which format, which journal, what is said of those that cannot be used, and whether
// a file holds them already.
#pragma once

#include "analysis/study/journal.h"
#include "analysis/study/run.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/studies/result_files.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// As `asked`, else as the name ends; else a table where a person looks at standard output, CSV where nobody does.
Format format_for(const std::string& output, std::optional<Format> asked);

std::string journal_of(const std::string& output);  // "results.csv.journal"
bool is_part_name(const std::string& output);       // "first.part"

// Says what is wrong with a journal or a part.
void report(Console& console, const std::string& path, const analysis::JournalTrouble& trouble);

// Writes results to `output`, whole or not at all, or to standard output where it is empty; says what went wrong, and
// which points failed. Nothing: it could not be written; else how many points failed.
// `holds_journal`: nobody else writes to that name meanwhile.
std::optional<std::uint64_t> deliver(Console& console, const analysis::StudyDescription& study,
                                     const std::vector<StoredChunk>& chunks, const std::string& output, Format format,
                                     bool holds_journal);

// Whether a file holds this text.
bool holds_text(const std::string& path, std::string_view text);

// Says which kinds of failures there were, with the first point of each; nothing where there were none.
void report_failures(Console& console, const analysis::StudyDescription& study,
                     const std::vector<analysis::CountedFailure>& failures, std::uint64_t failed, std::uint64_t points);

// Whether a file holds the results of this study. A file of rows does not say of which model, so its rows are held
// against points that are evaluated again: some all over, then from the first on, as many as there is time for. Of most
// studies that is every one. `trouble`: what kept it from being known, if anything did.
bool holds_results(const analysis::StudyDescription& study, analysis::Shard shard, analysis::ChunkComputer& computer,
                   const std::string& path, Format format, std::string& trouble);

}  // namespace wave::cli
