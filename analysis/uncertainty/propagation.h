// Carries the spreads of values that are written with `±` to the outputs of a model. Each value is drawn from a normal
// distribution of its own, and the model is evaluated for all draws at once.
#pragma once

#include "analysis/batch.h"
#include "analysis/uncertainty/statistics.h"

#include <cstdint>

namespace wave::analysis {

struct UncertainInput {
  std::string name;        // the parameters that it is part of, "net.L"; else as written
  frontend::TypeRef type;  // of the parameter; null where there is none
  std::string stream;      // the name of its random numbers: no other input has it
  const frontend::UncertainInfo* written = nullptr;
  std::optional<double> mean, deviation;  // of the parameter, in base units
};

// Those that are drawn, of a system that was lowered with LoweringOptions::uncertain, in the order of their names.
std::vector<UncertainInput> uncertain_inputs(const frontend::Lowered& lowered, backend::Engine& engine,
                                             const backend::Limits& limits);

// One number of an output.
struct Spread {
  const frontend::OutputInfo* output = nullptr;
  std::size_t column = 0;  // of a record its field
  double at_means = 0;
  Summary summary;
  std::vector<double> parts;  // of the variance, by input; empty: not known (first_order_parts)
};

struct Propagation {
  std::size_t samples = 0;         // that were asked for
  std::size_t used = 0;            // that did not fail
  std::size_t drawn_again = 0;     // draws in the place of those that were outside a parameter's range
  std::vector<FailedKind> failed;  // the others
  std::vector<Spread> spreads;     // none where fewer than two samples are left
};

// How often a row is drawn again, until every parameter is within its range. That gives normal distributions that end
// at the range. After that many attempts the row counts as failed.
inline constexpr std::uint32_t most_attempts = 200;

// `outputs` give columns, and have values at the means; strings and choices have no spread.
std::variant<Propagation, ir::Failure> propagate(const frontend::Lowered& lowered, backend::Engine& engine,
                                                 const std::vector<UncertainInput>& inputs,
                                                 std::vector<const frontend::OutputInfo*> outputs, std::size_t samples,
                                                 std::uint64_t seed, int threads, const backend::Limits& limits,
                                                 const std::function<void(std::size_t rows)>& progress = {});

}  // namespace wave::analysis
