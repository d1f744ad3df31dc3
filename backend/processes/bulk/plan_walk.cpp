// Writing out a stretch, and pairing its messages.
#include "backend/processes/bulk/plan_walk.h"

#include "backend/processes/thresholds.h"
#include "ir/walk.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace wave::backend::processes {

namespace {

// Context, tag, how the peer was written, by rank, the offset (none: messages between places).
using Channel = std::tuple<std::uint32_t, std::int64_t, ir::Peer::Kind, bool, std::vector<std::int64_t>>;

class Walker {
 public:
  explicit Walker(const WalkContext& context)
      : context_(context), fields_(context.fields), held_before_(context.fields.held()) {}

  [[nodiscard]] bool block(std::span<const ir::Statement> statements, const FieldPtr& mask) {
    for (const ir::Statement& statement : statements) {
      statement_ = &statement;
      if (!std::visit([&](const auto& node) { return visit(node, mask); }, statement.node)) return false;
    }
    return true;
  }
  std::optional<WalkedStretch> finish() {
    if (!pair_messages()) return std::nullopt;
    return std::move(result_);
  }

 private:
  struct End {
    std::size_t step;
    Domain domain;
    FieldPtr size, within;
    PeerMapPtr peers;  // where they are found by rank
  };

  // Null: there are too many.
  Walked* append(Walked::Kind kind, const FieldPtr& mask) {
    if (result_.steps.size() >= most_walked_steps) return nullptr;
    result_.steps.push_back({});
    result_.steps.back().kind = kind;
    result_.steps.back().mask = mask;
    result_.steps.back().statement = statement_;
    if (context_.weight_places) {
      const auto bound = [this](ir::BinderId binder) { return fields_.bound(binder); };
      const ir::BinderId tile = kind == Walked::Kind::compute ? fields_.tile() : ir::BinderId{};
      result_.steps.back().inside = context_.weight_places->inside(*statement_, bound, tile);
    }
    return &result_.steps.back();
  }
  [[nodiscard]] bool block(ir::BlockId id, const FieldPtr& mask) {
    return !id.valid() || block(context_.process.blocks[id.index], mask);
  }

  bool visit(const ir::Compute& node, const FieldPtr& mask);
  bool visit(const ir::Message& node, const FieldPtr& mask);
  bool visit(const ir::Wait& node, const FieldPtr& mask) {
    Walked* const step = append(Walked::Kind::wait, mask);
    if (step && !node.handles.empty()) step->handle = node.handles.front();
    return step != nullptr;
  }
  bool visit(const ir::Sweep&, const FieldPtr&) { return false; }
  bool visit(const ir::Ready&, const FieldPtr&) { return false; }
  bool visit(const ir::Task&, const FieldPtr&) { return false; }
  // Where iterations look at much of their own, they are better done one by one.
  bool visit(const ir::Loop& node, const FieldPtr& mask) {
    return for_each_iteration(node.levels, fields_, [&] {
      return block(node.body, mask) && fields_.held() - held_before_ < most_bytes_of_fields;
    });
  }
  bool visit(const ir::Branch& node, const FieldPtr& mask);
  bool visit(const ir::Phase& node, const FieldPtr& mask) {
    return !context_.wanted_phases[node.phase.index] && block(node.body, mask);
  }
  bool visit(const ir::Collective&, const FieldPtr&) { return false; }

  std::optional<std::vector<std::int64_t>> offset_of(const ir::Peer& peer);
  bool is_by_rank(const ir::Peer& peer) const;
  std::optional<PeerMapPtr> peers_of(const ir::Peer& peer, const FieldPtr& mask);
  bool waits_for_size(const ir::Message& node) const;
  bool may_be_awaited(ir::HandleId handle) const;
  bool add_message(const ir::Message& node, const FieldPtr& mask, End end, std::vector<std::int64_t> offset);
  [[nodiscard]] bool pair_messages();
  std::optional<MessagePair> meet(const End& send, const End& receive, const std::vector<std::int64_t>& offset);
  std::optional<MessagePair> meet_by_rank(const End& send, const End& receive);

  const WalkContext& context_;
  Fields& fields_;
  const std::int64_t held_before_;
  WalkedStretch result_;
  const ir::Statement* statement_ = nullptr;
  std::map<Channel, std::pair<std::vector<End>, std::vector<End>>> channels_;
  std::set<std::pair<const PeerMap*, const PeerMap*>> met_;  // found to be each other's inverse
};

bool Walker::visit(const ir::Compute& node, const FieldPtr& mask) {
  const std::optional<FieldPtr> time = fields_.evaluate(node.time, {fields_.grid().whole(), mask});
  if (!time || !*time) return time.has_value();  // nobody comes here
  Walked* const step = append(Walked::Kind::compute, mask);
  if (!step) return false;
  const FieldPtr rounded = fields_.rounded(*time, context_.quantum);
  if (!rounded) return false;
  step->time = fields_.where(rounded, mask);
  return true;
}

bool Walker::visit(const ir::Branch& node, const FieldPtr& mask) {
  const std::optional<FieldPtr> found = fields_.evaluate(node.condition, {fields_.grid().whole(), mask});
  if (!found || !*found) return found.has_value();
  const FieldPtr& condition = *found;
  if (condition->uniform()) return block(condition->values[0] != 0 ? node.then_block : node.else_block, mask);
  const FieldPtr yes = fields_.both(mask, condition), no = fields_.first_only(mask, condition);
  const GridBox whole = fields_.grid().whole();
  if (!fields_.any({whole, no})) return block(node.then_block, mask);
  if (!fields_.any({whole, yes})) return block(node.else_block, mask);
  return block(node.then_block, yes) && block(node.else_block, no);
}

// Ranks are coordinates on a grid of one axis, but for one thing: they do not wrap.
bool Walker::is_by_rank(const ir::Peer& peer) const {
  return peer.kind != ir::Peer::Kind::offset || (peer.by_rank && (fields_.grid().axes() != 1 || context_.wrap[0]));
}

// Null where nobody looks for one.
std::optional<PeerMapPtr> Walker::peers_of(const ir::Peer& peer, const FieldPtr& mask) {
  if (peer.kind != ir::Peer::Kind::offset) return fields_.named(peer.coordinates, peer.by_rank, mask);
  const std::optional<std::vector<std::int64_t>> offsets = offset_of(peer);
  if (!offsets || fields_.grid().count() > PeerMap::most_processes) return std::nullopt;
  const std::int64_t offset = offsets->front(), count = static_cast<std::int64_t>(fields_.grid().count());
  const FieldPtr all = mask ? fields_.expanded(mask) : nullptr;
  PeerMap::Builder peers(fields_.grid().count());
  const std::int64_t first = std::max<std::int64_t>(0, -offset), end = std::min(count, count - offset);
  if (!all) peers.add(first, end - first, first + offset);
  for (std::int64_t rank = first; all && rank < end; ++rank) {
    if (all->values[static_cast<std::size_t>(rank)] != 0) peers.add(rank, 1, rank + offset);
  }
  return fields_.make(peers.finish());
}

std::optional<std::vector<std::int64_t>> Walker::offset_of(const ir::Peer& peer) {
  std::vector<std::int64_t> offset;
  for (const ir::ValueId coordinate : peer.coordinates) {
    const std::optional<ir::Scalar> distance = fields_.uniform(coordinate);
    if (!distance) return std::nullopt;
    offset.push_back(distance->integer);
  }
  constexpr std::int64_t largest = std::int64_t{1} << 60;  // nothing that is done with offsets overflows
  if (std::any_of(offset.begin(), offset.end(), [](std::int64_t d) { return d > largest || d < -largest; }))
    return std::nullopt;
  return offset;
}

// A receive in the background whose size only the sender knows: it cannot begin before the sender has come.
// Who then waits for whom is left to the engine.
bool Walker::waits_for_size(const ir::Message& node) const {
  if (!node.background || node.side == ir::Message::Side::send || node.size.valid()) return false;
  const std::vector<ir::Protocol>& protocols = fields_.system()[node.ends].protocols;
  return std::any_of(protocols.begin(), protocols.end(), [](const ir::Protocol& protocol) {
    return !protocol.receiver.empty() && protocol.receiver.front().kind != ir::Step::Kind::await;
  });
}

bool Walker::may_be_awaited(ir::HandleId handle) const {
  return ir::any_statement<ir::Wait>(context_.process, [&](const ir::Wait& wait) { return wait.means(handle); });
}

bool Walker::visit(const ir::Message& node, const FieldPtr& mask) {
  if (waits_for_size(node)) return false;
  std::optional<std::vector<std::int64_t>> offset{std::in_place};
  if (node.peer.kind == ir::Peer::Kind::offset) offset = offset_of(node.peer);
  if (!offset) return false;
  End end;
  if (is_by_rank(node.peer)) {
    const std::optional<PeerMapPtr> found = peers_of(node.peer, mask);
    if (!found || !*found) return found.has_value();
    end.peers = *found;
    // Whoever names a place has a peer.
    const bool is_place = node.peer.kind != ir::Peer::Kind::offset;
    end.domain = {fields_.grid().whole(), is_place ? mask : fields_.with_peer(end.peers)};
  } else {
    end.domain = {fields_.grid().with_peer(*offset, context_.wrap), mask};
  }
  return !fields_.any(end.domain) || add_message(node, mask, std::move(end), std::move(*offset));
}

bool Walker::add_message(const ir::Message& node, const FieldPtr& mask, End end, std::vector<std::int64_t> offset) {
  const bool sends = node.side == ir::Message::Side::send;
  std::optional<FieldPtr> size = FieldPtr{}, within = FieldPtr{};
  if (node.size.valid()) size = fields_.evaluate(node.size, end.domain);
  if (size && sends && node.within.valid()) within = fields_.evaluate(node.within, end.domain);
  if (!size || !within) return false;
  const std::optional<ir::Scalar> tag = node.tag.valid() ? fields_.uniform(node.tag) : ir::Scalar::of(std::int64_t{0});
  end.step = result_.steps.size();
  Walked* const step = tag ? append(sends ? Walked::Kind::send : Walked::Kind::receive, mask) : nullptr;
  if (!step) return false;
  end.size = *size;
  end.within = *within;
  step->message = &node;
  step->acting = end.domain.mask;
  step->awaited = node.background && may_be_awaited(node.handle);
  if (!sends) {
    for (std::int64_t& one : offset) one = -one;
  }
  const bool by_rank = node.peer.by_rank && node.peer.kind == ir::Peer::Kind::offset;
  auto& channel = channels_[{node.context, tag->integer, node.peer.kind, by_rank, std::move(offset)}];
  (sends ? channel.first : channel.second).push_back(std::move(end));
  return true;
}

bool Walker::pair_messages() {
  for (const auto& [key, ends] : channels_) {
    const auto& [sends, receives] = ends;
    if (sends.size() != receives.size()) return false;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      result_.steps[sends[i].step].pair = result_.steps[receives[i].step].pair = result_.pairs.size();
      std::optional<MessagePair> pair = sends[i].peers
                                            ? meet_by_rank(sends[i], receives[i])
                                            : meet(sends[i], receives[i], std::get<std::vector<std::int64_t>>(key));
      if (!pair) return false;
      result_.pairs.push_back(std::move(*pair));
    }
  }
  return true;
}

// The two statements must meet for every process, and agree.
std::optional<MessagePair> Walker::meet(const End& send, const End& receive, const std::vector<std::int64_t>& offset) {
  const FieldPtr everywhere = fields_.everywhere();
  const auto or_all = [&](const FieldPtr& mask) { return mask ? mask : everywhere; };
  const Domain receivers{receive.domain.box, nullptr};
  const FieldPtr sent = fields_.shifted(or_all(send.domain.mask), offset, context_.wrap);
  if (!fields_.same(sent, or_all(receive.domain.mask), receivers)) return std::nullopt;
  if (receive.size && !fields_.same(fields_.shifted(send.size, offset, context_.wrap), receive.size, receive.domain))
    return std::nullopt;
  const auto* const sender = result_.steps[send.step].message;
  if (result_.steps[receive.step].message->ends != sender->ends) return std::nullopt;
  AlternativesPtr alternatives = context_.ends.of({sender->ends, send.size, send.within, send.domain, offset, nullptr});
  if (!alternatives) return std::nullopt;
  return MessagePair{offset, nullptr, nullptr, std::move(alternatives), send.step};
}

// The same: each must be the one that the other names.
std::optional<MessagePair> Walker::meet_by_rank(const End& send, const End& receive) {
  const std::pair both{send.peers.get(), receive.peers.get()};
  if (!met_.contains(both) && !receive.peers->is_inverse_of(*send.peers)) return std::nullopt;
  met_.insert(both);
  const auto* const sender = result_.steps[send.step].message;
  if (result_.steps[receive.step].message->ends != sender->ends) return std::nullopt;
  if (receive.size && !fields_.same(fields_.gathered(send.size, receive.peers), receive.size, receive.domain))
    return std::nullopt;
  AlternativesPtr alternatives =
      context_.ends.of({sender->ends, send.size, send.within, send.domain, {}, receive.peers});
  if (!alternatives) return std::nullopt;
  return MessagePair{{}, send.peers, receive.peers, std::move(alternatives), send.step};
}

}  // namespace

std::vector<bool> wrap_of(const ir::System& system, const ir::Process& process) {
  std::vector<bool> wrap;
  for (const ir::Axis& axis : system[process.space].axes) wrap.push_back(axis.wrap);
  return wrap;
}

std::optional<WalkedStretch> walk(std::span<const ir::Statement> statements, const WalkContext& context) {
  Walker walker(context);
  return walker.block(statements, nullptr) ? walker.finish() : std::nullopt;
}

namespace {

std::optional<ir::LoopRange> range_of(const ir::Level& level, Fields& fields) {
  const std::optional<ir::Scalar> first = fields.uniform(level.first);
  const std::optional<ir::Scalar> last = first ? fields.uniform(level.last) : std::nullopt;
  const std::optional<ir::Scalar> step = last ? fields.uniform(level.step) : std::nullopt;
  if (!step) return std::nullopt;
  const ir::LoopRange range{first->integer, last->integer, step->integer, level.geometric};
  return range.makes_progress() ? std::optional(range) : std::nullopt;
}

}  // namespace

bool for_each_iteration(std::span<const ir::Level> levels, Fields& fields, const std::function<bool()>& f) {
  if (levels.empty()) return f();
  const ir::Level& level = levels.front();
  const std::optional<ir::LoopRange> range = range_of(level, fields);
  if (!range) return false;
  std::size_t iterations = 0;
  for (auto at = range->begin(); at; at = range->after(*at)) {
    fields.bind(level.binder, *at);
    if (++iterations % walk_steps_between_clock_reads == 0) fields.look_at_clock();
    if (level.filter.valid()) {
      const std::optional<ir::Scalar> passes = fields.uniform(level.filter);
      if (!passes) return false;
      if (!passes->boolean) continue;
    }
    if (!for_each_iteration(levels.subspan(1), fields, f)) return false;
  }
  return true;
}

std::optional<std::int64_t> count_iterations(std::span<const ir::Level> levels, Fields& fields) {
  if (levels.size() == 1 && !levels[0].geometric && !levels[0].filter.valid()) {
    const std::optional<ir::LoopRange> range = range_of(levels[0], fields);
    if (!range) return std::nullopt;
    const __int128 count = range->count();
    return static_cast<std::int64_t>(std::min<__int128>(count, std::numeric_limits<std::int64_t>::max()));
  }
  std::int64_t count = 0;
  if (!for_each_iteration(levels, fields, [&] { return ++count, true; })) return std::nullopt;
  return count;
}

}  // namespace wave::backend::processes
