// The two halves of `wave fit`.
#pragma once

#include "cli/verbs.h"

namespace wave::cli {

// `wave fit osu|imb|netgauge|csv FILE...`: a machine from benchmarks.
int fit_machine(const FitCommand& command, const CommonOptions& options, Console& console);

// `wave fit FILE --data CSV --params ...`: parameters of a model from measured run times.
int fit_model(const FitCommand& command, const CommonOptions& options, Console& console);

}  // namespace wave::cli
