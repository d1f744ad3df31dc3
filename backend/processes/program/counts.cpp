// See counts.h.
#include "backend/processes/program/counts.h"

#include "backend/processes/program/count_pairs.h"
#include "backend/processes/program/ends.h"
#include "backend/processes/thresholds.h"

#include <memory>
#include <span>
#include <utility>

namespace wave::backend::processes {

// --- what is added up ---

class Counter::Totals final : public CountListener {
 public:
  explicit Totals(std::size_t phases) : counts{{}, std::vector<Count>(phases)} {}
  Asks asks() const override { return Asks::totals; }
  void sent(const Sent& sent, __int128 messages) override {
    counts.whole.add(sent.size, messages);
    for (const ir::PhaseId phase : sent.phases) counts.phases[phase.index].add(sent.size, messages);
  }

  Counts counts;
};

// Of every process, in all and by phase.
class Counter::Columns final : public CountListener {
 public:
  Columns(const Places& places, std::size_t phases)
      : places_(places), processes_(static_cast<std::size_t>(places.count())), counts_(processes_ * (phases + 1)) {}
  Asks asks() const override { return Asks::places; }
  void sent(const Sent&, __int128) override {}
  void sent_by(const Sent& sent, const Region& senders, std::span<const std::int64_t>, __int128 times) override {
    std::vector<std::int64_t> point(places_.extents.size());
    for_each_point(senders, (AxisSet{1} << point.size()) - 1, point, [&] {
      const auto rank = static_cast<std::size_t>(places_.rank(point));
      counts_[rank].add(sent.size, times);
      for (const ir::PhaseId phase : sent.phases) counts_[processes_ * (phase.index + 1) + rank].add(sent.size, times);
    });
  }
  const Count& of(std::int64_t rank, ir::PhaseId phase) const {
    return counts_[(phase.valid() ? processes_ * (phase.index + 1) : 0) + static_cast<std::size_t>(rank)];
  }

 private:
  const Places& places_;
  std::size_t processes_;
  std::vector<Count> counts_;  // process by process in all, then in each phase
};

namespace {

class Classes final : public CountListener {
 public:
  explicit Classes(Scalars& scalars) : ends_(std::make_unique<EndsResolver>(scalars, 0)) {}
  Asks asks() const override { return Asks::classes; }
  void sent(const Sent& sent, __int128 messages) override {
    const ir::PhaseId phase = sent.phases.empty() ? ir::PhaseId{} : sent.phases.back();
    constexpr std::size_t most_remembered = 1 << 16;
    ends_->keep_at_most(most_remembered);
    const std::uint32_t protocol = ends_->resolve(sent.message.ends, sent.size, sent.route).protocol;
    const bool of_collective = sent.message.context != 0;
    const std::int64_t level = ir::MessageEnds::level_of(sent.route.within);
    tallies.messages[{phase, sent.message.ends, protocol, sent.size, level, of_collective}] += messages;
  }
  void called(const Called& called, __int128 calls) override {
    const Location at = called.call.location;
    tallies.calls[{called.call.name, called.size, called.participants, at.file, at.begin, at.end}] += calls;
  }

  Counter::Tallies tallies;

 private:
  std::unique_ptr<EndsResolver> ends_;
};

// Only looks for what fails.
class Nothing final : public CountListener {
 public:
  explicit Nothing(Asks asks) : asks_(asks) {}
  Asks asks() const override { return asks_; }
  void sent(const Sent&, __int128) override {}

 private:
  Asks asks_;
};

}  // namespace

// --- walks ---

Counter::Counter(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, const Places& places,
                 std::function<void()> look_at_clock, std::function<void(std::int64_t)> claim_memory)
    : scalars_(scalars),
      process_(process),
      binders_(binders),
      places_(places),
      look_at_clock_(std::move(look_at_clock)),
      claim_memory_(std::move(claim_memory)) {}

Counter::~Counter() = default;

// False where something fails.
bool Counter::try_to_count(CountListener& listener, const std::vector<Region>& regions) {
  try {
    CountWalk walk(scalars_, process_, binders_, places_, listener, look_at_clock_);
    for (const Region& region : regions) walk.walk(region);
    return true;
  } catch (const RegionScalars::NoValue&) {
    return false;
  } catch (const Failed& failed) {
    if (failed.failure.is_limit() || failed.cycle.valid()) throw;
    return false;
  } catch (const CountWalk::TooMany&) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::integer_overflow;
    failure.location = process_.location;
    throw Failed{std::move(failure)};
  }
}

// Throws what fails first: of a region of which something fails, the half with the lower ranks is looked at first.
void Counter::find_failure(CountListener::Asks asks, const Region& region) {
  Nothing nothing(asks);
  if (try_to_count(nothing, {region})) return;
  const AxisSet all = (AxisSet{1} << region.axes.size()) - 1;
  if (region.count() > 1) {
    for (const Region& half : halves(region, all)) find_failure(asks, half);
    return;
  }
  std::vector<std::int64_t> point;
  for (const Coordinates& axis : region.axes) point.push_back(axis.first());
  CountWalk(scalars_, process_, binders_, places_, nothing, look_at_clock_).walk_in_order(point);
}

template <class Listener, class... Arguments>
std::unique_ptr<Listener> Counter::counted(const std::vector<Region>& regions, Arguments&&... arguments) {
  auto listener = std::make_unique<Listener>(arguments...);
  if (try_to_count(*listener, regions)) return listener;
  for (const Region& region : regions) find_failure(listener->asks(), region);
  // No process fails by itself: what fails for many at once is a limit of that, the depth of an expression, say.
  listener = std::make_unique<Listener>(arguments...);
  const AxisSet all = (AxisSet{1} << places_.extents.size()) - 1;
  std::vector<std::int64_t> point(places_.extents.size());
  for (const Region& region : regions) {
    for_each_point(region, all, point, [&] {
      CountWalk(scalars_, process_, binders_, places_, *listener, look_at_clock_).walk_in_order(point);
    });
  }
  return listener;
}

// --- answers ---

std::vector<Region> Counter::regions_of(const std::set<std::int64_t>& ranks) const {
  if (ranks.empty()) return {Region::whole(places_.extents)};
  std::vector<Region> regions;
  Coordinates together;
  for (const std::int64_t rank : ranks) together.add(rank, rank);
  for (const Coordinates::Interval& interval : together.intervals()) {
    for (Region& region : regions_of_ranks(places_.extents, interval.first, interval.last))
      regions.push_back(std::move(region));
  }
  return regions;
}

const Counts& Counter::all() {
  if (!all_) all_ = counted<Totals>({Region::whole(places_.extents)}, process_.phases.size())->counts;
  return *all_;
}

// Who is asked about a second process is asked about more.
const Count& Counter::of(std::int64_t rank, ir::PhaseId phase) {
  if (rank_ != rank && !columns_ && rank_ >= 0) make_columns();
  if (columns_) return columns_->of(rank, phase);
  if (rank_ != rank) {
    one_ = counted<Totals>(regions_of({rank}), process_.phases.size())->counts;
    rank_ = rank;
  }
  return phase.valid() ? one_->phases[phase.index] : one_->whole;
}

void Counter::make_columns() {
  const std::size_t columns = process_.phases.size() + 1;
  if (static_cast<double>(places_.count()) * static_cast<double>(columns) > most_counts_of_processes) return;
  columns_ = counted<Columns>({Region::whole(places_.extents)}, places_, process_.phases.size());
}

Counter::Tallies Counter::tallies() { return counted<Classes>({Region::whole(places_.extents)}, scalars_)->tallies; }

std::vector<PairCount> Counter::by_pair(const std::set<std::int64_t>& senders) {
  return counted<PairListener>(regions_of(senders), places_, claim_memory_)->pairs();
}

std::vector<RankCount> Counter::by_rank(const std::set<std::int64_t>& ranks) {
  return counted<PairListener>(regions_of(ranks), places_, claim_memory_)->ranks(ranks);
}

}  // namespace wave::backend::processes
