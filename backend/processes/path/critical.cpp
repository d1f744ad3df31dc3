// See critical.h.
#include "backend/processes/path/critical.h"

#include "backend/processes/program/accounts.h"
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

void PathSums::add(double time, const Cause& cause, double times) {
  if (time == 0 || times == 0) return;
  terms_[term(cause, time)].sum += time * times;
}

std::size_t PathSums::term(const Cause& cause, double weight) {
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

CriticalPath own_program(const ProgramInput& input, std::int64_t rank, ir::PhaseId phase) {
  const std::vector<std::int64_t> point = input.places.point(rank);
  Accountant accountant(input.scalars, input.process, input.binders, input.places.extents, input.quantum,
                        input.look_at_clock);
  PathSums sums(most_weights(input.places), [&](PathTerm& term, std::uint32_t) {
    if (term.weight) term.at = point;
  });
  for (SpentTime& spent : accountant.spent(point, phase)) {
    spent.cause.process = static_cast<std::uint32_t>(rank);
    sums.add(spent.weight, spent.cause, static_cast<double>(spent.times));
  }
  CriticalPath program = sums.path();
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

CriticalPath PathSums::path() const {
  CriticalPath path;
  for (const PathTerm& term : terms_) {
    path.total += term.sum;
    if (term.sum != 0) path.terms.push_back(term);
  }
  const auto by_text = [](const PathTerm& a, const PathTerm& b) {
    return std::tie(a.location.file, a.location.begin, a.kind) < std::tie(b.location.file, b.location.begin, b.kind);
  };
  std::stable_sort(path.terms.begin(), path.terms.end(), by_text);
  return path;
}

}  // namespace wave::backend::processes
