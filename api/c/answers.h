// The answer of a verb as a result: its tables, what it says beside them, and its text where one was asked for.
#pragma once

#include "api/c/results.h"
#include "cli/formats/document.h"

#include <string>
#include <utility>
#include <vector>

namespace wave::api {

struct Answer {
  std::vector<Table> tables;
  std::vector<std::string> says;  // lines
  std::string text;
  std::vector<std::pair<std::string, std::string>> files;  // names and texts
  bool is_taken = false;

  void take(const cli::Document& document);
  bool is_empty() const { return !is_taken && text.empty() && files.empty(); }
  // The tables, then those of ".says", ".text" and ".files" that are not empty. A file has its name, and its text, or
  // in base64 what is no text.
  Result result();
};

// All rows of it. Cells that hold several words have them with semicolons between.
Table table_of(const cli::OutputTable& table);

}  // namespace wave::api
