// Which indices scalars look at.
#pragma once

#include "ir/system.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace wave::backend::closed_form {

// The binders that scalars look at.
class LooksAt {
 public:
  explicit LooksAt(const ir::System& system) : system_(system) {}
  // Sorted. Null for a value that looks at events, and for a very deep one.
  [[nodiscard]] const std::vector<ir::BinderId>* binders(ir::ValueId value);

 private:
  const ir::System& system_;
  std::unordered_map<ir::ValueId, std::optional<std::vector<ir::BinderId>>> known_;
  std::size_t depth_ = 0;
};

}  // namespace wave::backend::closed_form
