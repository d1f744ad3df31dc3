// One evaluation: the memory that compiled code works on, and what it asks of the host.
#pragma once

#include "backend/engine.h"
#include "backend/jit/compiler.h"
#include "backend/jit/context_layout.h"
#include "backend/jit/lanes/reduction_run.h"
#include "backend/jit/lanes/strip_code.h"
#include "backend/jit/layout.h"
#include "backend/jit/word_pool.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::backend::closed_form {
struct Symbolic;
}

namespace wave::jit {

class Run;
struct Group;
namespace lanes {
class StripEvaluation;
}

// What compiled code gets as its first argument.
struct Context {
  std::int64_t fuel = 0;
  std::int64_t depth = 0;
  Run* run = nullptr;
};
static_assert(offsetof(Context, fuel) == ContextLayout::fuel && offsetof(Context, depth) == ContextLayout::depth);

using Word = std::uint64_t;
using Record = Word;  // the first word of a record

// A system and its compiled code, shared by the evaluations of an engine.
struct CompiledSystem {
  CompiledSystem(ir::System system, const backend::EngineOptions& options)
      : options(options),
        system(std::move(system)),
        layout(this->system),
        source(std::make_shared<CodeSource>(Processor{options.cpu}, options.cache_folder)),
        compiler(layout, *source),
        strips(layout) {}

  // The address of what is wanted, compiled now where it is not yet. Null: `error` says why.
  void* get(const Wanted& wanted, std::string& error);
  void* kernel(GroupIndex group);

  const backend::EngineOptions options;
  const ir::System system;
  const Layout layout;
  const std::shared_ptr<CodeSource> source;
  Compiler compiler;
  lanes::StripCodes strips;
  lanes::ReductionCodes reductions;
  const backend::closed_form::Symbolic* symbolic = nullptr;  // where recurrences of `system` have been replaced
  const std::shared_ptr<WordPool> pool = std::make_shared<WordPool>();
  std::mutex mutex;
};

enum Status : std::int32_t { done = 0, failed = 1, off_space = 2 };

// What compiled code asks of others: the results of processes, and calls of functions that have processes of their own.
class Uncompiled {
 public:
  virtual ~Uncompiled() = default;
  // index_off_grid comes without a site. The indices of `what` are not looked at.
  virtual backend::Outcome measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) = 0;
  virtual backend::Outcome call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments,
                                ir::SiteId site) = 0;
};

class Run {
 public:
  Run(CompiledSystem& compiled, const std::vector<backend::Binding>& bindings, const backend::Limits& limits,
      Uncompiled& uncompiled);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  backend::Outcome evaluate(ir::RootId root, void* function);
  backend::Outcome evaluate(ir::DefinitionId definition, void* function);  // null: it is straight
  // Without code (straight.h).
  backend::Outcome evaluate_straight(ir::RootId root);
  Status evaluate_straight(ir::DefinitionId definition);
  // With the recurrences of the root frame that were replaced by expressions.
  std::vector<backend::EventReport> reports() const;
  // The value of a definition of the root frame, where it has been evaluated.
  std::optional<ir::Scalar> known(ir::DefinitionId id) const {
    return known(root_record_.data(), id, ir::System::root_frame);
  }

  // --- asked by compiled code (host_functions.cpp) ---
  void fail(ir::SiteId site, ir::FailureKind kind, std::uint32_t types, const std::array<Word, 3>& bits);
  // A weight of this constraint (or, past the last, of `otherwise`) is NaN or infinite.
  void fail_weight(ir::EventId event, std::uint32_t constraint, double weight);
  void fail_off_space(Record* owner, ir::EventId event, ir::SiteId site, std::int64_t axis,
                      const std::int64_t* indices);
  void note_index(ir::BinderId binder, std::int64_t value);
  void unwind(ir::DefinitionId definition);
  Status tick();
  Status enter_space(Record* record, GroupIndex group);
  Status enter_group(Record* record, GroupIndex group);
  Status require_group(Record* record, GroupIndex group);
  Status read_kept(const Word* header, std::uint32_t event, const std::int64_t* indices, Word* out);
  void release(Record* record, ir::FrameId frame);
  Status measure(const ir::Measure& what, std::span<const std::int64_t> indices, Word* out);
  Status call_uncompiled(ir::DefinitionId definition, ir::SiteId site, const Word* arguments, Word* out);
  std::int32_t reduce(Record* record, ir::ValueId reduction, ir::FrameId frame, Word* words) {
    return reductions_.ask(record, reduction, frame, words);
  }
  Status row(ir::RootId root, std::uint32_t block, const Word* values);
  const ir::System& system() const { return compiled_.system; }

 private:
  friend class GroupEvaluation;
  friend class lanes::StripEvaluation;
  friend class lanes::Reductions;

  struct Walk;

  void begin_rows(ir::RootId root);
  backend::Outcome end_rows(Status status);
  Status evaluate_straight(ir::ValueId value, Word& out);
  // The value of a scalar of the frame that `record` belongs to.
  Status value(ir::ValueId value, ir::FrameId frame, Record* record, Word& out);
  std::variant<ir::Scalar, ir::Failure> definition_value(ir::DefinitionId id, ir::FrameId frame, Record* record);
  ir::Scalar parameter_value(ir::ParameterId id, ir::FrameId frame, Record* record) const;
  const Record* known_record(ir::FrameId target, ir::FrameId frame, const Record* record) const;
  std::optional<ir::Scalar> known(const Record* record, ir::DefinitionId id, ir::FrameId frame) const;
  std::vector<backend::EventReport> reports_on_replaced(const Record* record, ir::FrameId frame) const;
  Record* record_of(ir::FrameId target, ir::FrameId frame, Record* record) const;
  Status read_solution(const Group& group, const std::int64_t* indices, Word* out);
  Status internal_failure(const std::string& what);
  Status limit(ir::Failure failure);
  ir::Failure take_failure();

  CompiledSystem& compiled_;
  backend::Limits limits_;
  Uncompiled& uncompiled_;
  Context context_;
  std::vector<Word> root_record_;
  std::unordered_map<ir::ValueId, ir::Scalar> walked_;  // straight scalars that have been evaluated
  std::optional<ir::Failure> failure_;
  int tries_ = 0;              // what fails now is nobody's concern, and not remembered
  bool scope_closed_ = false;  // the failure has left the scope whose indices it carries
  ir::DefinitionId cycle_;     // where the cycle of the failure closes; not valid: it has been told
  backend::Rows rows_;
  std::size_t bytes_ = 0;                            // held by groups and rows
  static constexpr std::size_t most_reports = 1000;  // a function's events come once a call
  std::vector<backend::EventReport> reports_;
  lanes::Reductions reductions_;
};

ir::Scalar to_scalar(ir::ScalarType type, Word bits);
Word to_bits(ir::Scalar scalar);

}  // namespace wave::jit
