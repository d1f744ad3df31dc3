// Compiles strips where they are wanted, and weighs shapes against each other.
#include "backend/jit/lanes/strip_code.h"

#include "backend/batch_thread.h"
#include "backend/jit/compiler.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/threads.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace wave::jit {

namespace {

std::mutex wishes_mutex;
LaneWishes wishes;

}  // namespace

void wish_lanes(const LaneWishes& wanted) {
  const std::lock_guard lock(wishes_mutex);
  wishes = wanted;
}

namespace lanes {

namespace {

// About how many cycles a step of this many vectors takes.
double cycles_a_step(const ShapeQuestion& question, double vectors) {
  const double of_a_node = question.quanta ? cycles_of_quanta_node : cycles_of_vector_node;
  const double of_a_vector = of_a_node * static_cast<double>(question.nodes);
  return std::max(cycles_of_latency, cycles_of_step + vectors * of_a_vector);
}

}  // namespace

LaneWishes lane_wishes() {
  const std::lock_guard lock(wishes_mutex);
  return wishes;
}

int lane_threads(int option) {
  const LaneWishes wanted = lane_wishes();
  return wanted.threads > 0 ? wanted.threads : backend::threads_within_row(backend::actual_threads(option));
}

const StripTables& StripCodes::tables(GroupIndex group, bool cellwise) {
  std::unique_ptr<StripTables>& known = tables_[{group, cellwise}];
  if (!known)
    known = std::make_unique<StripTables>(layout_.system, layout_.groups[group], layout_.strips[group], cellwise);
  return *known;
}

const StripCode& StripCodes::get(Compiler& compiler, GroupIndex group, StripShape shape, GiveUp give_up) {
  const auto [place, is_new] = codes_.try_emplace({group, shape});
  StripCode& code = place->second;
  if (!is_new) return code;
  Wanted wanted{Wanted::strips, group, {}, shape};
  wanted.give_up = give_up;
  code.reason = compiler.compile(wanted);
  if (!code.reason.empty()) return code;
  const std::string symbol = strip_symbol(group, shape);
  code.masked = reinterpret_cast<StripFunction>(compiler.find(symbol + masked_strip));
  code.steady = reinterpret_cast<StripFunction>(compiler.find(symbol + steady_strip));
  code.fill_tables = reinterpret_cast<TablesFunction>(compiler.find(symbol + tables_of_strip));
  if (!code.masked || !code.steady || !code.fill_tables) code.reason = "its strips have not been compiled";
  return code;
}

bool StripCodes::are_due(GroupIndex group, double cells, double rows) {
  if (!layout_.strips[group].possible()) return false;
  const LaneWishes wanted = lane_wishes();
  if (wanted.never || wanted.always) return wanted.always;
  if (cells < smallest_group || rows < smallest_rows) return false;
  return (cells_[group] += cells) >= cells_that_are_worth_it;
}

std::optional<StripShape> StripCodes::choose(Compiler& compiler, const ShapeQuestion& question) const {
  const LaneWishes wanted = lane_wishes();
  const Vectors machine = compiler.vectors();
  if (machine.lanes == 0) return std::nullopt;
  const std::uint32_t lanes = wanted.lanes > 0 ? static_cast<std::uint32_t>(wanted.lanes) : machine.lanes;
  if (wanted.vectors > 0 && wanted.vectors >= question.rows_above &&
      (!question.stored || (wanted.vectors & (wanted.vectors - 1)) == 0)) {
    return StripShape{lanes, static_cast<std::uint32_t>(wanted.vectors)};
  }
  const double scalar_cycles = cycles_of_scalar_cell + cycles_of_scalar_node * static_cast<double>(question.nodes);
  double least = static_cast<double>(question.rows) * static_cast<double>(question.columns) * scalar_cycles;
  if (wanted.always) least *= 1e6;
  const std::uint32_t most = std::clamp<std::uint32_t>(
      (machine.registers - machine.registers / 4) / std::max(1u, question.kept_vectors), 2, 16);
  std::optional<StripShape> best;
  for (const std::uint32_t vectors : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 14u, 16u}) {
    if (question.stored && (vectors & (vectors - 1)) != 0) continue;
    if (static_cast<std::int32_t>(vectors) < question.rows_above) continue;
    if (vectors > std::max(1u, static_cast<std::uint32_t>(question.rows_above)) &&
        (vectors > most * 4 / 3 || vectors * question.nodes > most_nodes_of_step))
      continue;
    const double rows = static_cast<double>(lanes) * vectors;
    const double strips = std::ceil(static_cast<double>(question.rows) / rows);
    const double steps = static_cast<double>(question.columns) + question.skew * (rows - 1);
    const double cycles = strips * (cycles_of_strip + steps * cycles_a_step(question, vectors));
    if (cycles >= least) continue;
    least = cycles;
    best = StripShape{lanes, vectors};
  }
  return best;
}

}  // namespace lanes

}  // namespace wave::jit
