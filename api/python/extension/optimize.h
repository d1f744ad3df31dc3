// The best of many points.
#pragma once

#include "api/python/extension/models.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wave::python {

class Optimization {
 public:
  // A goal is an expression, and whether it is to be large.
  Optimization(Model& model, const std::vector<std::string>& over,
               const std::vector<std::pair<std::string, bool>>& goals, const std::vector<std::string>& subject_to,
               const std::vector<std::string>& show);

  // 0 points: as many as there is time for.
  void set(int method, double budget, std::uint64_t points, std::uint64_t seed, std::size_t top, bool is_explained);
  // `progress` is None, or is called with the numbers of points that were looked at and of all.
  Result run(const py::object& progress);
  // Of the last run: the members of wave_optimum_info.
  py::dict outcome() const;

 private:
  Handle<wave_optimization, wave_optimization_close> optimization_;
};

}  // namespace wave::python
