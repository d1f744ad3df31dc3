// Opening and setting models: the calls of models.h.
#include "api/c/columns.h"
#include "api/c/models.h"
#include "api/c/parameters.h"
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
std::shared_ptr<const std::vector<Table>> declared_outputs(Model& model, const backend::Limits& limits) {
  if (model.outputs) return model.outputs;
  auto tables = std::make_shared<std::vector<Table>>();
  for (const auto& info : model.prepare(limits).lowered.outputs) {
    Table& table = tables->emplace_back(failed_table(info, ""));
    for (const auto& column : info.columns) table.columns.emplace_back(head_of(column));
  }
  return model.outputs = std::move(tables);
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

wave_status wave_model_name(const wave_model* model, const char** name, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(name, "name");
    *name = found->name.c_str();
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

wave_status wave_model_output_count(wave_model* model, size_t* count, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(count, "count");
    with_model(*found, [&](const Limits& limits) { *count = declared_outputs(*found, limits)->size(); });
  });
}

wave_status wave_model_output(wave_model* model, size_t index, wave_output_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(info, "info");
    with_model(*found, [&](const Limits& limits) {
      const auto outputs = declared_outputs(*found, limits);
      need_index(index, outputs->size(), "index");
      fill(info, (*outputs)[index].info(), "info");
    });
  });
}

wave_status wave_model_output_column(wave_model* model, size_t index, size_t column, wave_column_info* info,
                                     wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(info, "info");
    with_model(*found, [&](const Limits& limits) {
      const auto outputs = declared_outputs(*found, limits);
      need_index(index, outputs->size(), "index");
      need_index(column, (*outputs)[index].columns.size(), "column");
      fill(info, (*outputs)[index].columns[column].head.info(), "info");
    });
  });
}

wave_status wave_model_set(wave_model* model, const char* name, const char* expression, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    need(name, "name");
    need(expression, "expression");
    with_model(*found, [&](const Limits&) { found->set(name, Expression{expression}); });
  });
}

wave_status wave_model_set_real(wave_model* model, const char* name, double value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) { return real_number(name, type, value); });
}

wave_status wave_model_set_integer(wave_model* model, const char* name, int64_t value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) { return whole_number(name, type, value); });
}

wave_status wave_model_set_boolean(wave_model* model, const char* name, int value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) {
    if (cell_of(type) != WAVE_BOOLEAN) refuse_value(name, type, "truth value");
    return Number(value != 0);
  });
}

wave_status wave_model_set_text(wave_model* model, const char* name, const char* value, wave_error** error) {
  return set_number(model, name, error, [&](const auto& type) {
    need(value, "value");
    return word(name, type, value);
  });
}

wave_status wave_model_unset(wave_model* model, const char* name, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    with_model(*found, [&](const Limits&) {
      if (name && found->values.erase(name) == 0) {
        found->type_of(name);  // refuses what is no parameter
        return;
      }
      if (!name) found->values.clear();
      found->forget();
    });
  });
}

wave_status wave_model_set_limits(wave_model* model, double seconds, uint64_t bytes, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    checked_seconds(seconds, "seconds");
    checked_bytes(bytes, "bytes");
    with_model(*found, [&](const Limits&) {
      found->settings.seconds = seconds;
      found->settings.memory_bytes = bytes;
    });
  });
}

wave_status wave_model_stop(wave_model* model) {
  return call(nullptr, [&] { get<Model>(model, "model")->is_stopped = true; });
}

wave_status wave_model_close(wave_model* model) { return close<Model>(model, "model"); }

}  // extern "C"
