// Requests: what they ask, and who answers.
#include "editors/server/questions.h"
#include "editors/server/server.h"

#include <map>

namespace wave::editors {
namespace {

const Json& field(const Json& params, const char* name) {
  if (!params.is_object() || !params.contains(name))
    throw RequestError{ErrorCode::invalid_params, "`" + std::string(name) + "` is missing"};
  return params[name];
}

std::uint32_t offset_of(const View& view, const Json& params) {
  return view.lines.offset(read_position(field(params, "position")));
}

std::pair<std::uint32_t, std::uint32_t> range_of(const View& view, const Json& params) {
  const Json& range = field(params, "range");
  const std::uint32_t begin = view.lines.offset(read_position(field(range, "start")));
  return {begin, std::max(begin, view.lines.offset(read_position(field(range, "end"))))};
}

std::string text_of(const Json& params, const char* name) {
  const Json& text = field(params, name);
  if (!text.is_string()) throw RequestError{ErrorCode::invalid_params, "`" + std::string(name) + "` is a text"};
  return text.get<std::string>();
}

// Those of a document that need nothing but what is known of it.
using Answer = Json (*)(const View&, const Json& params);

Json selections(const View& view, const Json& params) {
  constexpr std::size_t most_positions = 1000;
  std::vector<std::uint32_t> offsets;
  for (const Json& position : field(params, "positions")) {
    if (offsets.size() == most_positions) throw RequestError{ErrorCode::invalid_params, "too many positions"};
    offsets.push_back(view.lines.offset(read_position(position)));
  }
  return selection_ranges(view, offsets);
}

const std::map<std::string, Answer>& answers() {
  static const std::map<std::string, Answer> all{
      {"textDocument/hover", [](const View& v, const Json& p) { return hover(v, offset_of(v, p)); }},
      {"textDocument/definition", [](const View& v, const Json& p) { return definition(v, offset_of(v, p)); }},
      {"textDocument/declaration", [](const View& v, const Json& p) { return declaration(v, offset_of(v, p)); }},
      {"textDocument/typeDefinition", [](const View& v, const Json& p) { return type_definition(v, offset_of(v, p)); }},
      {"textDocument/documentHighlight", [](const View& v, const Json& p) { return highlights(v, offset_of(v, p)); }},
      {"textDocument/documentSymbol", [](const View& v, const Json&) { return document_symbols(v); }},
      {"textDocument/foldingRange", [](const View& v, const Json&) { return folding_ranges(v); }},
      {"textDocument/selectionRange", selections},
      {"textDocument/semanticTokens/full",
       [](const View& v, const Json&) { return semantic_tokens(v, 0, static_cast<std::uint32_t>(-1)); }},
      {"textDocument/semanticTokens/range",
       [](const View& v, const Json& p) {
         const auto [begin, end] = range_of(v, p);
         return semantic_tokens(v, begin, end);
       }},
      {"textDocument/inlayHint",
       [](const View& v, const Json& p) {
         const auto [begin, end] = range_of(v, p);
         return inlay_hints(v, begin, end);
       }},
      {"textDocument/codeLens", [](const View& v, const Json& p) { return code_lenses(v, read_uri(p)); }},
      {"textDocument/prepareRename", [](const View& v, const Json& p) { return prepare_rename(v, offset_of(v, p)); }},
      {"textDocument/prepareCallHierarchy",
       [](const View& v, const Json& p) { return prepare_calls(v, offset_of(v, p)); }},
  };
  return all;
}

// Those that ask the front end what might stand in the document.
using Question = Json (*)(Asking&, const View&, const Json& params);

const std::map<std::string, Question>& questions() {
  static const std::map<std::string, Question> all{
      {"textDocument/completion",
       [](Asking& a, const View& v, const Json& p) { return completion(a, offset_of(v, p)); }},
      {"textDocument/signatureHelp",
       [](Asking& a, const View& v, const Json& p) { return signature_help(a, offset_of(v, p)); }},
      {"textDocument/codeAction",
       [](Asking& a, const View& v, const Json& p) {
         const auto [begin, end] = range_of(v, p);
         return code_actions(a, begin, end);
       }},
  };
  return all;
}

}  // namespace

std::optional<Json> Server::answer(const std::string& method, const Json& params) {
  const auto found = answers().find(method);
  if (found == answers().end()) return std::nullopt;
  const Project all = project();
  Document& document = asked_for(params);
  const Analysis& analysis = current(document);
  const bool is_known = document.values && document.evaluated == document.generation;
  return found->second(View(analysis, all, is_known ? document.values.get() : nullptr), params);
}

std::optional<Json> Server::answer_with_questions(const std::string& method, const Json& params) {
  const auto found = questions().find(method);
  if (found == questions().end()) return std::nullopt;
  Document& document = asked_for(params);
  Analysis& analysis = current(document);
  if (document.is_of_library) return Json();  // nothing is written there
  const Project all = project();
  Asking asking{analysis, all, document.uri, *document.text};
  Json result;
  const auto ask = [&] { result = found->second(asking, View(analysis, all), params); };
  if (!read_now(document, options_.question_seconds, ask))
    throw RequestError{ErrorCode::request_failed, "this text takes too long to check"};
  document.is_typed = document.is_typed || asking.has_asked;  // the analysis is of another text now
  return result;
}

std::optional<Server::Search> Server::hover_of_machine(const Json& params) {
  if (!may_evaluate_) return std::nullopt;
  const Project all = project();
  const View view(current(asked_for(params)), all);
  const std::uint32_t offset = offset_of(view, params);
  const auto machine = machine_at(view, offset);
  if (!machine) return std::nullopt;
  return [all, machine = *machine, answer = hover(view, offset),
          limits = options_.evaluation](const std::atomic<bool>& stop) mutable {
    const auto text = all.text_of(machine.key);
    const std::string costs =
        message_costs(machine.key, machine.name, all.search, text ? &*text : nullptr, limits, stop);
    auto& shown = answer["contents"]["value"].get_ref<std::string&>();
    if (!costs.empty()) shown += "\n\n" + costs;
    return answer;
  };
}

// The layout of a text needs nothing but the text. Most are laid out while somebody waits; the others take as long as
// reading may, in the background.
std::optional<Json> Server::lay_out(const std::string& method, const Json& params, std::optional<Search>& rest) {
  if (method != "textDocument/formatting" && method != "textDocument/rangeFormatting") return std::nullopt;
  const Json range = method == "textDocument/formatting" ? Json() : field(params, "range");
  const auto work = [text = asked_for(params).text, encoding = encoding_, range] {
    return formatting(*text, encoding, range);
  };
  Json now;
  if (finishes_within(longest_read_now, [&] { now = work(); })) return now;
  rest = [work, longest = options_.evaluation.reading_seconds()](const std::atomic<bool>&) {
    Json later;
    if (!finishes_within(longest, [&] { later = work(); }))
      throw RequestError{ErrorCode::request_failed, "this text takes too long to lay out"};
    return later;
  };
  return std::nullopt;
}

std::optional<Server::Search> Server::search(const std::string& method, const Json& params) {
  if (method == "workspace/symbol") {
    return [all = project(), query = text_of(params, "query")](const std::atomic<bool>& stop) {
      return workspace_symbols(all, query, stop);
    };
  }
  if (method == "callHierarchy/incomingCalls") {
    return [all = project(), item = field(params, "item")](const std::atomic<bool>& stop) {
      return incoming_calls(all, item, stop);
    };
  }
  if (method == "callHierarchy/outgoingCalls") {
    return
        [all = project(), item = field(params, "item")](const std::atomic<bool>&) { return outgoing_calls(all, item); };
  }
  if (method == "codeLens/resolve") {
    return [all = project(), lens = params](const std::atomic<bool>& stop) { return resolved_lens(all, lens, stop); };
  }
  if (method == "workspace/executeCommand") return search_of_command(params);
  if (method == "textDocument/hover") return hover_of_machine(params);
  if (method != "textDocument/references" && method != "textDocument/rename") return std::nullopt;
  const Project all = project();
  const View view(current(asked_for(params)), all);
  const std::uint32_t offset = offset_of(view, params);
  if (method == "textDocument/rename") {
    prepare_rename(view, offset);  // refuses what cannot be renamed
    return [all, target = *target_at(view, offset), name = text_of(params, "newName")](const std::atomic<bool>& stop) {
      return rename(all, target, name, stop);
    };
  }
  const auto target = target_at(view, offset);
  const Json& context = field(params, "context");
  const bool declarations = context.is_object() && context.value("includeDeclaration", false);
  return [all, target, declarations](const std::atomic<bool>& stop) {
    return target ? references(all, *target, declarations, stop) : Json::array();
  };
}

}  // namespace wave::editors
