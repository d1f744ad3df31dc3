// What a validation and a fit of a model have found, as tables. Relative errors are shares: 0.05 is 5 %.
#pragma once

#include "analysis/tables/row_table.h"
#include "analysis/validation/parameter_fit.h"
#include "analysis/validation/validation.h"

namespace wave::analysis {

// --- a validation ---

// A row for each configuration: the number of its first row in the data, from 0, its parameters, measured, deviation
// (of repetitions), predicted, error, repetitions.
ResultTable configurations_table(const MeasuredModel& measured, const Validation& found);
// shown, left_out, compared, mean_error, bias, root_mean_square, largest_error, worst (of `configurations`, from 0).
RowTable summary_table(const MeasuredModel& measured, const Validation& found);
// pairs, ties, right, wrong, tau and, where it is known which values are the best, predicted_best, measured_best, loss.
RowTable ranking_table(const Ranking& ranking);
// predicted_below, measured_below (of `configurations`), predicted_by, measured_by.
RowTable inversions_table(const Ranking& ranking);

// --- a fit ---

// parameter, value, standard_error, low, high, unit, standing; in the standard unit of each parameter.
RowTable parameters_table(const OpenFit& open, const model_fit::FittedModel& fit);
// A column for each parameter, and a row.
RowTable correlation_table(const OpenFit& open, const model_fit::FittedModel& fit);
// What the data leave open: parameters, determined.
RowTable open_table(const OpenFit& open, const model_fit::FittedModel& fit);
// As of a validation, with fitted, error, left_out (fitted without this configuration) and weight.
ResultTable configurations_table(const OpenFit& open, const model_fit::FittedModel& fit);
// What was asked, how the search ended, and the errors that are left. Numbers that there are not are NaN.
RowTable summary_table(const OpenFit& open, const model_fit::FittedModel& fit);

}  // namespace wave::analysis
