// A kernel in one activation: the memory that compiled code works on, and what it asks of the host.
#pragma once

#include "backend/jit/compiled_system.h"
#include "backend/kernels/kernel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wave::jit {

class Run;
class GroupEvaluation;
struct Group;
namespace lanes {
class StripEvaluation;
}

// What compiled code gets as its first argument.
struct Context {
  std::int64_t fuel = 0;
  std::int64_t depth = 0;
  Run* run = nullptr;                              // null where nothing is asked of it: in batches
  const std::vector<ir::Table>* tables = nullptr;  // of the instance
};
static_assert(offsetof(Context, fuel) == ContextLayout::fuel && offsetof(Context, depth) == ContextLayout::depth);

using Word = std::uint64_t;
using Record = Word;  // the first word of a record

enum Status : std::int32_t { done = 0, failed = 1, off_space = 2 };

class Run final : public backend::kernels::KernelEvaluation {
 public:
  // `excerpt`: what is evaluated, of the structure of `compiled`; names, locations and tables are its own.
  Run(CompiledSystem& compiled, const backend::kernels::Excerpt& excerpt, backend::kernels::Host& host,
      const backend::Limits& limits, backend::kernels::MemoryAccount& memory);
  ~Run() override;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void set(ir::DefinitionId input, ir::Scalar value) override;
  std::optional<ir::Scalar> result(std::size_t activations) override;
  std::optional<backend::Rows> rows() override;
  std::optional<bool> program(const backend::processes::engine::ProcessProgram& program, std::size_t activations,
                              const UseOfProgram& use) override;
  const std::string& refusal() const override { return refusal_; }
  void reports(std::vector<backend::EventReport>& all) const override { reductions_.report(all); }
  // group_access.cpp
  void plan(const backend::kernels::GroupTask& task) override;
  bool evaluate(ir::EventId event, const ir::Exactness& exactness, std::size_t activations) override;
  std::size_t bytes(ir::EventId event) const override;
  void drop(ir::EventId event) override;
  ir::Scalar read(ir::EventId event, std::span<const std::int64_t> indices) override;
  std::string schedule(ir::EventId event) const override;

  // --- asked by compiled code (host_functions.cpp) ---
  void fail(ir::SiteId site, ir::FailureKind kind, std::uint32_t types, const std::array<Word, 3>& bits);
  // A weight of this constraint (or, past the last, of `otherwise`) is NaN or infinite.
  void fail_weight(ir::EventId event, std::uint32_t constraint, double weight);
  void fail_off_space(ir::EventId event, ir::SiteId site, std::int64_t axis, const std::int64_t* indices);
  void note_index(ir::BinderId binder, std::int64_t value);
  void unwind(ir::DefinitionId definition);
  Status tick();
  Status input(ir::DefinitionId input);
  Status enter_space(GroupIndex group);
  Status enter_group(GroupIndex group);
  Status read_kept(const Word* header, std::uint32_t event, const std::int64_t* indices, Word* out);
  Status measure(const ir::Measure& what, std::span<const std::int64_t> indices, Word* out);
  Status call_outside(ir::DefinitionId definition, ir::SiteId site, const Word* arguments, Word* out);
  std::int32_t reduce(Record* record, ir::ValueId reduction, ir::FrameId frame, Word* words) {
    return reductions_.ask(record, reduction, frame, words);
  }
  Status row(const Word* values);

 private:
  friend class GroupEvaluation;
  friend class lanes::StripEvaluation;
  friend class lanes::Reductions;

  // What is entered may be entered again from a question to the host.
  class Entry {
   public:
    Entry(Run& run, std::size_t activations) : run_(run), depth_(run.context_.depth) {
      run.context_.depth = static_cast<std::int64_t>(activations);
      run.forget_failure();
    }
    Entry(const Entry&) = delete;
    ~Entry() { run_.context_.depth = depth_; }

   private:
    Run& run_;
    const std::int64_t depth_;
  };

  using ValueFunction = std::int32_t (*)(Context*, Record*, Word*);

  const ir::Definition& named(ir::DefinitionId id) const;
  const ir::RowBlock& block() const { return compiled_.system.roots.front().blocks.front(); }
  Record* record() { return root_record_.data(); }
  // Of the root frame: an input, a constant, or something that is compiled now.
  Status value(ir::ValueId value, Word& out);
  Status definition(ir::DefinitionId id, ir::FrameId frame, Record* record);
  void* function_of(const Wanted& wanted);
  Record* record_of(ir::FrameId target, ir::FrameId frame, Record* record) const;
  Group* group(GroupIndex number) const;
  void begin_group(GroupIndex number, const backend::kernels::Extents& extents);
  // Asks the host; what it throws is thrown on when the compiled code has returned.
  Status ask(const std::function<void()>& question);
  Status refuse(const std::string& why);
  Status limit(ir::Failure failure);
  void set_failure(ir::Failure failure, bool scope_closed);
  void forget_failure();
  [[noreturn]] void throw_failure();
  // False: it has been refused. Throws what has failed.
  bool is_done(Status status);

  CompiledSystem& compiled_;
  const backend::kernels::Excerpt& excerpt_;
  const ir::System& instance_;
  backend::kernels::Host& host_;
  backend::Limits limits_;
  Context context_;
  std::vector<Word> root_record_;
  ValueFunction result_ = nullptr;                         // the function that gives it, once it is known
  std::vector<std::unique_ptr<Group>> groups_;             // by number, those that have been entered
  std::vector<std::unique_ptr<GroupEvaluation>> planned_;  // the same
  std::optional<ir::Failure> failure_;
  std::exception_ptr thrown_;  // by the host
  std::string refusal_;        // why something cannot be compiled; empty where nothing has been refused
  bool site_is_original_ = false;
  bool scope_closed_ = false;  // the failure has left the scope whose indices it carries
  // Where the cycle of the failure closes; not valid: it has been told. Here, or in the original.
  ir::DefinitionId cycle_, original_cycle_;
  backend::Rows rows_;
  backend::kernels::MemoryAccount& memory_;
  lanes::Reductions reductions_;
};

ir::Scalar to_scalar(ir::ScalarType type, Word bits);
Word to_bits(ir::Scalar scalar);

}  // namespace wave::jit
