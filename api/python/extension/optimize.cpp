// See optimize.h.
#include "api/python/extension/optimize.h"

#include "api/python/extension/progress.h"

namespace wave::python {

Optimization::Optimization(Model& model, const std::vector<std::string>& over,
                           const std::vector<std::pair<std::string, bool>>& goals,
                           const std::vector<std::string>& subject_to, const std::vector<std::string>& show) {
  const auto variables = pointers(over), conditions = pointers(subject_to), shown = pointers(show);
  std::vector<wave_goal> wanted;
  for (const auto& [expression, maximize] : goals) wanted.push_back({expression.c_str(), maximize ? 1 : 0});
  interruptible(
      [&](auto error) {
        return wave_optimization_create(model.get(), variables.data(), variables.size(), wanted.data(), wanted.size(),
                                        conditions.data(), conditions.size(), shown.data(), shown.size(),
                                        Into(optimization_), error);
      },
      [&] { wave_model_stop(model.get()); });
}

void Optimization::set(int method, double budget, std::uint64_t points, std::uint64_t seed, std::size_t top,
                       bool is_explained) {
  auto* const own = optimization_.get();
  checked([&](auto error) { return wave_optimization_set_method(own, method, error); });
  checked([&](auto error) { return wave_optimization_set_budget(own, budget, error); });
  checked([&](auto error) { return wave_optimization_set_points(own, points, error); });
  checked([&](auto error) { return wave_optimization_set_seed(own, seed, error); });
  checked([&](auto error) { return wave_optimization_set_top(own, top, error); });
  checked([&](auto error) { return wave_optimization_set_explained(own, is_explained ? 1 : 0, error); });
}

Result Optimization::run(const py::object& progress) {
  Progress told;
  told.function = progress;
  MadeResult best;
  const auto run = [&](auto error) {
    return wave_optimization_run(optimization_.get(), Progress::tell, &told, Into(best), error);
  };
  told.run([&](const auto& stop) { interruptible(run, stop); }, [&] { wave_optimization_stop(optimization_.get()); });
  return Result(std::move(best));
}

py::dict Optimization::outcome() const {
  wave_optimum_info info{};
  info.size = sizeof info;
  checked([&](auto error) { return wave_optimization_outcome(optimization_.get(), &info, error); });
  py::dict all;
  all["proof"] = info.proof;
  all["method"] = info.method;
  all["points"] = info.points;
  all["looked_at"] = info.looked_at;
  all["evaluated"] = info.evaluated;
  all["failed"] = info.failed;
  all["as_good_as_the_last"] = info.as_good_as_the_last;
  all["bound"] = info.has_bound ? py::object(py::float_(info.bound)) : py::none();
  all["says"] = info.says;
  return all;
}

}  // namespace wave::python
