// Which rounds go together, in which blocks of processes, and where their times stand.
#include "backend/processes/bulk/array_program.h"

#include "backend/processes/bulk/array_times.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace wave::backend::processes {

namespace {

// Units whose processes have to be in one block.
class Blocks {
 public:
  explicit Blocks(std::int32_t units) : above_(static_cast<std::size_t>(units)), sizes_(above_.size(), 1) {
    std::iota(above_.begin(), above_.end(), 0);
  }
  void join(std::int32_t a, std::int32_t b) {
    a = top(a), b = top(b);
    if (a == b) return;
    if (sizes_[at(a)] < sizes_[at(b)]) std::swap(a, b);
    above_[at(b)] = a;
    sizes_[at(a)] += sizes_[at(b)];
    largest_ = std::max(largest_, sizes_[at(a)]);
  }
  std::int32_t largest() const { return largest_; }
  // Writes the units block after block; small ones are put together.
  void list(ArrayGroup& group) {
    std::map<std::int32_t, std::vector<std::int32_t>> members;  // by the top
    std::vector<std::int32_t> order;
    for (std::int32_t unit = 0; unit < static_cast<std::int32_t>(above_.size()); ++unit) {
      std::vector<std::int32_t>& units = members[top(unit)];
      if (units.empty()) order.push_back(top(unit));
      units.push_back(unit);
    }
    constexpr auto few = static_cast<std::size_t>(processes_of_plain_block / PeerMap::unit);
    group.first_unit.push_back(0);
    const auto end_block = [&] {
      const auto begin = group.units.begin() + static_cast<std::ptrdiff_t>(group.first_unit.back());
      std::sort(begin, group.units.end());
      group.processes_of_block =
          std::max(group.processes_of_block, static_cast<std::int32_t>(group.units.end() - begin) * PeerMap::unit);
      group.first_unit.push_back(group.units.size());
    };
    for (const std::int32_t one : order) {
      const std::vector<std::int32_t>& units = members[one];
      const std::size_t size = group.units.size() - group.first_unit.back();
      if (size > 0 && size + units.size() > few) end_block();
      group.units.insert(group.units.end(), units.begin(), units.end());
    }
    end_block();
  }

 private:
  static std::size_t at(std::int32_t unit) { return static_cast<std::size_t>(unit); }
  std::int32_t top(std::int32_t unit) {
    while (above_[at(unit)] != unit) unit = above_[at(unit)] = above_[at(above_[at(unit)])];
    return unit;
  }
  std::vector<std::int32_t> above_, sizes_;
  std::int32_t largest_ = 1;
};

// The numbers of arrays that are free to be written.
class Numbers {
 public:
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void release(std::uint32_t number) { free_.push_back(number); }
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

class Arranger {
 public:
  Arranger(ArrayTimes times, const OperationList& list, std::size_t processes, ServiceOrders& orders)
      : times_(std::move(times)),
        orders_(orders),
        units_(static_cast<std::int32_t>((processes + PeerMap::unit - 1) / PeerMap::unit)),
        places_(times_.arrays),
        made_in_(times_.arrays, before_all),
        last_use_(times_.arrays, 0),
        is_used_later_(times_.arrays, false) {
    program_.weights = list.weights;
    program_.carried = list.carried;
    program_.services = list.services;
  }

  ArrayProgram run() {
    find_groups();
    find_uses();
    for (std::uint32_t input = 0; input < times_.inputs; ++input) {
      places_[input] = {false, numbers_.take()};
      (input < program_.carried.size() ? program_.before : program_.fresh).push_back(places_[input].number);
    }
    for (std::size_t group = 0; group < program_.groups.size(); ++group) place_group(group);
    for (const std::uint32_t array : times_.after) program_.after.push_back(places_[array].number);
    program_.arrays = numbers_.count();
    program_.peers = std::move(times_.peers);
    program_.runs = std::move(times_.runs);
    program_.steps_of_process = static_cast<double>(times_.steps.size());
    return std::move(program_);
  }

 private:
  static constexpr std::int64_t before_all = -1;
  // The steps [begin, end).
  struct Range {
    std::size_t begin = 0, end = 0;
  };

  void find_groups();
  Range round_from(std::size_t begin) const;
  const std::vector<std::pair<std::int32_t, std::int32_t>>& neighbours(std::uint32_t peers);
  void find_uses();
  void place_group(std::size_t group);
  void place_step(std::size_t step, std::size_t group, Numbers& of_block);
  void place_service(std::size_t step, std::size_t group);
  void order_batches(ArrayGroup& group);
  bool may_replace(std::uint32_t array, std::size_t step, bool is_of_block) const;
  void release(std::uint32_t array, Numbers& of_block);

  ArrayTimes times_;
  ServiceOrders& orders_;
  std::int32_t units_;
  ArrayProgram program_;
  std::vector<Range> ranges_;          // by group
  std::vector<ArrayPlace> places_;     // by array
  std::vector<std::int64_t> made_in_;  // by array: the group
  std::vector<std::size_t> last_use_;  // by array: the step
  std::vector<bool> is_used_later_;    // by array: than its group
  std::vector<bool> is_held_;          // by array: other blocks of the present group look at it
  std::map<std::uint32_t, std::vector<std::pair<std::int32_t, std::int32_t>>> neighbours_;
  Numbers numbers_;
};

Arranger::Range Arranger::round_from(std::size_t begin) const {
  std::size_t end = begin;
  while (end < times_.steps.size() && times_.steps[end].round == times_.steps[begin].round) ++end;
  return {begin, end};
}

// The pairs of units between which there are peers.
const std::vector<std::pair<std::int32_t, std::int32_t>>& Arranger::neighbours(std::uint32_t peers) {
  const auto [entry, is_new] = neighbours_.try_emplace(peers);
  if (!is_new) return entry->second;
  auto& found = entry->second;
  const PeerMap& map = *times_.peers[peers];
  map.for_each_run(0, map.processes(), [&](const PeerMap::Run& run) {
    for (std::int32_t done = 0; done < run.count;) {
      const std::int32_t from = run.first + done, to = run.peer + done;
      const std::pair<std::int32_t, std::int32_t> both{from / PeerMap::unit, to / PeerMap::unit};
      if (both.first != both.second && (found.empty() || found.back() != both)) found.push_back(both);
      done += std::min(PeerMap::unit - from % PeerMap::unit, PeerMap::unit - to % PeerMap::unit);
    }
  });
  return found;
}

// As many rounds as blocks that no message leaves stay small. A batch needs the requests of all processes, so it begins
// a group, and what it makes counts as made before the group.
void Arranger::find_groups() {
  for (std::size_t begin = 0; begin < times_.steps.size();) {
    Range range{begin, begin};
    std::optional<Blocks> blocks;
    while (range.end < times_.steps.size()) {
      const Range next = round_from(range.end);
      if (range.end > range.begin && times_.steps[next.begin].is_service()) break;
      std::optional<Blocks> larger = blocks;
      for (std::size_t i = next.begin; i < next.end; ++i) {
        const TimeStep& step = times_.steps[i];
        const auto group = static_cast<std::int64_t>(ranges_.size());
        if (!step.of_peer || made_in_[step.other.array] != group) continue;
        if (!larger) larger.emplace(units_);
        for (const auto& [a, b] : neighbours(step.peers)) larger->join(a, b);
      }
      if (larger && larger->largest() * PeerMap::unit > most_processes_of_block) break;
      blocks = std::move(larger);
      for (std::size_t i = next.begin; i < next.end; ++i) {
        if (!times_.steps[i].is_service()) made_in_[times_.made[i]] = static_cast<std::int64_t>(ranges_.size());
      }
      range.end = next.end;
    }
    ArrayGroup& group = program_.groups.emplace_back();
    group.processes_of_block = processes_of_plain_block;
    if (blocks) group.processes_of_block = 0, blocks->list(group);
    ranges_.push_back(range);
    begin = range.end;
  }
}

void Arranger::find_uses() {
  for (std::size_t group = 0; group < ranges_.size(); ++group) {
    for (std::size_t i = ranges_[group].begin; i < ranges_[group].end; ++i) {
      const TimeStep& step = times_.steps[i];
      last_use_[times_.made[i]] = i;
      const auto use = [&](std::uint32_t array) {
        last_use_[array] = i;
        if (made_in_[array] != static_cast<std::int64_t>(group)) is_used_later_[array] = true;
      };
      use(step.other.array);
      if (step.looks_at_own()) use(step.own.array);
    }
  }
  for (const std::uint32_t array : times_.after) {
    last_use_[array] = times_.steps.size();
    is_used_later_[array] = true;
  }
}

void Arranger::place_group(std::size_t group) {
  const Range range = ranges_[group];
  is_held_.assign(times_.arrays, false);
  std::vector<std::uint32_t> held;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const TimeStep& step = times_.steps[i];
    const bool is_of_others = step.of_peer && made_in_[step.other.array] != static_cast<std::int64_t>(group);
    if (!is_of_others && !step.is_service()) continue;
    if (!is_held_[step.other.array]) held.push_back(step.other.array);
    is_held_[step.other.array] = true;
    if (step.is_service() && last_use_[times_.made[i]] == i) held.push_back(times_.made[i]);
  }
  Numbers of_block;
  program_.groups[group].steps.reserve(range.end - range.begin);
  for (std::size_t i = range.begin; i < range.end; ++i)
    times_.steps[i].is_service() ? place_service(i, group) : place_step(i, group, of_block);
  order_batches(program_.groups[group]);
  for (const std::uint32_t array : held) {
    if (last_use_[array] < range.end) numbers_.release(places_[array].number);
  }
  program_.groups[group].arrays_of_block = of_block.count();
}

// Is this the last look at it, and only at the process's own?
bool Arranger::may_replace(std::uint32_t array, std::size_t step, bool is_of_block) const {
  const TimeStep& it = times_.steps[step];
  return last_use_[array] == step && !is_held_[array] && places_[array].of_block == is_of_block &&
         !(it.of_peer && it.other.array == array);
}

void Arranger::release(std::uint32_t array, Numbers& of_block) {
  if (!is_held_[array]) (places_[array].of_block ? of_block : numbers_).release(places_[array].number);
}

void Arranger::place_step(std::size_t number, std::size_t group, Numbers& of_block) {
  const TimeStep& step = times_.steps[number];
  const std::uint32_t made = times_.made[number];
  const bool is_of_block = !is_used_later_[made];
  const std::array<std::uint32_t, 2> both{step.own.array, step.other.array};
  const bool has_two = step.looks_at_own() && step.own.array != step.other.array;
  const std::span<const std::uint32_t> operands = std::span(both).subspan(has_two ? 0 : 1);
  std::optional<std::uint32_t> replaced;
  for (const std::uint32_t array : operands) {
    if (!replaced && may_replace(array, number, is_of_block)) replaced = array;
  }
  places_[made] =
      replaced ? places_[*replaced] : ArrayPlace{is_of_block, is_of_block ? of_block.take() : numbers_.take()};
  for (const std::uint32_t array : operands) {
    if (last_use_[array] == number && array != replaced) release(array, of_block);
  }
  ArrayStep placed;
  placed.joins = step.joins;
  placed.to = places_[made];
  placed.other = places_[step.other.array];
  placed.own = step.looks_at_own() ? places_[step.own.array] : placed.other;
  placed.own_plus = step.own.plus;
  placed.other_plus = step.other.plus;
  placed.else_plus = step.else_plus;
  placed.own_runs = step.looks_at_own() ? step.own.runs : ArrayStep::nothing;
  placed.other_runs = step.other.runs;
  placed.weights = step.weights;
  placed.peers = step.peers;
  placed.of_peer = step.of_peer;
  placed.operation = step.operation;
  program_.groups[group].steps.push_back(std::move(placed));
}

// Into the batch of its resource.
void Arranger::place_service(std::size_t number, std::size_t group) {
  const TimeStep& step = times_.steps[number];
  const ResourceKey& resource = program_.services[step.service].resource;
  std::vector<ServiceBatch>& batches = program_.groups[group].batches;
  const auto found = std::ranges::find(batches, resource, &ServiceBatch::resource);
  ServiceBatch& batch = found != batches.end() ? *found : batches.emplace_back(ServiceBatch{resource, {}, nullptr});
  const ArrayPlace to = places_[times_.made[number]] = {false, numbers_.take()};
  batch.asked.push_back({step.service, places_[step.other.array].number, to.number, step.other.plus});
}

void Arranger::order_batches(ArrayGroup& group) {
  for (ServiceBatch& batch : group.batches) {
    std::ranges::sort(batch.asked, {}, [&](const auto& one) { return program_.services[one.service].order; });
    batch.order = orders_.of(batch, program_.services);
  }
}

}  // namespace

ArrayProgram array_program(const OperationList& list, Fields& fields, ServiceOrders& orders,
                           const std::vector<bool>& wrap, bool keeps_choices) {
  return Arranger(array_times(list, fields, wrap, keeps_choices), list, fields.grid().count(), orders).run();
}

}  // namespace wave::backend::processes
