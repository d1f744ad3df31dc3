// Files of measurements in which numbers are made wild or taken out, and what a fit makes of them.
#pragma once

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/timings.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wave::tests {

// What `wave fit` is given.
struct Measured {
  std::string name;
  analysis::machine_fit::Tool tool = analysis::machine_fit::Tool::csv;
  std::vector<std::string> files;  // their texts
  analysis::machine_fit::ReadOptions options = {};
};

// All files of measurements in the tree that a machine is fitted to.
std::vector<Measured> measured_files();

// A number in a text: digits, perhaps with a point and an exponent.
struct NumberIn {
  std::size_t file = 0, begin = 0, end = 0;
};
std::vector<NumberIn> numbers_in(const Measured& measured);
// Those that are times of a fit, as they are printed.
std::vector<NumberIn> times_in(const Measured& measured);

// The same with one number times a factor, or without it.
Measured scaled(const Measured& measured, const NumberIn& number, double factor);
Measured without(const Measured& measured, const NumberIn& number);

using Line = std::pair<std::size_t, std::uint32_t>;  // of a file, from 1
Line line_of(const Measured& measured, const NumberIn& number);

// The lines whose times, or what they are times of, are others in `damaged`; and the largest share that these are of
// the times of one kind. A number in a heading says what all times below are of.
struct Damage {
  std::set<Line> lines;
  double share = 0;
};
Damage damage_of(const Measured& measured, const Measured& damaged);

// What came of a fit.
struct Fitted {
  std::vector<std::string> errors;  // with their places
  bool errors_are_helpful = true;   // each has a place or names what is missing, and a way on where one is known
  std::optional<analysis::machine_fit::MachineFit> machine;
  std::optional<analysis::machine_fit::InterfaceFit> interfaces;
  std::set<Line> wild;  // lines of what was set aside
  std::string trouble;  // a number that is not finite, or negative; empty: none
  bool found() const { return machine || interfaces; }
};
Fitted fitted(const Measured& measured, const analysis::machine_fit::FitOptions& options = {});

// How far off the times a fit is: the largest root of the mean square of its lines, formulas and classes.
double rms_of(const Fitted& fitted);

// How far the times of one fit are from those of another, at most, over all that was measured for the other: the
// largest |log(time / other time)|, and where it is.
struct Difference {
  double largest = 0;
  std::string where;
};
Difference difference(const Fitted& one, const Fitted& clean, const Measured& measured, const std::set<Line>& but = {});
// How large that may be: what the intervals of six times of a barrier leave open, or as much as the clean fit leaves of its own times.
double tolerance(const Fitted& clean);

// A number, and by what it is multiplied; without a factor it is taken out.
struct Case {
  NumberIn number;
  std::optional<double> factor;
};
std::vector<Case> cases_of(const Measured& measured);
std::string text_of(const Measured& measured, const Case& one);
// Fits the damaged file. Empty if all is well: there is an error with a place or a way on, or a machine without
// negative numbers that is near the clean one, or that names the number. Of a number in a heading that more than a
// tenth of the times of one kind depend on, nobody can know that it is wrong: there the machine only has to be one.
std::string what_is_wrong(const Measured& measured, const Fitted& clean, const Case& one);

}  // namespace wave::tests
