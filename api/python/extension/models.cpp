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

py::tuple lines(const char* text) {
  py::list all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.append(line);
  return py::tuple(all);
}

py::dict described(const wave_parameter_info& info) {
  py::dict all;
  all["name"] = info.name;
  all["type"] = info.type;
  all["doc"] = info.doc;
  all["source"] = info.source;
  all["unit"] = info.unit;
  all["default_text"] = info.default_text;
  all["range_text"] = info.range_text;
  all["words"] = lines(info.words);
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
py::object plain(const std::string& name, const py::handle& value) {
  const bool is_scalar = !py::hasattr(value, "ndim") || py::int_(value.attr("ndim")).cast<int>() == 0;
  if (is_scalar && py::hasattr(value, "item")) {
    py::object item = value.attr("item")();
    if (!item.get_type().is(py::type::of(value))) return item;
  }
  if (is_scalar && PyIndex_Check(value.ptr())) return py::int_(py::reinterpret_borrow<py::object>(value));
  if (is_scalar && py::hasattr(value, "__float__")) return py::float_(py::reinterpret_borrow<py::object>(value));
  throw py::type_error("the value of `" + name + "` is of type " + Py_TYPE(value.ptr())->tp_name +
                       "; it takes a number, a truth value, or a str");
}

}  // namespace

ContextHandle context_of(const Settings& settings) {
  ContextHandle context;
  checked([&](auto error) { return wave_context_create(Into(context), error); });
  auto* const made = context.get();
  if (settings.environment) checked([&](auto error) { return wave_context_use_environment(made, error); });
  for (const auto& folder : settings.folders)
    checked([&](auto error) { return wave_context_add_folder(made, folder.c_str(), error); });
  checked([&](auto error) { return wave_context_set_time_limit(made, settings.seconds, error); });
  checked([&](auto error) { return wave_context_set_memory_limit(made, settings.memory, error); });
  checked([&](auto error) { return wave_context_set_threads(made, settings.threads, error); });
  checked([&](auto error) { return wave_context_set_engine(made, settings.engine, error); });
  checked([&](auto error) { return wave_context_set_shortcuts(made, settings.shortcuts ? 1 : 0, error); });
  return context;
}

Program::Program(const Settings& settings, const std::string& file) {
  const ContextHandle context = context_of(settings);
  checked_aside([&](auto error) { return wave_program_load(context.get(), file.c_str(), Into(program_), error); });
}

Program::Program(const Settings& settings, const std::string& name, const std::string& text,
                 const std::map<std::string, std::string>& modules) {
  const ContextHandle context = context_of(settings);
  std::vector<wave_module> all;
  for (const auto& [module, source] : modules) all.push_back({module.c_str(), source.c_str()});
  checked_aside([&](auto error) {
    return wave_program_load_text(context.get(), name.c_str(), text.c_str(), all.data(), all.size(), Into(program_),
                                  error);
  });
}

std::vector<std::string> Program::models() const {
  std::size_t count = 0;
  checked([&](auto error) { return wave_program_model_count(get(), &count, error); });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = "";
    checked([&](auto error) { return wave_program_model_name(get(), i, &name, error); });
    names.emplace_back(name);
  }
  return names;
}

std::string Program::id() const {
  const char* id = "";
  checked_aside([&](auto error) { return wave_program_id(get(), &id, error); });
  return id;
}

py::object Program::warnings() const {
  wave_error* found = nullptr;
  checked([&](auto error) { return wave_program_warnings(get(), &found, error); });
  return found ? Failed(WAVE_OK, found).object() : py::none();
}

Model::Model(Program& program, const std::optional<std::string>& name) {
  checked_aside([&](auto error) { return wave_model_open(program.get(), text_or_null(name), Into(model_), error); });
}

std::string Model::name() const {
  const char* name = "";
  checked([&](auto error) { return wave_model_name(get(), &name, error); });
  return name;
}

py::list Model::parameters() {
  std::size_t count = 0;
  checked_aside([&](auto error) { return wave_model_parameter_count(get(), &count, error); });
  py::list all;
  for (std::size_t i = 0; i < count; ++i) {
    wave_parameter_info info{};
    info.size = sizeof info;
    checked_aside([&](auto error) { return wave_model_parameter(get(), i, &info, error); });
    all.append(described(info));
  }
  return all;
}

py::list Model::outputs() {
  std::size_t count = 0;
  checked_aside([&](auto error) { return wave_model_output_count(get(), &count, error); });
  py::list all;
  for (std::size_t i = 0; i < count; ++i) {
    wave_output_info info{};
    info.size = sizeof info;
    checked_aside([&](auto error) { return wave_model_output(get(), i, &info, error); });
    py::list columns;
    for (std::size_t k = 0; k < info.columns; ++k) {
      wave_column_info column{};
      column.size = sizeof column;
      checked_aside([&](auto error) { return wave_model_output_column(get(), i, k, &column, error); });
      columns.append(python::described(column));
    }
    py::dict output = python::described(info);
    output["columns"] = columns;
    all.append(output);
  }
  return all;
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

bool Model::set(const std::string& name, const py::handle& value) {
  PyObject* const object = value.ptr();
  if (PyUnicode_Check(object)) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (!text) throw py::error_already_set();
    return set_text(name, {text, static_cast<std::size_t>(size)});
  }
  if (PyBool_Check(object)) {
    const int truth = object == Py_True ? 1 : 0;
    checked_aside([&](auto error) { return wave_model_set_boolean(get(), name.c_str(), truth, error); });
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

void Model::unset(const std::string& name) {
  checked_aside([&](auto error) { return wave_model_unset(get(), name.c_str(), error); });
}

py::tuple Model::run() {
  MadeResult result;
  std::optional<Failed> failed;
  try {
    runs_.make([&](auto error) { return wave_model_run(get(), Into(result), error); }, [&] { wave_model_stop(get()); });
  } catch (const Failed& thrown) {
    if (!result) throw;
    failed = thrown;
  }
  return py::make_tuple(Result(std::move(result)), failed ? failed->object() : py::none());
}

template <class Call>
Result Model::interruptible_result(const Call& call) {
  MadeResult result;
  interruptible([&](auto error) { return call(Into(result), error); }, [&] { wave_model_stop(get()); });
  return Result(std::move(result));
}

Result Model::breakdown(const std::optional<std::string>& output) {
  return interruptible_result(
      [&](auto&& result, auto error) { return wave_model_breakdown(get(), text_or_null(output), result, error); });
}

Result Model::critical_path(const std::optional<std::string>& output) {
  return interruptible_result(
      [&](auto&& result, auto error) { return wave_model_critical_path(get(), text_or_null(output), result, error); });
}

Result Model::sensitivities(const std::vector<std::string>& parameters) {
  std::vector<const char*> names;
  for (const auto& name : parameters) names.push_back(name.c_str());
  return interruptible_result([&](auto&& result, auto error) {
    return wave_model_sensitivities(get(), names.data(), names.size(), result, error);
  });
}

}  // namespace wave::python
