// A plug-and-play model at 10^6 sets of parameters on one thread: a batch, compared with evaluating one set at a time;
// and small processes at some thousand sets, row by row.
// Usage: bench_batch PROGRAM
#include "backend/batch.h"

#include "bench/model.h"
#include "bench/table.h"

#include <fmt/format.h>

#include <cstdlib>

using namespace wave;
using bench::Model;

namespace {

const char* const file = WAVE_SOURCE_DIR "/tests/language/section7/lu.wave";
constexpr std::size_t rows = 1'000'000, few = 200;
constexpr double target_rate = 10e6, target = 50;

// For each row n, m, Wg and Wg_pre of LU: processor grids up to 64 x 64, and times in whole picoseconds.
struct Columns {
  Columns() {
    for (std::size_t row = 0; row < rows; ++row) {
      n.push_back(1 + static_cast<std::int64_t>(row % 64));
      m.push_back(1 + static_cast<std::int64_t>(row / 64 % 64));
      work.push_back(500e3 + static_cast<double>(row * 7919 % 1'000'003));
      work_before.push_back(200e3 + static_cast<double>(row * 104729 % 500'009));
    }
  }
  std::vector<backend::InputColumn> first(std::size_t count) const {
    return {std::span(n).first(count), std::span(m).first(count), std::span(work).first(count),
            std::span(work_before).first(count)};
  }
  std::vector<std::int64_t> n, m;
  std::vector<double> work, work_before;
};

const std::vector<std::string> names{"n", "m", "Wg", "Wg_pre"};

std::vector<ir::DefinitionId> parameters(const Model& model) {
  std::vector<ir::DefinitionId> result;
  for (const std::string& name : names) result.push_back(model.definition(name));
  return result;
}

std::vector<double> evaluate(backend::Batch& batch, const Columns& columns, std::size_t count) {
  const auto outcome = batch.evaluate(columns.first(count), {});
  const auto* const result = std::get_if<backend::BatchResult>(&outcome);
  if (!result || !result->failures.empty()) {
    fmt::print("the batch failed\n");
    std::exit(1);
  }
  return std::get<std::vector<double>>(result->columns.front());
}

double sum_of_few(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t row = 0; row < few; ++row) sum += values[row];
  return sum;
}

// Does what the command line does for `wave run lu.wave -D n=... -D m=... -D Wg=...`, but loads the file only once.
class OneByOne {
 public:
  OneByOne() : program_(frontend::load(file, {}, diagnostics_)) {
    for (const auto& item : program_->main().items) {
      if (item->name.text == "LU") model_ = item.get();
    }
  }
  double evaluate(const Columns& columns, std::size_t row) {
    const std::string values[] = {std::to_string(columns.n[row]), std::to_string(columns.m[row]),
                                  fmt::format("{} ps", columns.work[row]),
                                  fmt::format("{} ps", columns.work_before[row])};
    std::vector<frontend::Override> overrides;
    for (std::size_t index = 0; index < names.size(); ++index) {
      const auto type = frontend::parameter_type(*program_, *model_, names[index], {}, diagnostics_);
      overrides.push_back(
          {names[index], frontend::check_expression(*program_, model_, "-D", values[index], type, diagnostics_), {}});
    }
    const auto lowered = frontend::lower_model(*program_, *model_, overrides, diagnostics_);
    auto made = backend::make_engine(backend::EngineKind::automatic, lowered.system,
                                     {.shortcuts = true, .cpu = {}, .cache_folder = {}});
    const auto evaluation = std::get<0>(made)->start({}, {});
    for (const auto& output : lowered.outputs) {
      if (output.name != "step") continue;
      const auto outcome = evaluation->evaluate(output.root);
      return std::get<backend::Rows>(outcome).cells.front().real;
    }
    return 0;
  }

 private:
  frontend::Diagnostics diagnostics_;
  std::unique_ptr<frontend::Program> program_;
  const frontend::Item* model_ = nullptr;
};

// A process that is evaluated again and again, with another latency each time.
struct SmallProcess {
  std::string name, file, model;
  std::vector<std::pair<std::string, std::string>> given;
  std::string latency;
};

const std::vector<SmallProcess> small_processes{
    {"a sweep of 10 tiles on 8 x 8",
     "listing.wave",
     "Listing",
     {{"n", "8"}, {"m", "8"}, {"tiles", "10"}, {"sweeps", "1"}},
     "net.wire"},
    {"10 allreduces on 64", "arrays.wave", "Allreduces", {{"n", "64"}}, "net.latency"},
    {"10 halo exchanges on 8 x 8", "arrays.wave", "Halo", {{"n", "8"}, {"m", "8"}, {"steps", "10"}}, "net.latency"}};

void measure_rows(bench::Table& table, const SmallProcess& process) {
  constexpr std::size_t rows_of_process = 5000;
  Model model(std::string(WAVE_SOURCE_DIR "/bench/") + process.file, process.model, process.given);
  const backend::EngineOptions options{.shortcuts = true, .cpu = {}, .cache_folder = {}};
  backend::Engine& engine = model.open(backend::EngineKind::automatic, options);
  const ir::DefinitionId latency = model.definition(process.latency);
  const ir::RootId root = model.root("finish");
  const auto batch = engine.batch({latency}, {root});
  std::vector<double> values;
  for (std::size_t row = 0; row < rows_of_process; ++row)
    values.push_back(5e6 + 1e3 * static_cast<double>(row * 7919 % 10'007));
  const std::vector<backend::InputColumn> columns{std::span<const double>(values)};
  const auto in_batch = [&] {
    const auto outcome = batch->evaluate(columns, {});
    return sum_of_few(std::get<std::vector<double>>(std::get<backend::BatchResult>(outcome).columns.front()));
  };
  const auto one_by_one = [&] {
    std::vector<double> results;
    for (std::size_t row = 0; row < few; ++row) {
      auto made = backend::make_engine(backend::EngineKind::automatic, model.lowered().system, options);
      const auto evaluation = std::get<0>(made)->start({{latency, ir::Scalar::of(values[row])}}, {});
      results.push_back(model.evaluate(*evaluation, "finish"));
    }
    return sum_of_few(results);
  };
  table.row(process.name, static_cast<double>(rows_of_process), {in_batch, {}},
            {{.contender = {one_by_one, {}}, .units = static_cast<double>(few)}});
}

}  // namespace

int main() {
  const Columns columns;
  Model interpreted(file, "LU"), compiled(file, "LU");
  interpreted.open(backend::EngineKind::interpreter);
  backend::Engine& engine = compiled.open(backend::EngineKind::jit, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
  auto batch = engine.batch(parameters(compiled), {compiled.root("step")});
  if (!batch) {
    fmt::print("this engine has no batches\n");
    return 1;
  }
  const auto interpret = [&] {
    std::vector<double> values;
    for (std::size_t row = 0; row < few; ++row) {
      const std::vector<backend::Binding> bindings{
          {interpreted.definition("n"), ir::Scalar::of(columns.n[row])},
          {interpreted.definition("m"), ir::Scalar::of(columns.m[row])},
          {interpreted.definition("Wg"), ir::Scalar::of(columns.work[row])},
          {interpreted.definition("Wg_pre"), ir::Scalar::of(columns.work_before[row])}};
      const auto evaluation = interpreted.engine().start(bindings, {});
      values.push_back(interpreted.evaluate(*evaluation, "step"));
    }
    return values;
  };
  const std::vector<double> expected = interpret(), got = evaluate(*batch, columns, few);
  for (std::size_t row = 0; row < few; ++row) bench::require_same(fmt::format("row {}", row), got[row], expected[row]);

  OneByOne one_by_one;
  fmt::print("{}\nThe batch: {}\n", bench::machine(), batch->schedule());
  bench::Table table(
      fmt::format("LU's step at {} rows of n, m, Wg and Wg_pre (one by one: {} rows), one thread, with shortcuts", rows,
                  few),
      "evaluations", "million/s", 1e6, {"one by one, as the command line", "interpreter, one by one"});
  table.row(fmt::format("batch (target: {} million/s)", target_rate * 1e-6), static_cast<double>(rows),
            {[&] { return sum_of_few(evaluate(*batch, columns, rows)); }, {}},
            {{.contender = {[&] {
                              std::vector<double> values;
                              for (std::size_t row = 0; row < few; ++row)
                                values.push_back(one_by_one.evaluate(columns, row));
                              return sum_of_few(values);
                            },
                            {}},
              .target = target,
              .units = static_cast<double>(few)},
             {.contender = {[&] { return sum_of_few(interpret()); }, {}}, .units = static_cast<double>(few)}});
  bench::Table of_processes("Processes at 5000 rows of the latency (one by one: 200 rows), one thread, with shortcuts",
                            "row by row", "thousand/s", 1e3, {"one by one, an engine each"});
  for (const SmallProcess& process : small_processes) measure_rows(of_processes, process);
  return bench::Table::agreed() ? 0 : 1;
}
