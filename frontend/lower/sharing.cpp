// What a message costs when others share what it passes through: `net.total(s, sharing = k)`. A process of k pairs runs
// one message each, all at once, from the processes of one node to those of another.
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

// Two rows of processes: senders, and the receivers that they send to.
class Pairs {
 public:
  // `ends`: of messages, whose sender and receiver have machines of two kinds or of one.
  Pairs(const Parts& parts, const value::Derived& derived, ir::EndsId ends, bool of_two_kinds, ir::FrameId frame,
        Location location)
      : parts_(parts),
        b_(parts.b),
        ends_(ends),
        of_two_kinds_(of_two_kinds),
        machine_(*derived.machine),
        location_(location) {
    process_.name = machine_.title + derived.end;
    process_.frame = frame;
    process_.location = location;
  }

  struct Asked {
    ValueId size, within, sharing;
  };
  // Each sender computes first, so that its receiver is waiting (not valid: it does not).
  ir::ProcessId lower(const Asked& asked, ValueId compute) {
    const ir::SiteId none_share = parts_.sites.site(FailureKind::extent_not_positive, location_, "sharing");
    const ir::BinderId row = b_.binder("row"), pair = b_.binder("pair");
    ir::Space space{process_.name, process_.frame, {}};
    const ir::SiteId never = parts_.sites.site(FailureKind::extent_not_positive, location_, "row");
    space.axes.push_back({"row", row, b_.integer(1), b_.integer(2), false, location_, never});
    space.axes.push_back({"pair", pair, b_.integer(1), asked.sharing, false, location_, none_share});
    process_.space = b_.space(std::move(space));
    const ValueId is_sender = b_.equal(b_.index(row), b_.integer(1));
    add_levels(asked.within, b_.subtract(b_.index(row), b_.integer(1), overflow()));
    ir::Block sends, receives;
    if (compute.valid()) sends.push_back({ir::Compute{compute}, location_, weight()});
    sends.push_back({message(ir::Message::Side::send, asked, pair), location_, weight()});
    receives.push_back({message(ir::Message::Side::receive, asked, pair), location_, weight()});
    const ir::BlockId of_sender = add(std::move(sends)), of_receiver = add(std::move(receives));
    process_.body = add({{ir::Branch{is_sender, of_sender, of_receiver}, location_, {}}});
    return b_.process(std::move(process_));
  }

 private:
  ir::BlockId add(ir::Block block) {
    process_.blocks.push_back(std::move(block));
    return {static_cast<std::uint32_t>(process_.blocks.size() - 1)};
  }
  ir::SiteId overflow() { return parts_.sites.site(FailureKind::integer_overflow, location_); }
  ir::SiteId weight() { return parts_.sites.site(FailureKind::weight_not_finite, location_, process_.name); }

  // The two rows are apart on all levels inside the one that the ends of a message share.
  void add_levels(ValueId within, ValueId row) {
    for (const std::string& level : check::levels_of(*machine_.declaration)) {
      const ValueId together = parts_.levels.lies_within(within, *machine_.declaration, level);
      const ir::LevelName name{parts_.levels.number_of(level), level};
      process_.levels.push_back({name, b_.select(together, b_.integer(0), row), location_});
    }
  }

  ir::Message message(ir::Message::Side side, const Asked& asked, ir::BinderId pair) {
    const bool sends = side == ir::Message::Side::send;
    ir::Message message;
    message.side = side;
    message.ends = ends_;
    message.size = asked.size;
    message.within = asked.within;
    constexpr std::int64_t first_to_second = 1;  // of the pairs of kinds
    if (of_two_kinds_)
      message.within = b_.add(message.within, b_.integer(first_to_second * ir::MessageEnds::most_levels), overflow());
    message.peer = {ir::Peer::Kind::offset, false, {b_.integer(sends ? 1 : -1), b_.integer(0)}, {}};
    if (!b_.system()[message.ends].reads_ranks) return message;
    message.sender = b_.subtract(b_.index(pair), b_.integer(1), overflow());
    message.receiver = b_.add(message.sender, asked.sharing, overflow());
    return message;
  }

  const Parts& parts_;
  ir::Builder& b_;
  const ir::EndsId ends_;
  const bool of_two_kinds_;
  Instance& machine_;
  Location location_;
  ir::Process process_;
};

// When the last process of a row finishes.
ValueId last_of(const Parts& parts, ir::ProcessId process, int row, ValueId pairs, Location location) {
  ir::Builder& b = parts.b;
  const ir::BinderId pair = b.binder("pair");
  const ir::SiteId off_grid = parts.sites.site(FailureKind::index_off_grid, location);
  const ir::Measure finish{process, ir::Metric::finish, {}, {b.integer(row), b.index(pair)}, off_grid};
  const ir::SiteId empty = parts.sites.site(FailureKind::empty_reduction, location);
  const ir::SiteId no_progress = parts.sites.site(FailureKind::no_progress, location);
  ir::Level level{pair, b.integer(1), pairs, b.integer(1), false, {}, no_progress};
  return b.reduce(ir::ReduceKind::maximum, {level}, b.measure(finish), {}, empty);
}

}  // namespace

ValuePtr Messages::cost_of_pairs(const value::Derived& derived, const std::pair<Kind, Kind>& kinds,
                                 const std::vector<ValuePtr>& inside, ir::FrameId frame, Location location) {
  const bool of_two = kinds.first != kinds.second;
  const ir::EndsId ends =
      message_ends(of_two ? std::vector<Kind>{kinds.first, kinds.second} : std::vector<Kind>{kinds.first}, location);
  const Pairs::Asked asked{values_.scalar_of(inside[0], ScalarType::real, location),
                           values_.scalar_of(inside[1], ScalarType::integer, location),
                           values_.scalar_of(inside[2], ScalarType::integer, location)};
  const ir::ProcessId together = Pairs(parts_, derived, ends, of_two, frame, location).lower(asked, {});
  const ValueId total = last_of(parts_, together, 2, asked.sharing, location);
  if (derived.end == "total") return number(total);
  // By then every receiver waits for its sender.
  const ValueId waited = b_.reference(b_.define(frame, "total", total, location));
  const ir::ProcessId later = Pairs(parts_, derived, ends, of_two, frame, location).lower(asked, waited);
  // What they compute is on the quantum of that process, so nothing is left of it.
  const ir::SiteId off_grid = parts_.sites.site(FailureKind::index_off_grid, location);
  const ir::Measure computed{later, ir::Metric::compute, {}, {b_.integer(1), b_.integer(1)}, off_grid};
  return number(b_.subtract(last_of(parts_, later, 1, asked.sharing, location), b_.measure(computed)));
}

ValuePtr Messages::call_pairs(const value::Derived& derived, const std::pair<Kind, Kind>& kinds, const ValuePtr& size,
                              const ValuePtr& within, const ValuePtr& sharing, Location location) {
  const ValueId pairs = values_.scalar_of(sharing, ScalarType::integer, location);
  const ir::SiteId none_share = sites_.requirement(location, "`sharing` says how many pairs there are: at least 1",
                                                   "for one pair alone, leave `sharing` out");
  const ValuePtr some = number(b_.check(b_.less_equal(b_.integer(1), pairs), pairs, none_share));
  Instance& machine = *derived.machine;
  const auto of_pairs = [&](const std::vector<ValuePtr>& inside, ir::FrameId frame) {
    return cost_of_pairs(derived, kinds, inside, frame, location);
  };
  // A process that meets a limit says so at the call, so every call has its own.
  const std::string own =
      fmt::format("shared.{}.{}.{}.{}.{}.{}", derived.end, fmt::ptr(derived.declaration), fmt::ptr(kinds.first.first),
                  fmt::ptr(kinds.second.first), location.file, location.begin);
  return functions_.call_framed(
      machine.title + derived.end, own, machine.frame, {"s", "within", "sharing"}, {size, within, some},
      check::real_type(), of_pairs, [&] { return of_pairs({size, within, some}, machine.frame); }, location);
}

}  // namespace wave::frontend::lowering
