// Writes out what each process does. No statement reads a time, so this needs none.
#include "base/random.h"
#include "frontend/check/members.h"
#include "tests/simulator/program.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::simulator {

using namespace frontend;

namespace {

// The surroundings of a statement: the names that it sees, and who takes part.
struct Where {
  Scope scope;
  std::shared_ptr<Instance> machine;
  std::vector<std::string> axes;          // names of the coordinates
  std::vector<std::int64_t> position;     // from 1, in the grid or among the participants of an algorithm
  std::vector<std::size_t> participants;  // the ranks that run an algorithm
  const void* context = nullptr;          // the algorithm
  const void* body = nullptr;             // the declaration that the statements are in, whose operations they name
  std::vector<bool> rising;               // in a sweep
  std::optional<std::size_t> line;        // the axis of the grid along which a procedure was called
  double place = 0;                       // of the block, and of the statement in it
  std::vector<double> rounds;             // of the loops and sweeps around it; NaN: of a list that is not followed
};

// docs/processes.md, "Noise".
double place_inside(double place, std::size_t number) {
  return random_of(place + random_of(static_cast<double>(number)));
}

// A list of elements that are written, or a range of integers. Where others are generated is not seen here.
void enter_round(const Expr& list, const Value& element, std::size_t number, std::vector<double>& rounds) {
  const auto* const integer = std::get_if<std::int64_t>(&element.is);
  if (std::holds_alternative<expr::List>(list.node))
    rounds.push_back(static_cast<double>(number));
  else if (std::holds_alternative<expr::Range>(list.node) && integer)
    rounds.insert(rounds.end(), {1, static_cast<double>(*integer)});
  else
    rounds.push_back(std::numeric_limits<double>::quiet_NaN());
}

class Writer {
 public:
  Writer(Evaluator& evaluator, Programs& programs, std::size_t rank)
      : evaluator_(evaluator), programs_(programs), rank_(rank), quantum_(evaluator.quantum) {}

  void block(const Block& statements, Where where) {
    const double place = where.place;
    for (std::size_t k = 0; k < statements.size(); ++k) {
      where.place = place_inside(place, k + 1);
      statement(*statements[k], where);
    }
  }
  void bind_axes(Where& where) const;
  void algorithm(const Item& collective, const std::shared_ptr<Instance>& machine, LocalsPtr arguments,
                 std::vector<std::size_t> participants, const Where& caller);
  // Shares the processor with what is done on arrival by a machine that a message of these statements runs on, also one
  // that no process comes to.
  void find_sharing(const Block& statements, const Where& where);

 private:
  struct Called {
    const Item* item = nullptr;         // a procedure or a collective
    std::shared_ptr<Instance> machine;  // of a collective
  };
  Called called(const statement::Call& call, const Where& where);
  void statement(const Statement& statement, Where& where);
  void sweep(const statement::Sweep& sweep, Location location, const Where& where);
  void tile(const statement::Sweep& sweep, const Where& where, const std::vector<bool>& rising, std::size_t corner,
            std::int64_t number);
  std::shared_ptr<Instance> machine_of(std::size_t rank, const Where& where);
  void message(const statement::Message& message, Location location, const Where& where);
  std::vector<std::int64_t> offset(const Neighbourhood& peer, const Where& where);
  std::optional<std::size_t> other_end(const Neighbourhood& peer, const Where& where,
                                       std::vector<std::int64_t>& offset);
  std::optional<std::size_t> other_end_of_line(const Neighbourhood& peer, const Where& where,
                                               std::vector<std::int64_t>& offset);
  void call(const statement::Call& call, const Where& where);
  void procedure(const Item& item, const statement::Call& call, const Where& where);
  void collective(const Item& item, const std::shared_ptr<Instance>& machine, const statement::Call& call,
                  const Where& where);
  std::vector<std::size_t> line(const Identifier& axis, const Where& where);
  std::vector<std::size_t> group(const statement::Call& call);
  template <class T>
  void add(T operation) {
    (body_ ? *body_ : programs_.of[rank_]).emplace_back(std::move(operation));
  }
  void task(const statement::Task& node, const Where& where);
  double computed(double work, const Where& where);
  std::string handle(const std::string& name, const Where& where) const {
    return name + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(where.body));
  }
  double time(const Expr& e, Location location, const Where& where) {
    return weight(evaluator_.real(e, where.scope), quantum_, location);
  }

  Evaluator& evaluator_;
  Programs& programs_;
  std::size_t rank_;
  double quantum_;
  Ready* ready_ = nullptr;                  // the list that is written out
  std::vector<Operation>* body_ = nullptr;  // of its task; null: what stands outside
};

std::vector<std::size_t> everyone(const Programs& programs) {
  std::vector<std::size_t> ranks(programs.grid.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = rank;
  return ranks;
}

void Writer::statement(const Statement& statement, Where& where) {
  const Location location = statement.location;
  if (const auto* n = std::get_if<statement::Let>(&statement.node)) {
    where.scope.locals = with(where.scope.locals, n->name.text, evaluator_.evaluate(*n->value, where.scope));
  } else if (const auto* n = std::get_if<statement::Compute>(&statement.node)) {
    const double work = evaluator_.real(*n->time, where.scope);
    if (work < 0) throw Failed{"negative_quantity", location};
    add(Compute{weight(computed(work, where), quantum_, location)});
  } else if (const auto* n = std::get_if<statement::Hold>(&statement.node)) {
    const double bytes = evaluator_.real(*n->size, where.scope);
    if (bytes < 0) throw Failed{"negative_quantity", location};
    add(Hold{n->memory.text, n->is_released ? -bytes : bytes});
  } else if (const auto* n = std::get_if<statement::Message>(&statement.node)) {
    message(*n, location, where);
  } else if (const auto* n = std::get_if<statement::Wait>(&statement.node)) {
    add(Wait{handle(n->handle.text, where)});
  } else if (std::holds_alternative<statement::WaitAll>(statement.node)) {
    add(Wait{});
  } else if (const auto* n = std::get_if<statement::Ready>(&statement.node)) {
    const auto list = std::make_shared<Ready>();
    ready_ = list.get();
    block(n->body, where);
    ready_ = nullptr;
    add(list);
  } else if (const auto* n = std::get_if<statement::Task>(&statement.node)) {
    task(*n, where);
  } else if (const auto* n = std::get_if<statement::WaitAny>(&statement.node)) {
    WaitAny any;
    for (const Identifier& name : n->handles) any.handles.push_back(handle(name.text, where));
    add(std::move(any));
  } else if (const auto* n = std::get_if<statement::Sweep>(&statement.node)) {
    sweep(*n, location, where);
  } else if (const auto* n = std::get_if<statement::Repeat>(&statement.node)) {
    const std::int64_t count = evaluator_.integer(*n->count, where.scope);
    if (count < 0) throw Failed{"negative_count", location};
    for (std::int64_t k = 1; k <= count; ++k) {
      Where inner = where;
      inner.rounds.push_back(static_cast<double>(k));
      block(n->body, inner);
    }
  } else if (const auto* n = std::get_if<statement::For>(&statement.node)) {
    std::size_t number = 0;
    for (const Value& element : evaluator_.list(*n->list, where.scope)) {
      Where inner = where;
      inner.scope.locals = with(where.scope.locals, n->variable.text, element);
      enter_round(*n->list, element, ++number, inner.rounds);
      block(n->body, inner);
    }
  } else if (const auto* n = std::get_if<statement::If>(&statement.node)) {
    const bool holds = evaluator_.boolean(*n->condition, where.scope);
    Where inner = where;
    if (!holds) inner.place = place_inside(where.place, 0);
    block(holds ? n->then_body : n->else_body, inner);
  } else if (const auto* n = std::get_if<statement::Phase>(&statement.node)) {
    add(Enter{n->name.text});
    block(n->body, where);
    add(Leave{n->name.text});
  } else if (const auto* n = std::get_if<statement::Call>(&statement.node)) {
    call(*n, where);
  } else {
    throw Unsupported{"such a statement in a process"};
  }
}

// docs/processes.md, "Noise".
double Writer::computed(double work, const Where& where) {
  const Item* const item = find_member(*where.machine->declaration, "computed");
  if (!item) return work;
  double draw = place_inside(where.place, rank_ + 1);
  for (const double round : where.rounds) {
    if (std::isnan(round)) throw Unsupported{"noise in a loop over such a list"};
    draw = random_of(draw + random_of(round));
  }
  const auto& node = std::get<item::Function>(item->node);
  const std::map<std::string, Value> given{{node.parameters.at(0).name.text, {work}},
                                           {node.parameters.at(1).name.text, {draw}}};
  Scope scope{where.machine, evaluator_.bind(node.parameters, {}, where.scope, where.machine, given)};
  for (const LocalLet& let : node.lets)
    scope.locals = with(scope.locals, let.name.text, evaluator_.evaluate(*let.value, scope));
  return evaluator_.real(*node.body, scope);
}

// What it receives is called before the list, and its body is run when it is chosen.
void Writer::task(const statement::Task& node, const Where& where) {
  Task task;
  const std::size_t before = programs_.of[rank_].size();
  Where inner = where;
  block(node.receives, inner);
  for (std::size_t k = before; k < programs_.of[rank_].size(); ++k) {
    task.receives.push_back(std::get<Message*>(programs_.of[rank_][k]));
    task.receives.back()->of_task = true;
  }
  if (node.priority) task.priority = evaluator_.real(*node.priority, where.scope);
  if (std::isnan(task.priority)) task.priority = -std::numeric_limits<double>::infinity();
  body_ = &task.body;
  block(node.body, inner);
  body_ = nullptr;
  ready_->tasks.push_back(std::move(task));
}

// ---- sweeps ---------------------------------------------------------------------------------------------------

void Writer::tile(const statement::Sweep& sweep, const Where& where, const std::vector<bool>& rising,
                  std::size_t corner, std::int64_t number) {
  Where inner = where;
  inner.rising = rising;
  inner.rounds.insert(inner.rounds.end(), {static_cast<double>(corner + 1), static_cast<double>(number)});
  inner.scope.locals = with(with(where.scope.locals, "tile", {number}), "corner", {Corner{rising}});
  block(sweep.body, inner);
}

void Writer::sweep(const statement::Sweep& sweep, Location location, const Where& where) {
  if (where.line) throw Unsupported{"a sweep along an axis"};
  std::vector<std::vector<bool>> corners;
  if (sweep.order) {
    for (const Value& corner : evaluator_.list(*sweep.order, where.scope))
      corners.push_back(std::get<Corner>(corner.is).rising);
  }
  for (const ExprPtr& corner : sweep.corners) {
    corners.push_back(std::get<Corner>(evaluator_.evaluate(*corner, where.scope).is).rising);
  }
  const std::int64_t tiles = evaluator_.integer(*sweep.tiles, where.scope);
  if (tiles < 0) throw Failed{"negative_count", location};
  for (const auto& corner : corners) {
    if (corner.size() != where.position.size()) throw Unsupported{"a corner of another grid"};
  }
  if (sweep.order) {
    for (std::size_t c = 0; c < corners.size(); ++c) {
      for (std::int64_t k = 1; k <= tiles; ++k) tile(sweep, where, corners[c], c, k);
    }
    return;
  }
  // All at once: blocks that a wave reaches first come first.
  struct Block {
    std::int64_t step;
    std::size_t corner;
    std::int64_t tile;
  };
  std::vector<Block> blocks;
  for (std::size_t c = 0; c < corners.size(); ++c) {
    std::int64_t hops = 0;
    for (std::size_t axis = 0; axis < where.position.size(); ++axis) {
      const std::int64_t at = where.position[axis];
      hops += corners[c][axis] ? at - 1 : programs_.grid.extents[axis] - at;
    }
    for (std::int64_t k = 1; k <= tiles; ++k) blocks.push_back({hops + k, c, k});
  }
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.step < b.step; });
  for (const Block& one : blocks) tile(sweep, where, corners[one.corner], one.corner, one.tile);
}

// ---- messages ---------------------------------------------------------------------------------------------------

std::vector<std::int64_t> Writer::offset(const Neighbourhood& peer, const Where& where) {
  std::vector<std::int64_t> result(where.position.size(), 0);
  if (peer.kind == Neighbourhood::Kind::offset) {
    for (std::size_t k = 0; k < peer.indices.size(); ++k) {
      const std::size_t axis = peer.axes.empty() ? k : axis_of(where.scope.locals, peer.axes[k].text).number;
      result[axis] = evaluator_.integer(*peer.indices[k], where.scope) - where.position[axis];
    }
    return result;
  }
  for (const Identifier& name : peer.axes) {
    const std::size_t axis = axis_of(where.scope.locals, name.text).number;
    const bool up = peer.kind == Neighbourhood::Kind::upwind;
    result[axis] = where.rising[axis] == up ? -1 : 1;
  }
  return result;
}

// The rank of the other end, and the offset to it. An absolute place has no offset.
std::optional<std::size_t> Writer::other_end(const Neighbourhood& peer, const Where& where,
                                             std::vector<std::int64_t>& offset) {
  std::vector<std::int64_t> place;
  const bool absolute = peer.kind == Neighbourhood::Kind::absolute;
  if (where.line) return other_end_of_line(peer, where, offset);
  if (absolute) {
    for (const ExprPtr& index : peer.indices) place.push_back(evaluator_.integer(*index, where.scope));
  } else {
    offset = this->offset(peer, where);
    place = where.position;
    for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += offset[axis];
  }
  const bool among_participants = where.context != nullptr;
  const Grid line{{static_cast<std::int64_t>(where.participants.size())}, {false}, {}};
  Grid grid = among_participants ? line : programs_.grid;
  if (absolute) grid.wraps.assign(grid.wraps.size(), false);
  const auto found = grid.rank(place);
  if (!found && absolute) throw Failed{"index_off_grid", peer.location};
  return found && among_participants ? std::optional(where.participants[*found]) : found;
}

// Of a procedure that runs along an axis. Its messages are those of the whole grid, along this axis.
std::optional<std::size_t> Writer::other_end_of_line(const Neighbourhood& peer, const Where& where,
                                                     std::vector<std::int64_t>& offset) {
  std::vector<std::int64_t> place = programs_.grid.coordinates(rank_);
  Grid grid = programs_.grid;
  if (peer.kind == Neighbourhood::Kind::absolute) {
    place[*where.line] = evaluator_.integer(*peer.indices.at(0), where.scope);
    grid.wraps.assign(grid.wraps.size(), false);
    const auto found = grid.rank(place);
    if (!found) throw Failed{"index_off_grid", peer.location};
    return found;
  }
  offset.assign(place.size(), 0);
  offset[*where.line] = this->offset(peer, where).at(0);
  place[*where.line] += offset[*where.line];
  return grid.rank(place);
}

// The machine that another process has where this one has that of the statements.
std::shared_ptr<Instance> Writer::machine_of(std::size_t rank, const Where& where) {
  const auto& machines = programs_.machines;
  return machines.empty() || where.machine != machines[rank_] ? where.machine : machines[rank];
}

void Writer::message(const statement::Message& node, Location location, const Where& where) {
  std::vector<std::int64_t> offset;
  const auto other = other_end(node.peer, where, offset);
  if (!other) return;
  Message message;
  message.process = rank_;
  message.sends = node.kind == statement::Message::Kind::send;
  message.background = node.background;
  if (node.handle) message.handle = handle(node.handle->text, where);
  message.machine = where.machine;
  message.location = location;
  message.route = {shared_level(programs_.grid, *message.machine->declaration, rank_, *other),
                   message.sends ? rank_ : *other, message.sends ? *other : rank_};
  if (!message.sends)
    for (std::int64_t& d : offset) d = -d;
  const std::int64_t tag = node.tag ? evaluator_.integer(*node.tag, where.scope) : 0;
  message.channel = {message.sends ? rank_ : *other,
                     message.sends ? *other : rank_,
                     where.context,
                     tag,
                     node.peer.kind == Neighbourhood::Kind::absolute,
                     offset};
  if (node.size) {
    message.size = evaluator_.real(*node.size, where.scope);
    if (*message.size < 0) throw Failed{"negative_quantity", location};
    const std::shared_ptr<Instance> of_sender = message.sends ? message.machine : machine_of(*other, where);
    message.protocol = choose_protocol(evaluator_, of_sender, *of_sender->declaration, *message.size, message.route);
    if (!message.sends) message.protocol = received_as(message.protocol, message.machine, *message.size);
    message.steps = steps_of(evaluator_, message.protocol, message.sends, quantum_);
    const auto& window = message.protocol.node().window;
    if (message.sends && window) message.window = evaluator_.integer(*window, message.protocol.scope);
  }
  programs_.messages.push_back(std::move(message));
  add(&programs_.messages.back());
}

// ---- calls --------------------------------------------------------------------------------------------------------

Writer::Called Writer::called(const statement::Call& call, const Where& where) {
  const auto is_procedure = [](const Item* item) {
    return item && std::holds_alternative<item::Procedure>(item->node);
  };
  const auto is_collective = [](const Item* item) {
    return item && std::holds_alternative<item::Collective>(item->node);
  };
  if (const auto* name = std::get_if<expr::Name>(&call.callee->node)) {
    const auto* global = std::get_if<target::Global>(&name->target);
    const Item* item = global             ? global->item
                       : where.scope.self ? find_member(*where.scope.self->declaration, name->text)
                                          : nullptr;
    if (is_procedure(item)) return {item, nullptr};
    const Item* of_machine = find_member(*where.machine->declaration, name->text);
    if (is_collective(of_machine)) return {of_machine, where.machine};
  } else if (const auto* member = std::get_if<expr::Member>(&call.callee->node)) {
    if (const auto* global = std::get_if<target::Global>(&member->target)) {
      if (is_procedure(global->item)) return {global->item, nullptr};
    } else {
      const auto machine = evaluator_.machine(*member->object, where.scope);
      const Item* item = find_member(*machine->declaration, member->name.text);
      if (is_collective(item)) return {item, machine};
    }
  }
  throw Unsupported{"a call of such a thing"};
}

void Writer::call(const statement::Call& call, const Where& where) {
  const Called found = called(call, where);
  if (found.machine) return collective(*found.item, found.machine, call, where);
  procedure(*found.item, call, where);
}

void Writer::find_sharing(const Block& statements, const Where& where) {
  for (const auto& statement : statements) {
    if (std::holds_alternative<statement::Message>(statement->node)) {
      programs_.shares_processor = programs_.shares_processor || takes_in_on_arrival(*where.machine->declaration);
    } else if (const auto* n = std::get_if<statement::Sweep>(&statement->node)) {
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::Repeat>(&statement->node)) {
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::For>(&statement->node)) {
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::Phase>(&statement->node)) {
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::Ready>(&statement->node)) {
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::Task>(&statement->node)) {
      find_sharing(n->receives, where);
      find_sharing(n->body, where);
    } else if (const auto* n = std::get_if<statement::If>(&statement->node)) {
      find_sharing(n->then_body, where);
      find_sharing(n->else_body, where);
    } else if (const auto* n = std::get_if<statement::Call>(&statement->node)) {
      const Called found = called(*n, where);
      Where inner = where;
      if (!found.machine) {
        inner.scope.self = found.item->owner ? where.scope.self : nullptr;
        find_sharing(std::get<item::Procedure>(found.item->node).body, inner);
      } else {
        inner.machine = found.machine;
        inner.scope.self = found.machine;
        find_sharing(std::get<item::Collective>(found.item->node).algorithm, inner);
      }
    }
  }
}

void Writer::procedure(const Item& item, const statement::Call& call, const Where& where) {
  const auto& node = std::get<item::Procedure>(item.node);
  Where inner = where;
  if (call.among > statement::Call::Among::along) throw Unsupported{"a procedure of a group"};
  if (call.among == statement::Call::Among::along) {
    if (where.line) throw Unsupported{"an axis of a line"};
    inner.line = axis_of(where.scope.locals, call.of.text).number;
    inner.position = {where.position[*inner.line]};
  }
  inner.rising.clear();
  inner.body = &item;
  inner.scope.self = item.owner ? where.scope.self : nullptr;
  inner.scope.locals = evaluator_.bind(node.parameters, call.arguments, where.scope, inner.scope.self);
  for (std::size_t axis = 0; axis < node.axes.size(); ++axis) {
    const auto* extent = std::get_if<expr::Name>(&node.axes[axis].second->node);
    if (!extent) throw Unsupported{"a grid of a procedure whose extents are not names"};
    if (std::holds_alternative<target::Local>(extent->target)) {
      inner.scope.locals =
          with(inner.scope.locals, extent->text, {programs_.grid.extents[inner.line ? *inner.line : axis]});
    }
  }
  if (!node.axes.empty()) {
    inner.axes.clear();
    for (const auto& [axis, extent] : node.axes) inner.axes.push_back(axis.text);
  }
  const LocalsPtr given = inner.scope.locals;
  bind_axes(inner);
  for (const Locals* one = given.get(); one; one = one->outer.get()) {
    const auto* axis = std::get_if<Axis>(&one->value.is);
    if (!axis) continue;
    const bool is_line = call.among == statement::Call::Among::along;
    if (is_line && axis->number != *inner.line) throw Unsupported{"an axis beside the line"};
    const std::string& own = inner.axes[is_line ? 0 : axis->number];
    inner.scope.locals = with(inner.scope.locals, one->name, {axis_of(inner.scope.locals, own)});
  }
  block(node.body, inner);
}

// Names the axes: those of the grid, the one of a line, or the ranks that take part in an algorithm.
void Writer::bind_axes(Where& where) const {
  for (std::size_t axis = 0; axis < where.axes.size(); ++axis) {
    const std::int64_t extent = where.context ? static_cast<std::int64_t>(where.participants.size())
                                              : programs_.grid.extents[where.line ? *where.line : axis];
    where.scope.locals = with(where.scope.locals, where.axes[axis], {Axis{axis, where.position[axis], extent}});
  }
}

// The ranks along an axis through this process.
std::vector<std::size_t> Writer::line(const Identifier& axis, const Where& where) {
  const std::size_t number = axis_of(where.scope.locals, axis.text).number;
  std::vector<std::size_t> ranks;
  std::vector<std::int64_t> at = where.position;
  for (at[number] = 1; at[number] <= programs_.grid.extents[number]; ++at[number])
    ranks.push_back(*programs_.grid.rank(at));
  return ranks;
}

// Those that share the level with this process, or stand where it stands, each in its own group.
std::vector<std::size_t> Writer::group(const statement::Call& call) {
  const Grid::Level* level = programs_.grid.level(call.of.text);
  if (!level) throw Failed{"level_unknown", call.of.location};
  const bool is_within = call.among == statement::Call::Among::within;
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < level->of.size(); ++rank) {
    if ((is_within ? level->of : level->at)[rank] == (is_within ? level->of : level->at)[rank_]) ranks.push_back(rank);
  }
  return ranks;
}

void Writer::collective(const Item& item, const std::shared_ptr<Instance>& machine, const statement::Call& call,
                        const Where& where) {
  using Among = statement::Call::Among;
  if (where.context && call.among != Among::all) throw Unsupported{"a part of an algorithm along an axis"};
  if (where.line) throw Unsupported{"a collective of a line"};
  const auto& node = std::get<item::Collective>(item.node);
  const std::vector<std::size_t> participants = where.context                ? where.participants
                                                : call.among == Among::all   ? everyone(programs_)
                                                : call.among == Among::along ? line(call.of, where)
                                                                             : group(call);
  std::map<std::string, Value> filled;
  filled["p"] = {static_cast<std::int64_t>(participants.size())};
  const LocalsPtr arguments = evaluator_.bind(node.parameters, call.arguments, where.scope, machine, filled);
  if (node.has_algorithm) return algorithm(item, machine, arguments, participants, where);
  double cost = weight(evaluator_.real(*node.cost, {machine, arguments}), quantum_, item.location);
  // Of machines by place, the largest counts.
  const bool is_by_place = !programs_.machines.empty() && machine == programs_.machines[rank_];
  for (const auto& other : is_by_place ? programs_.named : std::vector<std::shared_ptr<Instance>>{}) {
    const auto& own = std::get<item::Collective>(find_member(*other->declaration, item.name.text)->node);
    const LocalsPtr bound = evaluator_.bind(own.parameters, call.arguments, where.scope, other, filled);
    cost = std::max(cost, weight(evaluator_.real(*own.cost, {other, bound}), quantum_, item.location));
  }
  const bool is_line = call.among == Among::along && programs_.grid.extents.size() > 1;
  const int line = is_line ? static_cast<int>(axis_of(where.scope.locals, call.of.text).number) : -1;
  add(Collective{participants, line, cost, node.root});
}

void Writer::algorithm(const Item& item, const std::shared_ptr<Instance>& machine, LocalsPtr arguments,
                       std::vector<std::size_t> participants, const Where& caller) {
  const auto& node = std::get<item::Collective>(item.node);
  if (node.axes.size() != 1) throw Unsupported{"an algorithm on a grid of several axes"};
  Where inner;
  inner.machine = machine;
  inner.place = caller.place;
  inner.rounds = caller.rounds;
  inner.context = &item;
  inner.body = &item;
  inner.participants = participants;
  inner.axes = {node.axes[0].first.text};
  const auto found = std::find(participants.begin(), participants.end(), rank_);
  inner.position = {found - participants.begin() + 1};
  if (const auto* extent = std::get_if<expr::Name>(&node.axes[0].second->node)) {
    arguments = with(arguments, extent->text, {static_cast<std::int64_t>(participants.size())});
  }
  inner.scope = {machine, arguments};
  bind_axes(inner);
  block(node.algorithm, inner);
}

}  // namespace

// What `using` chooses among: parts of its expression that make or name a machine, or choose in their turn. None where
// it is no choice.
static std::vector<const Expr*> choices(const Expr& net) {
  std::vector<const Expr*> all;
  if (const auto* choice = std::get_if<expr::If>(&net.node)) {
    all = {choice->then_value.get(), choice->else_value.get()};
  } else if (const auto* cases = std::get_if<expr::When>(&net.node)) {
    for (const auto& [condition, value] : cases->arms) all.push_back(value.get());
    if (cases->otherwise) all.push_back(cases->otherwise.get());
  } else if (const auto* index = std::get_if<expr::Index>(&net.node)) {
    if (const auto* list = std::get_if<expr::List>(&index->object->node)) {
      for (const auto& element : list->elements) all.push_back(element.get());
    }
  }
  return all;
}

// What it comes to at a place.
static const Expr* chosen_machine(Evaluator& evaluator, const Expr& net, const Scope& scope) {
  const std::vector<const Expr*> all = choices(net);
  if (all.empty()) return &net;
  std::size_t chosen = 0;
  if (const auto* choice = std::get_if<expr::If>(&net.node)) {
    chosen = evaluator.boolean(*choice->condition, scope) ? 0 : 1;
  } else if (const auto* cases = std::get_if<expr::When>(&net.node)) {
    while (chosen < cases->arms.size() && !evaluator.boolean(*cases->arms[chosen].first, scope)) ++chosen;
  } else {
    chosen =
        static_cast<std::size_t>(evaluator.integer(*std::get<expr::Index>(net.node).indices.front().value, scope) - 1);
  }
  return chosen_machine(evaluator, *all.at(chosen), scope);
}

// Each of these, whether or not a process has it. A machine that is made there is one for all.
static void find_machines(Evaluator& evaluator, const Expr& net, const Scope& scope,
                          std::map<const Expr*, std::shared_ptr<Instance>>& named) {
  const std::vector<const Expr*> all = choices(net);
  if (all.empty()) named[&net] = evaluator.machine(net, scope);
  for (const Expr* const one : all) find_machines(evaluator, *one, scope, named);
}

Programs write_out(Evaluator& evaluator, const Item& process, const std::shared_ptr<Instance>& model) {
  const auto& node = std::get<item::Process>(process.node);
  Programs programs;
  const Item* grid = find_member(*model->declaration, node.grid.text);
  programs.grid = make_grid(evaluator, *grid, model);
  programs.of.resize(programs.grid.size());
  Where where;
  where.body = &process;
  std::size_t number = 0;
  for (const auto& item : *check::members_of(*process.owner)) {
    number += std::holds_alternative<item::Process>(item->node);
    if (item.get() == &process) break;
  }
  where.place = place_inside(0, number);
  for (const auto& axis : std::get<item::Grid>(grid->node).axes) where.axes.push_back(axis.name.text);
  std::map<const Expr*, std::shared_ptr<Instance>> named;
  find_machines(evaluator, *node.net, {model, nullptr}, named);
  for (const auto& [expression, machine] : named) programs.named.push_back(machine);
  std::vector<Scope> scopes;
  for (std::size_t rank = 0; rank < programs.of.size(); ++rank) {
    where.position = programs.grid.coordinates(rank);
    where.scope = {model, nullptr};
    Writer(evaluator, programs, rank).bind_axes(where);
    scopes.push_back(where.scope);
    programs.machines.push_back(named.at(chosen_machine(evaluator, *node.net, where.scope)));
    evaluator.check_requirements(programs.machines.back());
  }
  for (std::size_t rank = 0; rank < programs.of.size(); ++rank) {
    where.position = programs.grid.coordinates(rank);
    where.scope = scopes[rank];
    where.machine = programs.machines[rank];
    Writer(evaluator, programs, rank).block(node.body, where);
  }
  where.scope = {model, nullptr};
  for (std::size_t rank = 0; rank < programs.of.size(); ++rank) {
    where.machine = programs.machines[rank];
    Writer(evaluator, programs, rank).find_sharing(node.body, where);
  }
  return programs;
}

Programs write_out_algorithm(Evaluator& evaluator, const Item& collective, const std::shared_ptr<Instance>& machine,
                             const std::map<std::string, Value>& arguments, std::size_t count) {
  Programs programs;
  programs.grid = {{static_cast<std::int64_t>(count)}, {false}, {}};
  programs.of.resize(count);
  LocalsPtr locals;
  for (const auto& [name, value] : arguments) locals = with(locals, name, value);
  for (std::size_t rank = 0; rank < count; ++rank) {
    Writer(evaluator, programs, rank).algorithm(collective, machine, locals, everyone(programs), {});
  }
  Where where;
  where.machine = machine;
  where.scope.self = machine;
  Writer(evaluator, programs, 0).find_sharing(std::get<item::Collective>(collective.node).algorithm, where);
  return programs;
}

}  // namespace wave::simulator
