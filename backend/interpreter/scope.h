// Guards that restore the evaluator's state when a scope is left, also by a failure.
#pragma once

#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/processes.h"

#include <utility>

namespace wave::backend::interpreter {

// A definition, or the cells of a group: in its own activation, without the binders and the cell from outside.
class Evaluator::Scope {
 public:
  Scope(Evaluator& self, Activation& activation, CellContext* cell)
      : self_(self),
        here_(std::exchange(self.here_, &activation)),
        cell_(std::exchange(self.cell_, cell)),
        begin_(std::exchange(self.scope_begin_, self.bound_.size())) {
    ++self.scopes_;
  }
  Scope(const Scope&) = delete;
  ~Scope() {
    --self_.scopes_;
    self_.here_ = here_;
    self_.cell_ = cell_;
    self_.scope_begin_ = begin_;
  }

 private:
  Evaluator& self_;
  Activation* here_;
  CellContext* cell_;
  std::size_t begin_;
};

// One node inside another.
class Evaluator::Nesting {
 public:
  explicit Nesting(Evaluator& self) : self_(self) {
    if (++self_.depth_ > self_.deepest_) {
      --self_.depth_;
      self_.fail(ir::FailureKind::recursion_too_deep, {});
    }
  }
  Nesting(const Nesting&) = delete;
  ~Nesting() { --self_.depth_; }

 private:
  Evaluator& self_;
};

// A call, while it runs. Its events and processes go with it.
class Evaluator::ActiveCall {
 public:
  ActiveCall(Evaluator& self, const Activation& callee) : self_(self), callee_(callee) { ++self.activations_; }
  ActiveCall(const ActiveCall&) = delete;
  ~ActiveCall() {
    --self_.activations_;
    for (const auto& [number, group] : callee_.groups) self_.memory_.used -= group.bytes;
    for (const auto& [id, process] : callee_.processes) self_.memory_.used -= process->bytes();
  }

 private:
  Evaluator& self_;
  const Activation& callee_;
};

// What is evaluated once, whatever loop needs it first, says nothing about that loop.
class Evaluator::Unwatched {
 public:
  explicit Unwatched(Evaluator& self) : self_(self), watch_(std::exchange(self.watch_, nullptr)) {}
  Unwatched(const Unwatched&) = delete;
  ~Unwatched() { self_.watch_ = watch_; }

 private:
  Evaluator& self_;
  Watch* const watch_;
};

// A loop variable while its loop runs. The same binder may be bound further out (by recursion).
class Evaluator::BoundLevel {
 public:
  BoundLevel(Evaluator& self, ir::BinderId binder)
      : self_(self), binder_(binder), before_(self.binder_values_[binder.index]) {
    self_.bound_.push_back(binder);
  }
  BoundLevel(const BoundLevel&) = delete;
  ~BoundLevel() {
    self_.bound_.pop_back();
    self_.set_binder(binder_, before_);
  }

 private:
  Evaluator& self_;
  ir::BinderId binder_;
  std::int64_t before_;
};

// The axes of a space while its cells are evaluated.
class Evaluator::BoundAxes {
 public:
  BoundAxes(Evaluator& self, const ir::Space& space) : self_(self), space_(space) {
    for (const ir::Axis& axis : space.axes) {
      before_.push_back(self.binder_values_[axis.binder.index]);
      self.bound_.push_back(axis.binder);
    }
  }
  BoundAxes(const BoundAxes&) = delete;
  ~BoundAxes() {
    for (std::size_t axis = 0; axis < space_.axes.size(); ++axis) {
      self_.bound_.pop_back();
      self_.set_binder(space_.axes[axis].binder, before_[axis]);
    }
  }

 private:
  Evaluator& self_;
  const ir::Space& space_;
  std::vector<std::int64_t> before_;
};

}  // namespace wave::backend::interpreter
