// Batches of models: every row is what a single run with its values gives, and failures are reported by row and by
// kind.
#include "analysis/batch.h"

#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave;
using analysis::BatchValues;
using analysis::gives_columns;

namespace {

constexpr const char* body = R"(
model M {
  param n: int = 4 in 1..100
  param w: time = 2 us
  param mode: fast | slow = fast
  require n != 13, "unlucky"
  grid P[i: n, j: n]
  rec start[i, j] over P: time = max(start[i-1, j] + (if mode == slow then 2 * w else w), start[i, j-1] + 1 us) else 0
  output last = start[n, n]
  output quotient = 100 div (n - 7)
  output root = sqrt(1.0 * n - 2) * 1e200 ^ (if mode == slow then 2 else 1)
  output each = [n, n + 1]
}
)";

ir::DefinitionId definition(const frontend::Lowered& lowered, const std::string& path) {
  for (const auto& one : lowered.parameters) {
    if (one.path == path) return one.definition;
  }
  FAIL("no parameter " << path);
  return {};
}

struct Prepared {
  test::AnalysedModel model{std::string("wave 1\n") + body};
  std::unique_ptr<backend::Engine> engine = test::interpreter(model.lowered.system);
  std::vector<const frontend::OutputInfo*> outputs;
  std::vector<ir::DefinitionId> parameters;

  Prepared() {
    for (const auto& one : model.lowered.outputs) {
      if (gives_columns(model.lowered.system, one)) outputs.push_back(&one);
    }
    for (const char* path : {"n", "w", "mode"}) parameters.push_back(definition(model.lowered, path));
  }
  BatchValues run(const std::vector<std::int64_t>& n, const std::vector<double>& w,
                  const std::vector<std::int64_t>& mode) {
    analysis::ModelBatch batch(model.lowered, *engine, parameters, outputs, 2);
    const std::vector<backend::InputColumn> inputs{std::span(n), std::span(w), std::span(mode)};
    auto outcome = batch.evaluate(inputs, {});
    REQUIRE(std::holds_alternative<BatchValues>(outcome));
    return std::get<BatchValues>(std::move(outcome));
  }
};

}  // namespace

TEST_CASE("outputs with rows of their own give no columns") {
  Prepared p;
  CHECK(p.outputs.size() == 3);
}

TEST_CASE("every row of a batch is what a single run gives") {
  const unsigned seed = 4;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Prepared p;
  std::vector<std::int64_t> n, mode;
  std::vector<double> w;
  for (int row = 0; row < 60; ++row) {
    n.push_back(static_cast<std::int64_t>(random() % 20));
    w.push_back(static_cast<double>(random() % 5000000));
    mode.push_back(random() % 2);
  }
  const BatchValues values = p.run(n, w, mode);
  REQUIRE(values.columns.size() == 3);
  for (std::size_t row = 0; row < n.size(); ++row) {
    const auto evaluation = p.engine->start({{p.parameters[0], ir::Scalar::of(n[row])},
                                             {p.parameters[1], ir::Scalar::of(w[row])},
                                             {p.parameters[2], ir::Scalar::of(mode[row])}},
                                            {});
    bool fails = false;
    for (std::size_t i = 0; i < p.outputs.size(); ++i) {
      const auto outcome = evaluation->evaluate(p.outputs[i]->root);
      const auto* const rows = std::get_if<backend::Rows>(&outcome);
      const bool is_number =
          rows != nullptr && (rows->cells[0].type != ir::ScalarType::real || std::isfinite(rows->cells[0].real));
      fails = fails || !is_number;
      if (!is_number) continue;
      if (rows->cells[0].type == ir::ScalarType::real)
        CHECK(std::get<std::vector<double>>(values.columns[i].values)[row] == rows->cells[0].real);
      else
        CHECK(std::get<std::vector<std::int64_t>>(values.columns[i].values)[row] == rows->cells[0].integer);
    }
    const auto has_row = [&](const auto& one) { return std::binary_search(one.rows.begin(), one.rows.end(), row); };
    CHECK(fails == std::any_of(values.failed.begin(), values.failed.end(), has_row));
  }
}

TEST_CASE("failed rows are listed by the way in which they failed, with the first of each") {
  Prepared p;
  const BatchValues values = p.run({4, 13, 7, 13, 200, 5, 4}, std::vector<double>(7, 1e6), {0, 0, 0, 0, 0, 1, 0});
  using frontend::DiagnosticKind;
  const std::vector<std::pair<DiagnosticKind, std::vector<std::uint64_t>>> expected{
      {DiagnosticKind::require_failed, {1, 3}},
      {DiagnosticKind::division_by_zero, {2}},
      {DiagnosticKind::outside_range, {4}},
      {DiagnosticKind::output_not_finite, {5}}};
  REQUIRE(values.failed.size() == expected.size());
  CHECK(analysis::count_rows(values.failed) == 5);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(values.failed[i].kind() == expected[i].first);
    CHECK(values.failed[i].rows == expected[i].second);
    CHECK(!values.failed[i].diagnostic.labels.empty());
  }
  CHECK(values.failed[0].message() == "unlucky");
  CHECK(values.failed[0].words == "unlucky");
}
