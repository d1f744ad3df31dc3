// The extension module `wavemodel._wave`: libwave's handles as classes. What is pleasant is written in Python; the
// module's stub, _wave.pyi, says what everything takes and gives.
#include "api/python/extension/fits.h"
#include "api/python/extension/optimize.h"
#include "api/python/extension/plots.h"
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

  py::class_<Measurements>(module, "Measurements")
      .def(py::init<>())
      .def_readwrite("file", &Measurements::file)
      .def_readwrite("columns", &Measurements::columns)
      .def_readwrite("rows", &Measurements::rows)
      .def_readwrite("measured", &Measurements::measured)
      .def_readwrite("show", &Measurements::show)
      .def_readwrite("ignore", &Measurements::ignore)
      .def_readwrite("decimal", &Measurements::decimal)
      .def_readwrite("skip_missing", &Measurements::skip_missing)
      .def_readwrite("where", &Measurements::where);
  py::class_<FitOptions>(module, "FitOptions")
      .def(py::init<>())
      .def_readwrite("bounds", &FitOptions::bounds)
      .def_readwrite("errors", &FitOptions::errors)
      .def_readwrite("robust", &FitOptions::robust)
      .def_readwrite("confidence", &FitOptions::confidence)
      .def_readwrite("starts", &FitOptions::starts);
  py::class_<MachineOptions>(module, "MachineOptions")
      .def(py::init<>())
      .def_readwrite("output", &MachineOptions::output)
      .def_readwrite("name", &MachineOptions::name)
      .def_readwrite("protocols", &MachineOptions::protocols)
      .def_readwrite("segments", &MachineOptions::segments)
      .def_readwrite("assumptions", &MachineOptions::assumptions)
      .def_readwrite("processes", &MachineOptions::processes)
      .def_readwrite("within", &MachineOptions::within)
      .def_readwrite("pairs", &MachineOptions::pairs)
      .def_readwrite("tables", &MachineOptions::tables)
      .def_readwrite("keep_outliers", &MachineOptions::keep_outliers)
      .def_readwrite("operation", &MachineOptions::operation)
      .def_readwrite("sizes", &MachineOptions::sizes)
      .def_readwrite("decimal", &MachineOptions::decimal)
      .def_readwrite("skip_missing", &MachineOptions::skip_missing)
      .def_readwrite("errors", &MachineOptions::errors)
      .def_readwrite("confidence", &MachineOptions::confidence);
  module.def("fit_machine", &fit_machine);
  module.def("validate", &validate);
  module.def("fit", &fit);

  py::class_<Study>(module, "Study")
      .def(py::init<Model&, const std::vector<std::string>&, const std::vector<std::string>&,
                    const std::vector<std::string>&>())
      .def(py::init<Program&, const std::optional<std::string>&>())
      .def("point_count", &Study::point_count)
      .def("run", &Study::run)
      .def("run_part", &Study::run_part)
      .def("set_journal", &Study::set_journal)
      .def("id", &Study::id)
      .def("stop", &Study::stop);

  py::class_<Optimization>(module, "Optimization")
      .def(py::init<Model&, const std::vector<std::string>&, const std::vector<std::pair<std::string, bool>>&,
                    const std::vector<std::string>&, const std::vector<std::string>&>())
      .def("set", &Optimization::set)
      .def("run", &Optimization::run)
      .def("outcome", &Optimization::outcome);
}
