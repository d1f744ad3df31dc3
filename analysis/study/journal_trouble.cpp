// See journal_trouble.h.
#include "analysis/study/journal_trouble.h"

#include <fmt/format.h>

#include <utility>

namespace wave::analysis {

using frontend::DiagnosticKind;

frontend::Diagnostic& report(const std::string& path, const JournalTrouble& trouble,
                             frontend::Diagnostics& diagnostics) {
  const auto say = [&](DiagnosticKind kind, std::string message) -> frontend::Diagnostic& {
    return diagnostics.add(kind, {}, std::move(message));
  };
  switch (trouble.kind) {
    case JournalTrouble::Kind::cannot_read:
      return say(DiagnosticKind::cannot_read, fmt::format("cannot read `{}`: {}", path, trouble.text));
    case JournalTrouble::Kind::cannot_write:
      return say(DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", path));
    case JournalTrouble::Kind::in_use:
      return say(DiagnosticKind::study_in_use, fmt::format("another program is writing to `{}`", path));
    case JournalTrouble::Kind::already_there:
      return say(DiagnosticKind::study_under_way, fmt::format("`{}` holds what an interrupted run has found", path));
    case JournalTrouble::Kind::not_a_journal: {
      auto& d = say(DiagnosticKind::no_study_results, fmt::format("`{}` holds no results of a study", path));
      if (!trouble.text.empty()) d.notes.push_back(trouble.text);
      return d;
    }
    case JournalTrouble::Kind::other_study: {
      auto& d = say(DiagnosticKind::other_study, fmt::format("`{}` holds results of another study", path));
      d.notes.insert(d.notes.end(), trouble.differences.begin(), trouble.differences.end());
      return d;
    }
    case JournalTrouble::Kind::other_part:
      return say(DiagnosticKind::other_study, fmt::format("`{}` holds another part of the study", path));
  }
  return say(DiagnosticKind::cannot_read, fmt::format("cannot read `{}`", path));
}

}  // namespace wave::analysis
