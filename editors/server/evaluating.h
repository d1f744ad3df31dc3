// What evaluations in the server have in common: limits, which end early where nobody waits any more, and engines.
#pragma once

#include "backend/engine.h"
#include "editors/server/values.h"
#include "frontend/lower/lower.h"

#include <memory>

namespace wave::editors {

backend::Limits limits_of(const EvaluationLimits& limits, const std::atomic<bool>& stop);
frontend::LoweringOptions lowering_options(const backend::Limits& limits);
std::unique_ptr<backend::Engine> engine_of(const ir::System& system);

// Of a column of a result.
std::string cell_text(const frontend::ColumnInfo& column, const ir::Scalar& value,
                      const std::vector<std::string>& words);

// The values that are given for a document's parameters: which of them a model has, and what is wrong with those that
// none has.
class Given {
 public:
  explicit Given(const EvaluatedText& document);
  std::vector<frontend::Override> for_item(frontend::Program& program, const frontend::Item& owner);
  void add_problems(Values& values) const;

 private:
  struct One {
    std::string text;
    std::uint32_t begin = 0, end = 0;  // in a comment
    bool is_used = false;
    std::string problem;
  };
  std::vector<One> all_;
};

}  // namespace wave::editors
