// See point_table.h.
#include "cli/studies/point_table.h"

#include "backend/limits.h"
#include "cli/evaluation.h"
#include "cli/formats/rows.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/studies/study_session.h"

#include <algorithm>

namespace wave::cli {

void add_column(OutputTable& table, const analysis::ResultColumn& column) {
  table.columns.push_back(table_column(column, column.varied ? "parameter" : "output"));
}

std::optional<analysis::PartsOfTime> parts_at(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                              const std::string& output, const std::vector<std::string>& values,
                                              const backend::Limits& limits) {
  // A parameter that varies is given here once, whatever -D says of it.
  std::vector<std::string> given = values;
  for (const auto& one : choice.overrides) {
    const auto name = one.substr(0, one.find('='));
    const auto same = [&](const std::string& value) { return value.substr(0, value.find('=')) == name; };
    if (std::none_of(values.begin(), values.end(), same)) given.push_back(one);
  }
  const auto overrides = check_overrides(session, model, given);
  if (session.diagnostics().has_errors()) return std::nullopt;
  frontend::Diagnostics quiet;
  auto lowered = lower_model(session.program(), model, overrides, quiet, {true, false});
  if (quiet.has_errors()) return std::nullopt;
  return analysis::parts_of_time(lowered, output, engine_maker(session, choice.engine), limits);
}

std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds) {
  auto limits = engine_limits(session.options());
  backend::set_time_limit(limits, seconds);
  const auto found = parts_at(session, model, choice, output, values, limits);
  return found ? analysis::largest_parts(*found) : std::vector<std::string>{};
}

}  // namespace wave::cli
