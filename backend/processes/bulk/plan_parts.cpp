// Takes a program apart, statement by statement. Statements that become no part are gathered, and given together where
// the next part begins. If a statement is refused after a part of it has been given, the whole plan is.
#include "backend/processes/bulk/plan_parts.h"

#include "backend/processes/bulk/request_order.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

// Of large grids nothing is kept: their evaluation takes longer than their plan, and the memory of their fields counts
// as that of this evaluation. Nor where a resource may be shared: a list holds as long as it is not, which parameters
// may decide. Nor what is served in batches, which depends on whether steps take time.
bool may_keep(const ResourceUse& resources, const PlanGrid& grid) {
  return grid.count() < large_field && !resources.is_shared;
}

// Is there a resource to serve, and none with more processes than can be put in order at once?
bool is_shared_by_few(const std::set<ResourceKey>& resources, const ir::System& system, const SharedLevels& levels) {
  constexpr std::uint32_t few = 1 << 18;
  const auto is_of_few = [&](const ResourceKey& resource) {
    const SharedLevels::Groups* const groups = levels.sharers(system[resource.first], resource.second);
    if (!groups) return true;
    std::vector<std::uint32_t> sizes(groups->count);
    for (const std::uint32_t group : groups->of) ++sizes[group];
    return std::ranges::max(sizes) <= few;
  };
  return !resources.empty() && std::ranges::all_of(resources, is_of_few);
}

}  // namespace

ProcessPlan::ProcessPlan(const ProgramInput& input, Wanted wanted, KeptStretches* kept)
    : input_(input),
      process_(input.process),
      wanted_(std::move(wanted)),
      resources_(resource_use(input.scalars.system(), process_)),
      served_by_time_(wanted_.in_batches ? served_by_time(input.scalars.system(), process_, input.levels)
                                         : std::set<ResourceKey>{}),
      has_sweeps_(resources_.in_sweeps),
      grid_(input.places.extents),
      fields_(process_, grid_, {input.binders, input.scalars, input.look_at_clock, input.claim_memory}),
      wrap_(wrap_of(input.scalars.system(), process_)),
      ends_(fields_, input.resolver, wrap_),
      orders_(fields_, input.levels),
      weight_places_(process_, input.scalars.system(), input.binders),
      context_{process_, fields_,       ends_, input.levels,   wanted_.in_batches ? &served_by_time_ : nullptr,
               nullptr,  input.quantum, wrap_, wanted_.phases, wanted_.choices ? &weight_places_ : nullptr},
      uses_(input.scalars.system(), process_, input.binders, ProgramUses::Of::all),
      kept_(may_keep(resources_, grid_) && !wanted_.in_batches ? kept : nullptr) {
  context_.wanted_phases.resize(process_.phases.size(), false);
  if (kept_) kept_->begin(grid_.extents());
}

bool ProcessPlan::for_each(const std::function<Taken(const PlanPart&)>& take) {
  take_ = &take;
  const ir::System& system = input_.scalars.system();
  if (wanted_.in_batches
          ? !is_shared_by_few(served_by_time_, system, input_.levels) || !may_serve_in_batches(system, process_)
          : is_whole(system, process_))
    return false;
  if (wanted_.choices && resources_.any) return false;
  return block(process_.body);
}

bool ProcessPlan::block(Statements statements) {
  std::size_t begin = 0;  // of what is gathered
  for (std::size_t at = 0; at < statements.size();) {
    input_.look_at_clock();
    if (fields_.trim()) {
      ends_.forget();
      orders_.forget();
      stretches_.clear();
    }
    gathered_ = statements.subspan(begin, at - begin);
    const std::size_t given_before = given_;
    std::size_t tried = 1;
    const std::size_t done = take(statements.subspan(at), tried);
    if (done == 0 && given_ != given_before) return false;
    at += std::max(done, tried);
    if (done > 0) begin = at;
  }
  gathered_ = statements.subspan(begin);
  return give_gathered();
}

std::size_t ProcessPlan::take(Statements statements, std::size_t& tried) {
  const auto first = [&] { return inside(statements.front()) ? std::size_t{1} : 0; };
  const std::size_t straight = straight_statements(process_, statements, &context_.wanted_phases);
  if (straight == 0) return first();
  const std::size_t given_before = given_;
  if (stretch(statements.first(straight))) return straight;
  if (given_ != given_before) return 0;
  const auto is_loop = [](const ir::Statement& statement) { return std::holds_alternative<ir::Loop>(statement.node); };
  const auto loop =
      std::find_if(statements.begin(), statements.begin() + static_cast<std::ptrdiff_t>(straight), is_loop);
  const auto without_loop = static_cast<std::size_t>(loop - statements.begin());
  if (without_loop == 0) return first();
  if (without_loop < straight && stretch(statements.first(without_loop))) return without_loop;
  if (given_ != given_before) return 0;
  if (wanted_.choices) return first();
  tried = without_loop;
  return 0;
}

// --- giving ---

bool ProcessPlan::give_gathered() {
  ++given_;
  return give_unordered(std::exchange(gathered_, {}));
}

// Whoever takes these knows nothing of when resources are free.
bool ProcessPlan::give_unordered(Statements statements) {
  if (statements.empty()) return true;
  return open_.empty() && !resources_.any && (*take_)(part::Unordered{statements}) == Taken::done;
}

bool ProcessPlan::close(std::vector<PendingOperation> open) {
  open_ = std::move(open);
  part::Pending pending;
  for (const PendingOperation& one : open_) pending.operations.push_back(one.key);
  return give(pending);
}

// Statements without structure, all of them at once.
bool ProcessPlan::stretch(Statements statements) {
  const std::shared_ptr<const Stretch> made = prepare(statements);
  if (!made) return false;
  if (made->program ? !give(part::Straight{made})
                    : !give(part::Tiles{made->piece, std::vector<bool>(grid_.axes(), true)}))
    return false;
  has_no_count_ = made->leaves_no_count;
  return close(made->open);
}

bool ProcessPlan::inside(const ir::Statement& statement) {
  return std::visit([&](const auto& node) { return visit(statement, node); }, statement.node) &&
         give_gathered();  // where there was nothing to do
}

// The first pieces are held back. If a later one turns out to have no plan, nothing of the sweep has been given.
bool ProcessPlan::visit(const ir::Statement& statement, const ir::Sweep& node) {
  const std::vector<bool>& rising = node.fronts.front().rising;
  std::vector<std::shared_ptr<const SweepPiece>> held;
  bool is_given = false, has_order = true;
  const auto give_held = [&] {
    for (const auto& piece : held) {
      if (!give_gathered()) return false;
      const Taken taken = (*take_)(part::Tiles{piece, rising});
      has_order = taken != Taken::no_order;
      if (taken != Taken::done) return !has_order && !is_given;
      is_given = true;
    }
    held.clear();
    return true;
  };
  std::vector<PendingOperation> open = open_;
  const bool may_be_kept = !uses_.looks_at(node.fronts.front().body, node.tile);
  const auto list_of_tile = [&](Statements statements, const std::vector<PendingOperation>& pending) {
    return list(statements, pending, may_be_kept);
  };
  const bool has_form = for_each_piece(node, context_, list_of_tile, open, [&](SweepPiece piece) {
    if (!has_order) return false;
    held.push_back(std::make_shared<const SweepPiece>(std::move(piece)));
    return !(is_given || held.size() > most_pieces_held) || give_held();
  });
  if (!has_form || (has_order && !give_held())) return false;
  return has_order ? close(std::move(open)) : give_unordered({&statement, 1});
}

bool ProcessPlan::visit(const ir::Statement& statement, const ir::Collective& node) {
  Domain domain{grid_.whole(), nullptr};
  if (node.root == ir::Collective::Root::to) {  // nobody but the root looks at it
    for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
      if (!node.along || *node.along == axis) domain.box.last[axis] = 0;
    }
  }
  const std::optional<FieldPtr> exact = fields_.evaluate(node.cost, domain);
  const FieldPtr cost = exact ? fields_.rounded(*exact, input_.quantum) : nullptr;
  const auto bound = [this](ir::BinderId binder) { return fields_.bound(binder); };
  const Bindings* const inside = wanted_.choices ? weight_places_.inside(statement, bound) : nullptr;
  if (!cost || !give(part::CollectiveCost{statement, node, cost, inside})) return false;
  has_no_count_ = node.root == ir::Collective::Root::none && cost->uniform() && cost->values[0] > 0;
  return true;
}

bool ProcessPlan::visit(const ir::Statement&, const ir::Loop& node) {
  if (!wanted_.choices && !is_structure(node.body) && !has_stretches(node)) return false;
  if (!is_repeated(node))
    return for_each_iteration(node.levels, fields_, [&] { return give_gathered() && block(node.body); });
  const std::optional<std::int64_t> count = count_iterations(node.levels, fields_);
  if (!count || *count == 0) return count.has_value();
  const std::function<bool()> once = [&] {
    input_.look_at_clock();
    return block(node.body);
  };
  return give(part::Repetition{*count, once});
}

bool ProcessPlan::visit(const ir::Statement&, const ir::Branch& node) {
  const std::optional<ir::Scalar> condition = fields_.uniform(node.condition);
  return condition && give_gathered() && block(condition->boolean ? node.then_block : node.else_block);
}

bool ProcessPlan::visit(const ir::Statement&, const ir::Phase& node) {
  if (!context_.wanted_phases[node.phase.index]) return give_gathered() && block(node.body);
  return give(part::PhaseBound{node.phase, true}) && block(node.body) && give(part::PhaseBound{node.phase, false});
}

// No iteration looks at which one it is.
bool ProcessPlan::is_repeated(const ir::Loop& node) {
  return std::none_of(node.levels.begin(), node.levels.end(),
                      [&](const ir::Level& level) { return uses_.looks_at(node.body, level.binder); });
}

// Is the first iteration of a loop a straight stretch? Others may turn out not to be, but seldom do.
bool ProcessPlan::has_stretches(const ir::Loop& node) {
  bool is_first_straight = false;
  const auto look = [&] {
    is_first_straight = prepare(process_.blocks[node.body.index]) != nullptr;
    return false;
  };
  return for_each_iteration(node.levels, fields_, look) || is_first_straight;  // there may be no iteration
}

}  // namespace wave::backend::processes
