// The declarations of a document, and those of all documents.
#include "editors/server/features.h"
#include "editors/server/index.h"
#include "frontend/check/members.h"
#include "frontend/format/signatures.h"

#include <algorithm>
#include <cctype>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t most_found = 1000;

// SymbolKind of the protocol.
enum Symbol {
  module = 2,
  class_ = 5,
  method = 6,
  property = 7,
  interface = 11,
  function = 12,
  variable = 13,
  constant = 14,
  array = 18,
  object = 19,
  key = 20,
  record = 23,
  event = 24
};

struct SymbolOf {
  int operator()(const item::Import&) const { return module; }
  int operator()(const item::Param&) const { return property; }
  int operator()(const item::Let&) const { return constant; }
  int operator()(const item::Function&) const { return function; }
  int operator()(const item::Record&) const { return record; }
  int operator()(const item::Require&) const { return constant; }
  int operator()(const item::Protocol&) const { return event; }
  int operator()(const item::Levels&) const { return constant; }
  int operator()(const item::Resource&) const { return object; }
  int operator()(const item::Collective&) const { return function; }
  int operator()(const item::Interface&) const { return interface; }
  int operator()(const item::Machine&) const { return class_; }
  int operator()(const item::Grid&) const { return array; }
  int operator()(const item::Recurrence&) const { return function; }
  int operator()(const item::Process&) const { return method; }
  int operator()(const item::Procedure&) const { return method; }
  int operator()(const item::Output&) const { return variable; }
  int operator()(const item::Model&) const { return class_; }
  int operator()(const item::Study&) const { return object; }
  int operator()(const item::Test&) const { return key; }
  int operator()(const item::Unknown&) const { return variable; }
};

Json symbol(const View& view, const Item& item) {
  const Location whole = cover(item.location, item.name.location);
  Json one = {{"name", item.name.text},
              {"kind", symbol_kind(item)},
              {"detail", check::kind_of(item)},
              {"range", view.lines.range(whole)},
              {"selectionRange", view.lines.range(item.name.location)}};
  Json children = Json::array();
  if (const auto* members = check::members_of(item)) {
    for (const auto& member : *members) {
      if (is_symbol(*member)) children.push_back(symbol(view, *member));
    }
  }
  one["children"] = std::move(children);
  return one;
}

// Whether the letters of the query stand in the name, in their order.
bool fits(const std::string& name, const std::string& query) {
  std::size_t at = 0;
  for (const char c : name) {
    const bool same = at < query.size() && std::tolower(static_cast<unsigned char>(c)) ==
                                               std::tolower(static_cast<unsigned char>(query[at]));
    if (same) ++at;
  }
  return at == query.size();
}

}  // namespace

int symbol_kind(const Item& item) { return std::visit(SymbolOf{}, item.node); }

bool is_symbol(const Item& item) {
  return !item.name.text.empty() && !std::holds_alternative<item::Import>(item.node) && item.name.location.known();
}

Json document_symbols(const View& view) {
  Json all = Json::array();
  for (const auto& item : view.analysis.main().items) {
    if (is_symbol(*item)) all.push_back(symbol(view, *item));
  }
  return all;
}

Json workspace_symbols(const Project& project, const std::string& query, const std::atomic<bool>& stop) {
  Json all = Json::array();
  for (const auto& [key, file] : project.index->files(project, stop)) {
    std::optional<Lines> lines;  // once one of its names is shown
    for (const IndexedItem& item : file->items) {
      if (all.size() == most_found || !item.is_shown || !fits(item.name, query)) continue;
      if (!lines) lines.emplace(*file->text, project.encoding);
      Json one = {{"name", item.name},
                  {"kind", item.symbol},
                  {"location", {{"uri", project.uri_of(key)}, {"range", lines->range(item.name_place)}}}};
      if (!item.owner.empty()) one["containerName"] = item.owner;
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace wave::editors
