// See evaluating.h.
#include "editors/server/evaluating.h"

#include "analysis/value_text.h"
#include "backend/engine_choice.h"
#include "backend/limits.h"
#include "base/text.h"
#include "editors/server/given_values.h"
#include "frontend/lower/given.h"

#include <algorithm>
#include <cmath>

namespace wave::editors {

using namespace frontend;

backend::Limits limits_of(const EvaluationLimits& limits, const std::atomic<bool>& stop) {
  backend::Limits all;
  all.memory_bytes = limits.memory_bytes;
  all.stop = &stop;
  backend::set_time_limit(all, limits.seconds);
  return all;
}

LoweringOptions lowering_options(const backend::Limits& limits) {
  LoweringOptions options;
  options.observations = true;
  options.is_over = [limits] { return backend::is_over(limits); };
  return options;
}

std::unique_ptr<backend::Engine> engine_of(const ir::System& system) {
  backend::EngineOptions options;
  options.shortcuts = true;  // the server writes no file, so it keeps no code
  auto made = backend::make_engine(backend::EngineKind::automatic, system, options);
  if (auto* engine = std::get_if<std::unique_ptr<backend::Engine>>(&made)) return std::move(*engine);
  return backend::make_interpreter(system, options);
}

std::string cell_text(const ColumnInfo& column, const ir::Scalar& value, const std::vector<std::string>& words) {
  constexpr int digits = 4, digits_of_plain = 6;
  if (value.type == ir::ScalarType::real && !std::isfinite(value.real))
    return std::isnan(value.real) ? "not a number" : "infinite";
  const auto dimension = analysis::dimension_of(column.type);
  return analysis::value_text(value, column, dimension && dimension->plain() ? digits_of_plain : digits, words);
}

namespace {

std::string path_of(const std::string& given) { return trim(given.substr(0, given.find('='))); }

}  // namespace

Given::Given(const EvaluatedText& document) {
  constexpr std::size_t most = 100;
  for (const std::string& text : document.given) {
    if (all_.size() < most) all_.push_back({text});
  }
  for (const GivenInComment& one : given_in_comments(*document.text)) {
    const auto same = [&](const One& other) { return path_of(other.text) == path_of(one.text); };
    const bool is_repeated = std::any_of(all_.begin(), all_.end(), same);
    if (!is_repeated && all_.size() < most) all_.push_back({one.text, one.begin, one.end});
  }
}

std::vector<Override> Given::for_item(Program& program, const Item& owner) {
  std::vector<Override> overrides;
  for (One& one : all_) {
    Diagnostics diagnostics;
    auto checked = check_given(program, owner, {one.text}, diagnostics);
    one.is_used |= !checked.empty();
    if (checked.empty() && !diagnostics.all().empty()) one.problem = diagnostics.all().front().message;
    for (Override& each : checked) overrides.push_back(std::move(each));
  }
  return overrides;
}

void Given::add_problems(Values& values) const {
  for (const One& one : all_) {
    if (!one.is_used && !one.problem.empty() && one.end > 0)
      values.remarks.push_back({Remark::Kind::problem, one.begin, one.end, 0, one.problem, ""});
  }
}

}  // namespace wave::editors
