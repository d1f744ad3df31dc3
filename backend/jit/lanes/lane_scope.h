// Guards of the lane emitter.
#pragma once

#include "backend/jit/lanes/lane_emitter.h"

namespace wave::jit::lanes {

class LaneEmitter::Region {
 public:
  explicit Region(LaneEmitter& in) : in_(in), begin_(in.remembered_.size()) {}
  Region(const Region&) = delete;
  ~Region();

 private:
  LaneEmitter& in_;
  std::size_t begin_;
};

class LaneEmitter::OneLane {
 public:
  explicit OneLane(LaneEmitter& in) : in_(in), lanes_(std::exchange(in.lanes, 1U)) {}
  OneLane(const OneLane&) = delete;
  ~OneLane() { in_.lanes = lanes_; }

 private:
  LaneEmitter& in_;
  const unsigned lanes_;
};

class LaneEmitter::Scope {
 public:
  Scope(LaneEmitter& in, Activation& activation)
      : in_(in),
        here_(std::exchange(in.here_, &activation)),
        in_event_(std::exchange(in.in_event, false)),
        binders_(std::exchange(in.binders, {})),
        ranges_(std::exchange(in.binder_ranges_, {})) {}
  Scope(const Scope&) = delete;
  ~Scope() {
    in_.here_ = here_;
    in_.in_event = in_event_;
    in_.binders = std::move(binders_);
    in_.binder_ranges_ = std::move(ranges_);
  }

 private:
  LaneEmitter& in_;
  Activation* here_;
  bool in_event_;
  std::unordered_map<ir::BinderId, llvm::Value*> binders_;
  std::unordered_map<ir::BinderId, IntegerRange> ranges_;
};

}  // namespace wave::jit::lanes
