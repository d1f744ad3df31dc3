// A third opinion on processes: an event-queue simulator, written from the meaning of the language alone. It walks the
// typed program of every process, delivers every signal by itself and knows nothing of schedules. Slow, and simple.
#pragma once

#include "frontend/check/program.h"
#include "tests/simulator/evaluator.h"

namespace wave::simulator {

// What one process spent, as a whole or in one phase. Times in ps.
struct Account {
  double time = 0, finish = 0, compute = 0, overhead = 0;
  std::int64_t messages = 0;
  double bytes = 0;
  double wait() const { return time - compute - overhead; }
};

struct Result {
  std::vector<std::int64_t> extents;
  std::vector<Account> processes;  // row by row, the last axis fastest
  std::map<std::string, std::vector<Account>> phases;
  std::vector<double> kept;  // when each finishes, without the time behind its end until something arrives
};

// Throws Failed where the language says that the process is an error: what fails first in the first process; else sizes
// that differ, messages that do not meet, a deadlock, in this order.
std::shared_ptr<const Result> simulate(Evaluator& evaluator, const frontend::Item& process,
                                       const std::shared_ptr<Instance>& model);

// The analytic cost of a collective that is an algorithm: its run alone.
double cost_of_algorithm(Evaluator& evaluator, const frontend::Item& collective,
                         const std::shared_ptr<Instance>& machine, const std::vector<frontend::Argument>& arguments,
                         const Scope& scope, Place place);

// What a message costs an end, `send` or `recv`, whose other end started infinitely earlier, with what its processor
// does on arrival; or `total`.
double cost_of_message(Evaluator& evaluator, const std::shared_ptr<Instance>& machine, const std::string& end,
                       double size, bool local, Place place);

bool share_node(Evaluator& evaluator, const frontend::Item& grid, const std::shared_ptr<Instance>& model,
                const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

// What `p.finish`, `p.wait[i, j]`, `p.phase("x").compute` are.
Value read(const Measured& asked);
Value read(const Measured& asked, const std::vector<std::int64_t>& indices, Place place);

// ---- whole models -----------------------------------------------------------------------------------------------

// The rows of an output: its indices, then its value or the fields of its record; one for each element of a list. Or
// why there are none.
struct Answer {
  std::string name;
  std::vector<std::vector<Value>> rows;
  std::string failure;      // the kind of the diagnostic; empty: none
  std::string unsupported;  // not empty: the simulator does not know
};

struct Conditions {
  std::map<std::string, double> quanta;  // by process: its weights are rounded to multiples; not there: not rounded
  std::map<std::string, Value> given;    // parameters
};
std::vector<Answer> outputs_of(const frontend::Item& model, const Conditions& conditions = {});

}  // namespace wave::simulator
