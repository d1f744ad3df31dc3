// Results as `wave run --format json` and `wave sweep --out x.json` write them, read again.
#pragma once

#include "analysis/study/description.h"
#include "cli/session.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// A digest of what a model is made of besides the library: its file, those that it imports, its data files.
std::string text_digest(const frontend::Program& program);

// One value of a document, with its unit.
struct DocumentValue {
  std::optional<double> number;  // of truth values 0 and 1; none: null (a machine, a failure), or a text
  std::string text;              // of choices, strings and machines
  std::string unit;              // empty: none
  friend bool operator==(const DocumentValue&, const DocumentValue&) = default;
};

// As a person would write it: "23 us" is "2.3e-05 s" here.
std::string text_of(const DocumentValue& value);

struct DocumentParameter {
  DocumentValue value;
  bool given = false;
};

// The cells of a run's output, "load[3].wait" by "load" and "[3].wait"; a single value has one cell without a name.
struct DocumentOutput {
  std::string status;  // "evaluated", "failed", ...
  std::string code;    // of what failed
  std::vector<std::pair<std::string, DocumentValue>> cells;
};

struct DocumentColumn {
  std::string name, unit;
  bool is_parameter = false;
};

struct ResultDocument {
  std::string path;  // of the document itself
  std::string version, file, model, study;
  bool is_sweep = false;
  bool knows_given = true;                                 // older programs did not say what -D gave
  std::vector<std::pair<std::string, std::string>> given;  // by -D, as written
  std::string text;                                        // the digest of the model's texts
  std::vector<analysis::StudyInput> inputs;                // of a sweep: their digests one by one, and those of tables
  // Of a run.
  std::vector<std::pair<std::string, DocumentParameter>> parameters;
  std::vector<std::pair<std::string, DocumentOutput>> outputs;
  // Of a sweep.
  std::vector<DocumentColumn> columns;
  std::vector<std::vector<DocumentValue>> rows;
};

// Whether the result was made from these texts.
bool is_of(const ResultDocument& result, const frontend::Program& program);

// Nothing, reported to the console, where the file is no such document.
std::optional<ResultDocument> read_result(Console& console, const std::string& path, std::size_t memory_limit);

}  // namespace wave::cli
