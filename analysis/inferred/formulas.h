// The plainest products of parameters, extents and places that are exactly what was seen.
#pragma once

#include "analysis/inferred/grid.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

// What a formula may be made of.
struct Atom {
  enum class Kind : std::uint8_t {
    parameter,
    extent,    // of an axis
    ranks,     // all
    part,      // of a parameter, dealt to the processes along an axis in whole numbers, the first ones with one more
    inner,     // the same without the first and the last of all
    share,     // of a parameter divided by an extent, rounded down
    faces,     // of a cube of cells on diagonals (std.applications.npb.multipartition), along an axis, up or down
    quotient,  // of two parameters, rounded up
    whole_quotient,
    rest,  // of a parameter divided by another
    rounds,  // the logarithm of an extent, or of all ranks
    turn,       // of the loop around it, from 1
    turn_left,  // so many turns come after it
    power,      // two to the turn
    lines,      // of a cube of cells on diagonals, along an axis through the cell of a stage: up or down
  };
  Kind kind{};
  std::size_t parameter = 0, other = 0;  // of `Numbers::parameters`
  std::size_t axis = 0;                  // `rounds` of all ranks: the number of axes; of `faces` one of three
  std::int64_t more = 0;                 // added; of `faces`: 1 up, 0 down
  double cost = 0;                       // the lower the plainer
};

// Where a formula is asked: a run, and a process of its grid.
struct Where {
  const Parameters* parameters = nullptr;
  const Grid* grid = nullptr;
  std::vector<std::int64_t> place;  // from 0
  std::int64_t turn = 0, turns = 0;  // of the loop around it; 0: none is meant
};

// A factor, and products of atoms above and below the line; a sum with a further number.
struct Formula {
  double factor = 0;
  std::vector<std::size_t> above, below;  // numbers of atoms
  double added = 0;
  double cost = 0;
  friend bool operator==(const Formula&, const Formula&) = default;
};

struct Fit {
  std::optional<Formula> best;
  std::vector<Formula> others;  // that are as exact, and nearly as plain
};

class Formulas {
 public:
  Formulas(std::vector<std::string> parameters, std::size_t axes, std::vector<Where> rows);

  struct Value {
    std::size_t row = 0;
    double value = 0;
  };
  // Of a size in bytes, or of how often a loop turns; the same for all processes of a run, or not.
  enum class What : std::uint8_t { bytes, rounds };
  const Fit& fit(const std::vector<Value>& values, What what, bool is_of_all);
  // A further place to ask at; its number.
  std::size_t add_row(const Where& where);

  double value_of(const Formula& formula, const Where& where) const;
  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  const std::vector<Where>& rows() const { return rows_; }

 private:
  double value_of(const Atom& atom, const Where& where) const;
  void add_atoms(std::size_t axes);
  Fit find(const std::vector<Value>& values, What what, bool is_of_all) const;

  const std::vector<std::string> parameters_;
  std::vector<Where> rows_;
  std::vector<Atom> atoms_;
  std::vector<std::vector<double>> columns_;  // by atom and row; not a number: it has none there
  std::map<std::pair<int, std::vector<std::pair<std::size_t, double>>>, Fit> known_;
};

}  // namespace wave::analysis::inferred
