// Compares two results: what differs, and which parameters explain it.
#pragma once

#include "cli/results.h"
#include "cli/studies/result_document.h"
#include "cli/studies/sides.h"

namespace wave::cli {

// Reads units as they stand in documents; the model's program knows them.
class UnitReader {
 public:
  explicit UnitReader(frontend::Program& program) : program_(program) {}
  // In base units. Nothing where there is no number, or the unit is none.
  std::optional<double> base(const DocumentValue& value);

 private:
  frontend::Program& program_;
  std::map<std::string, std::optional<double>> known_;
};

// The two results that are compared: two runs, or a point that two studies have in common.
struct Pair {
  Side before, after;  // named "before" and "after": what was given
  std::vector<std::pair<std::string, DocumentParameter>> parameters_before, parameters_after;
  // Cells of outputs, "total", "load[3].wait"; in the order of `after`.
  std::vector<std::pair<std::string, DocumentValue>> cells_before, cells_after;
  bool has_other_text = false;     // of the model
  bool has_other_version = false;  // of the program
};

Pair pair_of_runs(const ResultDocument& before, const ResultDocument& after);

// Adds the tables `inputs`, `outputs` and `changes`. False after an error, which is collected in the session.
// `model`: null where it is not there to be evaluated; then nothing is explained.
// `seed`: of the orders in which many changes are made.
bool explain(Session& session, const frontend::Item* model, const EngineSettings& engine, std::uint64_t seed, Pair pair,
             Results& results);

}  // namespace wave::cli
