// The table of kinds, and the collection that a stage reports into.
#include "frontend/source/diagnostics.h"

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

Place primary_place(const Diagnostic& d) { return d.labels.empty() ? Place{} : d.labels.front().place; }

auto sort_key(const Diagnostic& d) {
  const Place place = primary_place(d);
  // `end` does not take part: of two at one place the one that was reported first comes first.
  return std::tuple(place.file, place.begin);
}

bool says_the_same(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && primary_place(a) == primary_place(b) && a.message == b.message;
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

Diagnostic& Diagnostics::add(DiagnosticKind kind, Place place, std::string message, std::string label,
                             Severity severity) {
  items_.push_back({kind, std::move(message), {}, {}, {}, severity});
  if (place.known()) items_.back().labels.push_back({place, std::move(label)});
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
  std::size_t same_place = 0;  // where the run of diagnostics at the present place begins in `result`
  for (const auto* item : order) {
    if (!result.empty() && sort_key(result.back()) != sort_key(*item)) same_place = result.size();
    const bool seen = std::any_of(result.begin() + static_cast<std::ptrdiff_t>(same_place), result.end(),
                                  [&](const auto& d) { return says_the_same(d, *item); });
    if (!seen) result.push_back(*item);
  }
  return result;
}

}  // namespace wave::frontend
