// `wave fit` of times that several pairs of processes took at once: what they share.
#include "analysis/machine_fit/interface_text.h"
#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_tables.h"
#include "analysis/machine_fit/replay.h"
#include "cli/results.h"
#include "cli/verbs/fit.h"

namespace wave::cli {

namespace fit = analysis::machine_fit;

std::optional<std::string> fit_interfaces(const Fitting& command, const fit::Timings& timings,
                                          const fit::Provenance& provenance, const frontend::Sources& sources,
                                          Console& console) {
  frontend::Diagnostics diagnostics;
  const auto found = fit::fit_interfaces(timings, diagnostics);
  if (!console.report(sources, diagnostics) || !found) return std::nullopt;
  std::string text = fit::interface_text(*found, provenance);
  const fit::Replay replay = fit::replay({text, provenance.name}, *found, timings);
  std::vector<std::string> remarks = timings.remarks;
  remarks.insert(remarks.end(), replay.notes.begin(), replay.notes.end());
  Results results;
  results.file = command.files[1];
  results.add(fit::classes_table(*found));
  results.add(fit::parameters_table(*found));
  if (!replay.times.empty()) results.add(fit::replay_table(replay));
  if (!found->wild.empty()) results.add(fit::set_aside_table(found->wild, sources));
  results.add(fit::notes_table(found->notes, remarks));
  if (console.client()) results.add(fit::machine_table(command.files.front(), text));
  write_document(document_of(results), command.of_model.format, "", console);
  return text;
}

}  // namespace wave::cli
