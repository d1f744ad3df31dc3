// See models.h.
#include "api/python/extension/models.h"

#include <sstream>

namespace wave::python {
namespace {

py::object number(int cell, int is_known, double value) {
  if (!is_known) return py::none();
  if (cell == WAVE_INTEGER) return py::int_(static_cast<std::int64_t>(value));
  if (cell == WAVE_BOOLEAN) return py::bool_(value != 0);
  return py::float_(value);
}

std::vector<std::string> lines(const char* text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

Fields described(const wave_parameter_info& info) {
  Fields all;
  all["name"] = info.name;
  all["type"] = info.type;
  all["doc"] = info.doc;
  all["source"] = info.source;
  all["unit"] = info.unit;
  all["default_text"] = info.default_text;
  all["range_text"] = info.range_text;
  all["words"] = py::tuple(py::cast(lines(info.words)));
  all["cell"] = info.cell;
  all["dimension"] = py::make_tuple(info.time, info.data, info.work);
  all["value"] = number(info.cell, info.has_value, info.value);
  all["default"] = number(info.cell, info.has_default, info.default_value);
  all["lower"] = number(info.cell, info.has_lower, info.lower);
  all["upper"] = number(info.cell, info.has_upper, info.upper);
  return all;
}

// Scalars of numpy, and numbers such as fractions, as a float, an int, a bool or a str. Arrays could be converted, too,
// if they have one element.
py::object plain(const std::string& name, const py::object& value) {
  const bool is_scalar = !py::hasattr(value, "ndim") || py::int_(value.attr("ndim")).cast<int>() == 0;
  if (is_scalar && py::hasattr(value, "item")) {
    py::object item = value.attr("item")();
    if (!item.get_type().is(py::type::of(value))) return item;
  }
  if (is_scalar && PyIndex_Check(value.ptr())) return py::int_(value);
  if (is_scalar && py::hasattr(value, "__float__")) return py::float_(value);
  throw py::type_error("the value of `" + name + "` is of type " + Py_TYPE(value.ptr())->tp_name +
                       "; it takes a number, a truth value, or a str");
}

}  // namespace

Handle<wave_context> context_of(const Options& settings) {
  Handle<wave_context> context;
  checked([&](auto error) { return wave_context_create(Into(context), error); });
  for (const auto& [option, value] : settings)
    checked([&](auto error) { return wave_set(context.get(), option.c_str(), value.c_str(), error); });
  return context;
}

Program::Program(const Options& settings, const std::string& name, const std::optional<std::string>& text,
                 const std::map<std::string, std::string>& modules) {
  const auto context = context_of(settings);
  std::vector<wave_module> all;
  for (const auto& [module, source] : modules) all.push_back({module.c_str(), source.c_str()});
  checked_aside([&](auto error) {
    return wave_program_load(context.get(), name.c_str(), text_or_null(text), all.data(), all.size(), Into(program_),
                             error);
  });
}

wave_program_info Program::info() const {
  wave_program_info info{};
  info.size = sizeof info;
  checked_aside([&](auto error) { return wave_program_describe(get(), &info, error); });
  return info;
}

std::vector<std::string> Program::models() const { return lines(info().models); }

Model::Model(Program& program, const std::optional<std::string>& name) {
  checked_aside([&](auto error) { return wave_model_open(program.get(), text_or_null(name), Into(model_), error); });
}

std::vector<Fields> Model::parameters() {
  std::size_t count = 0;
  checked_aside([&](auto error) { return wave_model_parameter_count(get(), &count, error); });
  std::vector<Fields> all(count);
  for (std::size_t i = 0; i < all.size(); ++i) {
    wave_parameter_info parameter{};
    parameter.size = sizeof parameter;
    checked_aside([&](auto error) { return wave_model_parameter(get(), i, &parameter, error); });
    all[i] = described(parameter);
  }
  return all;
}

Result Model::outputs() {
  MadeResult result;
  checked_aside([&](auto error) { return wave_model_outputs(get(), Into(result), error); });
  return Result(std::move(result));
}

// A text for a parameter that is one; all others take expressions.
bool Model::set_text(const std::string& name, const std::string& value) {
  if (name.find('\0') != std::string::npos || value.find('\0') != std::string::npos)
    throw py::value_error("`" + name.substr(0, name.find('\0')) + "` or its value has a zero character in it");
  bool is_text = false;
  checked_aside([&](auto error) {
    is_text = wave_model_set_text(get(), name.c_str(), value.c_str(), nullptr) == WAVE_OK;
    return is_text ? WAVE_OK : wave_model_set(get(), name.c_str(), value.c_str(), error);
  });
  return !is_text;
}

// libwave takes 0 and 1 for whole numbers as well, so an expression is tried first.
void Model::set_truth(const std::string& name, bool value) {
  checked_aside([&](auto error) {
    if (truths_.count(name) == 0) {
      const wave_status status = wave_model_set(get(), name.c_str(), value ? "true" : "false", error);
      if (status != WAVE_OK) return status;
    }
    return wave_model_set_integer(get(), name.c_str(), value ? 1 : 0, error);
  });
  truths_.insert(name);
}

bool Model::set(const std::string& name, const py::object& value) {
  PyObject* const object = value.ptr();
  if (PyUnicode_Check(object)) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (!text) throw py::error_already_set();
    return set_text(name, {text, static_cast<std::size_t>(size)});
  }
  if (PyBool_Check(object)) {
    set_truth(name, object == Py_True);
  } else if (PyFloat_Check(object)) {
    const double real = PyFloat_AS_DOUBLE(object);
    checked_aside([&](auto error) { return wave_model_set_real(get(), name.c_str(), real, error); });
  } else if (PyLong_Check(object)) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow != 0) throw py::value_error("the value of `" + name + "` does not fit into 64 bits");
    checked_aside([&](auto error) { return wave_model_set_integer(get(), name.c_str(), whole, error); });
  } else {
    return set(name, plain(name, value));
  }
  return false;
}

std::tuple<Result, MaybeError> Model::run() {
  MadeResult result;
  std::optional<Failed> failed;
  try {
    runs_.make([&](auto error) { return wave_model_run(get(), Into(result), error); }, [&] { wave_stop(get()); });
  } catch (const Failed& thrown) {
    if (!result) throw;
    failed = thrown;
  }
  return {Result(std::move(result)), failed ? failed->object() : MaybeError(py::none())};
}

Result Model::explain(int what, const std::vector<std::string>& names) {
  std::vector<const char*> all;
  for (const auto& name : names) all.push_back(name.c_str());
  MadeResult result;
  interruptible(
      [&](auto error) { return wave_model_explain(get(), what, all.data(), all.size(), Into(result), error); },
      [&] { wave_stop(get()); });
  return Result(std::move(result));
}

}  // namespace wave::python
