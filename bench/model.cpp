// See model.h.
#include "bench/model.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace wave::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  std::exit(1);
}

void check(const frontend::Diagnostics& diagnostics, const std::string& what) {
  if (!diagnostics.has_errors()) return;
  for (const auto& diagnostic : diagnostics.all()) fmt::print(stderr, "{}\n", diagnostic.message);
  fail("cannot use " + what);
}

}  // namespace

Model::Model(const std::string& file, const std::string& model,
             const std::vector<std::pair<std::string, std::string>>& given) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(file, {}, diagnostics);
  check(diagnostics, file);
  for (const auto& item : program->main().items) {
    if (item->name.text != model) continue;
    std::vector<frontend::Override> overrides;
    for (const auto& [path, text] : given) {
      const auto type = frontend::parameter_type(*program, *item, path, {}, diagnostics);
      overrides.push_back({path, frontend::check_expression(*program, item.get(), path, text, type, diagnostics), {}});
      check(diagnostics, path + " = " + text);
    }
    lowered_ = frontend::lower_model(*program, *item, overrides, diagnostics);
    check(diagnostics, model);
    return;
  }
  fail("no model " + model + " in " + file);
}

backend::Engine& Model::open(backend::EngineKind kind, const backend::EngineOptions& options) {
  auto made = backend::make_engine(kind, lowered_.system, options);
  if (const auto* const error = std::get_if<std::string>(&made)) fail(*error);
  engine_ = std::move(std::get<std::unique_ptr<backend::Engine>>(made));
  return *engine_;
}

std::unique_ptr<backend::Evaluation> Model::start(const Integers& bound) const {
  std::vector<backend::Binding> bindings;
  for (const auto& [name, value] : bound) bindings.emplace_back(definition(name), ir::Scalar::of(value));
  return engine_->start(bindings, {});
}

double Model::evaluate(backend::Evaluation& evaluation, const std::string& output) const {
  const auto outcome = evaluation.evaluate(root(output));
  const auto* const rows = std::get_if<backend::Rows>(&outcome);
  if (!rows) fail("`" + output + "` failed");
  return rows->cells.front().real;
}

std::optional<double> Model::try_to_evaluate(const Integers& bound, const std::string& output) const {
  std::vector<backend::Binding> bindings;
  for (const auto& [name, value] : bound) bindings.emplace_back(definition(name), ir::Scalar::of(value));
  backend::Limits limits;
  limits.time_budget_seconds = 10;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  const auto outcome = engine_->start(bindings, limits)->evaluate(root(output));
  const auto* const rows = std::get_if<backend::Rows>(&outcome);
  return rows ? std::optional(rows->cells.front().real) : std::nullopt;
}

ir::DefinitionId Model::definition(const std::string& parameter) const {
  for (const auto& info : lowered_.parameters) {
    if (info.path == parameter && info.definition.valid()) return info.definition;
  }
  fail("no parameter " + parameter);
}

ir::RootId Model::root(const std::string& output) const {
  for (const auto& info : lowered_.outputs) {
    if (info.name == output && info.root.valid()) return info.root;
  }
  fail("no output " + output);
}

}  // namespace wave::bench
