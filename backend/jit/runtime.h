// One evaluation of a kernel: the memory that compiled code works on, and what it asks of the host.
#pragma once

#include "backend/jit/compiler.h"
#include "backend/jit/context_layout.h"
#include "backend/jit/lanes/reduction_run.h"
#include "backend/jit/lanes/strip_code.h"
#include "backend/jit/layout.h"
#include "backend/jit/word_pool.h"
#include "backend/kernels/kernel.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
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
  Run* run = nullptr;
};
static_assert(offsetof(Context, fuel) == ContextLayout::fuel && offsetof(Context, depth) == ContextLayout::depth);

using Word = std::uint64_t;
using Record = Word;  // the first word of a record

// What the kernels of an engine share.
struct SharedCompilation {
  explicit SharedCompilation(const backend::EngineOptions& options)
      : options(options), source(std::make_shared<CodeSource>(Processor{options.cpu}, options.cache_folder)) {}
  const backend::EngineOptions options;
  const std::shared_ptr<CodeSource> source;
  const std::shared_ptr<WordPool> pool = std::make_shared<WordPool>();
};

// An excerpt after the passes and its compiled code, shared by the evaluations of all instances of its structure.
struct CompiledSystem {
  CompiledSystem(ir::System system, SharedCompilation& shared)
      : shared(shared),
        system(std::move(system)),
        layout(this->system),
        compiler(layout, *shared.source),
        quick_compiler(layout, *shared.source),
        strips(layout) {}

  // The address of what is wanted, compiled now where it is not yet, with full care or, if quick code does, quickly.
  // Null: `error` says why.
  void* get(const Wanted& wanted, std::string& error);
  // Something is about to run that would take so many seconds if it were interpreted. Quick code does as long as all
  // together stays small.
  void expect(double seconds) { expected = expected + seconds; }

  SharedCompilation& shared;
  const ir::System system;
  const Layout layout;
  Compiler compiler, quick_compiler;
  std::atomic<double> expected = 0;  // seconds
  lanes::StripCodes strips;
  lanes::ReductionCodes reductions;
  std::atomic<bool> has_code = false;
  std::mutex mutex;
};

enum Status : std::int32_t { done = 0, failed = 1, off_space = 2 };

class Run {
 public:
  // `excerpt`: what is evaluated, of the structure of `compiled`; names, locations and tables are its own.
  Run(CompiledSystem& compiled, const backend::kernels::Excerpt& excerpt, backend::kernels::Host& host,
      const backend::Limits& limits, backend::kernels::MemoryAccount& memory);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void set(ir::DefinitionId input, ir::Scalar value);

  // These throw what KernelEvaluation's do.
  // The body of a definition.
  ir::Scalar result(ir::DefinitionId definition, std::size_t activations);
  backend::Rows rows(ir::RootId root);
  void plan(const backend::kernels::GroupTask& task);
  void evaluate(ir::EventId event, const ir::Exactness& exactness, std::size_t activations);
  std::size_t bytes(ir::EventId event) const;
  void drop(ir::EventId event);
  ir::Scalar read(ir::EventId event, std::span<const std::int64_t> indices);
  std::string schedule(ir::EventId event) const;
  void reports(std::vector<backend::EventReport>& all) const { reductions_.report(all); }

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
  Status row(ir::RootId root, std::uint32_t block, const Word* values);
  const ir::Table& table(ir::TableId id) const { return (*excerpt_.tables)[id.index]; }

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

  const ir::Definition& named(ir::DefinitionId id) const;
  Record* record() { return root_record_.data(); }
  // Of the root frame: an input, a constant, or something compiled for it.
  Status value(ir::ValueId value, Word& out);
  Status definition(ir::DefinitionId id, ir::FrameId frame, Record* record);
  Record* record_of(ir::FrameId target, ir::FrameId frame, Record* record) const;
  Group* group(GroupIndex number) const;
  void begin_group(GroupIndex number, const backend::kernels::Extents& extents);
  std::int64_t words_in_strips(GroupIndex number, const Word* header, std::span<const std::int64_t> indices) const;
  Status require_group(GroupIndex number);
  // Asks the host; what it throws is thrown on when the compiled code has returned.
  Status ask(const std::function<void()>& question);
  Status refuse(const std::string& why);
  Status limit(ir::Failure failure);
  void forget_failure();
  [[noreturn]] void throw_failure();

  CompiledSystem& compiled_;
  const backend::kernels::Excerpt& excerpt_;
  const ir::System& instance_;
  backend::kernels::Host& host_;
  backend::Limits limits_;
  Context context_;
  std::vector<Word> root_record_;
  void* result_ = nullptr;                                 // the function that gives it, once it is known
  std::vector<std::unique_ptr<Group>> groups_;             // by number, those that have been entered
  std::vector<std::unique_ptr<GroupEvaluation>> planned_;  // the same
  std::optional<ir::Failure> failure_;
  std::exception_ptr thrown_;  // by the host
  std::string refusal_;        // why something cannot be compiled
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
