// See other_words.h.
#include "frontend/check/other_words.h"

#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace wave::frontend::check {
namespace {

// In a row: what it is takes all of them, one after the other; otherwise any one may be meant.
struct Meaning {
  std::vector<std::string> names;
  bool in_a_row = false;
};

// Without capitals, underscores and MPI's prefix.
const std::map<std::string, Meaning>& meanings() {
  static const std::map<std::string, Meaning> all = {{"log", {{"ln", "log10", "log2"}}},
                                                     {"bcast", {{"broadcast"}}},
                                                     {"alltoall", {{"total_exchange"}}},
                                                     {"alltoallv", {{"total_exchange"}}},
                                                     {"alltoallw", {{"total_exchange"}}},
                                                     {"allgather", {{"gather", "broadcast"}, true}},
                                                     {"allgatherv", {{"gather", "broadcast"}, true}},
                                                     {"reducescatter", {{"reduce", "scatter"}, true}},
                                                     {"gatherv", {{"gather"}}},
                                                     {"scatterv", {{"scatter"}}},
                                                     {"exscan", {{"scan"}}},
                                                     {"cartshift", {{"circular_shift"}}}};
  return all;
}

std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result.rfind("mpi", 0) == 0 ? result.substr(3) : result;
}

}  // namespace

std::string help_for_other_word(std::string_view word, const std::vector<std::string>& known) {
  const std::string meant = plain(word);
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const auto found = meanings().find(meant);
  if (found == meanings().end()) return meant != word && is_known(meant) ? did_you_mean({meant}) : "";
  const Meaning& meaning = found->second;
  std::vector<std::string> names;
  std::copy_if(meaning.names.begin(), meaning.names.end(), std::back_inserter(names), is_known);
  if (names.empty() || !meaning.in_a_row) return names.empty() ? "" : did_you_mean(names);
  if (names.size() < meaning.names.size()) return "";
  return "`" + names[0] + "` and then `" + names[1] + "` do what `" + std::string(word) + "` does";
}

}  // namespace wave::frontend::check
