#include "tests/unit/plan/random_process.h"

#include "ir/operations.h"

#include <algorithm>
#include <map>
#include <optional>

namespace wave::test {

namespace {

using Offset = std::vector<std::int64_t>;

class Maker {
 public:
  explicit Maker(std::uint64_t seed, bool many) : choose_(seed), many_(many), build_(result_.system) {}

  RandomProcess make() {
    make_grid();
    make_machine();
    process_.name = "p";
    process_.frame = ir::System::root_frame;
    process_.space = space_;
    process_.phases = {"asked for", "not asked for"};
    process_.handles = {"a", "b", "c"};
    process_.body = block(statements(3));
    result_.process = build_.process(process_);
    return std::move(result_);
  }

 private:
  ir::SiteId site() { return build_.site(ir::FailureKind::weight_not_finite, {}); }
  ir::BlockId block(ir::Block statements) {
    process_.blocks.push_back(std::move(statements));
    return ir::BlockId{static_cast<std::uint32_t>(process_.blocks.size() - 1)};
  }
  template <class Node>
  ir::Statement statement(Node node) {
    return {std::move(node), {}, site()};
  }

  void make_grid() {
    const std::size_t axes = 1 + choose_.below(3);
    ir::Space space{"P", ir::System::root_frame, {}};
    wraps_ = choose_.chance(0.2);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::int64_t extent = choose_.between(1, axes == 3 ? 3 : 6);
      result_.extents.push_back(extent);
      indices_.push_back(build_.binder("i"));
      const bool wraps = wraps_ && choose_.chance(0.7);
      space.axes.push_back({"i", indices_.back(), build_.integer(1), build_.integer(extent), wraps, {}, {}});
    }
    space_ = build_.space(space);
  }

  std::int64_t several(std::int64_t few, std::int64_t many) {
    if (!many_ || times_many_ == 2 || !choose_.chance(0.5)) return choose_.between(0, few);
    ++times_many_;  // such loops and sweeps may be inside each other
    return choose_.between(0, many);
  }

  // --- the machine ---

  ir::ValueId by_size(double base, double per_byte) {
    return build_.add(build_.real(base), build_.multiply(build_.parameter_value(size_), build_.real(per_byte)));
  }
  ir::Step step(ir::Step::Kind kind, std::uint32_t signal, ir::ValueId time) {
    return {kind, signal, {}, time, {}, site()};
  }
  // Asks for tx or rx, or for the interface that serves both directions.
  void ask(ir::Step& step, std::uint32_t usual) {
    const std::uint32_t resource = half_duplex_ || choose_.chance(0.15) ? 2 : usual;
    const ir::ValueId occupied = ties_ ? build_.real(choose_.one_of(std::vector<double>{0, 1, 2})) : by_size(3, 0.125);
    step.uses = {{resource, occupied, {}}};
  }
  void add_busy(std::vector<ir::Step>& end) {
    if (choose_.chance(via_ / 2)) {
      end.push_back(step(ir::Step::Kind::acquire, 0, {}));
      ask(end.back(), choose_.chance(0.5) ? 0 : 1);
    }
    end.push_back(step(ir::Step::Kind::busy, 0, build_.real(time())));
  }
  void add_emit(std::vector<ir::Step>& end, std::uint32_t signal) {
    end.push_back(step(ir::Step::Kind::emit, signal, ties_ ? build_.real(time()) : by_size(time(), 0.25)));
    if (choose_.chance(via_)) ask(end.back(), 0);
    if (choose_.chance(0.15)) end.push_back(step(ir::Step::Kind::sent, signal, some_time()));
  }
  void add_await(std::vector<ir::Step>& end, std::uint32_t signal) {
    if (on_arrival_ && choose_.chance(0.5)) {
      end.push_back(step(ir::Step::Kind::arrival, signal, build_.real(time())));
      if (choose_.chance(0.4)) ask(end.back(), 1);
      end.push_back(step(ir::Step::Kind::await, signal, {}));
      return;
    }
    end.push_back(step(ir::Step::Kind::await, signal, {}));
    if (!choose_.chance(via_)) return;
    ask(end.back(), 1);
    if (choose_.chance(0.5)) end.back().time = some_time();
  }
  ir::ValueId some_time() { return ties_ ? build_.real(time()) : by_size(time(), 0.25); }
  double time() {
    return ties_ ? static_cast<double>(choose_.between(0, 3)) : static_cast<double>(choose_.between(0, 40)) / 8;
  }

  ir::Protocol eager(const char* name) {
    ir::Protocol p{name, {}, {}, {"payload"}, {}, {}, {}};
    add_busy(p.sender), add_emit(p.sender, 0);
    add_await(p.receiver, 0), add_busy(p.receiver);
    return p;
  }
  ir::Protocol rendezvous() {
    ir::Protocol p{"rendezvous", {}, {}, {"request", "ack", "payload"}, {}, {}, {}};
    add_busy(p.sender), add_emit(p.sender, 0), add_await(p.sender, 1), add_busy(p.sender), add_emit(p.sender, 2);
    add_await(p.receiver, 0), add_busy(p.receiver), add_emit(p.receiver, 1), add_await(p.receiver, 2);
    add_busy(p.receiver);
    if (choose_.chance(0.3)) add_busy(p.sender);
    return p;
  }

  void make_machine() {
    via_ = choose_.chance(0.3) ? 0.5 : 0;
    half_duplex_ = choose_.chance(0.3);
    on_arrival_ = via_ > 0 && choose_.chance(0.4);
    ties_ = via_ > 0 && choose_.chance(0.6);
    ir::MessageEnds ends;
    ends.name = "net";
    ends.frame = build_.frame("net", ir::System::root_frame);
    size_ = ends.size = build_.parameter(ends.frame, "size", ir::ScalarType::real);
    ends.within = build_.parameter(ends.frame, "within", ir::ScalarType::integer);
    ends.sender = build_.parameter(ends.frame, "sender", ir::ScalarType::integer);
    ends.receiver = build_.parameter(ends.frame, "receiver", ir::ScalarType::integer);
    ends.levels = {{1, "node"}};
    ends.resources = {{"tx", {}, {}, {}, {}}, {"rx", {}, {}, {}, {}}, {"nic", {}, {}, {}, {}}};
    ends.site = site();
    const ir::ValueId is_local = build_.equal(build_.parameter_value(ends.within), build_.integer(1));
    if (choose_.chance(0.5)) ends.protocols.push_back(eager("inside")), ends.protocols.back().condition = is_local;
    ends.protocols.push_back(eager("eager"));
    ends.protocols.back().condition = build_.less(build_.parameter_value(size_), build_.real(50));
    ends.protocols.push_back(rendezvous());
    ends_ = build_.ends(ends);
  }

  // --- values ---

  ir::ValueId axis_value() { return build_.to_real(build_.index(choose_.one_of(indices_))); }
  ir::ValueId duration() {
    ir::ValueId result = build_.real(time());
    if (choose_.chance(0.3)) result = build_.add(result, build_.multiply(axis_value(), build_.real(time())));
    if (tile_.valid() && choose_.chance(0.15))
      result = build_.add(result, build_.multiply(build_.to_real(build_.index(tile_)), build_.real(time())));
    if (choose_.chance(0.01)) result = build_.add(result, build_.to_real(nothing_or_overflow()));
    return result;
  }
  // Nothing where an index is less than 4. From there on the product does not fit, though what is left of it would be
  // nothing, too.
  ir::ValueId nothing_or_overflow() {
    const ir::ValueId product =
        build_.multiply(build_.index(choose_.one_of(indices_)), build_.integer(std::int64_t{1} << 61), site());
    return build_.binary(ir::BinaryOp::modulo, product, build_.integer(8), site());
  }
  // The size of a message, which depends only on indices that both ends have in common.
  ir::ValueId size(const Offset& offset) {
    ir::ValueId result = build_.real(choose_.one_of(std::vector<double>{0, 10, 49, 50, 200}));
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (offset[axis] != 0 || !choose_.chance(0.25)) continue;
      result = build_.add(result, build_.multiply(build_.to_real(build_.index(indices_[axis])), build_.real(20)));
    }
    if (tile_.valid() && choose_.chance(0.1)) {
      result = build_.select(build_.less(build_.index(tile_), build_.integer(3)), result, build_.real(60));
    }
    return result;
  }
  ir::ValueId condition(const Offset& offset) {
    std::vector<std::size_t> common;
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (offset[axis] == 0) common.push_back(axis);
    }
    if (common.empty()) return build_.boolean(true);
    return build_.less(build_.index(indices_[choose_.one_of(common)]), build_.integer(choose_.between(1, 4)));
  }
  // The level that two ends share: neighbours share a node in pairs along one axis of the offset. Both ends agree on
  // it.
  ir::ValueId within(ir::Message::Side side, const Offset& offset, std::size_t axis) {
    const std::int64_t d = offset[axis];
    const std::int64_t to_lower =
        side == ir::Message::Side::send ? std::min<std::int64_t>(d, 0) : std::min<std::int64_t>(-d, 0);
    const ir::ValueId lower = build_.add(build_.index(indices_[axis]), build_.integer(to_lower), site());
    return build_.binary(ir::BinaryOp::modulo, lower, build_.integer(2), site());
  }

  // --- messages ---

  ir::Message message(ir::Message::Side side, const Offset& offset, ir::ValueId size, ir::ValueId tag,
                      std::optional<std::size_t> local_along) {
    ir::Message result;
    result.side = side;
    result.ends = ends_;
    result.size = size;
    result.within = local_along ? within(side, offset, *local_along) : build_.integer(0);
    result.tag = tag;
    result.peer.kind = ir::Peer::Kind::offset;
    for (const std::int64_t d : offset)
      result.peer.coordinates.push_back(build_.integer(side == ir::Message::Side::send ? d : -d));
    return result;
  }

  // Adds a send and its receive somewhere at or after `from`. At times both are under a condition, the same for both
  // ends.
  void add_pair(ir::Block& into, const Offset& offset, std::size_t from, bool background) {
    const ir::ValueId bytes = size(offset),
                      tag = choose_.chance(0.2) ? build_.integer(choose_.between(0, 2)) : ir::ValueId{};
    // The offset of a message decides whether it stays on its node.
    const auto [known, is_new] = local_along_.try_emplace(offset);
    if (is_new && choose_.chance(0.4) && !wraps_) known->second = choose_.below(offset.size());
    const std::optional<std::size_t> along = known->second;
    ir::Message send = message(ir::Message::Side::send, offset, bytes, tag, along);
    ir::Message receive =
        message(ir::Message::Side::receive, offset, choose_.chance(0.5) ? bytes : ir::ValueId{}, tag, along);
    for (ir::Message* const one : {&send, &receive}) {
      one->background = background && choose_.chance(0.6);
      if (choose_.chance(0.7)) one->handle = ir::HandleId{static_cast<std::uint32_t>(choose_.below(3))};
    }
    const bool guarded = choose_.chance(0.15);
    const ir::ValueId when = guarded ? condition(offset) : ir::ValueId{};
    const auto put = [&](const ir::Message& one, std::size_t at) {
      ir::Statement s = statement(one);
      if (guarded) s = statement(ir::Branch{when, block({s}), {}});
      into.insert(into.begin() + static_cast<std::ptrdiff_t>(at), s);
    };
    const std::size_t first = from + choose_.below(into.size() - from + 1);
    put(receive, first);
    put(send,
        choose_.chance(0.8) ? first + 1 + choose_.below(into.size() - first) : from + choose_.below(first - from + 1));
  }

  // The process whose rank is higher by `by`: as an offset of ranks, or as a place that goes around the end.
  ir::Peer by_rank(std::int64_t by, bool around) {
    ir::Peer peer;
    peer.by_rank = true;
    peer.kind = around ? ir::Peer::Kind::place : ir::Peer::Kind::offset;
    if (!around) {
      peer.coordinates = {build_.integer(by)};
      return peer;
    }
    ir::ValueId rank = build_.integer(by);  // counted from 0
    std::int64_t stride = 1;
    for (std::size_t axis = indices_.size(); axis-- > 0;) {
      const ir::ValueId at = build_.subtract(build_.index(indices_[axis]), build_.integer(1), site());
      rank = build_.add(rank, build_.multiply(at, build_.integer(stride), site()), site());
      stride *= result_.extents[axis];
    }
    peer.coordinates = {build_.add(build_.binary(ir::BinaryOp::modulo, rank, build_.integer(stride), site()),
                                   build_.integer(1), site())};
    return peer;
  }

  // Rounds of an algorithm: each sends to a process some ranks ahead, and receives from one as far behind.
  void add_rounds(ir::Block& into) {
    const bool around = choose_.chance(0.6);
    for (std::size_t i = 1 + choose_.below(3); i-- > 0;) {
      const std::int64_t by = choose_.between(-3, 3);
      const ir::ValueId bytes = build_.real(choose_.one_of(std::vector<double>{0, 10, 49, 50, 200}));
      ir::Message send = message(ir::Message::Side::send, Offset(indices_.size(), 0), bytes, {}, {});
      ir::Message receive = message(ir::Message::Side::receive, Offset(indices_.size(), 0), bytes, {}, {});
      send.peer = by_rank(by, around), receive.peer = by_rank(-by, around);
      send.context = receive.context = 1;
      send.background = choose_.chance(0.7);
      into.push_back(statement(send));
      into.push_back(statement(receive));
      if (choose_.chance(0.5)) into.push_back(wait_all());
    }
    into.push_back(wait_all());
  }

  // --- statements ---

  ir::Statement compute() { return statement(ir::Compute{duration()}); }
  ir::Statement wait_all() { return statement(ir::Wait{}); }

  ir::BlockId sweep_body(const std::vector<bool>& rising) {
    ir::Block body;
    const bool background = choose_.chance(0.4);
    const bool late = background && choose_.chance(0.5);  // operations of one tile are waited for in the next
    if (late) body.push_back(choose_.chance(0.5) ? wait_all() : statement(ir::Wait{{ir::HandleId{0}}}));
    const std::size_t begin = body.size();
    const std::size_t axes = rising.size();
    std::vector<Offset> offsets;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      Offset offset(axes, 0);
      offset[axis] = 1;
      if (choose_.chance(0.8)) offsets.push_back(offset);
      if (choose_.chance(0.05)) offset[axis] = 2, offsets.push_back(offset);
      if (choose_.chance(0.05)) offset[axis] = -1, offsets.push_back(offset);
    }
    if (axes > 1 && choose_.chance(0.2)) offsets.push_back(Offset(axes, 1));
    for (Offset& offset : offsets) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        if (!rising[axis]) offset[axis] = -offset[axis];
      }
      add_pair(body, offset, begin, background);
    }
    for (std::size_t i = choose_.below(3) + 1; i-- > 0;) {
      ir::Statement s = compute();
      if (choose_.chance(0.2))
        s = statement(ir::Branch{condition(Offset(axes, 0)), block({s}),
                                 choose_.chance(0.5) ? block({compute()}) : ir::BlockId{}});
      if (choose_.chance(0.1))
        s = statement(ir::Branch{build_.equal(build_.index(tile_), build_.integer(2)), block({s}), {}});
      if (choose_.chance(0.1)) s = loop({s});
      if (choose_.chance(0.1)) s = statement(ir::Phase{ir::PhaseId{1}, block({s})});
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(begin + choose_.below(body.size() - begin + 1)), s);
    }
    if (background && !late) body.push_back(wait_all());
    return block(body);
  }

  ir::Statement loop(ir::Block body) {
    const ir::BinderId binder = build_.binder("k");
    const ir::Level level{binder, build_.integer(1), build_.integer(several(3, 40)), build_.integer(1), false, {},
                          site()};
    return statement(ir::Loop{{level}, block(std::move(body))});
  }

  void add_sweep(ir::Block& into) {
    std::vector<bool> rising;
    for (std::size_t axis = 0; axis < indices_.size(); ++axis) rising.push_back(choose_.chance(0.5));
    const ir::BinderId tile = build_.binder("tile");
    tile_ = tile;
    const ir::BlockId body = sweep_body(rising);
    tile_ = {};
    into.push_back(statement(ir::Sweep{build_.integer(several(7, 150)), tile, {{rising, body}}}));
    if (choose_.chance(0.1)) into.push_back(wait_all());
  }

  void add_exchange(ir::Block& into) {
    ir::Block body;
    const bool background = choose_.chance(0.7);
    for (std::size_t i = 1 + choose_.below(3); i-- > 0;) {
      Offset offset(indices_.size(), 0);
      offset[choose_.below(offset.size())] = choose_.one_of(std::vector<std::int64_t>{1, -1, 1, -1, 2, 3});
      add_pair(body, offset, 0, background);
    }
    if (choose_.chance(0.5))
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(choose_.below(body.size() + 1)), compute());
    if (background) body.push_back(wait_all());
    if (choose_.chance(0.2))
      into.push_back(loop(body));
    else
      into.insert(into.end(), body.begin(), body.end());
  }

  ir::Block statements(std::size_t depth) {
    ir::Block result;
    for (std::size_t i = 1 + choose_.below(3); i-- > 0;) {
      const std::size_t kind = choose_.below(10);
      if (kind < 3 && !wraps_)
        add_sweep(result);
      else if (kind < 5)
        choose_.chance(0.3) ? add_rounds(result) : add_exchange(result);
      else if (kind == 5)
        result.push_back(compute());
      else if (kind == 6) {
        ir::Collective collective{"c", duration(), static_cast<ir::Collective::Root>(choose_.below(3)), {}};
        if (choose_.chance(0.5)) collective.along = static_cast<std::uint32_t>(choose_.below(indices_.size()));
        result.push_back(statement(collective));
      } else if (depth == 0)
        continue;
      else if (kind == 7)
        result.push_back(loop(statements(depth - 1)));
      else if (kind == 8)
        result.push_back(statement(
            ir::Phase{ir::PhaseId{static_cast<std::uint32_t>(choose_.below(2))}, block(statements(depth - 1))}));
      else
        result.push_back(statement(ir::Branch{build_.boolean(choose_.chance(0.5)), block(statements(depth - 1)),
                                              block(statements(depth - 1))}));
    }
    return result;
  }

  Choices choose_;
  const bool many_;
  int times_many_ = 0;
  RandomProcess result_;
  ir::Builder build_;
  ir::Process process_;
  ir::SpaceId space_;
  ir::EndsId ends_;
  ir::ParameterId size_;
  ir::BinderId tile_;
  std::vector<ir::BinderId> indices_;
  std::map<Offset, std::optional<std::size_t>> local_along_;
  bool wraps_ = false;
  double via_ = 0;  // how often a step asks for a resource
  bool half_duplex_ = false, on_arrival_ = false;
  bool ties_ = false;  // few distinct times, so that many things happen at the same time
};

}  // namespace

RandomProcess random_process(std::uint64_t seed, bool many) { return Maker(seed, many).make(); }

}  // namespace wave::test
