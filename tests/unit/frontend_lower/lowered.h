// Takes a model from text to numbers, through the checker, the lowering and the interpreter.
#pragma once

#include "backend/engine.h"
#include "frontend/lower/lower.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wave::tests {

class Model {
 public:
  using Overrides = std::vector<std::pair<std::string, std::string>>;
  // The model `name` of a module. Every stage must succeed, and the verifier must accept the result.
  explicit Model(const std::string& text, const Overrides& overrides = {}, const std::string& name = "M");

  // The first cell of an output.
  double real(const std::string& output);
  std::int64_t integer(const std::string& output);
  // All rows of an output.
  backend::Rows rows(const std::string& output);
  backend::Outcome outcome(const std::string& output);
  const frontend::OutputInfo& info(const std::string& output) const;
  const ir::Event& event(const std::string& name) const;
  const ir::System& system() const { return lowered_.system; }
  const frontend::Lowered& lowered() const { return lowered_; }

  std::vector<backend::Binding> bindings;  // values of bindable definitions

 private:
  std::unique_ptr<frontend::Program> program_;
  frontend::Lowered lowered_;
};

// The kinds, by name ("unknown_parameter"), of the diagnostics from lowering the model `M`.
std::vector<std::string> codes_of_lowering(const std::string& text, const Model::Overrides& overrides = {});

}  // namespace wave::tests
