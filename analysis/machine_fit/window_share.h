// What a benchmark of streams prints for a message, and the gap between two of them. OSU's send a window of messages
// and wait for an answer (`main` of osu_bw.c, `calc_bw` of osu_mbw_mr.c), and divide the time of all that by the
// messages. So a message's whole way and that of the answer are in it, once in a window of W:
//
//   printed = ((W - 1) gap + total + answer) / W
//
// Where messages are small, that is a tenth or a half of it. What is printed has the noise: a gap is as uncertain as
// gap + rest.
#pragma once

#include <algorithm>

namespace wave::analysis::machine_fit {

inline constexpr double answer_size = 4;  // bytes

struct WindowShare {
  double factor = 1, rest = 0;  // us; of a time that is a gap, nothing is taken off

  WindowShare() = default;
  // A window of at least two messages. The times of a single message, and of an answer.
  WindowShare(int window, double total, double answer)
      : factor(static_cast<double>(window) / (window - 1)), rest((total + answer) / (window - 1)) {}

  // Positive: noise may make the rest larger than the time, and then a small part of it is left.
  double gap_of(double printed) const { return std::max(factor * printed - rest, 0.01 * printed); }
  double printed_of(double gap) const { return (gap + rest) / factor; }
};

}  // namespace wave::analysis::machine_fit
