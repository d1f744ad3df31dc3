// Decides from the system alone which columns of a batch can be evaluated in vector lanes.
#pragma once

#include "ir/system.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace wave::jit::lanes {

using Asked = std::variant<ir::DefinitionId, ir::RootId>;

// What the code of a batch is made for. Plain data: the name of the code is a digest of it.
struct BatchShape {
  std::uint32_t lanes = 0;
  std::vector<ir::DefinitionId> inputs;
  std::vector<Asked> outputs;
  std::string symbol() const;
};

// The arguments of a batch's function: words.
struct BatchArguments {
  // The addresses of the first rows of the inputs, then of the columns of the outputs, then of one byte a row: 1 where
  // the row is to be evaluated again.
  static std::size_t input(std::size_t number) { return number; }
  static std::size_t output(const BatchShape& shape, std::size_t column) { return shape.inputs.size() + column; }
  static std::size_t bad(const BatchShape& shape, std::size_t columns) { return shape.inputs.size() + columns; }
};

// The system in which what is not a column is what it is by default, and nothing else is asked for.
ir::System specialized(const ir::System& system, const std::vector<ir::DefinitionId>& inputs,
                       const std::vector<Asked>& asked);

// Looks for values that lanes never have: recurrences, processes, recursion; where one is only needed now and then, the
// rows that need it are evaluated one by one.
class LaneForecast {
 public:
  LaneForecast(const ir::System& system, const std::vector<ir::DefinitionId>& inputs);

  // Why no row of this is ever evaluated in lanes: "`start` is a recurrence".
  std::optional<std::string> obstacle(const Asked& asked);
  // What some rows may need that lanes do not have.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  using Why = std::optional<std::string>;
  struct Visit;
  Why of(ir::ValueId value);
  Why of(ir::DefinitionId definition);
  Why leave_out(const std::string& what);
  Why first_of(const std::vector<ir::ValueId>& values);

  const ir::System& system_;
  std::unordered_set<ir::DefinitionId> inputs_;
  std::unordered_map<ir::ValueId, Why> values_;
  std::unordered_map<ir::DefinitionId, Why> definitions_;
  std::unordered_set<ir::DefinitionId> in_progress_;
  std::vector<std::string> left_out_;
};

}  // namespace wave::jit::lanes
