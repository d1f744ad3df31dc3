// See critical.h.
#include "backend/processes/critical.h"

#include "backend/processes/accounts.h"
#include "backend/processes/network_core.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

// More are added up.
std::size_t most_weights(const Places& places) {
  const double weights = most_sums_of_paths / static_cast<double>(places.count());
  return static_cast<std::size_t>(std::clamp(weights, least_weights_of_path, most_weights_of_path));
}

namespace {

// Where a step stands in its protocol.
void describe_step(PathTerm& term, const Cause& cause) {
  if (!cause.ends || !cause.step) return;
  const auto holds = [&](const auto& steps) {
    return steps.data() <= cause.step && cause.step < steps.data() + steps.size();
  };
  term.at_sender = holds(cause.ends->sender);
  const auto& steps = term.at_sender ? cause.ends->sender : cause.ends->receiver;
  term.machine = cause.ends->machine;
  term.protocol = cause.ends->protocol;
  term.step = static_cast<std::uint32_t>(cause.step - steps.data());
  term.use = cause.use;
  term.size = cause.ends->size;
  term.route = cause.ends->route;
}

}  // namespace

void TracedTimes::Clock::copy_sums(const Clock& other) {
  if (!other.sums_) {
    sums_.reset();
    return;
  }
  if (count() != other.count()) sums_.reset(new double[2 + other.count()]);
  std::copy_n(other.sums_.get(), 2 + other.count(), sums_.get());
}

TracedTimes::Clock& TracedTimes::Clock::operator=(const Clock& other) {
  if (this == &other) return *this;
  now = other.now;
  copy_sums(other);
  return *this;
}

void TracedTimes::Clock::resize(std::size_t to) {
  auto larger = std::make_unique<double[]>(2 + to);
  if (sums_) std::copy_n(sums_.get(), 2 + count(), larger.get());
  sums_ = std::move(larger);
  sums_[0] = static_cast<double>(to);
}

void TracedTimes::add(Clock& clock, double time, const Cause& cause, double times) {
  if (time == 0 || times == 0) return;
  clock.now += time * times;
  const std::size_t at = term(cause, time);
  if (clock.count() <= at) clock.resize(terms_.size());
  clock.sums_[2 + at] += time * times;
}

void TracedTimes::join(Clock& clock, const Clock& other, const Cause&) {
  if (other.now > clock.now) {
    clock = other;
  } else if (other.now == clock.now && clock.now != 0) {
    clock.sums_[1] = 1;
  }
}

std::size_t TracedTimes::term(const Cause& cause, double weight) {
  const bool in_detail = most_weights_ > 0 && weights_[{cause.statement, cause.kind}] < most_weights_;
  const Location location = cause.statement->location;
  Key key{location.file, location.begin, location.end, cause.kind, cause.resource()};
  if (most_weights_ > 0) {
    Key detailed = key;
    detailed.step = cause.step;
    detailed.use = cause.use;
    detailed.weight = weight;
    if (const auto found = known_.find(detailed); found != known_.end()) return found->second;
    if (in_detail) key = detailed;
  }
  const auto [found, is_new] = known_.try_emplace(key, terms_.size());
  if (!is_new) return found->second;
  PathTerm term;
  term.kind = cause.kind;
  term.statement = cause.statement;
  term.location = location;
  term.resource = key.resource;
  if (in_detail) {
    ++weights_[{cause.statement, cause.kind}];
    term.weight = weight;
    describe_step(term, cause);
  }
  new_term_(term, cause.process);
  terms_.push_back(std::move(term));
  return terms_.size() - 1;
}

void TracedTimes::follow_phase(std::uint32_t process, ir::PhaseId phase, bool is_left_last) {
  process_ = process;
  phase_ = phase;
  is_left_last_ = is_left_last;
}

void TracedTimes::pass_phase(std::uint32_t process, ir::PhaseId phase, bool enters, const Clock& clock) {
  if (phase != phase_ || process != process_ || (enters && is_left_last_)) return;
  if (is_left_last_) {
    in_phase_ = clock;
    return;
  }
  in_phase_.now += enters ? -clock.now : clock.now;
  if (clock.count() == 0) return;
  if (in_phase_.count() < terms_.size()) in_phase_.resize(terms_.size());
  for (std::size_t i = 0; i < clock.count(); ++i)
    in_phase_.sums_[2 + i] += enters ? -clock.sums_[2 + i] : clock.sums_[2 + i];
  if (clock.is_tied()) in_phase_.sums_[1] = 1;
}

namespace {

// The first in row-major order of those that finish last.
std::int64_t last_finisher(const NetworkInput& input) {
  ProcessState state;
  state.clocks.resize(static_cast<std::size_t>(input.places.count()));
  state.phases.resize(input.process.phases.size());
  double operations = 0;
  run_network(input, state, operations);
  return std::max_element(state.clocks.begin(), state.clocks.end()) - state.clocks.begin();
}

}  // namespace

CriticalPath network_critical_path(const NetworkInput& input, const PathTarget& target, bool in_detail) {
  std::int64_t claimed = 0;
  // The sums of every clock grow by a number, and so do those of as many signals on their way.
  const std::int64_t bytes_of_term = 2 * static_cast<std::int64_t>(sizeof(double)) * input.places.count();
  const auto claim = [&](std::int64_t bytes) {
    input.claim_memory(bytes);
    claimed += bytes;
  };
  claim(static_cast<std::int64_t>(sizeof(TracedTimes::Clock)) * input.places.count());
  TracedTimes times(in_detail ? most_weights(input.places) : 0, [&](PathTerm& term, std::uint32_t process) {
    claim(bytes_of_term);
    if (term.weight) term.at = input.places.point(process);
  });
  std::optional<std::int64_t> rank = target.rank;
  if (target.phase.valid()) {
    if (!rank) rank = last_finisher(input);
    times.follow_phase(static_cast<std::uint32_t>(*rank), target.phase, target.is_left_last);
  }
  network::Network<TracedTimes> network(input, input.process.blocks[input.process.body.index], times);
  network.run();
  if (!network.control().is_complete()) throw Failed{network::explain(network.control())};
  const auto later = [](const auto& a, const auto& b) { return a.now < b.now; };
  const std::vector<TracedTimes::Clock> finishes = network.finishes();
  const auto last = std::max_element(finishes.begin(), finishes.end(), later);
  const std::int64_t which = rank.value_or(last - finishes.begin());
  CriticalPath path =
      path_to(target.phase.valid() ? times.in_phase() : finishes[static_cast<std::size_t>(which)], times.terms());
  if (target.phase.valid()) path.of = CriticalPath::Of::phase;
  path.last_finish = last->now;
  path.finisher = input.places.point(which);
  input.claim_memory(-claimed);
  return path;
}

CriticalPath own_program(const NetworkInput& input, std::int64_t rank, ir::PhaseId phase) {
  const std::vector<std::int64_t> point = input.places.point(rank);
  Accountant accountant(input.scalars, input.process, input.binders, input.places.extents, input.quantum,
                        input.look_at_clock);
  TracedTimes times(most_weights(input.places), [&](PathTerm& term, std::uint32_t) {
    if (term.weight) term.at = point;
  });
  TracedTimes::Clock sums;
  for (SpentTime& spent : accountant.spent(point, phase)) {
    spent.cause.process = static_cast<std::uint32_t>(rank);
    times.add(sums, spent.weight, spent.cause, static_cast<double>(spent.times));
  }
  CriticalPath program = path_to(sums, times.terms());
  program.of = CriticalPath::Of::program;
  program.finisher = point;
  return program;
}

void subtract(CriticalPath& path, const CriticalPath& terms) {
  path.of = CriticalPath::Of::rest;
  path.total -= terms.total;
  for (PathTerm term : terms.terms) {
    term.sum = -term.sum;
    path.terms.push_back(std::move(term));
  }
}

CriticalPath path_to(const TracedTimes::Clock& clock, const std::vector<PathTerm>& terms) {
  CriticalPath path;
  path.total = clock.now;
  path.tied = clock.is_tied();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (clock.sum(i) == 0) continue;
    path.terms.push_back(terms[i]);
    path.terms.back().sum = clock.sum(i);
  }
  const auto by_text = [](const PathTerm& a, const PathTerm& b) {
    return std::tie(a.location.file, a.location.begin, a.kind) < std::tie(b.location.file, b.location.begin, b.kind);
  };
  std::stable_sort(path.terms.begin(), path.terms.end(), by_text);
  return path;
}

}  // namespace wave::backend::processes
