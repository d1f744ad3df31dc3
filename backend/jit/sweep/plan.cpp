// What has to be kept between steps, and how long.
#include "backend/jit/sweep/plan.h"

#include "backend/jit/sweep/thresholds.h"

#include <algorithm>
#include <numeric>

namespace wave::jit::sweep {

namespace {

void find_gates(Plan& plan) {
  const auto widen = [&](WeightId weight) { plan.events.weights.widen(weight, plan.gates_low, plan.gates_high); };
  for (const SweepEvent& event : plan.events.events) {
    for (const Edge& edge : event.edges) widen(edge.weight);
    for (const Addend& addend : event.addends) widen(addend.gate);
  }
}

void collect_needs(Plan& plan) {
  const std::size_t count = plan.events.events.size();
  plan.columns_back.assign(count, 0);
  plan.rows_back.assign(count, 0);
  plan.planes_back.assign(count, 0);
  plan.one_plane.assign(count, true);
  for (const Dependence& dependence : dependences(plan.events)) {
    const Offset distance = plan.schedule.distance(dependence);
    plan.needs.push_back({dependence, distance});
    const auto widen = [&](std::vector<int>& back, int by) {
      back[dependence.from] = std::max(back[dependence.from], by);
    };
    plan.padding_columns = std::max(plan.padding_columns, distance[2]);
    widen(plan.planes_back, distance[0]);
    if (distance[0] > 0) {
      if (distance != Offset{1, 0, 0}) plan.one_plane[dependence.from] = false;
      plan.padding_rows = std::max(plan.padding_rows, distance[1]);
    } else {
      widen(plan.rows_back, distance[1]);
      widen(plan.columns_back, distance[2]);
    }
  }
}

}  // namespace

std::string Shape::symbol() const {
  return "strip_" + std::to_string(lanes) + "_" + std::to_string(rows) + (full ? "_full" : "") +
         (inner ? "_inner" : "");
}

std::int64_t record_bytes(std::size_t choices, int lanes) {
  return static_cast<std::int64_t>(choices) * 2 * backend::processes::SweepRecord::bytes_of_bits(lanes);
}

std::optional<Plan> make_plan(const backend::processes::SweepBody& body, const Variation& variation,
                              std::span<const double> given) {
  auto events = contract(body, variation, given);
  if (!events || !runs_through(body) || events->events.size() > most_events) return std::nullopt;
  auto order = schedule(events->events.size(), dependences(*events));
  if (!order) return std::nullopt;
  Plan plan{.events = std::move(*events), .schedule = std::move(*order)};
  find_gates(plan);
  collect_needs(plan);
  plan.alive = std::accumulate(plan.columns_back.begin(), plan.columns_back.end(), 0);
  return plan;
}

Arguments::Arguments(const Plan& plan) {
  const auto take = [&](std::size_t words) {
    const std::uint32_t first = count;
    count += static_cast<std::uint32_t>(words);
    return first;
  };
  for (std::size_t event = 0; event < plan.events.events.size(); ++event) {
    values.push_back(take(1));
    edge_in.push_back(take(1));
    edge_out.push_back(take(1));
    planes.push_back(take(static_cast<std::size_t>(plan.planes_back[event]) + 1));
  }
  for (std::size_t index = 0; index < plan.events.carried.size(); ++index) stores.push_back(take(1));
}

}  // namespace wave::jit::sweep
