// See pieces.h.
#include "backend/processes/compiled/pieces.h"

#include "backend/processes/compiled/runtime.h"
#include "backend/processes/compiled/served.h"
#include "backend/processes/thresholds.h"

#include <utility>

namespace wave::backend::processes::compiled {

struct Pieces::Piece {
  Piece(const NetworkInput& input, std::span<const ir::Statement> statements)
      : program(input.scalars.system(), input.process, input.binders, statements) {}
  network::Bytecode program;
  std::optional<Runtime> runtime;
};

Pieces::Pieces(const NetworkInput& input, Programs& programs, double seconds)
    : input_(input),
      programs_(programs),
      seconds_(seconds),
      resources_(resource_use(input.scalars.system(), input.process)) {}

Pieces::~Pieces() = default;

std::optional<bool> Pieces::run(std::span<const ir::Statement> statements, ProcessState& state,
                                const std::function<ProcessState()>& fresh, double& operations) {
  if (statements.empty()) return std::nullopt;
  const ir::System& system = input_.scalars.system();
  const Key key{statements.data(), statements.size()};
  std::unique_ptr<Piece> piece;
  if (const auto found = kept_.find(key); found != kept_.end())
    piece = std::move(kept_.extract(found).mapped());
  else
    piece = std::make_unique<Piece>(input_, statements);
  const network::Bytecode& program = piece->program;
  return programs_.run({system, input_.process, program, resources_}, statements.data(), seconds_,
                       [&](const ProgramCode& code) {
                         return resources_.any ? run_served(program, code, state, fresh, operations)
                                               : run_piece(key, piece, code, state, operations);
                       });
}

bool Pieces::run_piece(const Key& key, std::unique_ptr<Piece>& piece, const ProgramCode& code, ProcessState& state,
                       double& operations) {
  std::optional<Runtime>& runtime = piece->runtime;
  if (runtime && !runtime->can_run_again()) runtime.reset();
  if (!runtime) runtime.emplace(input_, piece->program);
  const std::vector<ir::Statement>& whole = input_.process.blocks[input_.process.body.index];
  const bool is_whole = key == Key{whole.data(), whole.size()};
  const bool is_done = runtime->run(code, state) && (is_whole || runtime->is_quiet());
  operations += runtime->operations();
  if (is_done && !is_whole) {
    if (kept_.size() >= most_pieces_kept) kept_.clear();
    kept_.emplace(key, std::move(piece));
  }
  return is_done;
}

// By windows of time; where that does not do, by single moments.
bool Pieces::run_served(const network::Bytecode& program, const ProgramCode& code, ProcessState& state,
                        const std::function<ProcessState()>& fresh, double& operations) const {
  using Result = Served::Result;
  for (const bool by_moments : {false, true}) {
    Served served(input_, program, state);
    const Result result = served.run(code, by_moments);
    if (result == Result::done) operations += served.operations();
    if (result != Result::overtaken) return result == Result::done;
    state = fresh();
  }
  return false;
}

bool Pieces::forget() {
  const bool had_some = !kept_.empty();
  kept_.clear();
  return had_some;
}

}  // namespace wave::backend::processes::compiled
