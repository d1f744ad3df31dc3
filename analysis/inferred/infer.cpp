// See infer.h.
#include "analysis/inferred/infer.h"

#include "analysis/inferred/model_text.h"
#include "analysis/inferred/verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::analysis::inferred {

namespace {

// Parameters that all runs of the structure have, but for those that are extents of the grid.
std::vector<std::string> free_parameters(const Structure& structure, const std::vector<Run>& runs,
                                         const std::vector<std::string>& extents) {
  std::vector<std::string> common;
  for (const auto& [name, value] : runs[structure.base].parameters) {
    bool have_all = std::find(extents.begin(), extents.end(), name) == extents.end();
    for (std::size_t run = 0; run < runs.size(); ++run)
      have_all = have_all && (!structure.runs[run] || runs[run].parameters.count(name) > 0);
    if (have_all) common.push_back(name);
  }
  return common;
}

// A model, with the structure that it is of.
struct Made {
  FoundStructure found;
  ModelText model;
};
Made make(const std::string& name, const std::vector<Run>& runs, const Names& names) {
  Made made{structure_of(runs), {}};
  if (!made.found.structure) return made;
  const Structure& structure = *made.found.structure;
  const std::vector<std::string> extents = given_extents(structure, runs);
  Formulas formulas(free_parameters(structure, runs, extents), extents.size(), places_of(structure, runs));
  const Explained explained = explain(structure, formulas);
  made.model = write_model(name, structure, runs, names, formulas, explained, extents);
  return made;
}

// Lines of a model that say something.
std::size_t lines_of(const std::string& text) {
  std::size_t lines = 0;
  const std::string model = text.substr(0, text.find("\ntest \""));
  for (std::size_t at = 0; at < model.size();) {
    const std::size_t end = std::min(model.find('\n', at), model.size());
    const std::size_t first = model.find_first_not_of(' ', at);
    lines += first < end && model.compare(first, 2, "//") != 0;
    at = end + 1;
  }
  return lines;
}

}  // namespace

Inferred infer(const std::string& name, const std::vector<Run>& runs, const Names& names, bool leaves_out,
               const Progress& progress) {
  constexpr std::size_t least_runs = 3;
  const bool does_leave_out = leaves_out && runs.size() >= least_runs;
  const std::size_t parts = 1 + runs.size() * (does_leave_out ? 2 : 1);
  std::size_t part = 0;
  const auto begin_part = [&] {
    if (progress) progress(part, parts);
    ++part;
  };
  begin_part();
  Inferred result;
  const Made made = make(name, runs, names);
  if (!made.found.structure) {
    result.refusal = fmt::format("{}: {}", runs[made.found.none.run].name, made.found.none.reason);
    return result;
  }
  result.text = made.model.text;
  result.lines = lines_of(result.text);
  result.tables = made.model.tables;
  result.doubts = made.model.doubts;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    begin_part();
    RunCheck check{made.found.structure->runs[run].has_value(), made.model.given[run], "", false, ""};
    if (check.is_in_model) check.difference = difference(result.text, check.given, runs[run], names);
    result.runs.push_back(std::move(check));
  }
  for (std::size_t run = 0; run < runs.size() && does_leave_out; ++run) {
    begin_part();
    RunCheck& check = result.runs[run];
    if (!check.is_in_model) continue;
    std::vector<Run> others;
    for (std::size_t other = 0; other < runs.size(); ++other) {
      if (other != run && result.runs[other].is_in_model) others.push_back(runs[other]);
    }
    if (others.empty()) continue;
    const Made without = make(name, others, names);
    check.was_left_out = true;
    if (!without.found.structure) check.difference_left_out = without.found.none.reason;
    else check.difference_left_out = difference(without.model.text, check.given, runs[run], names);
  }
  return result;
}

}  // namespace wave::analysis::inferred
