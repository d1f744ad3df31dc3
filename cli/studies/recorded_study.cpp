// See recorded_study.h.
#include "cli/studies/recorded_study.h"

#include "cli/console.h"
#include "cli/embedded.h"
#include "cli/formats/document.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "frontend/source/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

std::optional<RecordedStudy> refuse(Console& console, const std::string& file, const std::string& why) {
  report_without_location(console, DiagnosticKind::no_study_results,
                          fmt::format("`{}` holds no results of a study", file), why);
  return std::nullopt;
}

// True: there are none.
bool report_differences(const analysis::StudyDescription& before, const analysis::StudyDescription& now,
                        Console& console) {
  const auto different = differences(before, now);
  if (different.empty()) return true;
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(DiagnosticKind::other_study, {},
                            "the results cannot be made again: what they depend on is not the same");
  for (const auto& one : different) d.notes.push_back(one);
  d.help.push_back(fmt::format("`wave sweep {}` with the same options evaluates it as it is now", now.file));
  return console.report({}, diagnostics);
}

}  // namespace

analysis::StudyDescription describe(Session& session, const std::string& verb, const StudyChoice& of,
                                    const OpenStudy& study) {
  const analysis::StudyCommand command{of, verb, of.file, of.model, of.overrides, session.options().search};
  const std::string_view table = study.rows ? session.sources().text(study.rows->file()) : std::string_view();
  return describe(command, session.name(), session.program(), *study.model, study.declared, *study.points, table);
}

// Whoever reads the results finds a column by its name.
void check_names(Session& session, const analysis::StudyDescription& description) {
  std::set<std::string> names;
  const auto check = [&](const std::string& name) {
    if (names.insert(name).second) return;
    session.diagnostics()
        .add(DiagnosticKind::duplicate_name, {}, fmt::format("two columns of the results have the name `{}`", name))
        .help.push_back(fmt::format("give one another name: `{}_again = {}`", name, name));
  };
  for (const auto& column : description.columns) check(column.name);
  for (const auto& measured : description.measured) check(measured.column.name);
}

bool is_recorded(const StudyChoice& choice) { return has_ending(choice.file, Format(Takes::data)->ending); }

std::optional<RecordedStudy> read_recorded(const StudyChoice& of, const CommonOptions& options,
                                           const ChoiceReader& read_choice, Console& console) {
  const std::string& file = of.file;
  if (!of.vary.empty() || !of.where.empty() || !of.show.empty() || !of.reduce.empty() || !of.overrides.empty() ||
      !of.study.empty() || !of.columns.empty() || !of.model.empty()) {
    report_misuse(console, fmt::format("`{}` says itself what varies and is shown", file),
                  "give the model's file to ask for something else");
    return std::nullopt;
  }
  frontend::Diagnostics diagnostics;
  auto text = read_text(options.client, file, diagnostics, options.memory_limit / 4);
  if (!console.report({}, diagnostics) || !text) return std::nullopt;
  const nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
  if (document.is_discarded()) return refuse(console, file, "it is no JSON document");
  const auto is_text = [](const nlohmann::json& one) { return one.is_string(); };
  const auto command_line = document.is_object() ? document.find("command") : document.end();
  const auto inputs = document.is_object() ? document.find("inputs") : document.end();
  if (!document.is_object() || command_line == document.end() || inputs == document.end() ||
      !command_line->is_array() || !inputs->is_array() ||
      !std::all_of(command_line->begin(), command_line->end(), is_text)) {
    return refuse(console, file, "it does not say by which command it was made: `wave sweep --out x.json` does");
  }
  auto choice = read_choice(command_line->get<std::vector<std::string>>());
  if (!choice) return refuse(console, file, "its command is none of `wave sweep`");
  if (is_recorded(choice->of)) return refuse(console, file, "its command names results, and no model");
  RecordedStudy recorded{std::move(choice->of), options, "", {}, std::move(*text)};
  recorded.of.engine = of.engine;
  recorded.options.search = std::move(choice->search);
  if (const auto version = document.find("wave"); version != document.end() && version->is_string())
    recorded.version = *version;
  for (const auto& input : *inputs) {
    const bool is_whole = input.is_object() && input.contains("what") && input["what"].is_string() &&
                          input.contains("is") && input["is"].is_string();
    if (!is_whole) return refuse(console, file, "what its results depend on is not all there");
    recorded.inputs.push_back({input["what"], input["is"]});
  }
  return recorded;
}

bool load_recorded(Session& session, const RecordedStudy& recorded) {
  const auto is_recorded = [&](const frontend::Program& program) {
    auto loaded = analysis::inputs_of(program);
    if (const std::string& columns = recorded.of.columns; !columns.empty() && columns != "-") {
      const auto table = frontend::read_plain_file(columns, most_bytes_of_table);
      if (!table.ok) {
        report_without_location(session.console(), DiagnosticKind::cannot_read,
                                fmt::format("cannot read `{}`: {}", columns, table.text), "");
        return false;
      }
      loaded.push_back(analysis::input_of_file(columns, table.text));
    }
    return check_inputs(recorded, loaded, session.console());
  };
  return session.load_named(recorded.of.file, is_recorded);
}

bool check_inputs(const RecordedStudy& recorded, const std::vector<analysis::StudyInput>& loaded, Console& console) {
  analysis::StudyDescription now, before;
  now.version = version;
  now.file = recorded.of.file;
  now.inputs = loaded;
  before = now;
  before.version = recorded.version;
  const auto is_loaded = [&](const analysis::StudyInput& input) {
    return std::any_of(loaded.begin(), loaded.end(), [&](const auto& one) { return one.what == input.what; });
  };
  before.inputs.clear();
  std::copy_if(recorded.inputs.begin(), recorded.inputs.end(), std::back_inserter(before.inputs), is_loaded);
  return report_differences(before, now, console);
}

bool check_inputs(const RecordedStudy& recorded, const analysis::StudyDescription& now, Console& console) {
  auto before = now;
  before.version = recorded.version;
  before.inputs = recorded.inputs;
  return report_differences(before, now, console);
}

bool compare_results(const RecordedStudy& recorded, const std::string& file, const std::string& now, Console& console) {
  if (recorded.text == now) {
    console.print(fmt::format("made again: the same results, byte by byte, as in {}\n", file));
    return true;
  }
  const auto at = std::mismatch(now.begin(), now.end(), recorded.text.begin(), recorded.text.end()).first;
  const auto line = 1 + std::count(now.begin(), at, '\n');
  report_without_location(console, DiagnosticKind::other_study, fmt::format("the results are not those in `{}`", file),
                          fmt::format("they differ from line {} of it on", grouped(static_cast<std::uint64_t>(line))));
  return false;
}

}  // namespace wave::cli
