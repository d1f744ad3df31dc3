// Writes the file of a model with fitted values as its defaults. See fit_reports.h.
#include "analysis/machine_fit/machine_names.h"
#include "cli/studies/fit_reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
namespace item = frontend::item;

struct Edit {
  std::uint32_t begin = 0, end = 0;
  std::string text;
};

const frontend::Item* parameter_named(const frontend::Item& model, const std::string& name) {
  for (const auto& member : std::get<item::Model>(model.node).members) {
    if (member->name.text == name && std::holds_alternative<item::Param>(member->node)) return member.get();
  }
  return nullptr;
}

// `L = 5 us` among the arguments of `SP2()`, of which `argument` may be one.
std::optional<Edit> edit_call(const frontend::Expr& call_location, const std::string& argument,
                              const std::string& value) {
  const auto* call = std::get_if<frontend::expr::Call>(&call_location.node);
  if (call == nullptr || argument.find('.') != std::string::npos) return std::nullopt;
  for (const auto& one : call->arguments) {
    if (one.name && one.name->text == argument) return Edit{one.value->location.begin, one.value->location.end, value};
  }
  const std::uint32_t before_bracket = call_location.location.end - 1;
  return Edit{before_bracket, before_bracket,
              fmt::format("{}{} = {}", call->arguments.empty() ? "" : ", ", argument, value)};
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// Behind the range of a parameter, or its default where it has none: `0 us..` has dots that belong to no expression.
std::size_t end_of_range(std::string_view text, const item::Param& param) {
  if (!param.has_range) return param.default_value->location.end;
  if (param.upper) return param.upper->location.end;
  const std::size_t dots = skip_blanks(text, param.lower->location.end);
  return text.substr(dots, 2) == ".." ? dots + 2 : param.lower->location.end;
}

// The source of the value, which replaces the old one.
Edit edit_source(std::string_view text, const item::Param& param, const std::string& source) {
  const std::size_t end = end_of_range(text, param);
  const std::size_t word = skip_blanks(text, end);
  const std::size_t quote = text.substr(word, 4) == "from" ? skip_blanks(text, word + 4) : text.size();
  const auto location = static_cast<std::uint32_t>(end);
  if (!param.source || quote >= text.size() || text[quote] != '"') return {location, location, " from " + source};
  std::size_t last = quote + 1;
  while (last < text.size() && text[last] != '"') last += text[last] == '\\' ? 2 : 1;
  return {static_cast<std::uint32_t>(quote), static_cast<std::uint32_t>(std::min(last + 1, text.size())), source};
}

// The fitted value, and where it is from. Nothing where there is no default to replace.
std::vector<Edit> edits_of(const ModelFitReport& report, std::size_t p, std::string_view text,
                           const std::string& source) {
  const std::string& path = report.open.parameters[p].name;
  const std::string value = value_of(report, p, true);
  const auto dot = path.find('.');
  const frontend::Item* parameter = parameter_named(*report.open.measured.model, path.substr(0, dot));
  if (parameter == nullptr) return {};
  const auto& param = std::get<item::Param>(parameter->node);
  if (!param.default_value) return {};
  if (dot != std::string::npos) {
    auto edit = edit_call(*param.default_value, path.substr(dot + 1), value);
    return edit ? std::vector<Edit>{std::move(*edit)} : std::vector<Edit>{};
  }
  const auto location = param.default_value->location;
  return {{location.begin, location.end, value}, edit_source(text, param, source)};
}

}  // namespace

std::optional<std::string> rewrite_model(const ModelFitReport& report, frontend::Diagnostics& diagnostics) {
  const auto& program = report.session.program();
  const std::uint32_t file = program.main().file;
  const std::string source = analysis::machine_fit::quoted("fitted to " + report.open.measured.file);
  std::vector<Edit> edits;
  for (std::size_t p = 0; p < report.open.parameters.size(); ++p) {
    const bool is_here = report.open.measured.model->location.file == file;
    const auto found = is_here ? edits_of(report, p, program.sources.text(file), source) : std::vector<Edit>{};
    if (found.empty()) {
      diagnostics
          .add(DiagnosticKind::cannot_write, report.open.measured.model->name.location,
               fmt::format("`{}` has no default in this file that could be replaced", report.open.parameters[p].name),
               "of this model")
          .help.push_back(fmt::format("without `--output`, `-D \"{}={}\"` is what to give",
                                      report.open.parameters[p].name, value_of(report, p, true)));
      return std::nullopt;
    }
    edits.insert(edits.end(), found.begin(), found.end());
  }
  // From the end, so that locations stay what they are.
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  std::string text(program.sources.text(file));
  for (std::size_t i = 0; i < edits.size(); ++i) {
    Edit edit = edits[i];
    // Two arguments that are added to one call.
    const bool joins = edit.begin == edit.end && i + 1 < edits.size() && edits[i + 1].begin == edit.begin &&
                       edits[i + 1].end == edit.end;
    if (joins && edit.text.rfind(", ", 0) != 0) edit.text = ", " + edit.text;
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
  }
  if (report.session.load_aside(text) != nullptr) return text;
  diagnostics.add(DiagnosticKind::cannot_write, report.open.measured.model->name.location,
                  "the model would have errors with the fitted values as its defaults", "this model");
  return std::nullopt;
}

}  // namespace wave::cli
