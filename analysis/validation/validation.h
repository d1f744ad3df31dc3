// Compares predictions with measurements: how far off they are, and whether they put configurations in the right order.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/validation/measured_data.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::analysis {

struct Pair {
  double predicted = 0;  // NaN if the model failed
  double measured = 0;   // the mean of repetitions
  double deviation = 0;  // of repetitions; NaN where there was one
  std::size_t repetitions = 1;
  // (prediction - measurement) / measurement.
  double error() const { return (predicted - measured) / measured; }
};

// Two configurations in the wrong order: `first` is predicted to be below `second`, but was measured to be above it.
struct Inversion {
  std::size_t first = 0, second = 0;
  double predicted = 0, measured = 0;  // by how much: the larger divided by the smaller, less 1
};

// Which values are the best: the least times, and the largest rates. For other dimensions that is not known.
enum class Preference { least, largest, unknown };

struct Ranking {
  std::size_t distinguished = 0;      // pairs of which the measurements say which is larger
  std::size_t tied = 0;               // the others: equal, or as close as repetitions are to each other
  std::size_t right = 0, wrong = 0;   // of those distinguished; the rest are predicted to be equal
  double tau = 0;                     // Kendall's: (right - wrong) / distinguished; NaN if none is
  std::vector<Inversion> inversions;  // the worst ones by the measurements
  // If it is known which values are the best: the configuration that is predicted to be the best, and the one of all
  // that was, even if the model fails there. The former is worse by `loss`.
  Preference wanted = Preference::unknown;
  std::size_t chosen = 0, best = 0;
  double loss = 0;
};

struct Validation {
  std::vector<Pair> pairs;
  std::size_t compared = 0;  // pairs that have a prediction
  std::size_t failed() const { return pairs.size() - compared; }
  double mean_error = 0;  // of |error|
  double bias = 0;        // the mean of the errors with their signs
  double root_mean_square = 0;
  double largest = 0;  // |error| of `worst`
  std::size_t worst = 0;
  bool has_ranking = false;  // two configurations or more, and not too many
  Ranking ranking;
};

inline constexpr std::size_t most_ranked = 5000;
inline constexpr std::size_t most_inversions = 10;

Validation validate(std::vector<Pair> pairs, Preference wanted);

// --- predictions ---

// Values of parameters that the data do not have. All lists are equally long, and each set of values is a trial.
using Trials = std::vector<std::pair<std::string, std::vector<double>>>;

struct Predictions {
  std::size_t trials = 1;
  // Trial by trial, with the configurations of each in their order. NaN where the model failed.
  std::vector<double> values;
  std::vector<FailedRows> failed;  // the rows are trial * configurations + configuration
  // For each configuration, whether the second column that is shown holds; 1 if there is none.
  std::vector<std::int64_t> holds;
};

// Predicts what `model` shows first, for `data` and each of `trials`. Each variable of the model is in one of the two.
std::variant<Predictions, ir::Failure> predict(StudyModel& model, const MeasuredData& data, const Trials& trials,
                                               const backend::Limits& limits,
                                               const std::function<void(std::size_t rows)>& progress = {});

// Whether the prediction can be compared with the measurements. If not, there is a diagnostic.
bool check_same_quantity(const Shown& shown, const MeasuredData& data, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
