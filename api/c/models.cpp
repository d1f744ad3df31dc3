// See models.h.
#include "api/c/models.h"

#include "backend/limits.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::api {
namespace {

using frontend::DiagnosticKind;
namespace types = frontend::types;

// A quantity as an expression of its dimension: "5.0*(1 us)/(1 B)" for any dimension. Which one it is does not matter
// where it is bound.
std::string real_text(double base, frontend::Dimension dimension) {
  std::string text = fmt::format("({:.17e})", base);
  const auto times = [&](int exponent, const char* unit) {
    for (int i = 0; i < std::abs(exponent); ++i) text += fmt::format("{}(1 {})", exponent > 0 ? "*" : "/", unit);
  };
  times(dimension.time, "ps");
  times(dimension.data, "B");
  times(dimension.work, "flop");
  return text;
}

std::string string_literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      result += c == '\n' ? "\\n" : "\\t";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string text_of(const Number& number, const frontend::TypeRef& type) {
  if (const auto* real = std::get_if<double>(&number)) {
    const auto* quantity = std::get_if<types::Real>(&type->kind);
    return real_text(*real, quantity ? quantity->dimension : frontend::Dimension{});
  }
  if (const auto* whole = std::get_if<std::int64_t>(&number)) {
    const auto* choice = std::get_if<types::Choice>(&type->kind);
    if (choice) return choice->words[static_cast<std::size_t>(*whole)];
    const bool is_least = *whole == std::numeric_limits<std::int64_t>::min();  // whose digits alone are too many
    return is_least ? fmt::format("({} - 1)", *whole + 1) : fmt::format("({})", *whole);
  }
  if (const auto* truth = std::get_if<bool>(&number)) return *truth ? "true" : "false";
  return string_literal(std::get<std::string>(number));
}

ir::Scalar Prepared::scalar(const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return ir::Scalar::of(*real);
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return ir::Scalar::of(*whole);
  if (const auto* truth = std::get_if<bool>(&number)) return ir::Scalar::of(*truth);
  auto& all = lowered.words;
  const auto& text = std::get<std::string>(number);
  const auto at = std::find(all.begin(), all.end(), text) - all.begin();
  if (static_cast<std::size_t>(at) == all.size()) {
    all.push_back(text);
    words.reset();
  }
  return ir::Scalar::of(static_cast<std::int64_t>(at));
}

Words Prepared::current_words() {
  if (!words) words = std::make_shared<const std::vector<std::string>>(lowered.words);
  return words;
}

frontend::LoweringOptions lowering_options(const backend::Limits& limits) {
  frontend::LoweringOptions options;
  options.is_over = [limits] { return backend::is_over(limits); };
  return options;
}

frontend::TypeRef Model::type_of(const std::string& path) {
  const auto known = types.find(path);
  if (known != types.end()) return known->second;
  const auto lock = program->reading();
  frontend::Diagnostics diagnostics;
  frontend::TypeRef type;
  read_within(limits_of(settings, nullptr),
              [&] { type = parameter_type(program->program(), item, path, {}, diagnostics); });
  if (!type) fail(program->program().sources, diagnostics);
  return types[path] = type;
}

void Model::set(const std::string& path, Value value) {
  type_of(path);  // the name as it is: nothing around it, and no `=`
  if (const auto* expression = std::get_if<Expression>(&value)) {
    const auto lock = program->reading();
    program->check_given(item, path + "=" + expression->text);
  }
  const auto found = values.find(path);
  const bool is_number = std::holds_alternative<Number>(value);
  const bool was_number = found != values.end() && std::holds_alternative<Number>(found->second);
  values[path] = std::move(value);
  parameters.reset();
  const bool has_errors = prepared && prepared->diagnostics.has_errors();  // which other numbers may not have
  if (!is_number || !was_number || has_errors) forget();
}

void Model::unset(const char* path) {
  if (path && values.erase(path) == 0) {
    type_of(path);  // refuses what is no parameter
    return;
  }
  if (!path) values.clear();
  forget();
}

void Model::set_option(const std::string& option, const std::string& value) {
  const std::lock_guard lock(mutex);
  if (!settings.set_limit(option, value)) refuse_option(option, {"time-limit", "memory-limit"});
}

void Model::forget() {
  prepared.reset();
  parameters.reset();
}

std::shared_ptr<Prepared> Model::lower(const std::map<std::string, frontend::TypeRef>& of_numbers, StandIns stand_ins,
                                       const backend::Limits& limits) {
  auto made = std::make_shared<Prepared>();
  std::vector<std::string> texts;
  std::map<std::string, std::string> used;
  for (const auto& [path, value] : values) {
    if (const auto* expression = std::get_if<Expression>(&value)) {
      texts.push_back(path + "=" + expression->text);
      program->check_given(item, texts.back());
      continue;
    }
    std::string text = stand_ins == StandIns::known ? program->known_stand_in(item, path) : "";
    if (text.empty()) text = text_of(std::get<Number>(value), of_numbers.at(path));
    program->check_stand_in(item, path, text);
    texts.push_back(stand_in_name(path, text));
    used[path] = text;
  }
  read_within(limits, [&] {
    program->with_overrides(item, texts, [&](const auto& overrides) {
      made->lowered = lower_model(program->program(), item, overrides, made->diagnostics, lowering_options(limits));
    });
  });
  if (!made->diagnostics.has_errors()) program->remember_stand_ins(item, used);
  return made;
}

Prepared& Model::prepare(const backend::Limits& limits) {
  if (prepared) return *prepared;
  std::map<std::string, frontend::TypeRef> of_numbers;
  for (const auto& [path, value] : values) {
    if (std::holds_alternative<Number>(value)) of_numbers[path] = type_of(path);
  }
  std::shared_ptr<Prepared> made;
  {
    const auto lock = program->reading();
    made = lower(of_numbers, StandIns::known, limits);
    // A value that did well for others may not do here.
    if (made->diagnostics.has_errors()) made = lower(of_numbers, StandIns::own, limits);
    const auto& outputs = made->lowered.outputs;
    const bool some_failed =
        std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.failed.has_value(); });
    if (made->diagnostics.has_errors() && !some_failed) fail(program->program().sources, made->diagnostics);
  }
  for (const auto& info : made->lowered.parameters) {
    const auto value = values.find(info.path);
    if (value == values.end() || !std::holds_alternative<Number>(value->second) || !info.definition.valid()) continue;
    if (made->lowered.system[info.definition].bindable) made->bound[info.path] = info.definition;
  }
  if (!made->bound.empty()) {
    for (auto& [site, note] : made->lowered.notes) note.constants.clear();  // they are those of the first values
  }
  made->engine = engine_of(settings, made->lowered.system);
  prepared = std::move(made);
  return *prepared;
}

std::vector<backend::Binding> Model::bindings(Prepared& prepared) const {
  std::vector<backend::Binding> all;
  for (const auto& [path, definition] : prepared.bound)
    all.emplace_back(definition, prepared.scalar(std::get<Number>(values.at(path))));
  return all;
}

std::vector<std::string> Model::given_texts() {
  std::vector<std::string> texts;
  for (const auto& [path, value] : values) {
    const auto* expression = std::get_if<Expression>(&value);
    texts.push_back(path + "=" + (expression ? expression->text : text_of(std::get<Number>(value), type_of(path))));
  }
  return texts;
}

void with_model(Model& model, const std::function<void(const backend::Limits& limits)>& work) {
  const std::lock_guard lock(model.mutex);
  model.is_stopped = false;
  try {
    work(limits_of(model.settings, &model.is_stopped));
  } catch (const frontend::GivenUp&) {
    if (model.is_stopped) stop();
    throw;
  } catch (const Failed& failed) {
    if (model.is_stopped && failed.error->status == WAVE_LIMIT) stop();
    throw;
  }
}

bool are_lowered_later(const std::vector<analysis::Variable>& variables) {
  return std::any_of(variables.begin(), variables.end(), [](const auto& one) { return one.shapes; });
}

}  // namespace wave::api
