// The ends of a message for one size: which protocol it takes, and the times of its steps.
#include "backend/processes/program/ends.h"

#include "backend/processes/program/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace wave::backend::processes {

bool is_charged_at_wait(const std::vector<ResolvedStep>& steps, std::size_t step) {
  const auto is_emit = [](const ResolvedStep& one) { return one.kind == ir::Step::Kind::emit; };
  return std::none_of(steps.begin() + static_cast<std::ptrdiff_t>(step) + 1, steps.end(), is_emit);
}

bool has_charge_at_wait(const std::vector<ResolvedStep>& steps) {
  bool is_after_await = false;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    is_after_await = is_after_await || ir::is_awaiting(steps[step].kind);
    if (is_after_await && steps[step].kind == ir::Step::Kind::busy && is_charged_at_wait(steps, step)) return true;
  }
  return false;
}

namespace {

// The frame of a machine's protocols while values in it are asked for.
class Entered {
 public:
  Entered(Scalars& scalars, const ir::MessageEnds& ends, double size, const Route& route) : scalars_(scalars) {
    const ir::Scalar arguments[] = {ir::Scalar::of(size), ir::Scalar::of(route.within), ir::Scalar::of(route.sender),
                                    ir::Scalar::of(route.receiver)};
    scalars.enter(ends.frame, arguments);
  }
  Entered(const Entered&) = delete;
  ~Entered() { scalars_.leave(); }

 private:
  Scalars& scalars_;
};

}  // namespace

std::size_t ResolvedEnds::bytes() const {
  std::size_t bytes = sizeof(ResolvedEnds);
  for (const auto* const steps : {&sender, &receiver}) {
    for (const ResolvedStep& step : *steps) bytes += sizeof(step) + step.uses.size() * sizeof(ResolvedUse);
  }
  return bytes;
}

EndsResolver::~EndsResolver() {
  if (claimed_ > 0) claim_memory_(-claimed_);
}

void EndsResolver::keep_at_most(std::size_t count) {
  if (known_.size() <= count) return;
  index_.clear();
  known_.clear();
  if (claimed_ > 0) claim_memory_(-std::exchange(claimed_, 0));
}

std::uint64_t hash_of(ir::EndsId machine, double size, const Route& route) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(size + 0.0) * 0x9e3779b97f4a7c15u;  // no -0
  const auto place = static_cast<std::uint64_t>((route.sender * 1000003 + route.receiver) * 7 + route.within);
  const std::uint64_t mixed = (bits ^ bits >> 29) + 2 * machine.index + place * 0xff51afd7ed558ccdu;
  return mixed * 0xbf58476d1ce4e5b9u;
}

const ResolvedEnds& EndsResolver::resolve(ir::EndsId ends, double size, const Route& route) {
  const auto is_wanted = [&](std::uint32_t number) {
    const ResolvedEnds& one = *known_[number];
    return one.size == size && one.machine == ends && one.route == route;
  };
  const std::uint64_t hash = hash_of(ends, size, route);
  if (const std::uint32_t known = index_.find(hash, is_wanted); known != HashIndex::none) return *known_[known];
  auto made = std::make_unique<ResolvedEnds>();
  compute(ends, size, route, *made);
  if (claim_memory_) {
    const auto bytes = static_cast<std::int64_t>(made->bytes() + HashIndex::bytes_of_entry + sizeof made);
    claim_memory_(bytes);
    claimed_ += bytes;
  }
  made->number = made_++;
  index_.add(hash);
  return *known_.emplace_back(std::move(made));
}

const ResolvedEnds& EndsResolver::resolve_once(ir::EndsId ends, double size, const Route& route) {
  compute(ends, size, route, once_);
  return once_;
}

void EndsResolver::compute(ir::EndsId machine, double size, const Route& route, ResolvedEnds& result) {
  const ir::MessageEnds& ends = scalars_.system()[machine];
  const Entered entered(scalars_, ends, size, route);
  const auto holds = [&](const ir::Protocol& protocol) {
    return !protocol.condition.valid() || scalars_.value(protocol.condition).boolean;
  };
  const auto chosen = std::find_if(ends.protocols.begin(), ends.protocols.end(), holds);
  if (chosen == ends.protocols.end()) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::error_called;
    failure.site = ends.site;
    failure.values = {ir::Scalar::of(size)};
    throw Failed{std::move(failure)};
  }
  result.machine = machine;
  result.size = size;
  result.route = route;
  result.protocol = static_cast<std::uint32_t>(chosen - ends.protocols.begin());
  result.window = 0;
  if (chosen->window.valid()) {
    const ir::Scalar window = scalars_.value(chosen->window);
    if (window.integer < 1) {
      ir::Failure failure;
      failure.kind = ir::FailureKind::negative_count;
      failure.site = ends.site;
      failure.values = {window};
      failure.location = chosen->location;
      throw Failed{std::move(failure)};
    }
    result.window = window.integer;
  }
  result.largest = 0;
  steps(chosen->sender, result.sender, result.sender_overhead, result.largest);
  steps(chosen->receiver, result.receiver, result.receiver_overhead, result.largest);
  std::uint32_t slots = 0;
  for (auto* const end : {&result.sender, &result.receiver}) {
    for (ResolvedStep& step : *end) {
      if (ir::is_awaiting(step.kind)) step.slot = slots++;
    }
  }
  has_fractional_sizes = has_fractional_sizes || size != std::floor(size);
}

EndsResolver::Instances EndsResolver::instances(ir::EndsId id, std::uint32_t number) {
  const ir::MessageEnds& ends = scalars_.system()[id];
  const ir::Resource& resource = ends.resources[number];
  const Entered entered(scalars_, ends, 0, {});  // it does not depend on the message
  Instances instances;
  if (resource.count.valid()) instances.count = scalars_.value(resource.count).integer;
  if (resource.servers.valid()) instances.servers = scalars_.value(resource.servers).integer;
  return instances;
}

void EndsResolver::steps(const std::vector<ir::Step>& steps, std::vector<ResolvedStep>& result, double& overhead,
                         double& largest) {
  overhead = 0;
  result.resize(steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const ir::Step& step = steps[at];
    ResolvedStep& resolved = result[at];
    resolved.kind = step.kind;
    resolved.signal = step.signal;
    resolved.slot = 0;
    resolved.has_time = step.time.valid();
    resolved.time = resolved.has_time ? time(step.time, step, largest) : 0;
    resolved.uses.clear();
    for (const ir::Use& use : step.uses) {
      ResolvedUse& made = resolved.uses.emplace_back();
      made.resource = use.resource;
      if (use.occupied.valid()) made.occupied = time(use.occupied, step, largest);
      if (use.number.valid()) made.number = scalars_.value(use.number).integer;
    }
    if (step.kind == ir::Step::Kind::busy || step.kind == ir::Step::Kind::arrival) overhead += resolved.time;
  }
}

double EndsResolver::time(ir::ValueId value, const ir::Step& step, double& largest) {
  const ir::Scalar weight = scalars_.value(value);
  const double rounded = on_quantum(weight.real, quantum_, step.site, step.location);
  largest = std::max(largest, weight.real);
  rounding.add(weight.real, rounded);
  return rounded;
}

}  // namespace wave::backend::processes
