// See critical.h.
#include "backend/processes/path/critical.h"

#include "backend/processes/program/accounts.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

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
  const Location location = cause.statement->location;
  Key key{.file = location.file,
          .begin = location.begin,
          .end = location.end,
          .kind = cause.kind,
          .resource = cause.resource()};
  if (in_detail_) return detailed_term(cause, weight, std::move(key));
  const auto [found, is_new] = known_.try_emplace(std::move(key), terms_.size());
  return is_new ? add_term(cause) : found->second;
}

std::size_t PathSums::detailed_term(const Cause& cause, double weight, Key key) {
  Key detailed = key;
  detailed.text = cause.statement;
  detailed.sized_by = cause.sized_by;
  detailed.step = cause.step;
  detailed.use = cause.use;
  detailed.weight = weight;
  Key of_place = detailed;
  of_place.at = place_of(cause);
  if (const auto found = known_.find(of_place); found != known_.end()) return found->second;
  std::size_t& apart = apart_[{cause.statement, cause.kind}];
  const auto alike = alike_.find(detailed);
  if (apart >= most_weights_of_path && alike != alike_.end()) return alike->second;
  if (apart >= most_weights_of_path) {
    const auto [rest, is_new] = known_.try_emplace(std::move(key), terms_.size());
    return is_new ? add_term(cause) : rest->second;
  }
  ++apart;
  const std::size_t made = add_term(cause);
  terms_[made].weight = weight;
  terms_[made].at = of_place.at;
  terms_[made].sized_by = cause.sized_by || gives_no_size(*cause.statement) ? cause.sized_by : cause.statement;
  describe_step(terms_[made], cause);
  known_.emplace(std::move(of_place), made);
  if (alike == alike_.end()) alike_.emplace(std::move(detailed), made);
  return made;
}

std::size_t PathSums::add_term(const Cause& cause) {
  PathTerm term;
  term.kind = cause.kind;
  term.statement = cause.statement;
  term.location = cause.statement->location;
  term.resource = cause.resource();
  terms_.push_back(std::move(term));
  return terms_.size() - 1;
}

Bindings PathSums::place_of(const Cause& cause) {
  Bindings place = cause.inside ? *cause.inside : Bindings{};
  const WeightPlaces::LooksAt& looks_at = weight_places_.looks_at(cause.sized_by ? *cause.sized_by : *cause.statement);
  if (looks_at.axes.empty()) return place;
  const std::vector<std::int64_t> point = input_.places.point(cause.sized_by ? cause.sized_at : cause.process);
  const auto& axes = input_.scalars.system()[input_.process.space].axes;
  for (const std::size_t axis : looks_at.axes) place.emplace_back(axes[axis].binder, point[axis]);
  return place;
}

CriticalPath own_program(const ProgramInput& input, std::int64_t rank, ir::PhaseId phase) {
  const std::vector<std::int64_t> point = input.places.point(rank);
  Accountant accountant(input.scalars, input.process, input.binders, input.places.extents, input.quantum,
                        input.look_at_clock, input.taken);
  PathSums sums(input, true);
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
