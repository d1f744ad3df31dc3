// Describes the times of messages over their sizes by straight lines, t = a + b s, one for each protocol. A criterion
// decides how many lines there are, and where one ends and the next begins.
//
// Noise is assumed to be a fraction of the time or, if asked for, a time. It is the same for all segments unless their
// residuals refute that. A wild value costs a bounded amount (robust.h), so that it neither bends a line nor gets a
// segment of its own. docs/fit-a-machine.md has the method.
#pragma once

#include "analysis/machine_fit/window_share.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// Bytes and microseconds.
struct TimedSize {
  double size = 0;
  double time = 0;
  double resolution = 0;  // half a unit of the last digit that was printed
  frontend::Location location = {};
  WindowShare share = {};  // of a time of a stream: what was printed
};

struct Line {
  double at_zero = 0;   // us
  double per_byte = 0;  // us/B
  double at(double size) const { return at_zero + per_byte * size; }
};

struct Segment {
  std::size_t begin = 0, end = 0;  // of the points, by size
  Line line;
  // The errors of the two numbers of the line. What came out negative and was set to zero has no such bound.
  Line standard_error;
  double covariance = 0;                         // us^2/B
  Line lower, upper;                             // the ends of the intervals
  std::vector<std::size_t> used;                 // points that the line is fitted to
  std::vector<std::size_t> outliers;             // too far off to be noise, so left out
  std::vector<std::size_t> ambiguous;            // might as well belong to a neighbour, so left out
  bool short_of_points = false;                  // ambiguous points are used after all, since there are too few others
  bool flat = false;                             // the slope would be negative, so it is 0
  bool through_zero = false;                     // of the first one: its time at size 0 would be negative, so it is 0
  double rms = 0, largest = 0;                   // relative residuals of the points used
  double squares = 0;                            // sum of squares of their residuals, weighted as the noise is
  double deviation = 0, degrees_of_freedom = 0;  // of the noise that the errors are made with

  // The variance of the line at a size.
  double variance_at(double size) const {
    return standard_error.at_zero * standard_error.at_zero + 2 * size * covariance +
           size * size * standard_error.per_byte * standard_error.per_byte;
  }
};

// Where one segment ends and the next begins.
struct Threshold {
  double below = 0, above = 0;     // neighbouring measured sizes, between which it most likely lies
  double lowest = 0, highest = 0;  // measured sizes between which it lies with the probability asked for
};

struct Segmentation {
  std::vector<Segment> segments;
  std::vector<Threshold> thresholds;  // one fewer than segments
  double deviation = 0;               // of the noise, relative to the time, or in us
  double degrees_of_freedom = 0;
  std::vector<double> criterion;  // for 1, 2, ... segments; the lowest one was chosen
};

// Whether the noise is a fixed fraction of the time, or a fixed time.
enum class Noise { of_time, constant };

struct SegmentOptions {
  Noise noise = Noise::of_time;
  double probability = 0.95;  // of intervals
  std::size_t most_segments = 6;
  bool keep_outliers = false;           // use plain least squares
  std::optional<std::size_t> segments;  // so many, whatever the criterion says
};

inline constexpr std::size_t fewest_sizes = 3;  // of a segment

// The points are in the order of their sizes, and their times are positive. Nothing if there are fewer than three
// different sizes for each segment.
std::optional<Segmentation> find_segments(const std::vector<TimedSize>& points, const SegmentOptions& options = {});

}  // namespace wave::analysis::machine_fit
