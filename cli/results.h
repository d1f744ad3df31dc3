// What an evaluation gave.
#pragma once

#include "backend/engine.h"
#include "cli/formats/document.h"
#include "frontend/lower/lower.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

enum class OutputStatus { evaluated, failed };

struct OutputResult {
  const frontend::OutputInfo* info = nullptr;
  OutputStatus status = OutputStatus::evaluated;
  std::string failure;  // the code of the diagnostic, where it failed
  backend::Rows rows;
};

struct ParameterResult {
  const frontend::ParameterInfo* info = nullptr;
  std::optional<ir::Scalar> value;  // none: no scalar, or it could not be evaluated
};

// A proved shortcut that gave values without evaluating every point: of `start`, "equal paths", "closed form: equal
// paths".
struct Shortcut {
  std::string of;
  std::string proof;
  std::string text;
  double cells = 0;  // that it stands for
};

struct Results {
  std::string file;
  std::string model;
  std::string engine;
  std::vector<std::pair<std::string, std::string>> given;  // by -D, as written
  std::string text;  // a digest of the model's texts and data files, without the library; empty: of no matter
  std::vector<std::string> words;  // strings, by the integer that stands for them
  std::vector<ParameterResult> parameters;
  std::vector<OutputResult> outputs;
  std::vector<backend::EventReport> reports;
  std::vector<backend::Fallback> fallbacks;
  std::string code;  // what was compiled, and what the cache had; empty: nothing
  bool verbose = false;
};

// The shortcuts that are named in the reports, each once.
std::vector<Shortcut> shortcuts_of(const Results& results);

// Significant digits where nothing else is said.
inline constexpr int table_digits = 4;
inline constexpr int plain_digits = 6;  // of numbers without a dimension
inline constexpr int cost_digits = 6;

// All of it, to be written.
Document document_of(const Results& results, int digits = table_digits);
// How it was evaluated: engine, and per recurrence its schedule, bound, quantum and error.
std::string render_reports(const Results& results);

}  // namespace wave::cli
