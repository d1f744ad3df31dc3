// Runs a process as machine code: the whole program, or pieces of it, between which a plan does the rest. What a piece
// takes (rings, programs) is kept for when it comes again, in the next iteration of a loop.
#pragma once

#include "backend/processes/compiled/programs.h"
#include "backend/processes/network.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace wave::backend::processes::compiled {

class Pieces {
 public:
  // All of these have to live as long. `seconds`: what the network would take for the whole program.
  Pieces(const NetworkInput& input, Programs& programs, double seconds);
  Pieces(const Pieces&) = delete;
  ~Pieces();

  // Some statements, or all: from one state to the next. Nothing: there is no code, and the state is as before. False:
  // the network has to tell what is wrong, and the state is of no use. `fresh`: makes the state before the whole
  // program. `operations`: increased by what was done. Throws Failed only for limits.
  std::optional<bool> run(std::span<const ir::Statement> statements, ProcessState& state,
                          const std::function<ProcessState()>& fresh, double& operations);
  // Gives back the memory of what has been kept. False: there was none.
  bool forget();

 private:
  struct Piece;
  using Key = std::pair<const ir::Statement*, std::size_t>;
  bool run_piece(const Key& key, std::unique_ptr<Piece>& piece, const ProgramCode& code, ProcessState& state,
                 double& operations);
  bool run_served(const network::Bytecode& program, const ProgramCode& code, ProcessState& state,
                  const std::function<ProcessState()>& fresh, double& operations) const;

  const NetworkInput& input_;
  Programs& programs_;
  const double seconds_;
  const ResourceUse resources_;
  std::map<Key, std::unique_ptr<Piece>> kept_;
};

}  // namespace wave::backend::processes::compiled
