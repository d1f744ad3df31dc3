// See infer.h.
#include "analysis/inferred/infer.h"

#include "analysis/inferred/model_text.h"
#include "analysis/inferred/verify.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace wave::analysis::inferred {

namespace {

// Parameters that all runs of the structure have, but for those that are extents of the grid.
std::vector<std::string> free_parameters(const Structure& structure, const Runs& runs,
                                         const std::vector<std::string>& extents) {
  std::vector<std::string> common;
  for (const auto& [name, value] : runs[structure.base]->parameters) {
    bool have_all = std::find(extents.begin(), extents.end(), name) == extents.end();
    for (std::size_t run = 0; run < runs.size(); ++run)
      have_all = have_all && (!structure.runs[run] || runs[run]->parameters.count(name) > 0);
    if (have_all) common.push_back(name);
  }
  return common;
}

// A model of some runs.
struct Made {
  ModelText model;
  std::vector<std::size_t> runs;  // that it is of, among those given
  std::vector<RankGrid> grids;    // of these
  Unexplained unexplained;
  std::string trouble;  // why there is none, or why one of the runs given is not in it
  bool is_there() const { return !runs.empty(); }
};

std::string module_of(const std::vector<const ModelText*>& models) {
  std::set<std::string> imports;
  for (const ModelText* const model : models) imports.insert(model->imports.begin(), model->imports.end());
  std::string text = "wave 1\n";
  for (const std::string& one : imports) text += "import " + one + "\n";
  for (const ModelText* const model : models) text += "\n" + model->text;
  text += "\ntest \"as many messages and bytes as in the recordings\" {\n";
  for (const ModelText* const model : models) text += model->tests;
  return text + "}\n";
}

Runs chosen(const Runs& runs, const std::vector<std::size_t>& which) {
  Runs result;
  for (const std::size_t run : which) result.push_back(runs[run]);
  return result;
}

// Of the runs that the structure has.
Made make(const std::string& name, const Runs& runs, const Names& names, Sizes sizes, Budget& budget) {
  Made made;
  const FoundStructure found = structure_of(runs, sizes, budget);
  if (!found.structure) {
    made.trouble = fmt::format("{}: {}", runs[found.none.run]->name,
                               found.none.reason.empty() ? "there is no grid for its ranks" : found.none.reason);
    return made;
  }
  const Structure& structure = *found.structure;
  const std::vector<std::string> extents = given_extents(structure, runs);
  Formulas formulas(free_parameters(structure, runs, extents), extents.size(), places_of(structure, runs));
  const Explained explained = explain(structure, formulas);
  made.unexplained = unexplained_of(explained);
  made.model = write_model(name, structure, runs, names, formulas, explained, extents);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!structure.runs[run]) continue;
    made.runs.push_back(run);
    made.grids.push_back(structure.runs[run]->grid);
  }
  return made;
}

// The same, of the runs that do call by call what the model says. The others are left out and it is made again.
Made make_exact(const std::string& name, const Runs& all, const Names& names, Sizes sizes, Budget& budget) {
  std::vector<std::size_t> left(all.size());
  std::iota(left.begin(), left.end(), 0);
  std::string trouble;
  while (!left.empty()) {
    Made made = make(name, chosen(all, left), names, sizes, budget);
    if (!made.is_there()) {
      if (trouble.empty()) trouble = made.trouble;
      break;
    }
    const std::string text = module_of({&made.model});
    std::vector<std::size_t> exact;
    for (std::size_t k = 0; k < made.runs.size(); ++k) {
      const Run& run = *all[left[made.runs[k]]];
      const std::string other = difference(text, given_of(made.model, run, made.grids[k], k + 1), run, names);
      if (other.empty())
        exact.push_back(left[made.runs[k]]);
      else if (trouble.empty())
        trouble = fmt::format("{}: {}", run.name, other);
    }
    if (exact.size() == made.runs.size()) {
      made.runs = std::move(exact);
      made.trouble = trouble;
      return made;
    }
    if (exact.empty()) {  // the others may be another program
      for (std::size_t run = 0; run < left.size(); ++run) {
        if (std::find(made.runs.begin(), made.runs.end(), run) == made.runs.end()) exact.push_back(left[run]);
      }
    }
    left = std::move(exact);
  }
  Made none;
  none.trouble = trouble;
  return none;
}

// Calls of different sizes are different ones, unless sizes are found to follow from turns of loops: then the model has
// more runs, less that no formula explains, or is shorter. They are looked at where something is left to explain.
Made make(const std::string& name, const Runs& runs, const Names& names, Budget& budget) {
  Made apart = make_exact(name, runs, names, Sizes::apart, budget);
  if (apart.runs.size() == runs.size() && apart.unexplained.tables == 0) return apart;
  Made together = make_exact(name, runs, names, Sizes::together, budget);
  const auto key = [&](const Made& made) {
    return std::tuple(!made.is_there(), made.unexplained.varying, runs.size() - made.runs.size(),
                      made.unexplained.tables, made.model.text.size());
  };
  return key(together) < key(apart) ? std::move(together) : std::move(apart);
}

// A run with a collective that no statement of a model is; nothing: there is none.
std::optional<std::string> unknown_collective(const std::vector<Run>& runs, const Names& names) {
  const auto is_known = [](const std::string& name) {
    return std::find(known_collectives.begin(), known_collectives.end(), name) != known_collectives.end();
  };
  if (names.all_of(is_known)) return std::nullopt;
  for (const Run& run : runs) {
    for (const Calls& calls : run.ranks) {
      const auto found = std::find_if(calls.calls.begin(), calls.calls.end(), [&](const Call& call) {
        return call.kind == recorded::Step::Kind::collective && !is_known(names[call.name]);
      });
      if (found != calls.calls.end())
        return fmt::format("{}: `{}` is no statement of models", run.name, names[found->name]);
    }
  }
  return std::nullopt;
}

}  // namespace

Inferred infer(const std::string& name, const std::vector<Run>& runs, const Names& names, bool leaves_out,
               const Progress& progress) {
  constexpr std::size_t least_runs = 3, most_models = 8;
  const bool does_leave_out = leaves_out && runs.size() >= least_runs;
  const std::size_t parts = 1 + (does_leave_out ? runs.size() : 0);
  std::size_t part = 0;
  const auto begin_part = [&] {
    if (progress) progress(part, parts);
    ++part;
  };
  begin_part();
  Inferred result;
  if (runs.empty()) {
    result.refusal = "there is no run";
    return result;
  }
  if (const auto unknown = unknown_collective(runs, names)) {
    result.refusal = *unknown;
    return result;
  }
  const Runs all_runs = pointers_to(runs);
  result.runs.resize(runs.size());
  Budget budget;
  std::vector<Made> all;
  std::vector<std::size_t> left(runs.size());
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty() && all.size() < most_models) {
    const std::string own = all.empty() ? name : fmt::format("{}_{}", name, all.size() + 1);
    Made made = make(own, chosen(all_runs, left), names, budget);
    for (std::size_t& run : made.runs) run = left[run];
    if (!made.is_there()) {
      for (const std::size_t run : left) result.runs[run].trouble = made.trouble;
      break;
    }
    for (std::size_t k = 0; k < made.runs.size(); ++k) {
      RunCheck& check = result.runs[made.runs[k]];
      check.model = own;
      check.given = given_of(made.model, runs[made.runs[k]], made.grids[k], k + 1);
      check.is_compared = can_be_compared(runs[made.runs[k]]);
    }
    std::erase_if(left, [&](std::size_t run) { return !result.runs[run].model.empty(); });
    result.models.push_back(own);
    all.push_back(std::move(made));
  }
  if (2 * left.size() > runs.size()) {
    result.refusal = result.runs[left.front()].trouble;
    if (!all.empty())
      result.refusal += fmt::format(", and of {} runs no more than {} are of one program or another", runs.size(),
                                    runs.size() - left.size());
    result.runs.clear();
    return result;
  }
  std::vector<const ModelText*> texts;
  for (const Made& made : all) {
    texts.push_back(&made.model);
    result.tables += made.model.tables;
    for (const std::string& doubt : made.model.doubts)
      result.doubts.push_back(all.size() == 1 ? doubt
                                              : fmt::format("{} in {}", doubt, result.models[texts.size() - 1]));
  }
  result.text = module_of(texts);
  std::vector<std::string> others_differ;
  for (const Made& made : all) {
    for (std::size_t k = 0; k < made.runs.size(); ++k) {
      if (!does_leave_out || made.runs.size() < least_runs) continue;
      begin_part();
      const std::size_t run = made.runs[k];
      std::vector<std::size_t> others = made.runs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const Made without = make(name, chosen(all_runs, others), names, budget);
      RunCheck& check = result.runs[run];
      check.was_left_out = true;
      check.difference = !without.is_there()
                             ? without.trouble
                             : difference(module_of({&without.model}),
                                          given_of(without.model, runs[run], made.grids[k], 0), runs[run], names);
      if (!check.difference.empty()) others_differ.push_back(runs[run].name);
    }
  }
  if (!others_differ.empty())
    result.doubts.push_back(
        fmt::format("without {} the model would be another, so that further runs may change it, too",
                    join_texts(others_differ, ", or ")));
  return result;
}

}  // namespace wave::analysis::inferred
