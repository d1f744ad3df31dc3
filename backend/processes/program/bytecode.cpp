// Writes a process's blocks out as instructions with jumps.
#include "backend/processes/program/bytecode.h"

#include "backend/failed.h"
#include "backend/processes/program/check.h"
#include "backend/processes/program/checked.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes::program {

Bytecode::Bytecode(const ir::System& system, const ir::Process& process, const ir::FreeBinders& binders,
                   std::span<const ir::Statement> statements)
    : process_(&process), binders_(&binders), awaited_(process.handles.size(), false) {
  const auto& axes = system[process.space].axes;
  for (std::uint32_t axis = 0; axis < axes.size(); ++axis) scope_[axes[axis].binder] = {axes[axis].binder, true, axis};
  find_awaited();
  emit(statements);
  code.push_back(EndOfProgram{});
  if constexpr (forms_are_checked) require_whole(find_breach(*this));
}

// An operation that nothing waits for need not be remembered. A wait of another stretch counts: what it may wait for is
// still open at the end of this one.
void Bytecode::find_awaited() {
  ir::for_each_statement(*process_, [&](const ir::Statement& statement) {
    const auto* const wait = std::get_if<ir::Wait>(&statement.node);
    if (!wait) return;
    awaits_all_ = awaits_all_ || wait->handles.empty();
    for (const ir::HandleId handle : wait->handles) awaited_[handle.index] = true;
  });
}

OperandId Bytecode::operand(ir::ValueId value) {
  if (!value.valid()) return no_operand;
  Operand operand{value, {}};
  std::vector<std::uint32_t> key;
  for (const ir::BinderId binder : binders_->of(value)) {
    const auto found = scope_.find(binder);
    if (found == scope_.end()) continue;
    operand.sources.push_back(found->second);
    key.push_back(found->second.number * 2 + (found->second.is_axis ? 1 : 0));
  }
  const auto [known, is_new] = known_.try_emplace({value, key}, static_cast<OperandId>(operands.size()));
  if (!is_new) return known->second;
  for (const Operand::Source& source : operand.sources) {
    if (seen_.insert(source.binder).second) binders.push_back(source.binder);
  }
  operands.push_back(std::move(operand));
  return known->second;
}

Slot Bytecode::take_slots(Slot count) {
  const Slot slot = depth_;
  depth_ += count;
  slots = std::max(slots, depth_);
  return slot;
}

struct Bytecode::Emit {
  Bytecode& self;
  const ir::Statement& statement;

  void operator()(const ir::Compute& n) const { self.code.push_back(Compute{&statement, self.operand(n.time)}); }
  void operator()(const ir::Message& n) const {
    Communicate communicate{&statement,
                            &n,
                            {},
                            self.operand(n.size),
                            self.operand(n.within),
                            self.operand(n.sender),
                            self.operand(n.receiver),
                            self.operand(n.tag)};
    for (const ir::ValueId coordinate : n.peer.coordinates) communicate.coordinates.push_back(self.operand(coordinate));
    communicate.is_awaited =
        n.of_task || (n.background && (self.awaits_all_ || (n.handle.valid() && self.awaited_[n.handle.index])));
    self.code.push_back(std::move(communicate));
  }
  void operator()(const ir::Wait& n) const { self.code.push_back(AwaitPending{&statement, &n}); }
  void operator()(const ir::Ready& n) const {
    const Slot slot = self.take_slots(1);
    self.tasks_.clear();
    self.returns_.clear();
    self.emit_block(n.tasks);
    const Counter take = self.here();
    TakeTask tasks{&statement, {}, slot, take + 1};
    for (const Counter begin : self.tasks_) tasks.bodies.push_back(std::get<BeginTask>(self.code[begin]).body);
    for (const Counter end : self.returns_) std::get<Jump>(self.code[end]).to = take;
    self.code.push_back(std::move(tasks));
    self.depth_ -= 1;
  }
  void operator()(const ir::Task& n) const {
    const Counter begin = self.here();
    self.tasks_.push_back(begin);
    self.code.push_back(BeginTask{&statement, self.operand(n.priority), 0, self.depth_});
    self.emit_block(n.receives);
    const Counter jump = self.here();
    self.code.push_back(Jump{0});
    std::get<BeginTask>(self.code[begin]).body = self.here();
    self.emit_block(n.body);
    self.returns_.push_back(self.here());
    self.code.push_back(Jump{0});
    std::get<Jump>(self.code[jump]).to = self.here();
  }
  void operator()(const ir::Sweep& n) const {
    if (n.fronts.size() != 1) return self.emit_fronts(n);
    const Slot slot = self.take_slots(2);
    const auto outer = self.scope_;
    const Counter begin = self.here();
    self.code.push_back(EnterSweep{self.operand(n.tiles), slot, 0});
    self.scope_[n.tile] = {n.tile, false, slot};
    self.emit_block(n.fronts.front().body);
    self.code.push_back(NextTile{slot, begin + 1});
    std::get<EnterSweep>(self.code[begin]).exit = self.here();
    self.scope_ = outer;
    self.depth_ -= 2;
  }
  void operator()(const ir::Loop& n) const {
    const auto outer = self.scope_;
    self.emit_levels(n.levels, n.body);
    self.scope_ = outer;
  }
  void operator()(const ir::Branch& n) const {
    const Counter test = self.here();
    self.code.push_back(Test{self.operand(n.condition), 0});
    if (n.then_block.valid()) self.emit_block(n.then_block);
    const Counter jump = self.here();
    if (n.else_block.valid()) self.code.push_back(Jump{0});
    std::get<Test>(self.code[test]).otherwise = self.here();
    if (!n.else_block.valid()) return;
    self.emit_block(n.else_block);
    std::get<Jump>(self.code[jump]).to = self.here();
  }
  void operator()(const ir::Phase& n) const {
    const Slot slot = self.take_slots(1);
    self.code.push_back(EnterPhase{n.phase, slot});
    self.emit_block(n.body);
    self.code.push_back(LeavePhase{n.phase, slot});
    self.depth_ -= 1;
  }
  void operator()(const ir::Collective& n) const {
    self.code.push_back(Synchronise{&statement, &n, self.operand(n.cost)});
  }
};

void Bytecode::emit(const ir::Statement& statement) {
  if (code.size() > most_instructions) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::memory_limit;
    failure.location = process_->location;
    failure.detail = "the program of `" + process_->name + "` is too long once everything is written out";
    throw Failed{std::move(failure)};
  }
  std::visit(Emit{*this, statement}, statement.node);
}

void Bytecode::emit(std::span<const ir::Statement> statements) {
  for (const ir::Statement& statement : statements) emit(statement);
}

void Bytecode::emit_block(ir::BlockId block) { emit(process_->blocks[block.index]); }

void Bytecode::emit_levels(std::span<const ir::Level> levels, ir::BlockId body) {
  if (levels.empty()) return emit_block(body);
  const ir::Level& level = levels.front();
  const Slot slot = take_slots(3);
  const Counter begin = here();
  code.push_back(
      EnterLoop{operand(level.first), operand(level.last), operand(level.step), level.geometric, level.site, slot, 0});
  scope_[level.binder] = {level.binder, false, slot};
  const Counter test = here();
  if (level.filter.valid()) code.push_back(Test{operand(level.filter), 0});
  emit_levels(levels.subspan(1), body);
  if (level.filter.valid()) std::get<Test>(code[test]).otherwise = here();
  code.push_back(NextIteration{level.geometric, slot, begin + 1});
  std::get<EnterLoop>(code[begin]).exit = here();
  depth_ -= 3;
}

void Bytecode::emit_fronts(const ir::Sweep& sweep) {
  const Slot slot = take_slots(4);
  const auto outer = scope_;
  code.push_back(EnterFronts{operand(sweep.tiles), slot});
  const Counter next = here();
  code.push_back(NextBlock{&sweep, {}, slot, 0});
  scope_[sweep.tile] = {sweep.tile, false, slot};
  for (const ir::Front& front : sweep.fronts) {
    std::get<NextBlock>(code[next]).bodies.push_back(here());
    emit_block(front.body);
    code.push_back(Jump{next});
  }
  std::get<NextBlock>(code[next]).exit = here();
  scope_ = outer;
  depth_ -= 4;
}

}  // namespace wave::backend::processes::program
