// See fits.h.
#include "api/python/extension/fits.h"

#include "api/python/extension/memory.h"
#include "api/python/extension/progress.h"

namespace wave::python {
namespace {

// The same as libwave takes them, and the memory where they are.
class GivenMeasurements {
 public:
  explicit GivenMeasurements(const Measurements& given)
      : columns_(memory_.columns(given.columns)),
        ignore_(pointers(given.ignore)),
        where_(pointers(given.where)),
        decimal_(given.decimal) {
    all_.size = sizeof all_;
    all_.file = text_or_null(given.file);
    all_.columns = columns_.data();
    all_.column_count = columns_.size();
    all_.rows = given.rows;
    all_.measured = text_or_null(given.measured);
    all_.show = text_or_null(given.show);
    all_.ignore = ignore_.data();
    all_.ignore_count = ignore_.size();
    all_.where = where_.data();
    all_.where_count = where_.size();
    all_.decimal = decimal_.c_str();
    all_.skip_missing = given.skip_missing ? 1 : 0;
  }
  const wave_measurements* get() const { return &all_; }

 private:
  Memory memory_;
  std::vector<wave_column> columns_;
  std::vector<const char*> ignore_, where_;
  std::string decimal_;
  wave_measurements all_{};
};

// Makes a call that gives a result; `end` is one more that ends it.
template <class Call, class End>
py::tuple told_result(const py::object& progress, const Call& call, const End& end) {
  Progress told;
  told.function = progress;
  MadeResult made;
  told.run([&](const auto& stop) { interruptible([&](auto error) { return call(&told, Into(made), error); }, stop); },
           end);
  const Result result(std::move(made));
  wave_error* warnings = nullptr;
  checked([&](auto error) { return wave_result_warnings(result.get(), &warnings, error); });
  return py::make_tuple(result, warnings ? Failed(WAVE_OK, warnings).object() : py::none());
}

}  // namespace

py::tuple validate(Model& model, const Measurements& measurements, const py::object& progress) {
  const GivenMeasurements given(measurements);
  return told_result(
      progress,
      [&](auto told, auto&& result, auto error) {
        return wave_model_validate(model.get(), given.get(), Progress::tell, told, result, error);
      },
      [&] { wave_model_stop(model.get()); });
}

py::tuple fit(Model& model, const Measurements& measurements, const std::vector<std::string>& parameters,
              const FitOptions& options, const py::object& progress) {
  const GivenMeasurements given(measurements);
  const auto names = pointers(parameters), bounds = pointers(options.bounds);
  wave_fit_options chosen{};
  chosen.size = sizeof chosen;
  chosen.bounds = bounds.data();
  chosen.bounds_count = bounds.size();
  chosen.errors = options.errors;
  chosen.robust = options.robust ? 1 : 0;
  chosen.confidence = options.confidence;
  chosen.starts = options.starts;
  return told_result(
      progress,
      [&](auto told, auto&& result, auto error) {
        return wave_model_fit(model.get(), given.get(), names.data(), names.size(), &chosen, Progress::tell, told,
                              result, error);
      },
      [&] { wave_model_stop(model.get()); });
}

py::tuple fit_machine(const Settings& settings, const std::string& tool, const std::vector<std::string>& files,
                      const MachineOptions& options) {
  const ContextHandle context = context_of(settings);
  const auto names = pointers(files), assumptions = pointers(options.assumptions), within = pointers(options.within);
  wave_machine_options chosen{};
  chosen.size = sizeof chosen;
  chosen.output = options.output.c_str();
  chosen.name = options.name.c_str();
  chosen.protocols = options.protocols.c_str();
  chosen.segments = options.segments;
  chosen.assumptions = assumptions.data();
  chosen.assumption_count = assumptions.size();
  chosen.processes = options.processes.data();
  chosen.process_count = options.processes.size();
  chosen.within = within.data();
  chosen.within_count = within.size();
  chosen.pairs = options.pairs.data();
  chosen.pair_count = options.pairs.size();
  chosen.tables = options.tables.data();
  chosen.table_count = options.tables.size();
  chosen.keep_outliers = options.keep_outliers ? 1 : 0;
  chosen.operation = options.operation.c_str();
  chosen.sizes = options.sizes.c_str();
  chosen.decimal = options.decimal.c_str();
  chosen.skip_missing = options.skip_missing ? 1 : 0;
  chosen.errors = options.errors;
  chosen.confidence = options.confidence;
  return told_result(
      py::none(),
      [&](auto told, auto&& result, auto error) {
        return wave_machine_fit(context.get(), tool.c_str(), names.data(), names.size(), &chosen, Progress::tell, told,
                                result, error);
      },
      [] {});  // it asks whether it goes on
}

}  // namespace wave::python
