// The extension module `wavemodel._wave`: libwave's handles as classes. What is pleasant is written in Python. Names
// and types of arguments are what the module's stub says of them; stubs.py makes it of their signatures.
#include "api/python/extension/plots.h"
#include "api/python/extension/questions.h"
#include "api/python/extension/rows.h"

using namespace wave::python;
using namespace py::literals;

PYBIND11_MODULE(_wave, module) {
  translate_failures();
  module.attr("version") = wave_version();

  py::class_<Program>(module, "Program")
      .def(py::init<const Options&, const std::string&, const std::optional<std::string>&,
                    const std::map<std::string, std::string>&>(),
           "settings"_a, "name"_a, "text"_a, "modules"_a)
      .def("models", &Program::models)
      .def("main", &Program::main)
      .def("id", &Program::id)
      .def("warnings", &Program::warnings);

  py::class_<Numbers>(module, "Numbers", py::buffer_protocol()).def_buffer(&Numbers::info);

  py::class_<Result>(module, "Result")
      .def("output_count", &Result::output_count)
      .def("output", &Result::output, "index"_a)
      .def("find", &Result::find, "name"_a)
      .def("column", &Result::column, "output"_a, "column"_a)
      .def("real", &Result::real, "output"_a, "column"_a, "unit"_a)
      .def("cell", &Result::cell, "output"_a, "column"_a, "unit"_a)
      .def("reals", &Result::reals, "output"_a, "column"_a, "unit"_a)
      .def("integers", &Result::integers, "output"_a, "column"_a)
      .def("texts", &Result::texts, "output"_a, "column"_a)
      .def("codes", &Result::codes, "output"_a)
      .def("engine", &Result::engine);

  py::class_<Model>(module, "Model")
      .def(py::init<Program&, const std::optional<std::string>&>(), "program"_a, "name"_a)
      .def("parameters", &Model::parameters)
      .def("outputs", &Model::outputs)
      .def("set", &Model::set, "name"_a, "value"_a)
      .def("run", &Model::run)
      .def("explain", &Model::explain, "what"_a, "names"_a);

  py::class_<Plot>(module, "Plot")
      .def(py::init<const Result&, const std::optional<std::string>&, const std::optional<std::string>&,
                    const std::optional<std::string>&, int, int>(),
           "result"_a, "y"_a, "x"_a, "by"_a, "x_scale"_a, "y_scale"_a)
      .def_static("timeline", &Plot::timeline, "model"_a, "process"_a)
      .def("draw", &Plot::draw, "form"_a);

  py::class_<Batch>(module, "Batch")
      .def(py::init<Model&>(), "model"_a)
      .def("run", &Batch::run, "rows"_a, "columns"_a, "targets"_a, "codes"_a, "unit"_a, "progress"_a);

  py::class_<Question>(module, "Question")
      .def(py::init<const Asked&, const std::string&, const Options&>(), "of"_a, "verb"_a, "options"_a)
      .def("set_columns", &Question::set_columns, "option"_a, "columns"_a, "rows"_a)
      .def("run", &Question::run, "progress"_a)
      .def("stop", &Question::stop)
      .def("close", &Question::close)
      .def("points", &Question::points)
      .def("compute", &Question::compute, "begin"_a, "end"_a, "plan"_a)
      .def("add", &Question::add, "begin"_a, "end"_a, "part"_a);
}
