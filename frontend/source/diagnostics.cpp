// The table of kinds, the collection that a stage reports into, and "did you mean".
#include "frontend/source/diagnostics.h"

#include "base/text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace wave::frontend {
namespace {

struct KindInfo {
  std::string_view code;
  std::string_view name;
  std::string_view title;
};

// Indexed by DiagnosticKind.
constexpr KindInfo kind_table[] = {
#define WAVE_DIAGNOSTIC(code, name, title) {#code, #name, title},
#include "frontend/source/diagnostics.def"
#undef WAVE_DIAGNOSTIC
};

const KindInfo& info_of(DiagnosticKind kind) { return kind_table[static_cast<std::size_t>(kind)]; }

Location primary_location(const Diagnostic& d) { return d.labels.empty() ? Location{} : d.labels.front().location; }

auto sort_key(const Diagnostic& d) {
  const Location location = primary_location(d);
  // `end` does not count: of two at one location, the one that was reported first comes first.
  return std::tuple(location.file, location.begin);
}

bool says_the_same(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && primary_location(a) == primary_location(b) && a.message == b.message;
}

// Optimal string alignment distance: transposed neighbours count once.
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

std::string_view code_of(DiagnosticKind kind) { return info_of(kind).code; }

std::string_view name_of(DiagnosticKind kind) { return info_of(kind).name; }

std::string_view title_of(DiagnosticKind kind) { return info_of(kind).title; }

const std::vector<DiagnosticKind>& all_kinds() {
  static const std::vector<DiagnosticKind> kinds = [] {
    std::vector<DiagnosticKind> all;
    for (std::size_t i = 0; i < std::size(kind_table); ++i) all.push_back(static_cast<DiagnosticKind>(i));
    std::stable_sort(all.begin(), all.end(), [](auto a, auto b) { return code_of(a) < code_of(b); });
    return all;
  }();
  return kinds;
}

std::optional<DiagnosticKind> kind_of(std::string_view code) {
  const auto& all = all_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](DiagnosticKind kind) { return code_of(kind) == code; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

Diagnostic& Diagnostics::add(DiagnosticKind kind, Location location, std::string message, std::string label,
                             Severity severity) {
  items_.push_back({kind, std::move(message), {}, {}, {}, severity});
  if (location.known()) items_.back().labels.push_back({location, std::move(label)});
  return items_.back();
}

bool Diagnostics::has_errors() const {
  return std::any_of(items_.begin(), items_.end(), [](const auto& d) { return d.severity == Severity::error; });
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result;
  std::vector<const Diagnostic*> order;
  for (const auto& item : items_) order.push_back(&item);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return sort_key(*a) < sort_key(*b); });
  std::size_t same_location = 0;  // where the run of diagnostics at the present location begins in `result`
  for (const auto* item : order) {
    if (!result.empty() && sort_key(result.back()) != sort_key(*item)) same_location = result.size();
    const bool seen = std::any_of(result.begin() + static_cast<std::ptrdiff_t>(same_location), result.end(),
                                  [&](const auto& d) { return says_the_same(d, *item); });
    if (!seen) result.push_back(*item);
  }
  return result;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

std::string did_you_mean(const std::vector<std::string>& candidates) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) text += i + 1 == candidates.size() ? " or " : ", ";
    text += "`" + candidates[i] + "`";
  }
  return text + "?";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  // Longer than any name that a person mistypes. It keeps the distance affordable.
  constexpr std::size_t longest = 100;
  if (word.empty() || word.size() > longest) return {};
  const std::string wanted = lower_case(word);
  std::string best;
  std::size_t best_distance = 0;
  for (const auto& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest || candidate == word) continue;
    // In a word of one or two letters, two changes say nothing. Case is free.
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

bool suggest_nearest(Diagnostic& d, std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  if (near.empty()) return false;
  d.help.push_back(did_you_mean({near}));
  if (!d.labels.empty()) d.fixes.push_back({d.labels.front().location, near});
  return true;
}

}  // namespace wave::frontend
