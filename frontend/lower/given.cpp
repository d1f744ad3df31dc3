// See given.h.
#include "frontend/lower/given.h"

#include "base/text.h"
#include "frontend/check/type_tools.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>

namespace wave::frontend {
namespace {

// The name of the text in diagnostics.
constexpr const char* source_name = "-D";

struct GivenValue {
  std::string path;
  std::string expression;
  Location path_location;
};

// Splits at the first `=`.
std::optional<GivenValue> split(Program& program, const std::string& text, Diagnostics& diagnostics) {
  const std::uint32_t file = program.sources.add(source_name, text);
  const auto equals = text.find('=');
  const auto whole = Location{file, 0, static_cast<std::uint32_t>(text.size())};
  if (equals == std::string::npos) {
    auto& d = diagnostics.add(DiagnosticKind::malformed_override, whole, fmt::format("`-D {}` gives no value", text),
                              "no `=` here");
    d.help.push_back("write it as `-D name=expression`, for example `-D n=8` or `-D net.L=\"5 us\"`");
    return std::nullopt;
  }
  const std::string path = trim(text.substr(0, equals));
  const auto begin = static_cast<std::uint32_t>(text.find_first_not_of(" \t"));
  const auto path_location = Location{file, begin, begin + static_cast<std::uint32_t>(path.size())};
  if (!is_path(path)) {
    auto& d = diagnostics.add(DiagnosticKind::malformed_override, path.empty() ? whole : path_location,
                              fmt::format("`{}` is no name of a parameter", path), "expected a name");
    d.help.push_back("a parameter is named as in `-D n=8`, one inside another as in `-D net.L=\"5 us\"`");
    return std::nullopt;
  }
  const std::string expression = trim(text.substr(equals + 1));
  if (expression.empty()) {
    diagnostics.add(DiagnosticKind::malformed_override, whole, fmt::format("`{}` is given no value", path),
                    "an expression is missing after `=`");
    return std::nullopt;
  }
  return GivenValue{path, expression, path_location};
}

}  // namespace

bool is_path(const std::string& text) {
  bool at_start = true;  // of a name
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '.') {
      if (at_start) return false;
      at_start = true;
    } else {
      if (!(std::isalpha(u) || c == '_' || (!at_start && std::isdigit(u)))) return false;
      at_start = false;
    }
  }
  return !text.empty() && !at_start;
}

bool has_parameter(const Program& program, const Item& owner, const std::string& path) {
  Diagnostics ignored;
  return parameter_type(program, owner, path, {}, ignored) != nullptr;
}

std::vector<Override> check_given(Program& program, const Item& owner, const std::vector<std::string>& given,
                                  Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  std::map<std::string, Location> seen;
  LateExpressions expressions(program, diagnostics);
  for (const auto& written : given) {
    const bool is_optional = !written.empty() && written.front() == if_there;
    const std::string text = is_optional ? written.substr(1) : written;
    if (is_optional && !has_parameter(program, owner, text.substr(0, text.find('=')))) continue;
    const auto one = split(program, text, diagnostics);
    if (!one) continue;
    const auto [earlier, is_new] = seen.emplace(one->path, one->path_location);
    if (!is_new) {
      auto& d = diagnostics.add(DiagnosticKind::repeated_override, one->path_location,
                                fmt::format("`{}` is given twice", one->path), "given again here");
      d.labels.push_back({earlier->second, "given here already"});
      continue;
    }
    const auto type = parameter_type(program, owner, one->path, one->path_location, diagnostics);
    if (type == nullptr) continue;
    const bool is_bare = is_optional && check::as<types::String>(type) && one->expression.front() != '"';
    const std::string expression = is_bare ? "\"" + one->expression + "\"" : one->expression;
    auto value = expressions.check(&owner, fmt::format("-D {}", one->path), expression, type);
    if (value != nullptr) overrides.push_back({one->path, std::move(value), one->path_location});
  }
  return overrides;
}

}  // namespace wave::frontend
