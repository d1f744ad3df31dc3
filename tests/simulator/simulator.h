// A third opinion on processes: an event-queue simulator, written from the meaning of the language alone. It walks the
// typed program of every process, delivers every signal separately and knows nothing about schedules. It is slow and
// simple.
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
  // Of each process, the most that it holds at once by name, and of all together under ""; not a number where more is
  // released than is held.
  std::vector<std::map<std::string, double>> peaks;
  std::vector<double> kept;  // when each finishes, not counting time after its end in which it waits for an arrival
};

// Throws Failed where the language says that the process is an error. The first of these counts: a failure in the first
// process that has one, sizes that differ, messages that do not meet, a deadlock.
std::shared_ptr<const Result> simulate(Evaluator& evaluator, const frontend::Item& process,
                                       const std::shared_ptr<Instance>& model);

// The analytic cost of a collective that is an algorithm: the time of running it alone.
double cost_of_algorithm(Evaluator& evaluator, const frontend::Item& collective,
                         const std::shared_ptr<Instance>& machine, const std::vector<frontend::Argument>& arguments,
                         const Scope& scope, Location location);

// What a message costs at an end, `send` or `recv`, if the other end started infinitely earlier. It includes what the
// processor does on arrival. `total` is the cost of the whole message.
double cost_of_message(Evaluator& evaluator, const DerivedCost& cost, double size, const std::string& within,
                       Location location);

bool share(Evaluator& evaluator, const std::string& level, const frontend::Item& grid,
           const std::shared_ptr<Instance>& model, const std::vector<std::int64_t>& a,
           const std::vector<std::int64_t>& b);

// The value of `p.finish`, `p.wait[i, j]`, `p.phase("x").compute` and so on.
Value read(const Measured& asked);
Value read(const Measured& asked, const std::vector<std::int64_t>& indices, Location location);

// ---- whole models -----------------------------------------------------------------------------------------------

// The rows of an output: its indices, then its value or the fields of its record. A list has a row for each element. If
// there are no rows, it says why.
struct Answer {
  std::string name;
  std::vector<std::vector<Value>> rows;
  std::string failure;      // the kind of the diagnostic; empty if there is none
  std::string unsupported;  // not empty if the simulator cannot know the answer
};

struct Conditions {
  std::map<std::string, double> quanta;  // by process: weights are rounded to multiples; absent: no rounding
  std::map<std::string, Value> given;    // parameters
};
std::vector<Answer> outputs_of(const frontend::Item& model, const Conditions& conditions = {});

}  // namespace wave::simulator
