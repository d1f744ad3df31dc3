// Questions: what the verbs of the program answer.
#pragma once

#include "api/python/extension/models.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace wave::python {

// Columns of so many rows for option `data`: for each name an array or a list of str, as batches take them.
struct GivenColumns {
  py::dict columns;
  std::size_t rows = 0;
};

// Asks a verb with these options, of a model or, where that is null, of what options name. The answer or None; what is
// to be said beside it, a wavemodel.Error or None; and why it is not whole, likewise. `progress` is None, or is called
// with what is done and with all.
py::tuple ask(const Settings& settings, Model* model, const std::string& verb,
              const std::vector<std::pair<std::string, std::string>>& options, const GivenColumns& given,
              const py::object& progress);

}  // namespace wave::python
