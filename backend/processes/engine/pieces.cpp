// See pieces.h.
#include "backend/processes/engine/pieces.h"

#include "backend/kernels/choice.h"
#include "backend/processes/engine/instructions.h"
#include "backend/processes/engine/runtime.h"
#include "backend/processes/engine/served.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes::engine {

struct Pieces::Piece {
  Piece(const ProgramInput& input, std::span<const ir::Statement> statements)
      : program(input.scalars.system(), input.process, input.binders, statements) {}
  program::Bytecode program;
  std::optional<Runtime> runtime;
};

Pieces::Pieces(const ProgramInput& input, Programs* programs, double seconds, int threads)
    : input_(input),
      programs_(programs),
      seconds_(seconds),
      threads_(threads),
      resources_(resource_use(input.scalars.system(), input.process)) {}

Pieces::~Pieces() = default;

Pieces::Done Pieces::run(std::span<const ir::Statement> statements, ProcessState& state,
                         const std::function<ProcessState()>& fresh, double& operations) {
  if (statements.empty()) return {true, false};
  const ir::System& system = input_.scalars.system();
  const Key key{statements.data(), statements.size()};
  std::unique_ptr<Piece> piece;
  if (const auto found = kept_.find(key); found != kept_.end())
    piece = std::move(kept_.extract(found).mapped());
  else
    piece = std::make_unique<Piece>(input_, statements);
  const program::Bytecode& program = piece->program;
  const auto use = [&](std::span<const ProgramCode> codes) {
    return resources_.differs() ? run_served(program, codes.front(), state, fresh, operations)
                                : run_piece(key, piece, codes, state, operations);
  };
  if (programs_) {
    const std::optional<bool> done = programs_->run({system, input_.process, program, resources_}, statements.data(),
                                                    seconds_, threads_for(*piece), use);
    if (done) return {*done, true};
  }
  Instructions instructions(input_, program);
  const ProgramCode code = instructions.code();
  const bool is_complete = use({&code, 1});
  if (!is_complete) instructions.rethrow();
  return {is_complete, false};
}

// Before its first run nothing is known of a piece but how long the whole program takes.
int Pieces::threads_for(const Piece& piece) const {
  if (threads_ == 1 || resources_.differs() || !Runtime::may_run_on_threads(input_, piece.program)) return 1;
  const auto count = static_cast<double>(input_.places.count());
  const auto at_most = [&](double most) {
    return static_cast<int>(std::clamp(most, 1.0, static_cast<double>(threads_)));
  };
  if (const auto decided = kernels::decided()) return *decided ? at_most(count) : 1;
  const bool is_worth_it =
      piece.runtime ? piece.runtime->operations() > operations_worth_threads : seconds_ > seconds_worth_threads;
  return is_worth_it ? at_most(count / least_processes_of_thread) : 1;
}

bool Pieces::run_piece(const Key& key, std::unique_ptr<Piece>& piece, std::span<const ProgramCode> codes,
                       ProcessState& state, double& operations) {
  std::optional<Runtime>& runtime = piece->runtime;
  threads_used_ = std::max(threads_used_, codes.size());
  if (runtime && (!runtime->can_run_again() || runtime->threads() < codes.size())) runtime.reset();
  if (!runtime) runtime.emplace(input_, piece->program, static_cast<int>(codes.size()));
  const std::vector<ir::Statement>& whole = input_.process.blocks[input_.process.body.index];
  const bool is_whole = key == Key{whole.data(), whole.size()};
  const bool is_done = runtime->run(codes, state) && (is_whole || runtime->is_quiet());
  if (!is_done) runtime->rethrow_failures();
  operations += runtime->operations();
  if (is_done && !is_whole) {
    if (kept_.size() >= most_pieces_kept) kept_.clear();
    kept_.emplace(key, std::move(piece));
  }
  return is_done;
}

// Desk by desk; where that does not do, as one desk.
bool Pieces::run_served(const program::Bytecode& program, const ProgramCode& code, ProcessState& state,
                        const std::function<ProcessState()>& fresh, double& operations) const {
  using Result = Served::Result;
  for (const bool is_one_desk : {false, true}) {
    Served served(input_, program, state, {.is_one_desk = is_one_desk});
    const Result result = served.run(code);
    if (result == Result::done) operations += served.operations();
    if (result == Result::stopped) served.rethrow_failure();
    if (result != Result::overtaken) return result == Result::done;
    state = fresh();
  }
  return false;
}

double Pieces::bytes_of_process(const ProgramInput& input, std::span<const ir::Statement> statements) {
  const program::Bytecode program(input.scalars.system(), input.process, input.binders, statements);
  return static_cast<double>(sizeof(Standing) + (input.places.extents.size() + program.slots) * sizeof(std::int64_t));
}

bool Pieces::forget() {
  const bool had_some = !kept_.empty();
  kept_.clear();
  return had_some;
}

}  // namespace wave::backend::processes::engine
