// See ask_problem.h.
#include "cli/studies/ask_problem.h"

#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/studies/sides.h"

namespace wave::cli {

std::optional<AskedProblem> ask_problem(Session& session, const StudyChoice& choice, analysis::ProblemQuestion question,
                                        double point_limit_seconds) {
  const auto* const model = choose_model(session, choice.model);
  if (model == nullptr) return std::nullopt;
  question.over = choice.vary;
  for (const auto& text : choice.show)
    for (auto& one : split_list(text)) question.show.push_back(std::move(one));
  question.setting = {point_limit_seconds, session.options().memory_limit};
  const analysis::AskedModel asked{session.program(),     *model,
                                   choice.overrides,      engine_maker(session, choice.engine),
                                   choice.engine.threads, engine_limits(session.options())};
  return analysis::ask_problem(asked, question, session.diagnostics());
}

}  // namespace wave::cli
