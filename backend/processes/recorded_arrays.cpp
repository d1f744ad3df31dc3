// See recorded_arrays.h.
#include "backend/processes/recorded_arrays.h"

#include "backend/processes/never.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

class RecordedRun {
 public:
  RecordedRun(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
              const std::function<std::vector<double>&(const Carried&)>& values, ArrayRecord* record)
      : list_(list),
        grid_(grid),
        wrap_(wrap),
        strides_(grid.strides(grid.all())),
        own_(list.registers),
        signals_(list.signals),
        record_(record) {
    if (record) record->choices.assign(list.operations.size(), {});
    for (const Carried& carried : list.carried) registers_.push_back(&values(carried));
    for (std::size_t i = list.carried.size(); i < list.registers; ++i) registers_.push_back(&own_[i]);
  }

  void run(const PlannedOperation& operation) {
    std::vector<double>& target = written(operation);
    if (operation.kind != PlannedOperation::Kind::add && target.empty()) target.assign(grid_.count(), never);
    uniform_ = 0;
    varying_.clear();
    for (const std::uint32_t weight : operation.weights) {
      const FieldPtr& field = list_.weights[weight];
      if (field->uniform())
        uniform_ += field->values[0];
      else
        varying_.push_back({field.get(), grid_.strides(field->axes)});
    }
    GridBox box = grid_.whole();
    if (operation.peer != PlannedOperation::always) box = grid_.with_peer(list_.peers[operation.peer], wrap_);
    choices_ = nullptr;
    if (record_ &&
        (operation.kind == PlannedOperation::Kind::join || operation.kind == PlannedOperation::Kind::await)) {
      auto& choices = record_->choices[static_cast<std::size_t>(&operation - list_.operations.data())];
      choices.assign(grid_.count(), ArrayRecord::target);
      choices_ = choices.data();
    }
    const std::size_t last = grid_.axes() - 1;
    const std::int64_t length = box.last[last] - box.first[last] + 1;
    grid_.for_each(grid_.all() & ~(AxisSet{1} << last), box,
                   [&](const auto& point) { row(operation, target, point, length); });
    if (operation.kind == PlannedOperation::Kind::await) std::vector<double>().swap(signals_[operation.signal]);
  }

 private:
  std::vector<double>& written(const PlannedOperation& operation) {
    return operation.kind == PlannedOperation::Kind::emit ? signals_[operation.signal] : *registers_[operation.target];
  }

  // Along the last axis from `point` on.
  void row(const PlannedOperation& operation, std::vector<double>& target, const std::vector<std::int64_t>& point,
           std::int64_t length) {
    const std::size_t first = place(point, strides_);
    double* const to = target.data() + first;
    const double* const added = weights(point, length);
    switch (operation.kind) {
      case PlannedOperation::Kind::add:
        for (std::int64_t i = 0; i < length; ++i) to[i] += added[i];
        break;
      case PlannedOperation::Kind::copy:
      case PlannedOperation::Kind::emit: {
        const double* const from = registers_[operation.source]->data() + first;
        for (std::int64_t i = 0; i < length; ++i) to[i] = from[i] + added[i];
        break;
      }
      case PlannedOperation::Kind::join: {
        const double* const from = registers_[operation.source]->data() + first;
        take_larger(to, from, added, length, choices_ ? choices_ + first : nullptr);
        break;
      }
      case PlannedOperation::Kind::await:
        if (operation.ranks == PlannedOperation::by_peer)
          await(operation, to, added, point, length);
        else
          await_by_rank(operation, to, added, first, length);
        break;
    }
  }

  void await(const PlannedOperation& operation, double* to, const double* added, const std::vector<std::int64_t>& point,
             std::int64_t length) {
    const std::vector<std::int64_t>& offset = list_.peers[operation.peer];
    const std::size_t last = grid_.axes() - 1;
    std::vector<std::int64_t> from(point.size());
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      const std::int64_t extent = grid_.extents()[axis];
      from[axis] = ((point[axis] + offset[axis] % extent) % extent + extent) % extent;
    }
    const std::int64_t start = from[last];
    from[last] = 0;
    const double* const signal = signals_[operation.signal].data() + place(from, strides_);
    // In at most a few pieces where the axis wraps.
    for (std::int64_t done = 0; done < length;) {
      const std::int64_t at = (start + done) % grid_.extents()[last];
      const std::int64_t piece = std::min(length - done, grid_.extents()[last] - at);
      std::uint8_t* const choices = choices_ ? choices_ + place(point, strides_) + done : nullptr;
      take_larger(to + done, signal + at, added + done, piece, choices);
      done += piece;
    }
  }

  void await_by_rank(const PlannedOperation& operation, double* to, const double* added, std::size_t first,
                     std::int64_t length) {
    const std::vector<double>& signal = signals_[operation.signal];
    const auto begin = static_cast<std::int32_t>(first),
               end = static_cast<std::int32_t>(first + static_cast<std::size_t>(length));
    list_.ranks[operation.ranks]->for_each_run(begin, end, [&](const PeerMap::Run& run) {
      const std::int32_t at = run.first - begin;
      take_larger(to + at, signal.data() + run.peer, added + at, run.count, choices_ ? choices_ + run.first : nullptr);
    });
  }

  static void take_larger(double* to, const double* from, const double* added, std::int64_t length,
                          std::uint8_t* choices) {
    if (!choices) {
      for (std::int64_t i = 0; i < length; ++i) to[i] = std::max(to[i], from[i] + added[i]);
      return;
    }
    for (std::int64_t i = 0; i < length; ++i) {
      const double other = from[i] + added[i];
      choices[i] = other > to[i] ? ArrayRecord::source : other == to[i] ? ArrayRecord::tie : ArrayRecord::target;
      to[i] = std::max(to[i], other);
    }
  }

  // The sum of the operation's weights along a row; sums are exact, so their order does not matter.
  const double* weights(const std::vector<std::int64_t>& point, std::int64_t length) {
    row_.assign(static_cast<std::size_t>(length), uniform_);
    const std::size_t last = grid_.axes() - 1;
    for (const auto& [field, strides] : varying_) {
      const double* const from = field->values.data() + place(point, strides);
      for (std::int64_t i = 0; i < length; ++i) row_[static_cast<std::size_t>(i)] += from[i * strides[last]];
    }
    return row_.data();
  }

  const OperationList& list_;
  const PlanGrid& grid_;
  const std::vector<bool>& wrap_;
  std::vector<std::int64_t> strides_;
  std::vector<std::vector<double>> own_, signals_;
  std::vector<std::vector<double>*> registers_;
  double uniform_ = 0;
  std::vector<std::pair<const Field*, std::vector<std::int64_t>>> varying_;
  std::vector<double> row_;
  ArrayRecord* record_ = nullptr;
  std::uint8_t* choices_ = nullptr;  // by process, of the operation at hand
};

}  // namespace

void run_recorded(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                  const std::function<std::vector<double>&(const Carried&)>& values,
                  const std::function<void()>& look_at_clock, ArrayRecord* record) {
  RecordedRun run(list, grid, wrap, values, record);
  for (const PlannedOperation& operation : list.operations) {
    run.run(operation);
    look_at_clock();
  }
}

}  // namespace wave::backend::processes
