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
  std::set<Line> wild;  // lines of what was set aside, or could not be
  std::string trouble;  // a number that is not finite, or negative; empty: none
  bool found() const { return machine || interfaces; }
};
Fitted fitted(const Measured& measured, const analysis::machine_fit::FitOptions& options = {});

// Empty if a fit to damaged measurements is as good as the clean one, apart from these lines; else what it misses. It
// is if all its times are near those of the clean fit: within what the intervals of six times of a barrier leave open,
// or within what the clean fit leaves of its own times. Or if the sound times cannot tell which of the two is better,
// since one describes them as well as the other. That happens where the formula is rough: at Blue Waters, classes that
// end at 2, 16 and 256 KiB leave 1 % more than those that end at 4, 32 and 256 KiB, and any wild time near these sizes
// decides.
std::string what_is_missed(const Fitted& found, const Fitted& clean, const Measured& measured,
                           const std::set<Line>& but = {});

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
