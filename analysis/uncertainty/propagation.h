// Carries the uncertainty of inputs to the outputs of a model, and has the statistics of samples.
#pragma once

#include "analysis/batch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wave::analysis {

struct Summary {
  double mean = 0;
  double deviation = 0;      // of a sample, with n - 1
  double low = 0, high = 0;  // 2.5 % lie below, 2.5 % above
};

// Summarises at least two samples, all of them finite.
Summary summarize(std::span<const double> values);

// The value below which this part of the values lies, 0 < part < 1. It is interpolated between the two nearest of the n
// sorted values, the i-th of which stands for (i - 1/2) / n (Hyndman and Fan, The American Statistician 50, 1996,
// definition 5).
double quantile(std::span<const double> sorted, double part);

// The part of the variance of `values` that each input makes by itself: the variance of the mean given the input,
// divided by the whole variance (Sobol's first-order index). What is missing to 1 is due to inputs that act together.
//
// Most of a model is linear. So straight lines are taken out by least squares first, and the parts of a linear model
// are exact. What remains is averaged over equally likely intervals of the input. `inputs` has a column for each, as
// long as `values`. The result is empty if there are too few samples to tell (`enough_samples`), or if the values do
// not vary.
std::vector<double> first_order_parts(const std::vector<std::vector<double>>& inputs, std::span<const double> values);

// Twice as many samples as there are inputs and a constant.
constexpr std::size_t enough_samples(std::size_t inputs) { return 2 * (inputs + 1) < 20 ? 20 : 2 * (inputs + 1); }

// Carries the spreads of values that are written with `±` to the outputs of a model. Each value is drawn from a normal
// distribution of its own, and the model is evaluated for all draws at once.

struct UncertainInput {
  std::string name;        // the parameters that it is part of, "net.L"; otherwise as it is written
  frontend::TypeRef type;  // of the parameter; null where there is none
  std::string stream;      // the name of its random numbers: no other input has it
  const frontend::UncertainInfo* written = nullptr;
  std::optional<double> mean, deviation;  // of the parameter, in base units
};

// The inputs that are drawn of a system that was lowered with LoweringOptions::uncertain, in the order of their names.
std::vector<UncertainInput> uncertain_inputs(const frontend::Lowered& lowered, backend::Engine& engine,
                                             const backend::Limits& limits);

// One number of an output.
struct Spread {
  const frontend::OutputInfo* output = nullptr;
  std::size_t column = 0;  // in a record, the field
  double at_means = 0;
  Summary summary;
  std::vector<double> parts;  // of the variance, by input; empty if they are not known (first_order_parts)
};

struct Propagation {
  std::size_t samples = 0;             // that were asked for
  std::size_t used = 0;                // that did not fail
  std::size_t drawn_again = 0;         // draws that replaced others outside a parameter's range
  std::vector<CountedFailure> failed;  // the others
  std::vector<Spread> spreads;         // empty if fewer than two samples are left
  BatchValues at_means;                // one row: of all columns of the outputs
};

// Evaluates samples: a column of draws for each input.
using EvaluateDraws = std::function<std::variant<BatchValues, ir::Failure>(
    const std::vector<std::vector<double>>& draws, const std::function<void(std::size_t rows)>& progress)>;
// What is drawn, and whether it is said how much of the variance each input makes.
struct Sampled {
  const std::vector<UncertainInput>& inputs;
  const std::vector<const frontend::OutputInfo*>& outputs;
  std::size_t samples = 0;
  std::uint64_t seed = 1;
  bool has_parts = true;
};
std::variant<Propagation, ir::Failure> propagate(const Sampled& sampled, const EvaluateDraws& evaluate,
                                                 const std::function<void(std::size_t rows)>& progress = {});

// Strings and choices have no spread.
bool has_spread(const frontend::ColumnInfo& column);

// How often a row is drawn again until every parameter is within its range. The distributions are then normal ones that
// end at the range. After so many attempts, the row counts as failed.
inline constexpr std::uint32_t most_attempts = 200;

// `outputs` give columns, and have values at the means.
std::variant<Propagation, ir::Failure> propagate(const frontend::Lowered& lowered, backend::Engine& engine,
                                                 const std::vector<UncertainInput>& inputs,
                                                 std::vector<const frontend::OutputInfo*> outputs, std::size_t samples,
                                                 std::uint64_t seed, int threads, const backend::Limits& limits,
                                                 const std::function<void(std::size_t rows)>& progress = {});

}  // namespace wave::analysis
