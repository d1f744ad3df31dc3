// See given_files.h.
#include "cli/given_files.h"

#include "cli/session.h"
#include "frontend/lower/given.h"
#include "frontend/source/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace wave::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 16;

// A word, or a number with or without a unit, as Wave writes it; anything else as a string.
std::string expression_of(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const bool is_word = !text.empty() && is_letter(text.front()) &&
                       std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
  if (is_word || (!text.empty() && is_digit(text.front()))) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= ' ') quoted += c;
  }
  return quoted + "\"";
}

// Nothing for what is no value of a parameter.
std::optional<std::string> expression_of(const Json& value) {
  if (value.is_string()) return expression_of(value.get<std::string>());
  if (value.is_boolean() || value.is_number()) return value.dump();
  if (!value.is_array()) return std::nullopt;
  std::string list;
  for (const Json& element : value) {
    const auto one = element.is_array() ? std::nullopt : expression_of(element);
    if (!one) return std::nullopt;
    list += (list.empty() ? "" : ", ") + *one;
  }
  return "[" + list + "]";
}

// Keys as command lines write them, `hidden-size`, are names as well.
std::string path_of(const std::string& outer, std::string key) {
  std::replace(key.begin(), key.end(), '-', '_');
  return outer.empty() ? key : outer + "." + key;
}

void add_values(const Json& object, const std::string& outer, int depth, std::vector<std::string>& into) {
  for (const auto& [key, value] : object.items()) {
    const std::string path = path_of(outer, key);
    if (value.is_object() && depth < deepest) add_values(value, path, depth + 1, into);
    const auto expression = expression_of(value);
    if (expression && frontend::is_path(path))
      into.push_back(std::string(1, frontend::if_there) + path + "=" + *expression);
  }
}

bool is_of_file(const std::string& given) { return !given.empty() && given.front() == frontend::if_there; }

std::string name_of(const std::string& given) {
  const std::string plain = is_of_file(given) ? given.substr(1) : given;
  return plain.substr(0, plain.find('='));
}

// A program that asks through the library has no pipes to give. Returns what is wrong, or nothing.
std::string read_values(const std::string& path, bool is_asked, std::vector<std::string>& into) {
  const auto read = is_asked ? frontend::read_plain_file : frontend::read_file;
  const frontend::FileText file = read(path, frontend::largest_data_file);
  if (!file.ok) return fmt::format("cannot read `{}`: {}", path, file.text);
  try {
    const Json document = Json::parse(file.text);
    if (!document.is_object()) return fmt::format("`{}` is no JSON object of names and values", path);
    add_values(document, "", 0, into);
  } catch (const Json::exception& error) {
    return fmt::format("`{}` is not JSON: {}", path, error.what());
  }
  return "";
}

}  // namespace

int read_given_files(const CommonOptions& options, Console& console) {
  for (std::vector<std::string>* const list : options.given) {
    std::vector<std::string> all;
    for (const std::string& one : *list) {
      if (one.rfind('@', 0) != 0) {
        all.push_back(one);
        continue;
      }
      const std::string wrong = read_values(one.substr(1), options.client != nullptr, all);
      if (!wrong.empty())
        return report_misuse(console, wrong,
                             "`-D @FILE` takes an object of names and values, as other programs write them");
    }
    // What is written on the command line stands above the files, and a later file above an earlier one.
    std::set<std::string> written;
    std::map<std::string, std::size_t> last;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_of_file(all[i]))
        last[name_of(all[i])] = i;
      else
        written.insert(name_of(all[i]));
    }
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_over = !is_of_file(all[i]) || (last[name_of(all[i])] == i && !written.contains(name_of(all[i])));
      if (is_over) kept.push_back(all[i]);
    }
    *list = std::move(kept);
  }
  return success;
}

void say_what_is_passed_over(Session& session, const frontend::Item& model) {
  std::string names;
  for (const std::vector<std::string>* const list : session.options().given) {
    for (const std::string& one : *list) {
      if (!is_of_file(one)) continue;
      const std::string path = name_of(one);
      if (!frontend::has_parameter(session.program(), model, path)) names += (names.empty() ? "" : ", ") + path;
    }
  }
  if (!names.empty())
    session.console().remark(fmt::format("not parameters of `{}`, so passed over: {}\n", model.name.text, names));
}

}  // namespace wave::cli
