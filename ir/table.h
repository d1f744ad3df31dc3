// Reads a table of measured values. Every engine uses this function.
#pragma once

#include "ir/arithmetic.h"
#include "ir/system.h"

namespace wave::ir {

// `keys` has one entry per axis. A key of the table gives its value exactly. Between keys: a straight line
// (linear), a straight line through the logarithms of keys and values (logarithmic), the value of the largest
// key that is not greater (step). With two axes, along the second first. Beyond the ends (and for NaN)
// outside_table, unless the table extends. An exact table has its `otherwise` wherever it has no value.
arithmetic::Result<double> lookup(const Table& table, const double* keys);

}  // namespace wave::ir
