// The normal distribution, in operations that give the same bits on every machine: no function of the C library is
// asked.
#pragma once

namespace wave::analysis {

// The z below which a standard normal number lies with this probability, 0 < p < 1; to about 1e-15 of its size. By
// Wichura's rational functions ("Algorithm AS 241: The percentage points of the normal distribution", Applied
// Statistics 37, 1988).
double normal_quantile(double p);

}  // namespace wave::analysis
