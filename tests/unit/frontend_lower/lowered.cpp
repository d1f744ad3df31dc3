// See lowered.h.
#include "tests/unit/frontend_lower/lowered.h"

#include "ir/verify.h"

#include <catch2/catch.hpp>

namespace wave::tests {

namespace {

void require_clean(const frontend::Diagnostics& diagnostics) {
  for (const auto& one : diagnostics.all()) UNSCOPED_INFO(frontend::code_of(one.kind) << ": " << one.message);
  REQUIRE_FALSE(diagnostics.has_errors());
}

const frontend::Item& model_named(const frontend::Program& program, const std::string& name) {
  for (const auto& item : program.main().items) {
    if (item->name.text == name) return *item;
  }
  FAIL("no model " << name);
  return *program.main().items.front();
}

std::vector<frontend::Override> check(frontend::Program& program, const frontend::Item& model,
                                      const Model::Overrides& overrides, frontend::Diagnostics& diagnostics) {
  std::vector<frontend::Override> checked;
  for (const auto& [path, text] : overrides) {
    const auto type = frontend::parameter_type(program, model, path, {}, diagnostics);
    if (!type) continue;
    auto value = frontend::check_expression(program, &model, "-D " + path, text, type, diagnostics);
    if (value) checked.push_back({path, std::move(value), {}});
  }
  return checked;
}

}  // namespace

Model::Model(const std::string& text, const Overrides& overrides, const std::string& name) {
  frontend::Diagnostics diagnostics;
  program_ = frontend::load("test.wave", {}, diagnostics, &text);
  require_clean(diagnostics);
  const frontend::Item& model = model_named(*program_, name);
  const auto checked = check(*program_, model, overrides, diagnostics);
  require_clean(diagnostics);
  lowered_ = frontend::lower_model(*program_, model, checked, diagnostics);
  require_clean(diagnostics);
  for (const std::string& problem : ir::verify(lowered_.system)) FAIL_CHECK(problem);
}

const frontend::OutputInfo& Model::info(const std::string& output) const {
  for (const auto& info : lowered_.outputs) {
    if (info.name == output) return info;
  }
  FAIL("no output " << output);
  return lowered_.outputs.front();
}

backend::Outcome Model::outcome(const std::string& output) {
  REQUIRE(info(output).root.valid());
  const auto engine = backend::make_interpreter(lowered_.system);
  return engine->start(bindings, {})->evaluate(info(output).root);
}

backend::Rows Model::rows(const std::string& output) {
  const backend::Outcome result = outcome(output);
  REQUIRE(std::holds_alternative<backend::Rows>(result));
  return std::get<backend::Rows>(result);
}

double Model::real(const std::string& output) {
  const auto cells = rows(output).cells;
  REQUIRE(cells.size() == 1);
  REQUIRE(cells.front().type == ir::ScalarType::real);
  return cells.front().real;
}

std::int64_t Model::integer(const std::string& output) {
  const auto cells = rows(output).cells;
  REQUIRE(cells.size() == 1);
  REQUIRE(cells.front().type == ir::ScalarType::integer);
  return cells.front().integer;
}

const ir::Event& Model::event(const std::string& name) const {
  for (const auto& event : lowered_.system.events) {
    if (event.name == name) return event;
  }
  FAIL("no event " << name);
  return lowered_.system.events.front();
}

std::vector<std::string> codes_of_lowering(const std::string& text, const Model::Overrides& overrides) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load("test.wave", {}, diagnostics, &text);
  require_clean(diagnostics);
  const frontend::Item& model = model_named(*program, "M");
  const auto checked = check(*program, model, overrides, diagnostics);
  frontend::lower_model(*program, model, checked, diagnostics);
  std::vector<std::string> codes;
  for (const auto& one : diagnostics.all()) codes.emplace_back(frontend::code_of(one.kind));
  return codes;
}

}  // namespace wave::tests
