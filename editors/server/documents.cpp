// See documents.h.
#include "editors/server/documents.h"

#include "frontend/check/program.h"
#include "frontend/source/files.h"

#include <algorithm>

namespace wave::editors {
namespace {

constexpr std::string_view extension = ".wave";
constexpr std::string_view library_folder = "std/";
constexpr std::size_t largest_text = std::size_t{64} << 20;
constexpr std::size_t most_work = std::size_t{2} << 30;

const std::string& text_of(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name) || !json[name].is_string())
    throw RequestError{ErrorCode::invalid_params, std::string("`") + name + "` is a text"};
  return json[name].get_ref<const std::string&>();
}

// What a change of the client makes of a text: all of it is new, or the part in a range.
void apply(std::string& text, const Json& change, Encoding encoding) {
  const std::string& inserted = text_of(change, "text");
  if (!change.contains("range")) {
    text = inserted;
    return;
  }
  const Json& range = change["range"];
  if (!range.is_object() || !range.contains("start") || !range.contains("end"))
    throw RequestError{ErrorCode::invalid_params, "a range has `start` and `end`"};
  const Lines lines(text, encoding);
  const std::uint32_t begin = lines.offset(read_position(range["start"]));
  const std::uint32_t end = std::max(begin, lines.offset(read_position(range["end"])));
  text.replace(begin, end - begin, inserted);
}

std::int64_t version_of(const Json& document) {
  return document.contains("version") && document["version"].is_number_integer()
             ? document["version"].get<std::int64_t>()
             : 0;
}

}  // namespace

std::string read_uri(const Json& params) {
  if (!params.is_object() || !params.contains("textDocument"))
    throw RequestError{ErrorCode::invalid_params, "`textDocument` is missing"};
  return text_of(params["textDocument"], "uri");
}

std::string uri_of_library(const std::string& module) {
  std::string path = module;
  std::replace(path.begin(), path.end(), '.', '/');
  return std::string(program_scheme) + path + std::string(extension);
}

std::string library_module(const std::string& uri) {
  if (uri.rfind(program_scheme, 0) != 0 || !uri.ends_with(extension)) return "";
  std::string name = uri.substr(program_scheme.size(), uri.size() - program_scheme.size() - extension.size());
  if (name.rfind(library_folder, 0) != 0) return "";
  std::replace(name.begin(), name.end(), '/', '.');
  const auto& modules = frontend::standard_library();
  const auto known = std::any_of(modules.begin(), modules.end(), [&](const auto& one) { return one.first == name; });
  return known ? name : "";
}

Document& Documents::open(const Json& params) {
  const std::string uri = read_uri(params);
  const Json& given = params["textDocument"];
  Document document;
  document.uri = uri;
  document.path = path_of_uri(uri);
  document.version = version_of(given);
  document.text = std::make_shared<const std::string>(text_of(given, "text"));
  if (!by_uri_.count(uri) && by_uri_.size() >= most_open)
    throw RequestError{ErrorCode::request_failed, "too many documents are open"};
  const std::string module = library_module(uri);
  document.is_of_library = !module.empty();
  if (!document.path.empty()) document.path = frontend::canonical(document.path);
  document.name = document.is_of_library   ? module
                  : !document.path.empty() ? document.path
                                           : "<" + uri.substr(uri.rfind('/') + 1) + ">";
  return by_uri_[uri] = std::move(document);
}

Document& Documents::change(const Json& params, Encoding encoding) {
  Document* document = find(read_uri(params));
  if (!document) throw RequestError{ErrorCode::invalid_params, "this document is not open"};
  if (!params.contains("contentChanges") || !params["contentChanges"].is_array())
    throw RequestError{ErrorCode::invalid_params, "`contentChanges` is a list"};
  std::string text = *document->text;
  std::size_t work = 0;  // every change looks at the whole text
  for (const Json& change : params["contentChanges"]) {
    work += text.size();
    apply(text, change, encoding);
    if (text.size() > largest_text || work > most_work)
      throw RequestError{ErrorCode::request_failed, "these changes are too many or too large"};
  }
  document->text = std::make_shared<const std::string>(std::move(text));
  document->version = version_of(params["textDocument"]);
  return *document;
}

Document* Documents::find(const std::string& uri) {
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? nullptr : &found->second;
}

Document* Documents::find_path(const std::string& path) {
  for (auto& [uri, document] : by_uri_) {
    if (!path.empty() && document.path == path) return &document;
  }
  return nullptr;
}

}  // namespace wave::editors
