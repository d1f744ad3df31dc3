// Evaluates scalars of a process without an engine: the few nodes that processes made by hand consist of.
#pragma once

#include "backend/processes/program/scalars.h"

#include <map>
#include <mutex>
#include <vector>

namespace wave::test {

// The quantum of these processes, in ps.
inline constexpr double quantum = 0x1p-20;

class PlainScalars final : public backend::processes::Scalars {
 public:
  explicit PlainScalars(const ir::System& system) : system_(system) {}
  const ir::System& system() const override { return system_; }
  void bind(ir::BinderId binder, std::int64_t value) override { binders_[binder] = value; }
  ir::Scalar value(ir::ValueId value) override;
  void enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) override;
  void leave() override { arguments_.clear(); }
  std::recursive_mutex& asking() override { return asking_; }

 private:
  ir::Scalar extremum(const std::vector<ir::ValueId>& operands, ir::Scalar (*of_two)(ir::Scalar, ir::Scalar));

  const ir::System& system_;
  std::map<ir::BinderId, std::int64_t> binders_;
  std::map<ir::ParameterId, ir::Scalar> arguments_;
  std::recursive_mutex asking_;
};

}  // namespace wave::test
