// "Did you mean": the candidate with the least edit distance, where transposed neighbours count once.
#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <cctype>

namespace wave::frontend {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(const std::vector<std::string>& candidates) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) text += i + 1 == candidates.size() ? " or " : ", ";
    text += "`" + candidates[i] + "`";
  }
  return text + "?";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  // Longer than any name that a person mistypes; keeps the distance affordable.
  constexpr std::size_t longest = 100;
  if (word.empty() || word.size() > longest) return {};
  const std::string wanted = lower_case(word);
  std::string best;
  std::size_t best_distance = 0;
  for (const auto& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest || candidate == word) continue;
    // Two changes in a word of one or two letters say nothing; case alone is free.
    const std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    const std::size_t distance = edit_distance(wanted, lower_case(candidate));
    const bool shares_nothing = distance >= std::max(word.size(), candidate.size());
    if (distance > allowed || shares_nothing) continue;
    if (best.empty() || distance < best_distance || (distance == best_distance && candidate < best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace wave::frontend
