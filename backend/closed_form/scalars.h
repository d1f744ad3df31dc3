// Evaluates scalars of a group's cells for many points at a time, by the arithmetic of the engines (ir/arithmetic.h).
#pragma once

#include "ir/evaluate.h"
#include "ir/exact.h"

#include <memory>
#include <vector>

namespace wave::backend::closed_form {

// The values of a scalar, one per lane; only one where it is the same in all of them. Booleans are 0 and 1.
struct LaneValues {
  ir::ScalarType type{};
  union Bits {
    double real;
    std::int64_t integer;
  };
  std::vector<Bits> values;
  std::vector<std::uint8_t> failed;  // of the same size

  bool uniform() const { return values.size() == 1; }
  Bits at(std::size_t lane) const { return values[uniform() ? 0 : lane]; }
  bool has_failed(std::size_t lane) const { return failed[uniform() ? 0 : lane] != 0; }
  bool any_failed() const;
  ir::Scalar scalar(std::size_t lane) const;
};

// What the scalars of a group look at outside the group.
struct Surroundings {
  ir::DefinitionValue definition;
  ir::ParameterValue parameter;
  ir::HoistedValue hoisted;             // weights that are known already, not yet rounded
  std::function<void()> look_at_clock;  // throws where time is up
  std::size_t* lanes_left = nullptr;    // operations on one lane that may still be done; null: any number
};

class Scalars {
 public:
  Scalars(const ir::System& system, const Surroundings& surroundings)
      : system_(system), around_(surroundings), bindings_{system} {}

  // All binders have values for equally many points.
  void bind(ir::BinderId binder, std::vector<std::int64_t> values);
  // Null if the value reads events or processes, may be absent, or takes too many operations. From then on nothing is
  // evaluated any more.
  [[nodiscard]] const LaneValues* evaluate(ir::ValueId value);

 private:
  using LanesPointer = std::shared_ptr<const LaneValues>;
  struct Visit;
  LanesPointer find(ir::ValueId value);  // null: refused
  LanesPointer refuse();

  const ir::System& system_;
  const Surroundings& around_;
  ir::Bindings<LanesPointer> bindings_;
  std::size_t depth_ = 0;
  std::size_t work_ = 0;  // lanes computed since the clock was looked at
  bool is_refused_ = false;
};

}  // namespace wave::backend::closed_form
