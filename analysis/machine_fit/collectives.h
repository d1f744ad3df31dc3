// How long a collective operation takes, over the number n of processes and the data s of one: t = (a1 f(n) + a0) + (b1
// h(n) + b0) s, the form of Xu and Hwang (CENG 95-15, Tables 5 and 6). f is a logarithm (to base 2) or n, h one of
// these or a power of n. Which of the terms there are is chosen by the same criterion as the number of segments.
#pragma once

#include "analysis/machine_fit/machine_fit.h"

namespace wave::analysis::machine_fit {

// Nothing, with a diagnostic, if there is too little data: fewer than three numbers of processes.
std::optional<CollectiveFit> fit_collective(const Series& series, double probability,
                                            frontend::Diagnostics& diagnostics);

// In us, for more than one process.
double time_of(const CollectiveFit& fit, double processes, double size);

}  // namespace wave::analysis::machine_fit
