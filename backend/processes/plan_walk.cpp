// Writing out a stretch, and pairing its messages.
#include "backend/processes/plan_walk.h"

#include "ir/arithmetic.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace wave::backend::processes {

namespace {

constexpr std::size_t most_steps = 2048;

using Channel = std::tuple<std::uint32_t, std::int64_t, bool, std::vector<std::int64_t>>;   // context, tag, by rank, offset

class Walker {
 public:
  explicit Walker(const WalkContext& context) : context_(context), fields_(context.fields) {}

  void block(std::span<const ir::Statement> statements, const FieldPtr& mask) {
    for (const ir::Statement& statement : statements) {
      std::visit([&](const auto& node) { visit(node, mask); }, statement.node);
    }
  }
  WalkedStretch finish() {
    pair_messages();
    return std::move(result_);
  }

 private:
  struct End {
    std::size_t step;
    Domain domain;
    FieldPtr size, local;
  };

  Walked& append(Walked::Kind kind, const FieldPtr& mask) {
    if (result_.steps.size() >= most_steps) throw NoPlan{};
    result_.steps.push_back({});
    result_.steps.back().kind = kind;
    result_.steps.back().mask = mask;
    return result_.steps.back();
  }
  void block(ir::BlockId id, const FieldPtr& mask) {
    if (id.valid()) block(context_.process.blocks[id.index], mask);
  }

  void visit(const ir::Compute& node, const FieldPtr& mask);
  void visit(const ir::Message& node, const FieldPtr& mask);
  void visit(const ir::Wait& node, const FieldPtr& mask) { append(Walked::Kind::wait, mask).handle = node.handle; }
  void visit(const ir::Sweep&, const FieldPtr&) { throw NoPlan{}; }
  void visit(const ir::Loop& node, const FieldPtr& mask) {
    for_each_iteration(node.levels, fields_, [&] {
      block(node.body, mask);
      return true;
    });
  }
  void visit(const ir::Branch& node, const FieldPtr& mask);
  void visit(const ir::Phase& node, const FieldPtr& mask) {
    if (context_.wanted_phases[node.phase.index]) throw NoPlan{};
    block(node.body, mask);
  }
  void visit(const ir::Collective&, const FieldPtr&) { throw NoPlan{}; }

  std::vector<std::int64_t> offset_of(const ir::Peer& peer);
  bool waits_for_size(const ir::Message& node) const;
  void pair_messages();
  MessagePair meet(const End& send, const End& receive, const std::vector<std::int64_t>& offset);

  const WalkContext& context_;
  Fields& fields_;
  WalkedStretch result_;
  std::map<Channel, std::pair<std::vector<End>, std::vector<End>>> channels_;
};

void Walker::visit(const ir::Compute& node, const FieldPtr& mask) {
  const FieldPtr time = fields_.evaluate(node.time, {fields_.grid().whole(), mask});
  if (!time) return;
  Walked& step = append(Walked::Kind::compute, mask);
  step.time = fields_.where(fields_.rounded(time, context_.quantum), mask);
}

void Walker::visit(const ir::Branch& node, const FieldPtr& mask) {
  const FieldPtr condition = fields_.evaluate(node.condition, {fields_.grid().whole(), mask});
  if (!condition) return;
  if (condition->uniform()) return block(condition->values[0] != 0 ? node.then_block : node.else_block, mask);
  const FieldPtr yes = fields_.both(mask, condition), no = fields_.first_only(mask, condition);
  const GridBox whole = fields_.grid().whole();
  if (fields_.any({whole, yes})) block(node.then_block, yes);
  if (fields_.any({whole, no})) block(node.else_block, no);
}

std::vector<std::int64_t> Walker::offset_of(const ir::Peer& peer) {
  if (peer.kind != ir::Peer::Kind::offset) throw NoPlan{};
  // Ranks are coordinates on a grid of one axis, but for one thing: they do not wrap.
  if (peer.by_rank && (fields_.grid().axes() != 1 || context_.wrap[0])) throw NoPlan{};
  std::vector<std::int64_t> offset;
  for (const ir::ValueId coordinate : peer.coordinates) offset.push_back(fields_.uniform(coordinate).integer);
  return offset;
}

// A receive in the background whose size only the sender knows: the network cannot begin it, nor let later messages use
// a resource that it may use, before the sender has come. Who then waits for whom is left to the network.
bool Walker::waits_for_size(const ir::Message& node) const {
  if (!node.background || node.side == ir::Message::Side::send || node.size.valid()) return false;
  const std::vector<ir::Protocol>& protocols = fields_.system()[node.ends].protocols;
  return std::any_of(protocols.begin(), protocols.end(), [](const ir::Protocol& protocol) {
    const auto by_resource = [](const ir::Step& step) { return step.resource.has_value(); };
    return (!protocol.receiver.empty() && protocol.receiver.front().kind != ir::Step::Kind::await) ||
           std::any_of(protocol.sender.begin(), protocol.sender.end(), by_resource) ||
           std::any_of(protocol.receiver.begin(), protocol.receiver.end(), by_resource);
  });
}

void Walker::visit(const ir::Message& node, const FieldPtr& mask) {
  if (waits_for_size(node)) throw NoPlan{};
  const bool sends = node.side == ir::Message::Side::send;
  std::vector<std::int64_t> offset = offset_of(node.peer);
  End end;
  end.domain = {fields_.grid().with_peer(offset, context_.wrap), mask};
  if (!fields_.any(end.domain)) return;
  if (node.size.valid()) end.size = fields_.evaluate(node.size, end.domain);
  if (sends && node.local.valid()) end.local = fields_.evaluate(node.local, end.domain);
  const std::int64_t tag = node.tag.valid() ? fields_.uniform(node.tag).integer : 0;
  end.step = result_.steps.size();
  append(sends ? Walked::Kind::send : Walked::Kind::receive, mask).message = &node;
  if (!sends) {
    for (std::int64_t& one : offset) one = -one;
  }
  auto& channel = channels_[{node.context, tag, node.peer.by_rank, std::move(offset)}];
  (sends ? channel.first : channel.second).push_back(std::move(end));
}

void Walker::pair_messages() {
  for (const auto& [key, ends] : channels_) {
    const auto& [sends, receives] = ends;
    if (sends.size() != receives.size()) throw NoPlan{};
    for (std::size_t i = 0; i < sends.size(); ++i) {
      result_.steps[sends[i].step].pair = result_.steps[receives[i].step].pair = result_.pairs.size();
      result_.pairs.push_back(meet(sends[i], receives[i], std::get<3>(key)));
    }
  }
}

// The two statements must meet for every process, and agree.
MessagePair Walker::meet(const End& send, const End& receive, const std::vector<std::int64_t>& offset) {
  const FieldPtr everywhere = fields_.everywhere();
  const auto or_all = [&](const FieldPtr& mask) { return mask ? mask : everywhere; };
  const Domain receivers{receive.domain.box, nullptr};
  const FieldPtr sent = fields_.shifted(or_all(send.domain.mask), offset, context_.wrap);
  if (!fields_.same(sent, or_all(receive.domain.mask), receivers)) throw NoPlan{};
  if (receive.size && !fields_.same(fields_.shifted(send.size, offset, context_.wrap), receive.size, receive.domain)) throw NoPlan{};
  const auto* const sender = result_.steps[send.step].message;
  if (result_.steps[receive.step].message->ends != sender->ends) throw NoPlan{};
  return {offset, context_.ends.of({sender->ends, send.size, send.local, send.domain, offset})};
}

}  // namespace

WalkedStretch walk(std::span<const ir::Statement> statements, const WalkContext& context) {
  Walker walker(context);
  walker.block(statements, nullptr);
  return walker.finish();
}

namespace {

// The variable after this one; nothing where it would overflow.
std::optional<std::int64_t> next(std::int64_t value, std::int64_t step, bool geometric) {
  const auto result = geometric ? ir::arithmetic::multiply(value, step) : ir::arithmetic::add(value, step);
  if (result.failed) return std::nullopt;
  return result.value;
}

}  // namespace

bool for_each_iteration(std::span<const ir::Level> levels, Fields& fields, const std::function<bool()>& f) {
  if (levels.empty()) return f();
  const ir::Level& level = levels.front();
  const std::int64_t first = fields.uniform(level.first).integer, last = fields.uniform(level.last).integer;
  const std::int64_t step = fields.uniform(level.step).integer;
  if (level.geometric ? first < 1 || step < 2 : step == 0) throw NoPlan{};
  std::size_t iterations = 0;
  for (std::optional<std::int64_t> value = first; value && (step > 0 ? *value <= last : *value >= last);
       value = next(*value, step, level.geometric)) {
    fields.bind(level.binder, *value);
    if (++iterations % 1024 == 0) fields.look_at_clock();
    if (level.filter.valid() && !fields.uniform(level.filter).boolean) continue;
    if (!for_each_iteration(levels.subspan(1), fields, f)) return false;
  }
  return true;
}

}  // namespace wave::backend::processes
