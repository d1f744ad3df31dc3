// `wave merge`: the parts of a divided study become what an undivided one would have written.
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/studies/column_files.h"
#include "cli/studies/reduced_results.h"
#include "cli/studies/study_results.h"
#include "cli/verb.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace wave::cli {
namespace {

using analysis::Journal;
using analysis::PointSet;
using frontend::DiagnosticKind;

struct MergeCommand {
  std::vector<std::string> parts;
  std::string output;  // empty: standard output
  PointForm form;
};

void declare(CLI::App& verb, MergeCommand& command, CommonOptions& common) {
  add_rest(verb, "PART", command.parts, "Parts that `wave sweep --shard` has written").required();
  auto endings = endings_of_results();
  endings.emplace_back(".part");  // of a study that is reduced, between two passes
  add_file(verb, "-o,--out,--output", command.output, endings,
           "Into this file: results.csv, .jsonl, .json, or the folder results/ (default: standard output)",
           HeldBy::format);
  add_format_of_points(verb, command.form);
  add_limits(verb, common, TimeLimit::none);
}

using StudyParts = std::vector<std::unique_ptr<Journal>>;

constexpr std::size_t most_ranges = 5;
constexpr std::uint64_t most_parts_named = 20;

std::optional<StudyParts> open_parts(const MergeCommand& command, Console& console) {
  StudyParts parts;
  bool is_clear = true;
  for (const auto& path : command.parts) {
    auto opened = Journal::open_part(path);
    if (const auto* trouble = std::get_if<analysis::JournalTrouble>(&opened)) {
      report(console, path, *trouble);
      is_clear = false;
      continue;
    }
    parts.push_back(std::move(std::get<std::unique_ptr<Journal>>(opened)));
  }
  return is_clear ? std::optional(std::move(parts)) : std::nullopt;
}

// "3 to 17, 20 and 2 more ranges", counted from 1.
std::string points_text(const PointSet& points) {
  const auto ranges = points.ranges();
  std::string text;
  for (std::size_t i = 0; i < ranges.size() && i < most_ranges; ++i) {
    const auto [begin, end] = ranges[i];
    text += fmt::format("{}{}", i > 0 ? ", " : "", grouped(begin + 1));
    if (end > begin + 1) text += fmt::format(" to {}", grouped(end));
  }
  if (ranges.size() > most_ranges) text += fmt::format(" and {} more ranges", grouped(ranges.size() - most_ranges));
  return text;
}

std::string part_text(const Journal& part) {
  return part.shard().count == 1
             ? fmt::format("`{}`", part.path())
             : fmt::format("`{}`, part {} of {},", part.path(), part.shard().index, part.shard().count);
}

// Parts of one study, each of whose points is in one of them.
void check_parts(const StudyParts& parts, frontend::Diagnostics& diagnostics) {
  const Journal& first = *parts.front();
  for (const auto& part : parts) {
    if (part->id() == first.id()) continue;
    auto& d = diagnostics.add(DiagnosticKind::parts_do_not_fit, {},
                              fmt::format("`{}` is of another study than `{}`", part->path(), first.path()));
    for (const auto& difference : differences(first.study(), part->study())) d.notes.push_back(difference);
  }
  if (diagnostics.has_errors()) return;
  PointSet all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Journal& part = *parts[i];
    for (const auto& range : part.done().ranges()) {
      if (!all.overlaps(range)) continue;
      std::size_t other = 0;
      const auto holds_some = [&](const Journal& one) {
        for (const auto& theirs : part.done().ranges()) {
          if (one.done().overlaps(theirs)) return true;
        }
        return false;
      };
      while (other < i && !holds_some(*parts[other])) ++other;
      auto& d = diagnostics.add(DiagnosticKind::parts_do_not_fit, {},
                                fmt::format("`{}` and `{}` hold the same points", parts[other]->path(), part.path()));
      d.help.push_back("give every part once");
      break;
    }
    for (const auto& range : part.done().ranges()) all.add(range);
    const PointSet open = part.open_points();
    if (open.empty()) continue;
    auto& d = diagnostics.add(DiagnosticKind::parts_do_not_fit, {},
                              fmt::format("{} is not finished: {} of its points {}", part_text(part),
                                          grouped(open.count()), open.count() == 1 ? "is missing" : "are missing"));
    if (part.damaged_bytes() > 0)
      d.notes.push_back(fmt::format("{} bytes of it are damaged or cut short", grouped(part.damaged_bytes())));
    d.help.push_back("the command that began it goes on with `--resume`");
  }
  if (diagnostics.has_errors()) return;
  const PointSet missing = PointSet({0, first.study().points}).without(all);
  if (missing.empty()) return;
  auto& d = diagnostics.add(
      DiagnosticKind::parts_do_not_fit, {},
      fmt::format("{} of {} points are in none of the parts", grouped(missing.count()), grouped(first.study().points)));
  std::string absent;
  std::uint64_t absent_parts = 0;
  for (std::uint32_t index = 1; index <= first.shard().count; ++index) {
    const auto is_it = [&](const auto& part) { return part->shard() == analysis::Shard{index, first.shard().count}; };
    if (std::any_of(parts.begin(), parts.end(), is_it)) continue;
    if (++absent_parts <= most_parts_named) absent += fmt::format("{}{}", absent.empty() ? "" : ", ", index);
  }
  if (absent_parts > most_parts_named) absent += fmt::format(", and {} more", grouped(absent_parts - most_parts_named));
  const bool are_alike = std::all_of(parts.begin(), parts.end(),
                                     [&](const auto& part) { return part->shard().count == first.shard().count; });
  if (are_alike && !absent.empty())
    d.notes.push_back(fmt::format("of {} parts there are none for: {}", first.shard().count, absent));
  else
    d.notes.push_back(fmt::format("the points {}", points_text(missing)));
}

// States become one. Exact quantiles need a second pass, which goes on from that.
int merge_reduced(const MergeCommand& command, const std::vector<const Journal*>& parts, Console& console) {
  const auto whole = merged_parts(parts, console);
  if (!whole) return failure;
  if (is_part_name(command.output)) return write_part(console, *whole, command.output);
  if (whole->needs_another_pass()) {
    return report_without_location(
        console, DiagnosticKind::parts_do_not_fit, "exact quantiles take another pass over the points",
        "`wave merge … -o first.part`, then each `--shard` again with `--after first.part`, and merge these");
  }
  return deliver_reduced(console, *whole, command.output, format_for(command.output, command.form.format));
}

int execute(const MergeCommand& given, const CommonOptions&, Console& console) {
  MergeCommand command = given;
  choose_folder(command.output, command.form);
  if (command.form.as_columns && command.output.empty())
    return report_misuse(console, "columns are files in a folder", "name it: `-o results/`");
  watch_given_limit();  // there is no model
  for (const auto& path : command.parts) {
    if (frontend::written_files().contains(path)) {
      return report_misuse(console, fmt::format("`{}` is read, and cannot be written to", path),
                           "name another file for the results");
    }
  }
  const auto parts = open_parts(command, console);
  if (!parts) return failure;
  frontend::Diagnostics diagnostics;
  check_parts(*parts, diagnostics);
  if (!console.report({}, diagnostics)) return failure;
  std::vector<const Journal*> journals;
  for (const auto& part : *parts) journals.push_back(part.get());
  const bool is_reduced = !journals.front()->study().reductions.empty();
  if (is_reduced && command.form.as_columns)
    return report_misuse(console, "what a study is reduced to is no folder of columns", "`-o best.csv`, say");
  if (is_reduced) return merge_reduced(command, journals, console);
  if (is_part_name(command.output))
    return report_misuse(console, "only parts of a study that is reduced become a part", "`--out results.csv`, say");
  const auto& study = parts->front()->study();
  const auto failed = command.form.as_columns ? deliver_columns(console, study, chunks_of(journals), command.output)
                                              : deliver(console, study, chunks_of(journals), command.output,
                                                        format_for(command.output, command.form.format), false);
  return failed && *failed == 0 ? success : failure;
}

}  // namespace

Verb merge_verb() {
  return make_verb<MergeCommand>(
      "merge", "Put the parts of a divided study together",
      {{"Compute a study in two halves",
        "for i in 1 2; do wave sweep examples/halo/halo.wave --vary \"n=1..8\" --shard $i/2 -o $i.part; done"},
       {"Put them together", "wave merge 1.part 2.part -o all.csv"}},
      declare, execute);
}

}  // namespace wave::cli
