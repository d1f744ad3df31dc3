// Models beside measurements: how far off they are, and parameters that are fitted.
#pragma once

#include "api/python/extension/models.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wave::python {

// `file`, or columns of so many rows: for each name an array or a list of str, as batches take them.
struct Measurements {
  std::optional<std::string> file, measured, show;
  py::dict columns;
  std::size_t rows = 0;
  std::vector<std::string> ignore, where;
  std::string decimal = ".";
  bool skip_missing = false;
};

struct FitOptions {
  std::vector<std::string> bounds;
  int errors = WAVE_RELATIVE;
  bool robust = false;
  double confidence = 0.95;
  int starts = 0;
};

// `within` and `processes` are for each file, or empty.
struct MachineOptions {
  std::string output, name, protocols, operation, sizes;
  std::vector<std::string> assumptions, within;
  std::vector<int> processes, pairs, tables;
  int segments = 0, errors = WAVE_RELATIVE;
  bool keep_outliers = false, skip_missing = false;
  double confidence = 0.95;
  std::string decimal = ".";
};

// The result, and what is to be said beside it: a wavemodel.Error or None. `progress` is None, or is called with what
// is done and with all.
py::tuple validate(Model& model, const Measurements& measurements, const py::object& progress);
py::tuple fit(Model& model, const Measurements& measurements, const std::vector<std::string>& parameters,
              const FitOptions& options, const py::object& progress);
py::tuple fit_machine(const Settings& settings, const std::string& tool, const std::vector<std::string>& files,
                      const MachineOptions& options);

}  // namespace wave::python
