// What the runtimes of machine code share (runtime.h, served.h, sent_ends.h): where processes stand, and what code asks
// for that has nothing to do with when something happens.
#pragma once

#include "backend/failed.h"
#include "backend/processes/engine/channels.h"
#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/recording.h"
#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/input.h"
#include "backend/processes/program/rounding.h"
#include "backend/processes/program/state.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

inline std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

class ProgramHost : protected Shared {
 public:
  ProgramHost(const ProgramHost&) = delete;
  // Behind a run that has failed: throws what an expression of the program met, if anything did.
  void rethrow_failure() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 protected:
  static constexpr std::size_t line = 64;  // of a cache
  // Operations of one handle, in the order of the calls; see `Pool`.
  struct Pending {
    Number first, last;
  };

  // `recording`: null, nothing is recorded.
  ProgramHost(const ProgramInput& input, const program::Bytecode& program, const Calls& calls, Recording* recording);
  ~ProgramHost() { input_.claim_memory(-claimed_); }
  template <class Runtime>
  static Calls calls_of();

  void claim(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }
  auto claims() {
    return [this](std::int64_t bytes) { claim(bytes); };
  }
  // What must not be thrown through machine code is kept until code has returned; `failed` where something was.
  template <class Function>
  auto guarded(Function&& function, decltype(function()) failed) -> decltype(function()) {
    try {
      return function();
    } catch (const Failed& met) {
      (met.failure.is_limit() ? thrown_ : failed_) = std::current_exception();
      return failed;
    } catch (...) {
      thrown_ = std::current_exception();
      return failed;
    }
  }
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  // --- processes ---
  // Memory for all of them, or the first so many; `rest`: bytes of each, besides its program's.
  void reserve(std::size_t rest) { reserve(rest, static_cast<std::size_t>(input_.places.count())); }
  void reserve(std::size_t rest, std::size_t count);
  // Each at the beginning of its program, with nothing pending. `then` sees to the rest.
  void place_all(const std::function<void(Standing&)>& then);
  // There, the process of that rank.
  void place(Standing& me, Number rank);
  bool is_reserved() const { return standings_ != nullptr; }
  // The same as another one's.
  void share(const ProgramHost& other) {
    standings_ = other.standings_;
    stride_ = other.stride_;
  }
  Standing& standing(std::size_t rank) { return *reinterpret_cast<Standing*>(standings_.get() + rank * stride_); }
  static std::byte* behind(Standing& me, std::size_t at) { return reinterpret_cast<std::byte*>(&me) + at; }
  static std::int64_t* coordinates(Standing& me) { return reinterpret_cast<std::int64_t*>(&me + 1); }
  Pending* pending(Standing& me) const { return reinterpret_cast<Pending*>(behind(me, pending_at_)); }

  // --- lists of tasks, of which every process is in one at most ---
  struct Task {
    double priority = 0;
    program::Counter body = 0;
    std::size_t first_slot = 0;  // of its own
    program::Slot slots = 0;
  };
  struct Tasks {
    std::vector<Task> list;
    std::vector<std::int64_t> slots;  // of one after the other, as they were when it was begun
    std::int64_t bytes() const {
      return static_cast<std::int64_t>(list.capacity() * sizeof(Task) + slots.capacity() * sizeof(slots[0]));
    }
  };
  bool has_tasks() const { return !tasks_.empty(); }
  std::vector<Task>& tasks(const Standing& me) { return tasks_[me.rank].list; }
  Outcome begin_task(Standing& me, std::uint32_t site, double priority, const std::int64_t* slots);
  // The program goes on in the body of a task of the list; or behind the list, which is over.
  void go_to_task(const Standing& me, const program::TakeTask& list, std::uint32_t task, std::int64_t* slots) const;
  void leave_tasks(Standing& me, const program::TakeTask& list, std::int64_t* slots);

  // --- operations in the background, by number in `operations` ---
  template <class Operations>
  void append(Pending& list, Number number, Operations& operations) const {
    (list.first == none ? list.first : operations[list.last].next) = number;
    list.last = number;
  }
  // The list whose first operation a wait has to come for next; null: there is none.
  template <class Operations>
  Pending* next_pending(Standing& me, const ir::Wait& wait, const Operations& operations) const {
    Pending* const lists = pending(me);
    if (wait.handles.size() == 1 && lists_ > 0) {
      Pending& only = lists[wait.handles.front().index];
      return only.first == none ? nullptr : &only;
    }
    Pending* next = nullptr;
    for (std::size_t i = 0; i < lists_; ++i) {
      if (!wait.means({static_cast<Number>(i)})) continue;
      if (lists[i].first == none) continue;
      if (!next || operations[lists[i].first].call < operations[next->first].call) next = &lists[i];
    }
    return next;
  }
  template <class Operations, class Visit>
  void for_each_pending(Standing& me, const Operations& operations, const Visit& visit) const {
    for (std::size_t list = 0; list < lists_; ++list) {
      for (Number number = pending(me)[list].first; number != none; number = operations[number].next) visit(number);
    }
  }

  // --- statements ---
  // Has its receiver something to do before its first await?
  static bool is_late(const ir::MessageEnds& ends);
  // Is there a receive that has to know what is sent when it is called?
  bool has_late_receives() const;
  bool has_receives_without_size() const;
  // Where it is a message.
  MessageSite site(std::size_t instruction) const;
  const ir::Wait& wait(std::uint32_t instruction) const {
    return *std::get<program::AwaitPending>(program_.code[instruction]).wait;
  }
  const ir::Collective& collective(std::uint32_t instruction) const {
    return *std::get<program::Synchronise>(program_.code[instruction]).collective;
  }
  // The rank of a peer whose coordinates are ranks or places, so that it may be anywhere; -1: there is none.
  std::int64_t find_peer(Standing& me, std::uint32_t instruction, const std::int64_t* key);
  void leave_phase(Standing& me, std::uint32_t phase, double entered);
  // Weights have been rounded so.
  void give_rounding() { input_.resolver.rounding.add(std::exchange(rounding_, {})); }
  // What a collective costs that the process leaves, ps, on the quantum. Nothing: that is no number.
  std::optional<double> cost_on_quantum(const Standing& me, double cost);

  const ProgramInput& input_;
  const program::Bytecode& program_;
  ProcessState* state_ = nullptr;
  Recording* const recording_;
  const KindsAtHome homes_;
  Rounding rounding_;                 // of weights, since it was given
  std::vector<bool> waits_for_size_;  // by MessageEnds: does a receiver do something before its first await?
  std::size_t stride_ = 0, rest_at_ = 0, lists_ = 0;

 private:
  static Calls calls_of_loops();

  std::shared_ptr<std::byte> standings_;
  std::size_t pending_at_ = 0;
  std::vector<Tasks> tasks_;                            // by process; empty: there are no lists
  std::vector<std::int64_t> point_, written_, target_;  // room to work in
  std::int64_t claimed_ = 0;
  std::exception_ptr thrown_, failed_;
};

// As `Runtime` has them.
template <class Runtime>
Calls ProgramHost::calls_of() {
  static constexpr auto of = [](Shared* shared) -> Runtime& { return *static_cast<Runtime*>(shared); };
  Calls calls = calls_of_loops();
  calls.note_rounding = [](Shared* shared, Standing*, double time, double rounded) {
    of(shared).rounding_.add(time, rounded);
  };
  calls.find_peer = [](Shared* shared, Standing* me, std::uint32_t site, const std::int64_t* key) {
    return of(shared).guarded([&] { return of(shared).find_peer(*me, site, key); }, std::int64_t{-2});
  };
  calls.communicate = [](Shared* shared, Standing* me, std::uint32_t site, Number peer, double size,
                         std::int32_t within, const std::int64_t* key) {
    return of(shared).guarded([&] { return of(shared).communicate(*me, site, peer, size, within, key); },
                              Outcome::failed);
  };
  calls.go_on_with_message = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded([&] { return of(shared).go_on_with_message(*me, site); }, Outcome::failed);
  };
  calls.await_pending = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded([&] { return of(shared).await_pending(*me, of(shared).wait(site)); }, Outcome::failed);
  };
  calls.begin_task = [](Shared* shared, Standing* me, std::uint32_t site, double priority, const std::int64_t* slots) {
    return of(shared).guarded([&] { return of(shared).begin_task(*me, site, priority, slots); }, Outcome::failed);
  };
  calls.take_task = [](Shared* shared, Standing* me, std::uint32_t site, std::int64_t* slots) {
    return of(shared).guarded(
        [&] {
          const auto& list = std::get<program::TakeTask>(of(shared).program_.code[site]);
          return of(shared).take_task(*me, list, slots);
        },
        Outcome::failed);
  };
  calls.synchronise = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded([&] { return of(shared).synchronise(*me, of(shared).collective(site)); },
                              Outcome::failed);
  };
  calls.pay = [](Shared* shared, Standing* me, std::uint32_t site, double cost) {
    return of(shared).guarded([&] { return of(shared).pay(*me, of(shared).collective(site), cost); }, Outcome::failed);
  };
  calls.leave_phase = [](Shared* shared, Standing* me, std::uint32_t phase, double entered) {
    const auto leave = [&] {
      of(shared).leave_phase(*me, phase, entered);
      return Outcome::goes_on;
    };
    of(shared).guarded(leave, Outcome::failed);  // code cannot fail here; the run does, at its end
  };
  return calls;
}

}  // namespace wave::backend::processes::engine
