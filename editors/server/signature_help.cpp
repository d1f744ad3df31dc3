// The parameters of the call around the cursor.
#include "editors/server/questions.h"
#include "frontend/check/type_tools.h"
#include "frontend/parse/tokens.h"

namespace wave::editors {
namespace {

using namespace frontend;

// The argument around an offset: what stands between `(` or `,`, a name and `=` left out, and `,`, `)` or the line's
// end. Nothing outside of parentheses.
std::optional<std::pair<std::uint32_t, std::uint32_t>> argument_at(std::string_view text, std::uint32_t offset) {
  struct Open {
    bool is_call;
    std::uint32_t begin;  // of the present argument
  };
  const Lexed lexed = lex(text);
  std::vector<Open> open;
  std::size_t i = 0;
  for (; i < lexed.tokens.size() && lexed.tokens[i].kind != TokenKind::end; ++i) {
    const Token& token = lexed.tokens[i];
    if (token.begin >= offset) break;
    if (opens(token)) open.push_back({token.is("("), token.end});
    if (closes(token) && !open.empty()) open.pop_back();
    if ((token.is(",") || token.is("=")) && !open.empty()) open.back().begin = token.end;
  }
  while (!open.empty() && !open.back().is_call) open.pop_back();
  if (open.empty()) return std::nullopt;
  std::uint32_t end = std::max(offset, open.back().begin);
  std::size_t depth = 0;
  for (; i < lexed.tokens.size() && lexed.tokens[i].kind != TokenKind::end; ++i) {
    const Token& token = lexed.tokens[i];
    if (depth == 0 && (token.is(",") || closes(token) || token.is(";") || token.kind == TokenKind::keyword)) break;
    if (opens(token)) ++depth;
    if (closes(token)) --depth;
    end = token.end;
  }
  return std::pair(open.back().begin, end);
}

std::string parameter_text(const check::Signature::Parameter& parameter) {
  std::string text = parameter.name;
  if (parameter.type && !check::is_unknown(parameter.type)) text += ": " + to_string(*parameter.type);
  return parameter.optional ? "[" + text + "]" : text;
}

std::string documentation_at(const Analysis& analysis, Location place) {
  const Declaration* declaration = analysis.declaration(place);
  const bool is_item = declaration && declaration->kind == DeclarationKind::item;
  return is_item ? declaration->item->doc : "";
}

Json markdown(const std::string& text) { return {{"kind", "markdown"}, {"value", text}}; }

Json signature(const Analysis& analysis, const check::Signature& signature) {
  Json parameters = Json::array();
  std::string label = signature.name + "(";
  for (const auto& parameter : signature.parameters) {
    const std::string text = parameter_text(parameter);
    label += (label.back() == '(' ? "" : ", ") + text;
    Json one = {{"label", text}};
    if (const std::string doc = documentation_at(analysis, parameter.declared()); !doc.empty())
      one["documentation"] = markdown(doc);
    parameters.push_back(std::move(one));
  }
  label += ")";
  if (signature.result && !check::is_unknown(signature.result)) label += ": " + to_string(*signature.result);
  Json result = {{"label", label}, {"parameters", std::move(parameters)}};
  if (const std::string doc = documentation_at(analysis, signature.location); !doc.empty())
    result["documentation"] = markdown(doc);
  return result;
}

}  // namespace

Json signature_help(Asking& asking, std::uint32_t offset) {
  const auto argument = argument_at(asking.text, offset);
  if (!argument) return nullptr;
  const auto probe = ask(asking, {argument->first, argument->second, {" \1", " \1)"}});
  if (!probe || probe->calls.empty()) return nullptr;
  const Probe::Call& call = probe->calls.back();
  Json result = {{"signatures", Json::array({signature(asking.analysis, call.signature)})}, {"activeSignature", 0}};
  if (call.active < call.signature.parameters.size()) result["activeParameter"] = call.active;
  return result;
}

}  // namespace wave::editors
