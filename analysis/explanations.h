// Why outputs are what they are, as tables: where a time goes, which critical paths it follows, and how outputs respond
// to parameters. What cannot be found is a warning.
#pragma once

#include "analysis/breakdown.h"
#include "analysis/sensitivity.h"
#include "analysis/tables/row_table.h"

#include <map>
#include <string>
#include <vector>

namespace wave::analysis {

struct ExplainedOutput {
  std::string name;
  bool is_breakdown = false;     // it is a `breakdown(...)`, whose rows are the only table
  std::vector<RowTable> tables;  // "total.breakdown", "total.path", "total.statements"; none if nothing was found
};

// Of the outputs that are a `breakdown(...)`; with `of_all_times`, of every output of dimension time. `lowered` has its
// literals as definitions; `known` are outputs that have been evaluated already, by name, in ps.
std::vector<ExplainedOutput> explain_times(frontend::Lowered& lowered, const frontend::Sources& sources,
                                           const MakeEngine& make_engine, const backend::Limits& limits,
                                           const std::map<std::string, double>& known, bool of_all_times,
                                           frontend::Diagnostics& diagnostics);

// Tables for each parameter, with a row for each output that is a single real value: "sensitivity to net.L" of times,
// and "sensitivity to net.L, of data/time" and so on of what has another dimension.
std::vector<RowTable> explain_sensitivities(const frontend::Program& program, const frontend::Item& model,
                                            frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            const MakeEngine& make_engine, const backend::Limits& limits,
                                            frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
