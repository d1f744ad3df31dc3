// Opening and setting models: the calls of models.h.
#include "api/c/columns.h"
#include "api/c/models.h"
#include "api/c/parameters.h"
#include "api/c/results.h"
#include "frontend/check/modules.h"

#include <cmath>

namespace wave::api {
namespace {

using frontend::DiagnosticKind;
namespace types = frontend::types;

const frontend::Item& chosen_model(LoadedProgram& program, const std::string& name) {
  if (const frontend::Item* model = program.choose_model(name)) return *model;
  const std::string all = frontend::quoted_list(program.model_names);
  if (program.model_names.empty())
    fail(WAVE_FAILED, DiagnosticKind::nothing_to_run, "nothing to run: " + program.name + " declares no model");
  if (name.empty())
    fail(WAVE_FAILED, DiagnosticKind::which_model, program.name + " has several models", "name one of them: " + all);
  const std::string near = frontend::nearest(name, program.model_names);
  fail(WAVE_FAILED, DiagnosticKind::unknown_model, program.name + " has no model `" + name + "`",
       near.empty() ? "its models are " + all : frontend::did_you_mean({near}));
}

[[noreturn]] void refuse_value(const std::string& path, const frontend::TypeRef& type, const char* what) {
  throw Misuse{"`" + path + "` is of type " + to_string(*type) + ", and takes no " + what,
               cell_of(type) == WAVE_OTHER ? "give an expression: wave_model_set()" : ""};
}

Number real_number(const std::string& path, const frontend::TypeRef& type, double value) {
  if (cell_of(type) == WAVE_INTEGER && is_whole(value)) return static_cast<std::int64_t>(value);
  if (cell_of(type) != WAVE_REAL) refuse_value(path, type, "real number");
  if (!std::isfinite(value)) throw Misuse{"the value of `" + path + "` is no finite number"};
  return head_of({path, type, {}}).scale.base(value);
}

Number whole_number(const std::string& path, const frontend::TypeRef& type, std::int64_t value) {
  if (cell_of(type) == WAVE_INTEGER) return value;
  if (cell_of(type) == WAVE_BOOLEAN && (value == 0 || value == 1)) return value == 1;
  if (cell_of(type) != WAVE_REAL) refuse_value(path, type, "whole number");
  return real_number(path, type, static_cast<double>(value));
}

Number word(const std::string& path, const frontend::TypeRef& type, const std::string& value) {
  if (cell_of(type) != WAVE_TEXT) refuse_value(path, type, "text");
  const auto* const choice = std::get_if<types::Choice>(&type->kind);
  if (!choice) {
    if (value.find('\r') != std::string::npos || frontend::find_no_text(value))
      throw Misuse{"the value of `" + path + "` is no text in UTF-8 without carriage returns"};
    return value;
  }
  for (std::size_t i = 0; i < choice->words.size(); ++i) {
    if (choice->words[i] == value) return static_cast<std::int64_t>(i);
  }
  throw Misuse{"the value of `" + path + "` is `" + value + "`",
               "it takes one of " + frontend::quoted_list(choice->words)};
}

// Sets a parameter to the number that `make` gives for its type.
template <class Make>
wave_status set_number(wave_model* model, const char* name, wave_error** error, const Make& make) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(name, "name");
    with_model(*found, [&](const backend::Limits&) { found->set(name, make(found->type_of(name))); });
  });
}

// The outputs without rows.
std::shared_ptr<Result> declared_outputs(Model& model, const backend::Limits& limits) {
  auto result = std::make_shared<Result>();
  for (const auto& info : model.prepare(limits).lowered.outputs) {
    Table& table = result->tables.emplace_back(failed_table(info, ""));
    for (const auto& column : info.columns) table.columns.emplace_back(head_of(column));
  }
  return result;
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;
using wave::backend::Limits;

extern "C" {

wave_status wave_model_open(wave_program* program, const char* name, wave_model** model, wave_error** error) {
  return call(error, [&] {
    const auto found = get<LoadedProgram>(program, "program");
    need(model, "model");
    const auto& item = chosen_model(*found, name ? name : "");
    *model = open_handle<wave_model>(std::make_shared<Model>(found, item, name ? name : item.name.text));
  });
}

wave_status wave_model_parameter_count(wave_model* model, size_t* count, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(count, "count");
    with_model(*found, [&](const Limits& limits) { *count = found->prepare(limits).lowered.parameters.size(); });
  });
}

wave_status wave_model_parameter(wave_model* model, size_t index, wave_parameter_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(info, "info");
    with_model(*found, [&](const Limits& limits) {
      if (!found->parameters) found->parameters = std::make_shared<const ParameterList>(*found, limits);
      need_index(index, found->parameters->all().size(), "index");
      fill(info, found->parameters->all()[index], "info");
    });
  });
}

wave_status wave_model_outputs(wave_model* model, wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(result, "result");
    with_model(*found,
               [&](const Limits& limits) { *result = open_handle<wave_result>(declared_outputs(*found, limits)); });
  });
}

wave_status wave_model_set(wave_model* model, const char* name, const char* expression, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    if (expression) need(name, "name");
    with_model(*found, [&](const Limits&) {
      if (expression)
        found->set(name, Expression{expression});
      else
        found->unset(name);
    });
  });
}

wave_status wave_model_set_real(wave_model* model, const char* name, double value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) { return real_number(name, type, value); });
}

wave_status wave_model_set_integer(wave_model* model, const char* name, int64_t value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) { return whole_number(name, type, value); });
}

wave_status wave_model_set_text(wave_model* model, const char* name, const char* value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) {
    need(value, "value");
    return word(name, type, value);
  });
}

}  // extern "C"
