// Points, and what was found at them: as a table to be written, as values of the language, and where the time goes at
// one of them.
#pragma once

#include "analysis/parts_of_time.h"
#include "analysis/tables/table.h"
#include "analysis/value_text.h"
#include "backend/engine.h"
#include "cli/formats/document.h"
#include "cli/options.h"
#include "cli/session.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::cli {

using analysis::override_text;
using analysis::point_digits;
using analysis::value_text;

// Adds what was found in a column, as a parameter if it varies and otherwise as a result.
void add_column(OutputTable& table, const analysis::ResultColumn& column);

// The parts of an output's time at a point.
// `values` are "n=32"; where they say nothing, the choice's -D does. Nothing: they are not found.
std::optional<analysis::PartsOfTime> parts_at(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                              const std::string& output, const std::vector<std::string>& values,
                                              const backend::Limits& limits);

// The largest few of them, in words. Empty: they are not found in `seconds`, or there is no such output.
std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds);

}  // namespace wave::cli
