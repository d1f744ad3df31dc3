// The option `--ranks`: which processors are meant, by row-major rank from 0.
#pragma once

#include "cli/console.h"
#include "cli/option_words.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace wave::cli {

void add_ranks(CLI::App& verb, std::string& ranks);

// Of "0-3,8". Empty for an empty text: all ranks. Nothing: it is no such list, which has been reported.
std::optional<std::set<std::int64_t>> read_ranks(const std::string& text, Console& console);

// One that a process of so many does not have.
struct NoSuchRank {
  std::int64_t rank, count;
};
// Throws NoSuchRank.
void require_ranks(const std::set<std::int64_t>& ranks, std::int64_t count);
int report_no_such_rank(Console& console, const std::string& process, const NoSuchRank& missing);

}  // namespace wave::cli
