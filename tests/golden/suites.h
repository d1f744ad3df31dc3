// The suites of golden tests. Each prints what fails and returns the number of failures.
#pragma once

#include <filesystem>

namespace wave::golden {

// Every DIR/*.wave with DIR/*.expected: what `wave check` prints of it, or the command in its first line,
//   // wave: run -D n=0
// with the file's name added, and the exit code. `accept` rewrites the expectations.
int check_programs(const std::filesystem::path& folder, bool accept);

// Every DIR/*.transcript: lines `$ command` with what they print; `[exit N]` where that is not 0. Lines that begin with
// `;;` are comments. Commands run in DIR, $SCRATCH is a folder of their own.
int check_transcripts(const std::filesystem::path& folder, bool accept);

// Every kind of diagnostic is printed by a program or a transcript below ROOT/tests.
int check_coverage(const std::filesystem::path& root);

// Every kind of diagnostic has a page in ROOT/docs/diagnostics: `wave wrong` produces it, `wave right` has no errors.
int check_pages(const std::filesystem::path& root);

// Every ```wave block in ROOT/docs and in the READMEs is free of errors, and its tests pass.
int check_documents(const std::filesystem::path& root);

// Every ```console run block in ROOT/docs: `$ command` lines with what they print, those of a page one after the other
// in a folder of their own with `examples/` in it, where blocks ```wave NAME.wave are saved. A line `…` stands for
// lines that are left out. `accept` rewrites what has none.
int check_walks(const std::filesystem::path& root, bool accept);

}  // namespace wave::golden
