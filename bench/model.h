// Opens models of .wave files in engines.
#pragma once

#include "backend/engine_choice.h"
#include "frontend/lower/lower.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::bench {

// A model and one of its engines. Any error ends the program with a message.
class Model {
 public:
  // `given` are parameters that are fixed before lowering, as with `-D`.
  Model(const std::string& file, const std::string& model,
        const std::vector<std::pair<std::string, std::string>>& given = {});

  using Integers = std::vector<std::pair<std::string, std::int64_t>>;  // parameters by name

  backend::Engine& open(backend::EngineKind kind, const backend::EngineOptions& options = {});
  backend::Engine& engine() const { return *engine_; }
  // Starts an evaluation in the engine that was opened last.
  std::unique_ptr<backend::Evaluation> start(const Integers& bound) const;
  // The value of an output that has only one.
  double evaluate(backend::Evaluation& evaluation, const std::string& output) const;
  // Nothing if it fails, or takes more than 10 s.
  std::optional<double> try_to_evaluate(const Integers& bound, const std::string& output) const;
  double evaluate(const Integers& bound, const std::string& output) const { return evaluate(*start(bound), output); }

  ir::DefinitionId definition(const std::string& parameter) const;
  ir::RootId root(const std::string& output) const;
  const frontend::Lowered& lowered() const { return lowered_; }

 private:
  frontend::Lowered lowered_;
  std::unique_ptr<backend::Engine> engine_;
};

}  // namespace wave::bench
