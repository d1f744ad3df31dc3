// Which models, machines, procedures and functions use which.
#include "editors/server/features.h"
#include "frontend/check/members.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <map>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr int class_symbol = 5, method_symbol = 6, function_symbol = 12;

// What does something, so that it is worth asking who has it done.
bool is_called(const Item& item) {
  return check::is_any_of<item::Function, item::Collective, item::Procedure, item::Process, item::Protocol,
                          item::Machine, item::Interface, item::Model, item::Recurrence>(item);
}

Json call_item(const Project& project, const Analysis& analysis, const Item& item) {
  const bool has_members = check::members_of(item) != nullptr;
  const Lines lines(analysis.sources().text(item.name.location.file), project.encoding);
  const bool is_step = check::is_any_of<item::Process, item::Protocol>(item);
  const Item* outermost = &item;
  while (outermost->owner) outermost = outermost->owner;
  return {{"name", item.name.text},
          {"kind", has_members ? class_symbol
                   : is_step   ? method_symbol
                               : function_symbol},
          {"detail", std::string(check::kind_of(item)) + (item.owner ? " of " + item.owner->name.text : "")},
          {"uri", project.uri_of(*item.module)},
          {"range", lines.range(cover(item.location, item.name.location))},
          {"selectionRange", lines.range(item.name.location)},
          {"data",
           {{"key", item.module->key},
            {"begin", item.name.location.begin},
            {"end", item.name.location.end},
            {"name", item.name.text},
            {"in", {outermost->name.text, std::string(check::kind_of(*outermost))}}}}};
}

struct Asked {
  std::string key, name;
  std::uint32_t begin = 0;
};

Asked read_item(const Json& item) {
  const bool is_ours = item.is_object() && item.contains("data") && item["data"].is_object() &&
                       item["data"].contains("key") && item["data"]["key"].is_string() &&
                       item["data"].contains("name") && item["data"]["name"].is_string() &&
                       item["data"].contains("begin") && item["data"]["begin"].is_number_unsigned();
  if (!is_ours) throw RequestError{ErrorCode::invalid_params, "this item comes from another server"};
  const Json& data = item["data"];
  return {data["key"], data["name"], static_cast<std::uint32_t>(data["begin"].get<std::uint64_t>())};
}

// A client may name any file: only those of the project are read.
std::optional<std::string> text_of(const Project& project, const Asked& asked) {
  const std::string path = frontend::canonical(asked.key);
  const auto holds = [&](const std::string& folder) { return path.starts_with(folder + "/"); };
  const bool is_known =
      project.search.texts.count(path) > 0 || std::any_of(project.folders.begin(), project.folders.end(), holds);
  return is_known ? project.text_of(path) : std::nullopt;
}

const Item* find_item(const Analysis& analysis, const Asked& asked) {
  const Item* found = nullptr;
  for (const auto& module : analysis.program().modules) {
    if (module->key != asked.key) continue;
    for_each_item(*module, [&](const Item& item) {
      if (item.name.location.begin == asked.begin && item.name.text == asked.name) found = &item;
    });
  }
  return found;
}

}  // namespace

Json prepare_calls(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  const Declaration* declaration = name ? view.analysis.declaration(name->declared) : nullptr;
  if (!declaration || declaration->kind != DeclarationKind::item || !is_called(*declaration->item)) return nullptr;
  return Json::array({call_item(view.project, view.analysis, *declaration->item)});
}

Json incoming_calls(const Project& project, const Json& item, const std::atomic<bool>& stop) {
  const Asked asked = read_item(item);
  Json all = Json::array();
  project.for_each_file(asked.name, stop, [&](const Analysis& analysis, std::uint32_t file) {
    const Module& module = *analysis.module_of(file);
    const Lines lines(analysis.sources().text(file), project.encoding);
    std::map<std::uint32_t, std::pair<const Item*, Json>> callers;  // by where they stand
    for (const Occurrence& one : analysis.occurrences(file)) {
      const Module* of = one.declared.begin == asked.begin ? analysis.module_of(one.declared.file) : nullptr;
      const Item* around = of && of->key == asked.key ? item_at(module, one.place.begin) : nullptr;
      const bool is_call = around && around->name.location != one.place && !around->name.text.empty();
      if (!is_call) continue;
      auto& [caller, ranges] = callers[around->location.begin];
      caller = around;
      ranges.push_back(lines.range(one.place));
    }
    for (auto& [begin, caller] : callers)
      all.push_back({{"from", call_item(project, analysis, *caller.first)}, {"fromRanges", std::move(caller.second)}});
  });
  return all;
}

Json outgoing_calls(const Project& project, const Json& item) {
  const Asked asked = read_item(item);
  Json all = Json::array();
  const auto text = text_of(project, asked);
  const bool is_standard = asked.key.starts_with("std.");
  if (!text && !is_standard) return all;
  const Analysis analysis(asked.key, project.search, text ? &*text : nullptr);
  const Item* from = find_item(analysis, asked);
  if (!from) return all;
  const std::uint32_t file = from->name.location.file;
  const Lines lines(analysis.sources().text(file), project.encoding);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<const Item*, Json>> called;  // by where it is declared
  for (const Occurrence& one : analysis.occurrences(file)) {
    const bool is_inside = from->location.begin <= one.place.begin && one.place.end <= from->location.end;
    const Declaration* to = is_inside ? analysis.declaration(one.declared) : nullptr;
    if (!to || to->kind != DeclarationKind::item || !is_called(*to->item) || one.is_declaration()) continue;
    auto& [callee, ranges] = called[{one.declared.file, one.declared.begin}];
    callee = to->item;
    ranges.push_back(lines.range(one.place));
  }
  for (auto& [place, callee] : called)
    all.push_back({{"to", call_item(project, analysis, *callee.first)}, {"fromRanges", std::move(callee.second)}});
  return all;
}

}  // namespace wave::editors
