// Runs a process, as machine code or by its instructions: the whole program, or pieces of it, between which a plan does
// the rest. What a piece takes (rings, programs) is kept for when it comes again, in the next iteration of a loop.
#pragma once

#include "backend/processes/engine/programs.h"
#include "backend/processes/program/input.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace wave::backend::processes::engine {

class Pieces {
 public:
  // All of these have to live as long. `programs`: null, there is no code. `seconds`: what instructions would take for
  // the whole program. `threads`: that may run it.
  Pieces(const ProgramInput& input, Programs* programs, double seconds, int threads);
  Pieces(const Pieces&) = delete;
  ~Pieces();

  struct Done {
    bool is_complete = false;  // not: the state is of no use
    bool is_compiled = false;
  };
  // Some statements, or all: from one state to the next. It is not complete where something is wrong, at the end of
  // some statements also where a message is on its way or an operation pending, and where there is more than fits a
  // fast way. There must be no resources, but for the whole program. `fresh`: makes the state before the whole program.
  // `operations`: increased by what was done. Throws Failed: limits, and what scalars meet.
  Done run(std::span<const ir::Statement> statements, ProcessState& state, const std::function<ProcessState()>& fresh,
           double& operations);
  // Gives back the memory of what has been kept. False: there was none.
  bool forget();
  // Bytes that a process takes before its first message is under way, but for what is in its state.
  static double bytes_of_process(const ProgramInput& input, std::span<const ir::Statement> statements);
  // On which any piece has run, at most.
  std::size_t threads_used() const { return threads_used_; }

 private:
  struct Piece;
  using Key = std::pair<const ir::Statement*, std::size_t>;
  int threads_for(const Piece& piece) const;
  bool run_piece(const Key& key, std::unique_ptr<Piece>& piece, std::span<const ProgramCode> codes, ProcessState& state,
                 double& operations);
  bool run_served(const program::Bytecode& program, const ProgramCode& code, ProcessState& state,
                  const std::function<ProcessState()>& fresh, double& operations) const;

  const ProgramInput& input_;
  Programs* const programs_;
  const double seconds_;
  const int threads_;
  const ResourceUse resources_;
  std::map<Key, std::unique_ptr<Piece>> kept_;
  std::size_t threads_used_ = 1;
};

}  // namespace wave::backend::processes::engine
