// What of a system may be handed to kernels: excerpts, their kernels, and how much has been spent on them without; and
// what is kept of the plans of processes. Shared by the evaluations of an engine, from several threads.
#pragma once

#include "backend/interpreter/prepared_system.h"
#include "backend/kernels/choice.h"
#include "backend/kernels/kernel.h"
#include "backend/processes/bulk/kept_stretches.h"
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/program/bytecode.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace wave::backend::interpreter {

// Something that a kernel may evaluate.
struct Candidate {
  std::function<kernels::Excerpt()> cut;
  bool is_loop = false;
  std::once_flag once;
  kernels::Excerpt excerpt;
  std::shared_ptr<kernels::Kernel> kernel;        // null: there is none
  std::atomic<kernels::Kernel*> ready = nullptr;  // the same, once all of this is there
  std::atomic<bool> is_refused = false;           // also because it turned out so later
  std::atomic<double> spent = 0;                  // seconds, without a kernel

  // Why it has no kernel.
  std::string why_not() const {
    const std::lock_guard lock(mutex_);
    return why_not_;
  }
  void refuse(std::string why) {
    const std::lock_guard lock(mutex_);
    why_not_ = std::move(why);
    is_refused = true;
  }

 private:
  mutable std::mutex mutex_;
  std::string why_not_;
};

// A watched loop turned out to be long.
struct TakesLong {
  double seconds;  // that it would go on
};

class KernelTable final {
 public:
  KernelTable(const PreparedSystem& prepared, kernels::Policy policy, kernels::Provider provider);
  ~KernelTable();

  bool is_used() const { return policy_ != kernels::Policy::never; }
  kernels::Policy policy() const { return policy_; }
  const EngineOptions& options() const { return prepared_.options; }
  const kernels::Provider& provider() const { return provider_; }
  // Null where the policy says never.
  processes::SweepKernels* sweeps();
  kernels::Kernels* kernels();                     // loaded now
  bool has_kernels() const { return is_loaded_; }  // some have been asked for

  Candidate& component(std::uint32_t number) { return components_[number]; }
  Candidate& rows(ir::RootId root, std::size_t block) { return rows_.at({root.index, block}); }  // with levels
  // These are looked up under a lock, so evaluations remember them.
  Candidate& reduction(ir::ValueId reduction, ir::FrameId home);
  Candidate& call(ir::DefinitionId definition);
  // The operands of a process's program that begins with this statement.
  Candidate& program(ir::ProcessId process, const ir::Statement* first, const processes::program::Bytecode& program);

  processes::KeptPool& kept(ir::ProcessId process);  // whatever the policy says

  // Whether something that takes about `seconds` more without a kernel should have one. Where not, `spent` seconds go
  // to what it has cost so far.
  bool is_due(Candidate& candidate, double seconds, double spent);
  bool is_of_cell(ir::ValueId value) { return whole().effects.is_of_cell(value); }
  // Cuts it out and finds its kernel, now. Null: there is none.
  kernels::Kernel* prepare(Candidate& candidate);
  JitCounts counts() const { return is_loaded_ ? provider_()->counts() : JitCounts{}; }
  // Every excerpt that its roots may need, whatever the policy says (`--dump llvm`).
  std::vector<std::pair<std::string, kernels::Excerpt>> all_excerpts();

 private:
  class Sweeps;
  kernels::Whole whole();
  kernels::Excerpt cut_component(std::uint32_t number);

  const PreparedSystem& prepared_;
  const kernels::Policy policy_;
  const kernels::Provider provider_;
  std::atomic<bool> is_loaded_ = false;
  std::unique_ptr<Sweeps> sweeps_;
  std::once_flag effects_once_;
  std::optional<ir::Effects> effects_;
  std::deque<Candidate> components_;                                         // none where the policy says never
  std::map<std::pair<std::uint32_t, std::size_t>, Candidate> rows_;          // by root and block; the same
  std::mutex mutex_;                                                         // of the following
  std::map<std::pair<std::uint32_t, std::uint32_t>, Candidate> reductions_;  // by value and frame
  std::map<std::uint32_t, Candidate> calls_;
  std::map<std::pair<const ir::Statement*, std::size_t>, Candidate> programs_;  // and how many instructions it has
  std::map<ir::ProcessId, processes::KeptPool> kept_;
};

}  // namespace wave::backend::interpreter
