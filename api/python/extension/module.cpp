// The extension module `wavemodel._wave`: libwave's handles as classes. What is pleasant is written in Python; the
// module's stub, _wave.pyi, says what everything takes and gives.
#include "api/python/extension/plots.h"
#include "api/python/extension/questions.h"
#include "api/python/extension/rows.h"

#include <pybind11/stl.h>

using namespace wave::python;

PYBIND11_MODULE(_wave, module) {
  translate_failures();
  module.attr("version") = wave_version();

  py::class_<Settings>(module, "Settings")
      .def(py::init<>())
      .def_readwrite("folders", &Settings::folders)
      .def_readwrite("seconds", &Settings::seconds)
      .def_readwrite("memory", &Settings::memory)
      .def_readwrite("threads", &Settings::threads)
      .def_readwrite("engine", &Settings::engine)
      .def_readwrite("shortcuts", &Settings::shortcuts)
      .def_readwrite("environment", &Settings::environment);

  py::class_<Program>(module, "Program")
      .def(py::init<const Settings&, const std::string&>())
      .def(py::init<const Settings&, const std::string&, const std::string&,
                    const std::map<std::string, std::string>&>())
      .def("models", &Program::models)
      .def("id", &Program::id)
      .def("warnings", &Program::warnings);

  py::class_<Model>(module, "Model")
      .def(py::init<Program&, const std::optional<std::string>&>())
      .def("name", &Model::name)
      .def("parameters", &Model::parameters)
      .def("outputs", &Model::outputs)
      .def("set", &Model::set)
      .def("unset", &Model::unset)
      .def("run", &Model::run)
      .def("breakdown", &Model::breakdown)
      .def("critical_path", &Model::critical_path)
      .def("sensitivities", &Model::sensitivities);

  py::class_<Numbers>(module, "Numbers", py::buffer_protocol()).def_buffer(&Numbers::info);

  py::class_<Result>(module, "Result")
      .def("output_count", &Result::output_count)
      .def("output", &Result::output)
      .def("find", &Result::find)
      .def("column", &Result::column)
      .def("real", &Result::real)
      .def("cell", &Result::cell)
      .def("reals", &Result::reals)
      .def("integers", &Result::integers)
      .def("texts", &Result::texts)
      .def("codes", &Result::codes)
      .def("engine", &Result::engine);

  py::class_<Plot>(module, "Plot")
      .def_static("lines", &Plot::lines)
      .def_static("map", &Plot::map)
      .def_static("parts", &Plot::parts)
      .def_static("timeline", &Plot::timeline)
      .def("draw", &Plot::draw);

  py::class_<Batch>(module, "Batch").def(py::init<Model&>()).def("run", &Batch::run);

  py::class_<GivenColumns>(module, "GivenColumns")
      .def(py::init<>())
      .def_readwrite("columns", &GivenColumns::columns)
      .def_readwrite("rows", &GivenColumns::rows);
  module.def("ask", &ask);

  py::class_<Study>(module, "Study")
      .def(py::init<Model&, const std::vector<std::string>&, const std::vector<std::string>&,
                    const std::vector<std::string>&>())
      .def(py::init<Program&, const std::optional<std::string>&>())
      .def("point_count", &Study::point_count)
      .def("run", &Study::run)
      .def("compute", &Study::compute)
      .def("open_points", &Study::open_points)
      .def("add", &Study::add)
      .def("set_journal", &Study::set_journal)
      .def("id", &Study::id)
      .def("set_reductions", &Study::set_reductions)
      .def("reduce_part", &Study::reduce_part)
      .def("take_state", &Study::take_state)
      .def("finish_pass", &Study::finish_pass)
      .def("stop", &Study::stop);
}
