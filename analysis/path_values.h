// Critical paths as values of the system: the sums of their weights, each as the program gives it at the place, the
// tile and the loop variables where it was seen. As long as a path stays the longest, such a value changes as the time
// does.
#pragma once

#include "backend/processes/path/critical.h"
#include "ir/builder.h"

#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace wave::analysis {

class PathValues {
 public:
  using Terms = std::vector<const backend::processes::PathTerm*>;

  // `system` must outlive the object, and is added to.
  explicit PathValues(ir::System& system) : b_(system), binders_(system) {}

  // The sum of the weights that the program gives; `others` are the terms that are in it as constants: what is of too
  // many weights, and messages whose size only their sender gives.
  struct Sum {
    ir::ValueId value;
    Terms others;          // not in the value
    Terms of_fixed_sizes;  // in it
  };
  Sum sum_of(const std::vector<backend::processes::PathTerm>& terms);
  // What the program gives for a term: of a step of a message, in the frame of its machine. Not valid: nothing.
  ir::ValueId weight_of(const backend::processes::PathTerm& term) const;

 private:
  ir::ValueId sum_of_alike(const Terms& terms);
  ir::ValueId weight(const Terms& terms, ir::ValueId row, ir::ValueId looks_at);
  // What it is for each of them: row by row.
  template <class Column>
  ir::ValueId column(const Terms& terms, ir::ValueId row, const Column& value);
  ir::ValueId integer_column(const Terms& terms, ir::ValueId row,
                             const std::function<double(const backend::processes::PathTerm&)>& value);

  ir::Builder b_;
  const ir::FreeBinders binders_;
};

}  // namespace wave::analysis
