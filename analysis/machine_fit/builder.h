// The steps that make the parameters of a machine from lines. See machine_fit.cpp.
#pragma once

#include "analysis/machine_fit/machine_fit.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <functional>

namespace wave::analysis::machine_fit {

// "1 KiB", "1025 B", "0 B"
std::string size_text(double size);
// "69.1 us ± 0.4 us, with 95 % 68.3 to 69.9 us"
std::string time_text(const Combination& sum, double probability);
// "1.6 %"
std::string percent_text(double share);
// The noise of a segmentation, as "1.6 % of a time" or "0.2 us".
std::string noise_text(const Segmentation& found, Noise noise);

std::vector<TimedSize> points_of(const Series& series);
// Keeps only every k-th of too many points, and notes that in `fit`.
void thin(std::vector<TimedSize>& points, MachineFit& fit);
// The points of a series between two sizes.
std::vector<TimedSize> points_between(const Series& series, double from, double to);

// The gaps between messages of a stream. `total_at`: what a single message takes.
std::vector<TimedSize> gaps_of(const Series& series, const std::function<double(double size)>& total_at);

// "12 sizes, 1 B to 1 KiB"
std::string range_text(const std::vector<TimedSize>& points, const Segment& segment);

// The line of each segment at size 0 is the time of an empty message, a sum of latency and overheads. These sums decide
// which parameters are determined, and their values.
//
// For an eager segment the sum is 2 o_k + L. For a rendezvous segment it is 3 c + 3 L + 2 o, where c is the cost of
// handling a request and o the overhead of the largest eager messages (PPoPP'99, eqs (1)-(4), where c is the overhead
// of the smallest messages). A further rendezvous segment has an overhead of its own.

struct Intercept {
  double value = 0, standard_error = 0;
};

struct Separation {
  std::vector<std::string> names;  // "L", "o_1", ...
  Eigen::VectorXd values;
  Eigen::MatrixXd covariance;
  std::vector<bool> determined;
  bool all_determined = false;
  Eigen::MatrixXd rows;                // for each segment, the factors of the names
  std::vector<std::string> overheads;  // for each segment, the name of its overhead

  bool plausible() const;  // whether all are determined and none is negative
};

// Assumptions name "L" or "o_k", or "o" if there is a single overhead.
Separation separate(const std::vector<Intercept>& intercepts, const std::vector<ProtocolKind>& protocols,
                    const std::vector<Assumption>& assumptions, bool requests_cost_overhead);

// "2 o_1 + L"
std::string sum_of(const Eigen::RowVectorXd& row, const std::vector<std::string>& names);

// The overhead of one end over the sizes of a segment.
struct Overhead {
  Line line;
  double error = 0;  // of the value at size 0
  double error_per_byte = 0;
  double degrees_of_freedom = 0;
  std::vector<TimedSize> used = {};
  double at(double size) const { return line.at(size); }
};

// --- from lines to parameters ---

class Builder {
 public:
  Builder(const Timings& timings, const FitOptions& options, MachineFit& fit, frontend::Diagnostics& diagnostics)
      : timings_(timings), options_(options), fit_(fit), diagnostics_(diagnostics) {}

  // These need the lines of the latency.
  void choose_protocols();
  void set_thresholds();
  void set_byte_times();
  // Also for overheads that were measured.
  void use_overheads();
  // For round trips alone. An impossible assumption is a diagnostic.
  void separate_intercepts();
  void set_gaps();
  // These need all of the above.
  void settle_steps();
  void refuse_negative();
  // A line that is negative at size 0, by more than its error.
  void refuse_line_below_zero(const Segment& first, const std::string& name, const std::vector<TimedSize>& points);
  void set_aside(const std::string& of, const Segmentation& found, const std::vector<TimedSize>& points);

 private:
  std::size_t count() const { return fit_.latency->segments.size(); }
  const Segment& segment(std::size_t k) const { return fit_.latency->segments[k]; }
  // What the lines say of a message.
  double total_at(double size) const;
  // "G" if there is only one segment, and else "G_2".
  std::string numbered(const std::string& name, std::size_t k) const;
  std::string origin(std::size_t k) const;
  MachineParameter& add(MachineParameter parameter);
  // The degrees of freedom are those of the latency unless others are given.
  MachineParameter fitted(std::string name, ParameterUnit dimension, double value, double error, std::string meaning,
                          std::string origin, frontend::Location location,
                          std::optional<double> degrees_of_freedom = {}) const;
  // Of the first time that the line of a segment is fitted to.
  frontend::Location location(std::size_t k) const;
  MachineParameter* find(const std::string& name);
  void begin_at_threshold(MachineParameter& at_zero, MachineParameter& threshold, const Segment& segment) const;
  void refuse(const std::string& name, std::string_view meaning, std::string_view unit, const MachineParameter& found);
  void step_of(std::size_t k, double value, double error);
  // Whether the overheads that were measured in a segment are, on average, more than the time of the whole message.
  bool overheads_contain_waiting(std::size_t k) const;
  Overhead overhead_of(const std::string& of, const std::vector<TimedSize>& points);
  bool fits_rendezvous(std::size_t k, double latency, double overheads) const;
  void all_in_latency(double overhead, bool assumed);
  void widen_to_border(const Separation& found, double factor);
  std::optional<double> assumption(const std::string& name) const;
  // Whether one of the names is assumed.
  bool assumes(const std::vector<std::string>& names) const;
  Separation separate_with_assumptions(const std::vector<Intercept>& intercepts, std::vector<ProtocolKind>& protocols);
  // Keeps what remains of each line if more is assumed than the lines leave open.
  void keep_lines(const Separation& found);
  void note_step(const std::string& sum, double expected, const Segment& segment);
  void refuse_assumptions(std::string message, const std::vector<std::string>& names);

  const Timings& timings_;
  const FitOptions& options_;
  MachineFit& fit_;
  frontend::Diagnostics& diagnostics_;
};

}  // namespace wave::analysis::machine_fit
