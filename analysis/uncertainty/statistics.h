// Statistics of samples: their mean, their spread, and how much of it each input makes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wave::analysis {

struct Summary {
  double mean = 0;
  double deviation = 0;      // of a sample, with n - 1
  double low = 0, high = 0;  // 2.5 % lie below, 2.5 % above
};

// Of two samples at least, all finite.
Summary summarize(std::span<const double> values);

// The value below which this part of the values lies, 0 < part < 1: between the two nearest of the sorted values, the
// i-th of n of which stands for (i - 1/2) / n (Hyndman and Fan, The American Statistician 50, 1996, definition 5).
double quantile(std::span<const double> sorted, double part);

// The part of the variance of `values` that each input makes by itself: the variance of the mean given the input,
// divided by all of it (Sobol's first-order index). What is left of 1 are inputs that act together. Straight lines,
// which most of a model is, are taken out by least squares first, so that of a linear model the parts are exact; of
// what remains means are taken over equally likely intervals of the input. `inputs`: a column for each, as long as
// `values`. Empty where there are too few samples to tell (`enough_samples`), or the values do not vary.
std::vector<double> first_order_parts(const std::vector<std::vector<double>>& inputs, std::span<const double> values);

// Inputs and a constant, and twice as many samples as that.
constexpr std::size_t enough_samples(std::size_t inputs) { return 2 * (inputs + 1) < 20 ? 20 : 2 * (inputs + 1); }

}  // namespace wave::analysis
