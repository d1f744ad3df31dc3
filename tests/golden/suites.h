// The suites of golden tests. Each prints what fails and returns the number of failures.
#pragma once

#include <filesystem>

namespace wave::golden {

// Every DIR/*.wave has a DIR/*.expected, which holds what `wave check` prints for it, and the exit code. A program may
// name another command in its first line, to which the name of the file is added:
//   // wave: run -D n=0
// `accept` rewrites the expectations.
int check_programs(const std::filesystem::path& folder, bool accept);

// Every DIR/*.transcript has lines `$ command`, each followed by what the command prints, and by `[exit N]` where the
// exit code is not 0. Lines that begin with `;;` are comments. Commands run in DIR. Each transcript has its own folder
// $SCRATCH. `path` is DIR or one of its transcripts.
int check_transcripts(const std::filesystem::path& path, bool accept);

// Some program or transcript below ROOT/tests prints each kind of diagnostic.
int check_coverage(const std::filesystem::path& root);

// Every kind of diagnostic has a page in ROOT/docs/diagnostics. Its block `wave wrong` produces the diagnostic, and its
// block `wave right` has no errors.
int check_pages(const std::filesystem::path& root);

// Every ```wave block in ROOT/docs and in the READMEs has no errors, and its tests pass.
int check_documents(const std::filesystem::path& root);

// Every ```console run block in ROOT/docs shows `$ command` lines with what they print. The commands of a page run one
// after the other in a folder of their own that contains `examples/`; a block ```wave NAME.wave is saved there. A line
// `…` stands for lines that are left out. `accept` rewrites a block that has no such line.
int check_walks(const std::filesystem::path& root, bool accept);

}  // namespace wave::golden
