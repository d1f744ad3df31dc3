// Commands above declarations, with what they would show.
#include "editors/server/features.h"
#include "frontend/check/members.h"
#include "frontend/format/quantities.h"

#include <algorithm>
#include <map>

namespace wave::editors {
namespace {

using namespace frontend;

Json lens(const View& view, const Item& item, const std::string& title, const std::string& command, Json arguments) {
  return {{"range", view.lines.range(item.name.location)},
          {"command", {{"title", title}, {"command", command}, {"arguments", std::move(arguments)}}}};
}

std::string run_title(const ModelValues* model, bool is_before) {
  constexpr std::size_t most_outputs = 3;
  std::string title;
  for (std::size_t i = 0; model && i < std::min(model->outputs.size(), most_outputs); ++i) {
    const auto& [name, text] = model->outputs[i];
    if (!text.empty()) title += (title.empty() ? "" : ", ") + name + " " + text;
  }
  return title.empty() ? "run" : (is_before ? "before: " : "") + title;
}

std::string test_title(const Values& values, const Item& test) {
  for (const TestResult& one : values.tests) {
    if (one.begin == test.name.location.begin) return one.has_passed ? "passes" : "fails";
  }
  return "run test";
}

std::string title_of_all(const Values& values, std::size_t tests) {
  const auto has_passed = [](const TestResult& one) { return one.has_passed; };
  const auto passed = std::count_if(values.tests.begin(), values.tests.end(), has_passed);
  return values.tests.size() < tests ? "run tests" : std::to_string(passed) + " of " + counted(tests, "test") + " pass";
}

// Where something is used: the declarations of modules in which it is, each once, with the words for what they are.
std::map<std::pair<std::string, std::string>, std::string> users(const Project& project, const Json& item,
                                                                 const std::atomic<bool>& stop) {
  std::map<std::pair<std::string, std::string>, std::string> all;
  for (const Json& call : incoming_calls(project, item, stop)) {
    const Json& from = call["from"];
    const Json& in = from["data"]["in"];
    const bool is_itself = from["uri"] == item.value("uri", Json()) && in[0] == item.value("name", Json());
    if (!is_itself) all[{from["uri"], in[0]}] = in[1];
  }
  return all;
}

}  // namespace

Json code_lenses(const View& view, const std::string& uri) {
  Json all = Json::array();
  std::vector<const Item*> tests;
  for (const auto& item : view.analysis.main().items) {
    const std::string& name = item->name.text;
    if (std::holds_alternative<item::Test>(item->node)) tests.push_back(item.get());
    if (view.values && std::holds_alternative<item::Model>(item->node)) {
      all.push_back(
          lens(view, *item, run_title(view.values->model(name), view.values->is_before), Commands::run, {uri, name}));
      all.push_back(lens(view, *item, "breakdown", Commands::break_down, {uri, name}));
    }
    if (view.values && view.project.plots_studies && std::holds_alternative<item::Study>(item->node))
      all.push_back(lens(view, *item, "plot", Commands::plot, {uri, name}));
    // Not functions: a module has many, and each is looked for in all files.
    if (check::is_any_of<item::Machine, item::Interface, item::Model, item::Procedure>(*item)) {
      const Json calls = prepare_calls(view, item->name.location.begin);
      if (!calls.is_null()) all.push_back({{"range", view.lines.range(item->name.location)}, {"data", calls[0]}});
    }
  }
  if (!view.values) return all;
  for (const Item* test : tests) {
    if (test == tests.front() && tests.size() > 1)
      all.push_back(lens(view, *test, title_of_all(*view.values, tests.size()), Commands::test, {uri, ""}));
    all.push_back(lens(view, *test, test_title(*view.values, *test), Commands::test, {uri, test->name.text}));
  }
  return all;
}

Json resolved_lens(const Project& project, Json lens, const std::atomic<bool>& stop) {
  if (!lens.is_object() || !lens.contains("data")) return lens;
  const auto all = users(project, lens["data"], stop);
  std::string title = "used nowhere else";
  if (!all.empty()) {
    const std::string word = all.begin()->second;
    const bool is_same = std::all_of(all.begin(), all.end(), [&](const auto& one) { return one.second == word; });
    title = "used by " + counted(all.size(), is_same ? word : "declaration");
  }
  lens["command"] = {{"title", title},
                     {"command", Commands::uses},
                     {"arguments", {lens["data"]["uri"], lens["range"]["start"], lens["data"]}}};
  return lens;
}

std::string uses_text(const Project& project, const Json& item, const std::atomic<bool>& stop) {
  std::string text;
  for (const auto& [user, word] : users(project, item, stop)) {
    const std::string& uri = user.first;
    text += (text.empty() ? "" : "\n") + word + " " + user.second + " in " + uri.substr(uri.rfind('/') + 1);
  }
  return text.empty() ? "used nowhere else" : text;
}

std::string run_text(const Values& values, const std::string& model) {
  if (values.is_before) return "the text has errors";
  const ModelValues* found = values.model(model);
  if (!found) return "there is no model `" + model + "`";
  std::string text;
  for (const auto& [name, value] : found->outputs)
    text += (text.empty() ? "" : "\n") + name + ": " + (value.empty() ? "not evaluated in time" : value);
  return text.empty() ? "no output of `" + model + "` has a value: a parameter may lack one" : text;
}

std::string test_text(const Values& values, const std::string& test) {
  std::string text;
  for (const TestResult& one : values.tests) {
    if (!test.empty() && one.name != test) continue;
    text += (text.empty() ? "" : "\n") + one.name + (one.has_passed ? " passes" : " fails: " + one.message);
  }
  if (values.is_before) return "the text has errors";
  return text.empty() ? "no test was evaluated: there is none, or the time was over" : text;
}

}  // namespace wave::editors
