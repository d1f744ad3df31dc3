// The plan of a process: the parts that all of its processes go through, one after the other. What evaluates a process
// and what follows its critical path look at these parts, and take no program apart themselves. The outline before
// sizes are known asks the same questions (program_uses.h, sweep_form.h).
//
// Parts are found one by one as they are taken, since loops may have millions of iterations, and sweeps of tiles, whose
// bounds and weights are evaluated as they come.
#pragma once

#include "backend/processes/bulk/array_program.h"
#include "backend/processes/bulk/kept_stretches.h"
#include "backend/processes/bulk/sweep_form.h"
#include "backend/processes/program/input.h"
#include "backend/processes/program/uses.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace wave::backend::processes {

// Statements that are the same for all processes, ready to run.
struct Stretch {
  // Where every signal is sent before it is awaited, over arrays; else kernels find an order. Both where it may stand
  // between sweeps that are served in streams.
  std::optional<ArrayProgram> program;
  std::shared_ptr<const SweepPiece> piece;
  OperationList list;                  // where choices are recorded; else empty
  std::vector<PendingOperation> open;  // behind it
  double operations = 0;               // of a process
  bool has_messages = false;
  bool leaves_no_count = false;  // behind it the moments of all processes have the count 0
};

namespace part {

struct Straight {
  std::shared_ptr<const Stretch> stretch;  // over arrays
};
// A piece of a sweep, or a stretch that kernels find an order for.
struct Tiles {
  std::shared_ptr<const SweepPiece> piece;
  std::vector<bool> rising;
};
// Behind a stretch or all pieces of a sweep: nothing but these operations is pending from here on.
struct Pending {
  std::vector<PendingOperation::Key> operations;
};
// That is a cost.
struct CollectiveCost {
  const ir::Statement& statement;
  const ir::Collective& node;
  FieldPtr cost;                     // on the quantum
  const Bindings* inside = nullptr;  // as Cause has it, where choices are wanted
};
// Of those that are asked for.
struct PhaseBound {
  ir::PhaseId phase;
  bool enters = false;
};
// A loop none of whose iterations looks at which one it is.
struct Repetition {
  std::int64_t count = 0;             // at least 1
  const std::function<bool()>& once;  // the parts of an iteration; false: refused
};
// Statements for which no order is known beforehand. Nothing is pending before them.
struct Unordered {
  std::span<const ir::Statement> statements;
};

}  // namespace part

using PlanPart = std::variant<part::Straight, part::Tiles, part::Pending, part::CollectiveCost, part::PhaseBound,
                              part::Repetition, part::Unordered>;

enum class Taken : std::uint8_t {
  done,
  refused,   // there is no plan
  no_order,  // of the first piece of a sweep: kernels know no order for it
};

class ProcessPlan {
 public:
  struct Wanted {
    std::vector<bool> phases;  // by PhaseId
    // Choices are to be recorded. So every part of the program has to be in an order, and what no one stretch has is
    // looked for in smaller ones; stretches are as long as their record has room; operations may stay pending behind
    // any of them; and causes are told apart. There is no plan where anything asks for resources.
    bool choices = false;
    bool in_batches = false;  // what is not asked for in order is served in batches
  };
  // `kept`: lists of operations of earlier evaluations, and of this one for later ones; null: none. Not where choices
  // are wanted.
  ProcessPlan(const ProgramInput& input, Wanted wanted, KeptStretches* kept = nullptr);
  ProcessPlan(const ProcessPlan&) = delete;

  // Calls `take` with every part of the program. False: there is no plan, possibly after parts have been taken.
  // Throws Failed.
  [[nodiscard]] bool for_each(const std::function<Taken(const PlanPart&)>& take);

  const PlanGrid& grid() const { return grid_; }
  const std::vector<bool>& wrap() const { return wrap_; }
  // Of all weights up to now.
  const Rounding& rounding() const { return fields_.rounding; }
  bool is_quiet() const { return open_.empty(); }

 private:
  using Statements = std::span<const ir::Statement>;
  template <class Part>
  bool is_structure(const Part& statement_or_block) const {
    return processes::is_structure(process_, statement_or_block, &context_.wanted_phases);
  }

  // False: refused, and the whole plan is if anything was given before.
  [[nodiscard]] bool block(ir::BlockId id) { return !id.valid() || block(process_.blocks[id.index]); }
  [[nodiscard]] bool block(Statements statements);
  // How many statements have become parts; 0: the first `tried` are refused.
  std::size_t take(Statements statements, std::size_t& tried);
  [[nodiscard]] bool stretch(Statements statements);
  // One statement, by what is inside of it.
  [[nodiscard]] bool inside(const ir::Statement& statement);
  bool visit(const ir::Statement& statement, const ir::Compute&) { return only(statement); }
  bool visit(const ir::Statement& statement, const ir::Message&) { return only(statement); }
  bool visit(const ir::Statement& statement, const ir::Wait&) { return only(statement); }
  bool visit(const ir::Statement&, const ir::Ready&) { return false; }
  bool visit(const ir::Statement&, const ir::Task&) { return false; }
  bool visit(const ir::Statement& statement, const ir::Sweep& node);
  bool visit(const ir::Statement& statement, const ir::Collective& node);
  bool visit(const ir::Statement& statement, const ir::Loop& node);
  bool visit(const ir::Statement& statement, const ir::Branch& node);
  bool visit(const ir::Statement& statement, const ir::Phase& node);
  bool only(const ir::Statement& statement) { return wanted_.choices && stretch({&statement, 1}); }

  // What is gathered, and then a part.
  [[nodiscard]] bool give_gathered();
  [[nodiscard]] bool give_unordered(Statements statements);
  [[nodiscard]] bool give(const PlanPart& part) { return give_gathered() && (*take_)(part) == Taken::done; }
  [[nodiscard]] bool close(std::vector<PendingOperation> open);

  StretchKey key_of(Statements statements);
  // Null: refused.
  OperationListPtr list(Statements statements, const std::vector<PendingOperation>& open, bool may_be_kept);
  std::shared_ptr<const Stretch> prepare(Statements statements);
  std::shared_ptr<const Stretch> make_stretch(Statements statements);
  bool is_recordable(Statements statements, const OperationList& list) const;
  bool is_straight(const OperationList& list) const;
  bool has_stretches(const ir::Loop& node);
  bool is_repeated(const ir::Loop& node);

  const ProgramInput& input_;
  const ir::Process& process_;
  const Wanted wanted_;
  const ResourceUse resources_;
  const std::set<ResourceKey> served_by_time_;
  const bool has_sweeps_;
  PlanGrid grid_;
  Fields fields_;
  std::vector<bool> wrap_;
  PlanEnds ends_;
  ServiceOrders orders_;
  WeightPlaces weight_places_;
  WalkContext context_;
  ProgramUses uses_;
  KeptStretches* kept_;
  const std::function<Taken(const PlanPart&)>* take_ = nullptr;
  Statements gathered_;                 // in front of the statement at hand: they have become no part
  std::size_t given_ = 0;               // how many times they have been asked to be given
  std::vector<PendingOperation> open_;  // behind the last part
  bool has_no_count_ = true;            // there the moments of all processes have the count 0
  std::map<StretchKey, std::shared_ptr<const Stretch>> stretches_;
  std::set<std::pair<const ir::Statement*, std::size_t>> refused_;  // of a large grid
};

// How many joins and awaits a list has.
std::size_t choices_of(const OperationList& list);

}  // namespace wave::backend::processes
