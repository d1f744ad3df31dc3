// The questions of accounts.h; the walk itself is in accounts_walk.cpp.
#include "backend/processes/accounts_walk.h"

namespace wave::backend::processes {

Accountant::Accountant(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock)
    : walk_(std::make_unique<Walk>(scalars, process, binders, std::move(extents), quantum, std::move(look_at_clock))) {}

Accountant::~Accountant() = default;

const Accounts& Accountant::of(const std::vector<std::int64_t>& point) {
  std::vector<std::int64_t> walked = walk_->same_account(point);
  if (!one_ || point_ != walked) {
    one_.reset();
    one_ = walk_->account(walked);
    point_ = std::move(walked);
  }
  return *one_;
}

const Accounts& Accountant::all() {
  if (!all_) all_ = walk_->count(nullptr);
  return *all_;
}

const MessageTally& Accountant::tally() {
  if (!tally_) {
    MessageTally tally;
    all_ = walk_->count(&tally);
    tally_ = std::move(tally);
  }
  return *tally_;
}

void Accountant::list(const std::vector<std::int64_t>& point, ProgramListener& listener) {
  walk_->list(point, listener);
}

}  // namespace wave::backend::processes
