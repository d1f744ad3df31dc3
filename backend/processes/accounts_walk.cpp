// Which processes are walked, and how often each counts.
#include "backend/processes/accounts_walk.h"

namespace wave::backend::processes {

namespace {

constexpr __int128 most_processes = __int128{1} << 62;

void check_count(const std::vector<std::int64_t>& extents) {
  __int128 count = 1;
  for (const std::int64_t extent : extents) {
    count *= extent;
    if (count <= most_processes) continue;
    ir::Failure failure;
    failure.kind = ir::FailureKind::memory_limit;
    failure.detail = "the grid has more than 2^62 processes";
    throw Failed{std::move(failure)};
  }
}

}  // namespace

Accountant::Walk::Walk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock)
    : system_(scalars.system()),
      process_(process),
      binders_(binders),
      places_(system_, process, std::move(extents)),
      quantum_(quantum),
      look_at_clock_(std::move(look_at_clock)),
      values_(scalars, binders),
      ends_(scalars, quantum),
      uses_of_all_(system_, process, binders, ProgramUses::Of::accounts),
      uses_of_counts_(system_, process, binders, ProgramUses::Of::counts) {
  check_count(places_.extents);
}

Accounts Accountant::Walk::account(const std::vector<std::int64_t>& point) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  sent_.clear();
  received_.clear();
  begin(Purpose::everything, point);
  state_.step_by_step = !knows_all_sizes();
  into_ = &accounts;
  tally_ = nullptr;
  walk(process_.body);
  return accounts;
}

Accounts Accountant::Walk::count(MessageTally* tally) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  begin(Purpose::counts, std::vector<std::int64_t>(places_.extents.size(), 1));
  into_ = &accounts;
  tally_ = tally;
  visit_grid([&](__int128 count) {
    state_.times = count;
    walk(process_.body);
  });
  return accounts;
}

std::vector<std::int64_t> Accountant::Walk::same_account(std::vector<std::int64_t> point) {
  if (!reaches_) {
    reaches_.emplace(point.size());
    const bool is_known = knows_all_sizes();
    for (std::uint32_t axis = 0; is_known && axis < point.size(); ++axis) (*reaches_)[axis] = uses_of_all_.reach(axis);
  }
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const auto reach = (*reaches_)[axis];
    if (reach && point[axis] > *reach && point[axis] <= places_.extents[axis] - *reach) point[axis] = *reach + 1;
  }
  return point;
}

void Accountant::Walk::list(const std::vector<std::int64_t>& point, ProgramListener& listener) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  sent_.clear();
  received_.clear();
  begin(Purpose::everything, point);
  state_.step_by_step = true;
  into_ = &accounts;
  tally_ = nullptr;
  listener_ = &listener;
  try {
    walk(process_.body);
  } catch (...) {
    listener_ = nullptr;
    throw;
  }
  listener_ = nullptr;
}

void Accountant::Walk::begin(Purpose purpose, const std::vector<std::int64_t>& point) {
  state_ = State();
  state_.purpose = purpose;
  state_.pending.assign(process_.handles.size() + 1, 0);
  stand_at(point);
}

void Accountant::Walk::stand_at(const std::vector<std::int64_t>& point) {
  const auto& axes = system_[process_.space].axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axis < state_.point.size() && state_.point[axis] == point[axis]) continue;
    values_.bind(axes[axis].binder, point[axis]);
  }
  state_.point = point;
}

// Calls `visit` standing at processes, in row-major order, each with the number of those that it stands for: the
// first of those that are as far from the borders as any message may look.
void Accountant::Walk::visit_grid(const std::function<void(__int128)>& visit) {
  std::vector<std::int64_t> point(places_.extents.size(), 1);
  visit_axis(0, point, 1, visit);
}

void Accountant::Walk::visit_axis(std::size_t axis, std::vector<std::int64_t>& point, __int128 count,
                                  const std::function<void(__int128)>& visit) {
  if (axis == point.size()) {
    stand_at(point);
    visit(count);
    return;
  }
  const std::int64_t extent = places_.extents[axis];
  const auto reach = uses_of_counts_.reach(static_cast<std::uint32_t>(axis));
  for (std::int64_t at = 1; at <= extent; ++at) {
    point[axis] = at;
    const bool stands_for_many = reach && at == *reach + 1 && extent > 2 * *reach + 1;
    const std::int64_t alike = stands_for_many ? extent - 2 * *reach : 1;
    visit_axis(axis + 1, point, count * alike, visit);
    at += alike - 1;
  }
}

}  // namespace wave::backend::processes
