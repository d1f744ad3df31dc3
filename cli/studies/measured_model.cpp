// See measured_model.h.
#include "cli/studies/measured_model.h"

#include "base/text.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/studies/study_session.h"
#include "cli/text.h"

#include <fmt/format.h>

namespace wave::cli {

analysis::GivenModel given_model(Session& session, const StudyChoice& choice, const frontend::Item& model) {
  return {session.program(),     model,
          choice.overrides,      engine_maker(session, choice.engine),
          choice.engine.threads, engine_limits(session.options())};
}

std::optional<analysis::MeasuredQuestion> measured_question(Session& session, const StudyChoice& choice,
                                                            const Measurements& measurements) {
  const auto file = load_table(session, measurements.data, "the measurements are");
  if (!file) return std::nullopt;
  analysis::MeasuredQuestion question;
  question.file = *file;
  question.name = measurements.data == "-" ? standard_input_name : sanitize(measurements.data);
  question.columns = {measurements.measured, measurements.ignored, measurements.named, {}, measurements.reading};
  question.show = choice.show;
  question.where = measurements.where;
  return question;
}

std::optional<MeasuredModel> open_measured(Session& session, const StudyChoice& choice,
                                           const Measurements& measurements) {
  const auto* model = choose_model(session, choice.model);
  if (model == nullptr) return std::nullopt;
  const auto question = measured_question(session, choice, measurements);
  if (!question) return std::nullopt;
  auto measured = open_measured(given_model(session, choice, *model), *question, session.diagnostics());
  if (measured) remark_on_reading(session, *measured->data);
  return measured;
}

void remark_on_reading(Session& session, const analysis::MeasuredData& data) {
  for (const std::string& note : data.notes()) session.console().remark(sanitize(note) + "\n");
}

std::vector<std::string> cells_of(const MeasuredModel& measured, const frontend::Program& program,
                                  std::size_t configuration) {
  std::vector<std::string> cells;
  const std::size_t row = measured.data->configurations()[configuration].rows.front();
  for (const auto& one : measured.data->parameters()) {
    cells.push_back(sanitize(program.sources.text(measured.data->location(row, one.cell))));
  }
  return cells;
}

std::string short_name_of(const MeasuredModel& measured, std::size_t configuration) {
  return fmt::format("line {}", measured.data->line(measured.data->configurations()[configuration].rows.front()));
}

std::string name_of(const MeasuredModel& measured, const frontend::Program& program, std::size_t configuration) {
  const auto cells = cells_of(measured, program, configuration);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& one = measured.data->parameters()[i];
    parts.push_back(fmt::format("{} = {}{}", one.name, cells[i], one.unit ? " " + one.unit->text : ""));
  }
  return fmt::format("{}: {}", short_name_of(measured, configuration), join_texts(parts, ", "));
}

Scale scale_of_measured(const MeasuredModel& measured) {
  return measured.data->unit() ? scale_of(*measured.data->unit()) : Scale{};
}

}  // namespace wave::cli
