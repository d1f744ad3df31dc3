// Compiled code, as the evaluator sees it: what it hands over, and what a kernel asks of it meanwhile. Whether
// something is handed over is decided in backend/interpreter/; how it is compiled, in backend/jit/.
#pragma once

#include "backend/batch.h"
#include "backend/failed.h"
#include "backend/jit_counts.h"
#include "backend/kernels/excerpt.h"
#include "ir/exact.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wave::backend::processes {
class SweepKernels;
namespace engine {
struct ProcessProgram;
struct ProgramCode;
}  // namespace engine
}  // namespace wave::backend::processes

namespace wave::backend::kernels {

// First and last of every axis, as they are.
struct Extents {
  std::vector<std::int64_t> first, last;
};

// The cells of an event that the kernel did not evaluate.
struct Cells {
  // Of every cell 8 bytes: the bits of a double, an integer, 0 or 1. `words` is the first, the last axis is contiguous.
  const std::uint64_t* words = nullptr;
  // Where they do not lie so; the indices are those of the model.
  std::function<ir::Scalar(std::span<const std::int64_t>)> at;
};

// What fails in a kernel.
struct KernelFailure {
  ir::Failure failure;
  bool is_open = false;      // the indices of the loops around belong to it, too
  bool is_original = false;  // its site is one of the original system
  ir::DefinitionId cycle{};  // Failed::cycle, of the original system
};

// What a kernel asks of the evaluator that it works for. Ids are those of the excerpt. What these throw comes out of
// the kernel's evaluation again; a KernelFailure that is open gets the indices of the kernel's loops.
class Host {
 public:
  virtual ~Host() = default;
  virtual ir::Scalar input(ir::DefinitionId input) = 0;
  virtual Extents extents(ir::EventId event) = 0;
  // Evaluates the event's group if it has not been yet. Of an own event nothing comes back if the kernel has evaluated
  // it itself.
  virtual Cells cells(ir::EventId event) = 0;
  // index_off_grid comes without a site. The indices of `what` are not looked at.
  virtual ir::Scalar measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) = 0;
  virtual ir::Scalar call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) = 0;
  // Of frames that are inside each other where the kernel asks; it sets this before each question.
  std::size_t activations = 0;
};

// The cells of an event that are read later: along each axis one index, or all.
using KeptCells = std::vector<std::optional<std::int64_t>>;

struct GroupTask {
  ir::EventId event;                         // of the group
  Extents extents;                           // of its space
  std::vector<std::vector<KeptCells>> kept;  // per event of the group
  bool keep_all = false;                     // `kept` says nothing
};

// Of the memory that the limits allow; of an evaluation, with its kernels.
struct MemoryAccount {
  std::atomic<std::size_t> used = 0;  // bytes; kernels on several threads may add to it
};

// A kernel in one activation. It may be entered again while it waits for its host.
class KernelEvaluation {
 public:
  virtual ~KernelEvaluation() = default;
  // Of inputs and arguments that are known; others are asked for when they are needed.
  virtual void set(ir::DefinitionId input, ir::Scalar value) = 0;

  // These throw KernelFailure and what the host throws. False, or nothing: something in it cannot be compiled after
  // all, and nothing has been evaluated. `activations`: of frames that are inside each other already.

  // Recurrences: memory and time are held against the limits, then, once the weights are known, cells are evaluated.
  virtual void plan(const GroupTask& task) = 0;
  virtual bool evaluate(ir::EventId event, const ir::Exactness& exactness, std::size_t activations) = 0;
  virtual std::size_t bytes(ir::EventId event) const = 0;  // that its group holds
  virtual void drop(ir::EventId event) = 0;                // gives back what its group holds
  virtual ir::Scalar read(ir::EventId event, std::span<const std::int64_t> indices) = 0;
  virtual std::string schedule(ir::EventId event) const = 0;  // for `--verbose`

  // Of a reduction or a call.
  virtual std::optional<ir::Scalar> result(std::size_t activations) = 0;
  virtual std::optional<Rows> rows() = 0;

  // The code of a process's program, whose operands are the columns of the excerpt. Gives what `use` gives: whether the
  // program has been run. Nothing but limits is thrown where it has not.
  using UseOfProgram = std::function<bool(const processes::engine::ProgramCode&)>;
  virtual std::optional<bool> program(const processes::engine::ProcessProgram& program, std::size_t activations,
                                      const UseOfProgram& use) = 0;

  virtual const std::string& refusal() const = 0;  // why the last of these could not be compiled
  virtual void reports(std::vector<EventReport>& all) const = 0;
};

// The code of an excerpt. It is compiled when it is first needed; from several threads at a time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // `excerpt` is that of the instance, and outlives the evaluation as `host` and `memory` do. `seconds`: what the work
  // would take without a kernel, as far as is known.
  virtual std::unique_ptr<KernelEvaluation> start(const Excerpt& excerpt, Host& host, const Limits& limits,
                                                  MemoryAccount& memory, double seconds) = 0;
  // Whether the code is there already.
  virtual bool is_compiled() const = 0;
};

// All kernels of an engine. Excerpts of equal structure have one.
class Kernels {
 public:
  virtual ~Kernels() = default;
  // Null: it cannot be compiled. `why` then says so.
  virtual std::shared_ptr<Kernel> kernel(const Excerpt& excerpt, std::string& why) = 0;
  virtual processes::SweepKernels& sweeps() = 0;
  // Of `system`: rows in lanes, and by `rows` what cannot be there. Both outlive the batch.
  virtual std::unique_ptr<Batch> batch(Engine& rows, const ir::System& system,
                                       const std::vector<ir::DefinitionId>& parameters,
                                       const std::vector<Wanted>& wanted) = 0;
  virtual JitCounts counts() const = 0;
};

}  // namespace wave::backend::kernels
