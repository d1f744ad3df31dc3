// Parameters of a model fitted to measurements: which they are and between what bounds they stay, the fit, and what is
// to be said of it.
#pragma once

#include "analysis/model_fit/model_fit.h"
#include "analysis/validation/measured_model.h"
#include "frontend/format/quantities.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis {

// The errors whose squares are to be small: relative to what is measured, or as they are.
enum class ErrorKind { relative, absolute };

inline constexpr double least_confidence = 0.5, most_confidence = 0.9999;
inline constexpr int most_starts = 1000;

struct FitChoice {
  std::vector<std::string> params;  // "Wg", "net.L"
  std::vector<std::string> bounds;  // "Wg=0.1 us..2 us"
  ErrorKind errors = ErrorKind::relative;
  bool robust = false;
  double confidence = 0.95;
  int starts = 0;  // 0: three for one parameter, eight for several
};

// A fit that can be made.
struct OpenFit {
  FitChoice choice;
  MeasuredModel measured;
  std::vector<Variable> parameters;  // those fitted
  model_fit::FitProblem problem;
};

// `question.fitted` is overwritten. Nothing, with diagnostics, after an error.
std::optional<OpenFit> open_fit(const GivenModel& of, MeasuredQuestion question, const FitChoice& choice,
                                frontend::Diagnostics& diagnostics);

// How far a fit is: the predictions so far, of one configuration each, and the best point of the present start, empty
// until there is one.
struct FitProgress {
  std::uint64_t predictions = 0;
  std::string best;  // "Wg = 1.2 us, net.L = 3 us: 2.4 %"
};

// `told` hears of each step. Where time or memory run out, or `limits.stop` is set, the result is the best so far
// (`stopped`); out of time and memory there is a diagnostic, too. Nothing, with diagnostics, where the model fails
// everywhere or where nothing was found before the end.
std::optional<model_fit::FittedModel> run_fit(OpenFit& open, const backend::Limits& limits,
                                              frontend::Diagnostics& diagnostics,
                                              const std::function<void(const FitProgress&)>& told = {});

// Warns of what the data leave open, and of a fit that did not converge.
void warn_of_fit(const OpenFit& open, const model_fit::FittedModel& fit, frontend::Diagnostics& diagnostics);

// --- what was found, in words and numbers ---

// "determined", "at lower bound", "open".
std::string_view standing_word(model_fit::Standing standing);
// "2 net.o + net.L": what the data determine of parameters that they leave open. Empty where that is no single number.
std::string combination_of(const OpenFit& open, const model_fit::OpenCombination& combination);
// "net.o by 1 us and net.L by -2 us".
std::string direction_of(const OpenFit& open, const model_fit::FittedModel& fit,
                         const model_fit::OpenCombination& combination);

frontend::Dimension dimension_of_parameter(const OpenFit& open, std::size_t parameter);
// The unit of the parameter, or the standard one of its dimension.
frontend::Scale scale_of_parameter(const OpenFit& open, std::size_t parameter);

// (prediction - measurement) / measurement.
double relative_error(double predicted, double measured);

// Of a column of predictions, of what counts: the root of the mean square, and where it is largest.
struct FitErrors {
  double root_mean_square = 0, largest = 0;
  std::size_t worst = 0, count = 0;
};
FitErrors errors_of(const Eigen::VectorXd& predicted, const OpenFit& open, const model_fit::FittedModel& fit);

}  // namespace wave::analysis
