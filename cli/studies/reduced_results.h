// What a study was reduced to, as files and as text.
#pragma once

#include "analysis/study/journal.h"
#include "analysis/study/reduce/reduced_study.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// Whether each `--reduce` is a reduction of the study; reports what is not.
void check_reductions(Session& session, const analysis::StudyDescription& study);

// The tables of all reductions, with what became of the points. `reduced` outlives the document.
Document document_of(const analysis::ReducedStudy& reduced);

// Writes them to `output`, whole or not at all, or to standard output where it is empty, and says which points failed.
// Returns the exit code.
int deliver_reduced(Console& console, const analysis::ReducedStudy& reduced, const std::string& output, Format format);

// Reports why a reduced study has no answers. Returns the exit code.
int report_reduced(Console& console, const std::string& trouble, const std::string& help);

// A file with the state of a reduced study, as a part that is all of it. Returns the exit code.
int write_part(Console& console, const analysis::ReducedStudy& reduced, const std::string& output);

// What parts hold together. Null, reported, where they do not fit.
std::unique_ptr<analysis::ReducedStudy> merged_parts(const std::vector<const analysis::Journal*>& parts,
                                                     Console& console);

}  // namespace wave::cli
