// The words of a model's text: names, and formulas by these names.
#pragma once

#include "analysis/inferred/explain.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace wave::analysis::inferred {

std::string number_text(double value);

// Names that the text has, or that it gives a meaning to.
class Taken {
 public:
  Taken();
  // The name itself, or with a number behind it.
  std::string take(const std::string& wanted);
  bool has(const std::string& name) const { return names_.count(name) > 0; }

 private:
  std::set<std::string> names_;
};

// What is used is remembered: functions for parts, tables, constants.
class FormulaText {
 public:
  FormulaText(const Structure& structure, const Runs& runs, const Formulas& formulas,
              const std::vector<std::string>& given_extents);

  const Structure& structure() const { return structure_; }
  const Runs& runs() const { return runs_; }
  const Formulas& formulas() const { return formulas_; }
  const std::vector<std::string>& given_extents() const { return given_extents_; }
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }
  const std::vector<std::string>& axis_names() const { return axis_names_; }
  const std::vector<std::string>& extent_names() const { return extent_names_; }
  const RankGrid& grid() const { return structure_.runs[structure_.base]->grid; }
  std::size_t axes() const { return grid().extents.size(); }

  std::vector<std::size_t> matched_runs() const;
  std::string bytes_text(const Formula& formula);
  std::string rounds_text(const Formula& formula);

 protected:
  void name_parameters();
  void name_axes();
  // Extents that the runs' parameters give keep their names. Otherwise there is a parameter for all ranks, and extents
  // follow from it by a rule that holds in all runs, if there is one.
  void name_extents();
  template <class Holds>
  bool for_all_grids(const Holds& holds) const {
    return std::all_of(structure_.runs.begin(), structure_.runs.end(),
                       [&](const auto& run) { return !run || holds(run->grid); });
  }
  // The extents that MPI_Dims_create gives, in some order of the axes.
  void find_extent_rules();
  // As `std.decomposition` has them: the grid whose extents differ least, the largest first.
  static std::vector<std::int64_t> balanced_extents(std::int64_t ranks, std::size_t axes);
  std::string all_ranks_text() const;
  std::string ranks_text() const;
  std::string atom_text(const Atom& atom);
  // The variable of the loop around, which has one now.
  std::string turn_name();
  std::string lines_text(const Atom& atom);
  // The function that deals a parameter to the processes along an axis.
  std::string part_name(const Atom& atom);
  std::string product_text(const std::vector<std::size_t>& atoms, const std::string& between);
  // A number of rounds that is the same in all runs: a parameter of the runs that is it in all of them, or one of the
  // model where it is more than a few.
  std::string constant(double value);
  // The place of a process among all, from 1.
  std::string rank_text();
  std::string rank_formula() const;
  // What was seen on all ranks of a run alike is a list by run.
  std::string table_text(const std::vector<std::vector<double>>& seen, const std::string& rank);
  std::string size_text(const Amount& amount);

  const Structure& structure_;
  const Runs& runs_;
  const Formulas& formulas_;
  const std::vector<std::string>& given_extents_;

  Taken taken_;
  std::vector<std::string> parameter_names_, axis_names_, extent_names_;
  std::string ranks_name_;                 // of a parameter beside the extents; empty: there is none
  std::vector<std::string> extent_rules_;  // by axis, in terms of that; empty: none is known
  std::map<std::tuple<std::size_t, std::size_t, bool>, std::string> parts_;
  std::map<double, std::string> constants_;
  std::map<std::string, std::string> tables_;  // names by text
  bool uses_rank_ = false, uses_ranks_ = false, uses_faces_ = false, uses_lines_ = false;
  struct Turns {
    std::string text;  // how many
    bool is_used;
  };
  std::vector<Turns> turns_;  // of the loops around what is written
};

}  // namespace wave::analysis::inferred
