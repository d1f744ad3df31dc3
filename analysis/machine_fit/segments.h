// Times of messages over their sizes as straight lines, t = a + b s, one for each protocol: where one line ends and the
// next begins is found by a criterion, and so is how many there are.
//
// Noise is taken to be a fraction of the time, or if asked for a time: the same for all segments, unless their
// residuals refute that. Single wild values cost a bounded amount, so that a line is not bent by them and no segment is
// made for them. docs/fit-a-machine.md has the method.
#pragma once

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
};

struct Line {
  double at_zero = 0;   // us
  double per_byte = 0;  // us/B
  double at(double size) const { return at_zero + per_byte * size; }
};

struct Segment {
  std::size_t begin = 0, end = 0;  // of the points, by size
  Line line;
  // Of the line's two numbers. Not a bound where a slope came out negative and was set to zero.
  Line standard_error;
  double covariance = 0;                         // us^2/B
  Line lower, upper;                             // the ends of the intervals
  std::vector<std::size_t> used;                 // points that the line is fitted to
  std::vector<std::size_t> outliers;             // too far off to be noise: left out
  std::vector<std::size_t> ambiguous;            // may as well belong to a neighbour: left out
  bool short_of_points = false;                  // ambiguous ones are used all the same, there are too few others
  bool flat = false;                             // the slope would be negative, so it is 0
  double rms = 0, largest = 0;                   // relative residuals of the points used
  double squares = 0;                            // of their residuals, as the noise counts
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
  std::vector<Threshold> thresholds;  // one fewer
  double deviation = 0;               // of the noise, relative to the time, or in us
  double degrees_of_freedom = 0;
  std::vector<double> criterion;  // of 1, 2, ... segments; the least one was chosen
};

// What the noise is the same fraction of everywhere.
enum class Noise { of_time, constant };

struct SegmentOptions {
  Noise noise = Noise::of_time;
  double probability = 0.95;  // of intervals
  std::size_t most_segments = 6;
  bool keep_outliers = false;           // plain least squares
  std::optional<std::size_t> segments;  // that many, whatever the criterion says
};

inline constexpr std::size_t fewest_sizes = 3;  // of a segment

// The points are by ascending size, their times positive. Nothing where there are fewer than three different sizes a
// segment.
std::optional<Segmentation> find_segments(const std::vector<TimedSize>& points, const SegmentOptions& options = {});

}  // namespace wave::analysis::machine_fit
