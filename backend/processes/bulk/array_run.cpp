// See array_run.h.
#include "backend/processes/bulk/array_run.h"

#include "backend/processes/bulk/array_blocks.h"
#include "backend/processes/bulk/array_rows.h"
#include "backend/processes/claimed.h"
#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"
#include "backend/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>

namespace wave::backend::processes {

namespace {

std::uint8_t choice(double target, double source) {
  return source > target ? ArrayRecord::source : source == target ? ArrayRecord::tie : ArrayRecord::target;
}

void choose(std::uint8_t* choices, Row target, Row source, const double* weights, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = weights ? weights[i] : 0;
    choices[i] = choice(target.values[i] + target.plus, source.values[i] + source.plus + weight);
  }
}

// Evaluates blocks, with room for the times that nobody needs afterwards.
class BlockWorker {
 public:
  BlockWorker(const ArrayProgram& program, const ArrayHost& host, const std::vector<double*>& arrays)
      : program_(program), grid_(host.grid), record_(host.record), arrays_(arrays), room_(doubles_needed(program)) {}

  static std::size_t doubles_needed(const ArrayProgram& program) {
    std::size_t most = 0;
    for (const ArrayGroup& group : program.groups)
      most = std::max(most, (group.arrays_of_block + 1) * apart(group));  // and a row of weights
    return most;
  }
  void run(const ArrayGroup& group, const GroupSpans& spans, std::size_t block) {
    group_ = &group;
    spans_ = &spans;
    spans.list(block, listed_);
    for (const ArrayStep& step : group.steps) {
      for (const BlockSpan& span : listed_) run(step, span);
    }
  }

 private:
  // A bit more than their size, so that they do not all begin at the same place of a page.
  static std::size_t apart(const ArrayGroup& group) { return static_cast<std::size_t>(group.processes_of_block) + 40; }
  double* start(const ArrayPlace& place) {
    return place.of_block ? room_.data() + place.number * apart(*group_) : arrays_[place.number];
  }
  double* at(const ArrayPlace& place, const BlockSpan& span) {
    return start(place) + (place.of_block ? span.place : span.begin);
  }

  void run(const ArrayStep& step, const BlockSpan& span);
  void run_each(const ArrayStep& step, const BlockSpan& span, const PeerMap& peers, const double* weights);
  // Some processes in a row, from `process` on, and those of the other times, from `peer` on.
  struct Part {
    double* to;
    const double *own, *other, *weights;
    std::int32_t process, peer, count;
  };
  template <class Function>
  void for_each_sum(const ArrayStep& step, const Part& part, Function&& f) const;
  void apply(const ArrayStep& step, const Part& part) const;
  // Where the choices of this process and those behind it go; null: nowhere.
  std::uint8_t* choices(const ArrayStep& step, std::int32_t process) const {
    if (!record_ || !step.joins) return nullptr;
    return record_->choices[step.operation].data() + process;
  }
  const double* weights(const ArrayStep& step, const BlockSpan& span);
  void add_weight(const Field& field, const BlockSpan& span, double* to) const;

  const ArrayProgram& program_;
  const PlanGrid& grid_;
  ArrayRecord* const record_;
  const std::vector<double*>& arrays_;
  const RowLoops& loops_ = row_loops();
  std::vector<double> room_;
  std::vector<BlockSpan> listed_;
  const ArrayGroup* group_ = nullptr;
  const GroupSpans* spans_ = nullptr;
};

// Calls f(begin, count, own_plus, other_plus) for the parts of it to which the same is added.
template <class Function>
void BlockWorker::for_each_sum(const ArrayStep& step, const Part& part, Function&& f) const {
  if (step.own_runs == ArrayStep::nothing && step.other_runs == ArrayStep::nothing) return f(0, part.count, 0, 0);
  const PlusRuns::Run* own = nullptr;
  const PlusRuns::Run* other = nullptr;
  if (step.own_runs != ArrayStep::nothing) own = program_.runs[step.own_runs]->at(part.process);
  if (step.other_runs != ArrayStep::nothing) other = program_.runs[step.other_runs]->at(part.peer);
  for (std::int32_t begin = 0, end = 0; begin < part.count; begin = end) {
    end = part.count;
    if (own) end = std::min(end, own->end - part.process);
    if (other) end = std::min(end, other->end - part.peer);
    f(begin, end - begin, own ? own->plus : 0, other ? other->plus : 0);
    if (own && own->end - part.process == end) ++own;
    if (other && other->end - part.peer == end) ++other;
  }
}

void BlockWorker::apply(const ArrayStep& step, const Part& part) const {
  for_each_sum(step, part, [&](std::int32_t begin, std::int32_t count, double own_plus, double other_plus) {
    const auto n = static_cast<std::size_t>(count);
    double* const to = part.to + begin;
    const Row first{part.own + begin, step.own_plus + own_plus},
        second{part.other + begin, step.other_plus + other_plus};
    const double* const weights = part.weights ? part.weights + begin : nullptr;
    if (std::uint8_t* const to_choose = choices(step, part.process + begin))
      choose(to_choose, first, second, weights, n);
    if (step.joins)
      weights ? loops_.join_weighted(to, first, second, weights, n) : loops_.join(to, first, second, n);
    else
      weights ? loops_.take_weighted(to, second, weights, n) : loops_.take(to, second, n);
  });
}

void BlockWorker::run(const ArrayStep& step, const BlockSpan& span) {
  const double* const given = step.weights.empty() ? nullptr : weights(step, span);
  const Part all{at(step.to, span), at(step.own, span), at(step.other, span), given,
                 span.begin,        span.begin,         span.count()};
  if (step.peers == ArrayStep::everywhere) return apply(step, all);
  const PeerMap& peers = *program_.peers[step.peers];
  const bool is_plain = !given && step.own_runs == ArrayStep::nothing && step.other_runs == ArrayStep::nothing;
  if (peers.swaps() != 0 && is_plain && step.joins && step.of_peer && !record_)
    return loops_.join_swapped(all.to, {all.own, step.own_plus}, {all.other, step.other_plus},
                               static_cast<std::size_t>(peers.swaps()), static_cast<std::size_t>(span.count()));
  if (!peers.in_runs()) return run_each(step, span, peers, given);
  const auto part = [&](std::int32_t begin, std::int32_t count) {
    return Part{all.to + begin,
                all.own + begin,
                all.other + begin,
                given ? given + begin : nullptr,
                all.process + begin,
                all.process + begin,
                count};
  };
  const bool is_kept = step.to == step.own && step.else_plus == 0 && step.own_runs == ArrayStep::nothing;
  std::int32_t done = 0;
  const auto pass_over = [&](std::int32_t end) {
    const Part rest = part(done, end - done);
    done = end;
    if (rest.count <= 0 || is_kept) return;
    for_each_sum(step, rest, [&](std::int32_t begin, std::int32_t count, double own_plus, double) {
      loops_.take(rest.to + begin, {rest.own + begin, step.else_plus + own_plus}, static_cast<std::size_t>(count));
    });
  };
  peers.for_each_run(span.begin, span.end, [&](const PeerMap::Run& run) {
    const std::int32_t from = run.first - span.begin;
    pass_over(from);
    done = from + run.count;
    Part some = part(from, run.count);
    if (step.of_peer) {
      some.peer = run.peer;
      // A block has the peers of its processes, so those that follow each other do so in its arrays, too.
      some.other = start(step.other) + (step.other.of_block ? spans_->place(run.peer) : run.peer);
    }
    apply(step, some);
  });
  pass_over(span.count());
}

// Where runs of peers are short.
void BlockWorker::run_each(const ArrayStep& step, const BlockSpan& span, const PeerMap& peers, const double* weights) {
  double* const to = at(step.to, span);
  const double* const own = at(step.own, span);
  const double* const other = step.of_peer ? start(step.other) : at(step.other, span);
  const std::int32_t* const each = peers.each() + span.begin;
  std::uint8_t* const to_choose = choices(step, span.begin);
  const auto run = [&](auto place) {
    const auto time = [&](std::int32_t i) { return other[place(i)] + step.other_plus + (weights ? weights[i] : 0); };
    for (std::int32_t i = 0; to_choose && i < span.count(); ++i) {
      if (each[i] != PeerMap::none) to_choose[i] = choice(own[i] + step.own_plus, time(i));
    }
    for (std::int32_t i = 0; i < span.count(); ++i) {
      if (each[i] == PeerMap::none)
        to[i] = own[i] + step.else_plus;
      else
        to[i] = step.joins ? std::max(own[i] + step.own_plus, time(i)) : time(i);
    }
  };
  if (!step.of_peer)
    run([](std::int32_t i) { return i; });
  else if (step.other.of_block)
    run([&](std::int32_t i) { return spans_->place(each[i]); });
  else
    run([&](std::int32_t i) { return each[i]; });
}

// Sums are exact, so their order does not matter.
const double* BlockWorker::weights(const ArrayStep& step, const BlockSpan& span) {
  const Field& only = *program_.weights[step.weights.front()];
  if (step.weights.size() == 1 && only.axes == grid_.all()) return only.values.data() + span.begin;
  double* const row = room_.data() + group_->arrays_of_block * apart(*group_);
  std::fill_n(row, span.count(), 0.0);
  for (const std::uint32_t weight : step.weights) add_weight(*program_.weights[weight], span, row);
  return row;
}

void BlockWorker::add_weight(const Field& field, const BlockSpan& span, double* to) const {
  const std::vector<std::int64_t> strides = grid_.strides(field.axes);
  const std::size_t last = grid_.axes() - 1;
  const std::int64_t row = grid_.extents()[last];
  for (std::int64_t at = span.begin; at < span.end;) {
    const std::int64_t first = at % row, count = std::min(span.end - at, row - first);
    std::int64_t from = first * strides[last], rest = at / row;
    for (std::size_t axis = last; axis-- > 0; rest /= grid_.extents()[axis])
      from += rest % grid_.extents()[axis] * strides[axis];
    const double* const values = field.values.data() + from;
    double* const part = to + (at - span.begin);
    for (std::int64_t i = 0; i < count; ++i) part[i] += values[i * strides[last]];
    at += count;
  }
}

// Makes room for the choices of what is recorded.
void make_room(ArrayRecord& record, const ArrayProgram& program, std::size_t processes) {
  for (const ArrayGroup& group : program.groups) {
    for (const ArrayStep& step : group.steps) {
      if (!step.joins) continue;
      if (record.choices.size() <= step.operation) record.choices.resize(step.operation + 1);
      record.choices[step.operation].assign(processes, ArrayRecord::target);
    }
  }
}

// The arrays of a run, those of the carried registers among them, which get theirs back in the end.
class HeldArrays {
 public:
  HeldArrays(const ArrayProgram& program, const ArrayHost& host) : program_(program), host_(host) {
    held_.resize(program.arrays);
    const std::size_t taken = program.before.size();
    for (std::size_t i = 0; i < taken; ++i) carried_.push_back(&host.values(program.carried[i]));
    std::vector<bool> is_before(program.arrays, false);
    for (const std::uint32_t number : program.before) is_before[number] = true;
    for (std::size_t number = 0; number < program.arrays; ++number) {
      if (!is_before[number]) held_[number] = host.spare.take();
    }
    for (std::size_t i = 0; i < taken; ++i) held_[program.before[i]] = std::move(*carried_[i]);
    for (const std::uint32_t number : program.fresh) std::fill(held_[number].begin(), held_[number].end(), never);
  }
  ~HeldArrays() {
    for (std::size_t i = 0; i < carried_.size(); ++i) *carried_[i] = std::move(held_[program_.after[i]]);
    for (std::vector<double>& values : held_) {
      if (!values.empty()) host_.spare.give_back(std::move(values));
    }
  }
  HeldArrays(const HeldArrays&) = delete;
  std::vector<double*> pointers() {
    std::vector<double*> result;
    for (std::vector<double>& values : held_) result.push_back(values.data());
    return result;
  }

 private:
  const ArrayProgram& program_;
  const ArrayHost& host_;
  std::vector<std::vector<double>*> carried_;
  std::vector<std::vector<double>> held_;
};

std::size_t most_requests_of_server(const ArrayProgram& program) {
  std::size_t most = 0;
  for (const ArrayGroup& group : program.groups)
    for (const ServiceBatch& batch : group.batches) most = std::max(most, batch.order->most_of_server());
  return most;
}

class ArrayRun {
 public:
  ArrayRun(const ArrayProgram& program, const ArrayHost& host, const std::vector<double*>& arrays)
      : program_(program), host_(host), next_(new std::atomic<std::size_t>[program.groups.size()] {}), arrays_(arrays) {
    for (const ArrayGroup& group : program.groups) {
      for (const ServiceBatch& batch : group.batches) {
        next_of_batch_[&batch] = 0;
        kinds_[batch.resource] = &host.servers->of(batch.resource);
      }
    }
    for (const ArrayGroup& group : program.groups)
      spans_.emplace_back(group, static_cast<std::int32_t>(host.grid.count()));
    const std::size_t most = most_requests_of_server(program);
    for (int thread = 0; thread < host.threads; ++thread) {
      workers_.emplace_back(program, host, arrays);
      batch_servers_.emplace_back(most);
    }
  }
  [[nodiscard]] bool run() {
    work_on_threads(static_cast<int>(workers_.size()),
                    [&](int number, std::barrier<>& all_there) { work(number, all_there); });
    if (late_) std::rethrow_exception(late_);
    return !is_out_of_order_;
  }

 private:
  void work(int number, std::barrier<>& all_there) {
    for (std::size_t group = 0; group < program_.groups.size(); ++group) {
      if (group > 0) all_there.arrive_and_wait();
      if (number == 0) look_at_clock();
      if (!program_.groups[group].batches.empty()) {
        serve(number, group);
        all_there.arrive_and_wait();
      }
      for (std::size_t block = next_[group]++; block < spans_[group].blocks() && !stop_; block = next_[group]++) {
        workers_[static_cast<std::size_t>(number)].run(program_.groups[group], spans_[group], block);
        if (number == 0) look_at_clock();
      }
    }
  }
  // Servers by chunks.
  void serve(int number, std::size_t group) {
    for (const ServiceBatch& batch : program_.groups[group].batches) {
      Servers::Kind& servers = *kinds_.at(batch.resource);
      const std::size_t count = batch.order->first.size() - 1;
      std::atomic<std::size_t>& next = next_of_batch_.at(&batch);
      for (std::size_t begin = next.fetch_add(servers_of_chunk); begin < count && !stop_;
           begin = next.fetch_add(servers_of_chunk)) {
        BatchServer& server = batch_servers_[static_cast<std::size_t>(number)];
        if (!server.serve(batch, program_.services, servers, arrays_, begin, std::min(count, begin + servers_of_chunk)))
          is_out_of_order_ = stop_ = true;
        if (number == 0) look_at_clock();
      }
    }
  }
  void look_at_clock() {
    try {
      host_.look_at_clock();
    } catch (...) {
      late_ = std::current_exception();
      stop_ = true;
    }
  }

  const ArrayProgram& program_;
  const ArrayHost& host_;
  std::vector<GroupSpans> spans_;                     // by group
  std::unique_ptr<std::atomic<std::size_t>[]> next_;  // by group: the next block
  std::vector<BlockWorker> workers_;                  // by thread
  const std::vector<double*>& arrays_;
  std::vector<BatchServer> batch_servers_;  // by thread
  std::map<const ServiceBatch*, std::atomic<std::size_t>> next_of_batch_;
  std::map<ResourceKey, Servers::Kind*> kinds_;
  std::atomic<bool> stop_ = false, is_out_of_order_ = false;
  std::exception_ptr late_;
};

}  // namespace

SpareArrays::~SpareArrays() {
  for (const std::vector<double>& values : free_) claim_(-static_cast<std::int64_t>(values.size() * sizeof(double)));
}

std::vector<double> SpareArrays::take() {
  if (free_.empty()) {
    claim_(static_cast<std::int64_t>(size_ * sizeof(double)));
    return std::vector<double>(size_);
  }
  std::vector<double> values = std::move(free_.back());
  free_.pop_back();
  return values;
}

int threads_for(const ArrayProgram& program, std::size_t processes, int wanted) {
  const double steps = program.steps_of_process * static_cast<double>(processes);
  return steps < steps_worth_threads ? 1 : std::max(1, wanted);
}

bool run_over_arrays(const ArrayProgram& program, const ArrayHost& host) {
  const auto room = static_cast<std::int64_t>(BlockWorker::doubles_needed(program) * sizeof(double) +
                                              BatchServer::bytes(most_requests_of_server(program))) *
                    host.threads;
  const Claimed claimed(host.claim_memory, room);
  if (host.record) make_room(*host.record, program, host.grid.count());
  HeldArrays held(program, host);
  const std::vector<double*> arrays = held.pointers();
  return ArrayRun(program, host, arrays).run();
}

}  // namespace wave::backend::processes
