// See infer.h.
#include "analysis/inferred/infer.h"

#include "analysis/inferred/model_text.h"
#include "analysis/inferred/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

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

// A model of some runs.
struct Made {
  ModelText model;
  std::vector<std::size_t> runs;  // that it is of, among those given
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

std::vector<Run> chosen(const std::vector<Run>& runs, const std::vector<std::size_t>& which) {
  std::vector<Run> result;
  for (const std::size_t run : which) result.push_back(runs[run]);
  return result;
}

// Of the runs that the structure has.
Made make(const std::string& name, const std::vector<Run>& runs, const Names& names, Sizes sizes) {
  Made made;
  const FoundStructure found = structure_of(runs, sizes);
  if (!found.structure) {
    made.trouble = fmt::format("{}: {}", runs[found.none.run].name, found.none.reason);
    return made;
  }
  const Structure& structure = *found.structure;
  const std::vector<std::string> extents = given_extents(structure, runs);
  Formulas formulas(free_parameters(structure, runs, extents), extents.size(), places_of(structure, runs));
  const Explained explained = explain(structure, formulas);
  made.unexplained = unexplained_of(explained);
  made.model = write_model(name, structure, runs, names, formulas, explained, extents);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (structure.runs[run]) made.runs.push_back(run);
  }
  return made;
}

// The same, of the runs that do call by call what the model says. The others are left out and it is made again.
Made make_exact(const std::string& name, const std::vector<Run>& all, const Names& names, Sizes sizes) {
  std::vector<std::size_t> left(all.size());
  std::iota(left.begin(), left.end(), 0);
  std::string trouble;
  while (!left.empty()) {
    Made made = make(name, chosen(all, left), names, sizes);
    if (!made.is_there()) break;
    const std::string text = module_of({&made.model});
    std::vector<std::size_t> exact;
    for (const std::size_t run : made.runs) {
      const std::string other = difference(text, made.model.given[run], all[left[run]], names);
      if (other.empty()) exact.push_back(left[run]);
      else if (trouble.empty()) trouble = fmt::format("{}: {}", all[left[run]].name, other);
    }
    if (exact.size() == made.runs.size()) {
      // What is said by run is by the numbers of the caller.
      std::vector<std::vector<std::string>> given(all.size());
      for (const std::size_t run : made.runs) given[left[run]] = made.model.given[run];
      made.model.given = std::move(given);
      made.runs = std::move(exact);
      made.trouble = trouble;
      return made;
    }
    if (exact.empty()) {  // the others may be another program
      std::vector<std::size_t> others;
      for (std::size_t run = 0; run < left.size(); ++run) {
        if (std::find(made.runs.begin(), made.runs.end(), run) == made.runs.end()) others.push_back(left[run]);
      }
      exact = std::move(others);
    }
    left = std::move(exact);
  }
  Made none;
  none.trouble = trouble;
  return none;
}

// Calls of different sizes are different ones, unless sizes are found to follow from turns of loops: then the model has
// more runs, less that no formula explains, or is shorter. They are looked at where something is left to explain.
Made make(const std::string& name, const std::vector<Run>& runs, const Names& names) {
  Made apart = make_exact(name, runs, names, Sizes::apart);
  if (apart.runs.size() == runs.size() && apart.unexplained.tables == 0) return apart;
  Made together = make_exact(name, runs, names, Sizes::together);
  const auto key = [&](const Made& made) {
    return std::tuple(!made.is_there(), made.unexplained.varying, runs.size() - made.runs.size(),
                      made.unexplained.tables, made.model.text.size());
  };
  return key(together) < key(apart) ? std::move(together) : std::move(apart);
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
  result.runs.resize(runs.size());
  std::vector<Made> all;
  std::vector<std::vector<std::size_t>> of_model;  // runs
  std::vector<std::size_t> left(runs.size());
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty() && all.size() < most_models) {
    const std::string own = all.empty() ? name : fmt::format("{}_{}", name, all.size() + 1);
    Made made = make(own, chosen(runs, left), names);
    for (std::size_t& run : made.runs) run = left[run];
    if (!made.is_there()) {
      for (const std::size_t run : left) result.runs[run].trouble = made.trouble;
      break;
    }
    for (const std::size_t run : made.runs) {
      const auto place = std::find(left.begin(), left.end(), run) - left.begin();
      result.runs[run].model = own;
      result.runs[run].given = made.model.given[static_cast<std::size_t>(place)];
    }
    left.erase(std::remove_if(left.begin(), left.end(), [&](std::size_t run) { return !result.runs[run].model.empty(); }),
               left.end());
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
      result.doubts.push_back(all.size() == 1 ? doubt : fmt::format("{} in {}", doubt, result.models[texts.size() - 1]));
  }
  result.text = module_of(texts);
  result.lines = lines_of(result.text);
  for (const Made& made : all) {
    for (const std::size_t run : made.runs) {
      if (!does_leave_out || made.runs.size() < least_runs) continue;
      begin_part();
      std::vector<std::size_t> others = made.runs;
      others.erase(std::find(others.begin(), others.end(), run));
      const Made without = make(name, chosen(runs, others), names);
      RunCheck& check = result.runs[run];
      check.was_left_out = true;
      check.difference = !without.is_there()
                             ? without.trouble
                             : difference(module_of({&without.model}), check.given, runs[run], names);
    }
  }
  return result;
}

}  // namespace wave::analysis::inferred
