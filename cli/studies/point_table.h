// Points, and what was found at them: as a table to be written, as values of the language, and where the time goes at
// one of them.
#pragma once

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

using analysis::point_digits;
using analysis::value_text;

// Adds what was found in a column, as a parameter if it varies and otherwise as a result.
void add_column(OutputTable& table, const analysis::ResultColumn& column);

// "n=32", as -D takes it, to the last bit. Nothing: it cannot be written so.
std::optional<std::string> override_text(const analysis::ResultColumn& column, std::size_t row);

// The parts of an output's time at a point: the kinds along a critical path where a process is behind it, else the
// parameters and literals that carry the time. In ps.
struct PartsOfTime {
  double total = 0;
  std::vector<std::pair<std::string, double>> parts;
};
// `values` are "n=32"; where they say nothing, the choice's -D does. Nothing: they are not found.
std::optional<PartsOfTime> parts_at(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                    const std::string& output, const std::vector<std::string>& values,
                                    const backend::Limits& limits);

// Where the time of an output goes at a point, in a few words, by the output's name: "computation 84 %", "overhead 9
// %": the largest few. Empty: it is not found in `seconds`, or is no such output.
std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds);

}  // namespace wave::cli
