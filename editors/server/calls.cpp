// Which models, machines, procedures and functions use which.
#include "editors/server/features.h"
#include "editors/server/index.h"
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

Json call_item(const Project& project, const std::string& key, const Lines& lines, const IndexedItem& item) {
  return {{"name", item.name},
          {"kind", item.call_symbol},
          {"detail", std::string(item.kind) + (item.owner.empty() ? "" : " of " + item.owner)},
          {"uri", project.uri_of(key)},
          {"range", lines.range(item.whole)},
          {"selectionRange", lines.range(item.name_place)},
          {"data",
           {{"key", key},
            {"begin", item.name_place.begin},
            {"end", item.name_place.end},
            {"name", item.name},
            {"in", {item.outermost, std::string(item.outermost_kind)}}}}};
}

Json call_item(const Project& project, const Analysis& analysis, const Item& item) {
  const Lines lines(analysis.sources().text(item.name.location.file), project.encoding);
  return call_item(project, item.module->key, lines, indexed(item));
}

// The innermost declaration around an offset; null if there is none.
const IndexedItem* item_around(const IndexedFile& file, std::uint32_t offset) {
  const IndexedItem* found = nullptr;
  for (const IndexedItem& item : file.items) {
    const bool holds = item.location.begin <= offset && offset <= item.location.end;
    if (holds) found = &item;  // members come after their owner
  }
  return found;
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

int call_symbol_kind(const Item& item) {
  if (check::members_of(item) != nullptr) return class_symbol;
  return check::is_any_of<item::Process, item::Protocol>(item) ? method_symbol : function_symbol;
}

Json prepare_calls(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  const Declaration* declaration = name ? view.analysis.declaration(name->declared) : nullptr;
  if (!declaration || declaration->kind != DeclarationKind::item || !is_called(*declaration->item)) return nullptr;
  return Json::array({call_item(view.project, view.analysis, *declaration->item)});
}

Json incoming_calls(const Project& project, const Json& item, const std::atomic<bool>& stop) {
  const Asked asked = read_item(item);
  Json all = Json::array();
  for (const auto& [key, file] : project.index->files(project, stop)) {
    std::map<const IndexedItem*, std::vector<Location>> callers;
    for (const IndexedName& one : file->names) {
      if (one.declared.begin != asked.begin || file->key_of(one.declared) != asked.key) continue;
      const IndexedItem* around = item_around(*file, one.place.begin);
      const bool is_call = around && around->name_place != one.place && !around->name.empty();
      if (is_call) callers[around].push_back(one.place);  // in the order of the file
    }
    if (callers.empty()) continue;
    const Lines lines(*file->text, project.encoding);
    for (const auto& [caller, places] : callers) {
      Json ranges = Json::array();
      for (const Location place : places) ranges.push_back(lines.range(place));
      all.push_back({{"from", call_item(project, key, lines, *caller)}, {"fromRanges", std::move(ranges)}});
    }
  }
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
