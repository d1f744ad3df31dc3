// From the options of a verb about many points to its model.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/value_table.h"
#include "cli/options.h"
#include "cli/session.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::cli {

// A study that is to be evaluated: one of the file, or what --show asks for at the points of --vary or of a table.
struct OpenStudy {
  StudyChoice choice;  // by which it was opened
  const frontend::Item* model = nullptr;
  frontend::Item* declared = nullptr;  // in the file; null: asked for
  std::unique_ptr<frontend::Item> asked;
  std::unique_ptr<analysis::ValueTable> rows;  // of --columns; null: the points are a product
  std::unique_ptr<analysis::StudyModel> points;
  const frontend::item::Study& study() const;
  frontend::Item& item() const { return declared ? *declared : *asked; }
};

// What is asked for beside the clauses that all verbs take.
struct StudyQuestion {
  std::vector<std::string> vary;  // as --vary, or names alone whose values come from elsewhere
  std::vector<std::string> show;  // as --show; empty: all outputs that are single values or records
  std::string vary_option = "--vary", show_option = "--show";  // what diagnostics call them
};

// `session` has loaded the file. Nothing, with diagnostics collected in the session, after an error.
std::optional<OpenStudy> open_study(Session& session, const StudyChoice& choice);
// As asked, whatever studies the file declares; `choice` says which model, -D, and how to evaluate.
std::optional<OpenStudy> ask_study(Session& session, const StudyChoice& choice, const StudyQuestion& question);

// The exit code of a misuse: the model and the table cannot both come from standard input.
std::optional<int> refuse_shared_input(const StudyChoice& choice, Console& console);

// A file with a table as one of the program's sources. `what`, "the measurements are", is said of one that is too
// large, with `help` how to go on. Nothing, reported, where it cannot be read.
std::optional<std::uint32_t> load_table(Session& session, const std::string& file, const std::string& what,
                                        const std::string& help = {});

// Whether everything that varies has values; reports what has none.
bool check_listed(Session& session, const OpenStudy& study);

// The outputs of a model that are single values or records, by their names; what else there is, is left out with a
// remark.
std::vector<std::string> outputs_to_show(Session& session, const frontend::Item& model);

}  // namespace wave::cli
