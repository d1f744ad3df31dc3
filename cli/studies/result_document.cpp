// See result_document.h.
#include "cli/studies/result_document.h"

#include "analysis/study/description.h"
#include "cli/limits.h"
#include "cli/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using Json = nlohmann::ordered_json;

// A parsed document takes about so many times its text.
constexpr std::size_t growth = 16;
constexpr int deepest = 32;
// Of one object, whose order is kept at the price of a search for each: a model has not so many parameters and outputs.
constexpr std::size_t most_keys = 10'000;

// What keeps a document from being a result; said with the file.
struct NoResult {
  std::string why;
};

struct TooDeep {};
struct TooMany {};

// Stops what no result of ours is.
class Bounds {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json&) {
    if (depth > deepest) throw TooDeep{};
    auto& keys = keys_[static_cast<std::size_t>(depth)];
    if (event == Json::parse_event_t::object_end) keys_[static_cast<std::size_t>(depth) + 1] = 0;
    if (event == Json::parse_event_t::key && ++keys > most_keys) throw TooMany{};
    return true;
  }

 private:
  std::array<std::size_t, deepest + 2> keys_{};  // of the object that is open at each depth
};

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  ResultDocument read() {
    if (!json_.is_object()) throw NoResult{"it is no JSON object"};
    const std::string verb = text(json_, "verb");
    if (verb.empty()) throw NoResult{"it does not say which `verb` it is of"};
    if (json_.contains("parameters"))
      read_run();
    else if (json_.contains("tables") && object_in(json_, "tables").contains("points"))
      read_sweep();
    else if (json_.contains("tables") && object_in(json_, "tables").contains("reductions"))
      throw NoResult{"it is of a study that was reduced, of which no points are kept"};
    else
      throw NoResult{fmt::format("it is of `wave {}`, not of `wave run` or `wave sweep`", verb)};
    return std::move(result_);
  }

 private:
  static std::string text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

  static DocumentValue value(const Json& json, const std::string& unit) {
    DocumentValue result;
    result.unit = unit;
    if (json.is_number())
      result.number = json.get<double>();
    else if (json.is_boolean())
      result.number = json.get<bool>() ? 1 : 0;
    else if (json.is_string())
      result.text = json.get<std::string>();
    else if (!json.is_null())
      throw NoResult{fmt::format("a value is {}", json.type_name())};
    if (result.number && !std::isfinite(*result.number)) result.number = std::nullopt;
    return result;
  }

  static DocumentValue value_in(const Json& object) {
    const auto found = object.find("value");
    return found == object.end() ? DocumentValue{} : value(*found, text(object, "unit"));
  }

  static const Json& object_in(const Json& parent, const char* key) {
    const auto found = parent.find(key);
    if (found == parent.end() || !found->is_object()) throw NoResult{fmt::format("`{}` is no object", key)};
    return *found;
  }

  static const Json& array_in(const Json& parent, const char* key) {
    const auto found = parent.find(key);
    if (found == parent.end() || !found->is_array()) throw NoResult{fmt::format("`{}` is no list", key)};
    return *found;
  }

  void read_head() {
    result_.version = text(json_, "wave");
    result_.file = text(json_, "file");
    result_.model = text(json_, "model");
    result_.study = text(json_, "study");
    if (result_.version.empty() || result_.model.empty())
      throw NoResult{"it does not say which model and which version of the program it is of"};
  }

  void read_run() {
    read_head();
    result_.text = text(json_, "text");
    result_.knows_given = json_.contains("given");
    if (result_.knows_given) {
      for (const auto& [path, expression] : object_in(json_, "given").items()) {
        if (!expression.is_string()) throw NoResult{fmt::format("`given.{}` is no text", path)};
        result_.given.emplace_back(path, expression.get<std::string>());
      }
    }
    for (const auto& [name, one] : object_in(json_, "parameters").items()) {
      if (!one.is_object()) throw NoResult{fmt::format("the parameter `{}` is no object", name)};
      const auto given = one.find("given");
      result_.parameters.emplace_back(
          name, DocumentParameter{value_in(one), given != one.end() && given->is_boolean() && given->get<bool>()});
    }
    for (const auto& [name, one] : object_in(json_, "tables").items()) {
      if (!one.is_object()) throw NoResult{fmt::format("the output `{}` is no object", name)};
      result_.outputs.emplace_back(name, output(one));
    }
  }

  static DocumentOutput output(const Json& one) {
    DocumentOutput result;
    result.status = text(one, "status");
    result.code = text(one, "code");
    if (one.contains("value")) result.cells.emplace_back("", value_in(one));
    if (one.contains("fields")) {
      for (const auto& [name, field] : object_in(one, "fields").items()) {
        if (!field.is_object()) throw NoResult{fmt::format("the field `{}` is no object", name)};
        result.cells.emplace_back("." + name, value_in(field));
      }
    }
    if (!one.contains("rows")) return result;
    std::vector<DocumentColumn> columns;
    for (const auto& column : array_in(one, "columns")) {
      if (!column.is_object()) throw NoResult{"a column is no object"};
      columns.push_back({text(column, "name"), text(column, "unit"), false});
    }
    std::size_t number = 0;
    for (const auto& row : array_in(one, "rows")) {
      ++number;
      if (!row.is_array() || row.size() != columns.size())
        throw NoResult{fmt::format("row {} of an output has not as many values as there are columns", number)};
      for (std::size_t i = 0; i < columns.size(); ++i) {
        result.cells.emplace_back(fmt::format("[{}].{}", number, columns[i].name), value(row[i], columns[i].unit));
      }
    }
    return result;
  }

  // What -D gave stands in the command, and the digests of what the results depend on in `inputs`.
  void read_sweep() {
    read_head();
    result_.is_sweep = true;
    if (json_.contains("command")) {
      const auto& command = array_in(json_, "command");
      for (std::size_t i = 0; i + 1 < command.size(); ++i) {
        if (!command[i].is_string() || !command[i + 1].is_string() || command[i].get<std::string>() != "-D") continue;
        const auto text = command[++i].get<std::string>();
        const auto equals = text.find('=');
        if (equals != std::string::npos) result_.given.emplace_back(text.substr(0, equals), text.substr(equals + 1));
      }
    } else {
      result_.knows_given = false;
    }
    if (json_.contains("inputs")) {
      for (const auto& input : array_in(json_, "inputs")) {
        if (!input.is_object()) throw NoResult{"an input is no object"};
        const std::string what = text(input, "what");
        if (what.rfind("the model file", 0) == 0 || what.rfind("the module", 0) == 0 ||
            what.rfind("the data file", 0) == 0) {
          result_.text += what + " " + text(input, "is") + "\n";
          result_.inputs.push_back({what, text(input, "is")});
        }
      }
    }
    if (!result_.text.empty()) result_.text = hexadecimal(digest(result_.text));
    const Json& points = object_in(object_in(json_, "tables"), "points");
    for (const auto& column : array_in(points, "columns")) {
      if (!column.is_object()) throw NoResult{"a column is no object"};
      result_.columns.push_back({text(column, "name"), text(column, "unit"), text(column, "is") == "parameter"});
    }
    for (const auto& row : array_in(points, "rows")) {
      if (!row.is_array() || row.size() != result_.columns.size()) {
        throw NoResult{fmt::format("row {} has not as many values as there are columns", result_.rows.size() + 1)};
      }
      result_.rows.emplace_back();
      for (std::size_t i = 0; i < row.size(); ++i)
        result_.rows.back().push_back(value(row[i], result_.columns[i].unit));
    }
  }

  const Json& json_;
  ResultDocument result_;
};

void report_document(Console& console, const frontend::Sources& sources, frontend::Location location,
                     const std::string& path, const std::string& why, const std::string& label) {
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(DiagnosticKind::unreadable_result, location,
                            fmt::format("`{}` holds no result: {}", path, why), label);
  d.help.push_back("results are written by `wave run FILE --format json` and `wave sweep FILE ... --out results.json`");
  console.report(sources, diagnostics);
}

// All but the library.
std::vector<analysis::StudyInput> own_inputs(const frontend::Program& program) {
  auto inputs = analysis::inputs_of(program);
  const auto is_library = [](const analysis::StudyInput& one) { return one.what == "the library"; };
  inputs.erase(std::remove_if(inputs.begin(), inputs.end(), is_library), inputs.end());
  return inputs;
}

}  // namespace

std::string text_digest(const frontend::Program& program) {
  std::string all;
  for (const auto& input : own_inputs(program)) all += input.what + " " + input.value + "\n";
  return hexadecimal(digest(all));
}

bool is_of(const ResultDocument& result, const frontend::Program& program) {
  if (!result.is_sweep) return result.text == text_digest(program);
  const auto inputs = own_inputs(program);
  return std::all_of(inputs.begin(), inputs.end(), [&](const analysis::StudyInput& one) {
    return std::find(result.inputs.begin(), result.inputs.end(), one) != result.inputs.end();
  });
}

std::string text_of(const DocumentValue& value) {
  if (!value.number) return value.text.empty() ? "none" : value.text;
  return fmt::format("{}{}{}", *value.number, value.unit.empty() ? "" : " ", value.unit);
}

std::optional<ResultDocument> read_result(Console& console, const std::string& path, std::size_t memory_limit) {
  frontend::Diagnostics diagnostics;
  frontend::Sources sources;
  const std::size_t most = std::min(memory_limit / growth, most_bytes_of_text * 16);
  auto text = read_text(console.client(), path, diagnostics, most);
  if (!text) {
    console.report(sources, diagnostics);
    return std::nullopt;
  }
  if (text->size() > most) {
    report_document(console, sources, {}, path, fmt::format("it is larger than {}", format_bytes(most)), "");
    return std::nullopt;
  }
  if (text->rfind("\xEF\xBB\xBF", 0) == 0) text->erase(0, 3);
  const auto size = static_cast<std::uint32_t>(text->size());
  const std::uint32_t file = sources.add(path == "-" ? standard_input_name : path, *text);
  try {
    const Json json = Json::parse(*text, Bounds());
    ResultDocument document = Reader(json).read();
    document.path = path;
    return document;
  } catch (const Json::parse_error& error) {
    const auto at = std::min(static_cast<std::uint32_t>(error.byte > 0 ? error.byte - 1 : 0), size);
    const bool is_end = at >= size;
    report_document(console, sources, {file, is_end && size > 0 ? size - 1 : at, is_end ? size : at + 1}, path,
                    is_end ? "it ends too early" : "it is no JSON", is_end ? "the end" : "not expected here");
  } catch (const TooDeep&) {
    report_document(console, sources, {}, path, "it is nested too deeply", "");
  } catch (const TooMany&) {
    report_document(console, sources, {}, path, fmt::format("an object of it has more than {} keys", most_keys), "");
  } catch (const NoResult& reason) {
    report_document(console, sources, {}, path, reason.why, "");
  } catch (const Json::exception&) {
    report_document(console, sources, {}, path, "it holds a number that is too large", "");
  }
  return std::nullopt;
}

}  // namespace wave::cli
