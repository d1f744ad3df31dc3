// See table.h.
#include "analysis/tables/table.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

namespace types = frontend::types;

CellKind kind_of(const frontend::TypeRef& type, bool has_labels) {
  if (has_labels) return CellKind::word;
  if (!type || std::holds_alternative<types::Real>(type->kind)) return CellKind::real;
  if (std::holds_alternative<types::Int>(type->kind)) return CellKind::integer;
  if (std::holds_alternative<types::Bool>(type->kind)) return CellKind::truth;
  return CellKind::word;
}

void set_scale(Column& column, const frontend::Scale& scale) {
  column.unit = scale.unit;
  column.multiplier = scale.multiplier;
  column.divisor = scale.divisor;
}

// The unit of the quantity that changes: the standard one, unless numbers would need an exponent in it.
frontend::Scale changing_scale(const Ratio& ratio, const frontend::Scale& by, const std::vector<double>& values) {
  constexpr double least = 1e-4, most = 1e6;
  if (ratio.of_unit) return frontend::scale_of(*ratio.of_unit);
  const frontend::Scale standard = frontend::standard_scale(ratio.of), scale = frontend::ratio_scale(standard, by);
  std::vector<double> changes;  // with a unit of the other quantity
  bool is_plain = true;
  for (const double value : values) {
    const double shown = std::fabs(scale.shown(value));
    if (!std::isfinite(shown) || shown == 0) continue;
    changes.push_back(value * by.divisor / by.multiplier);
    is_plain = is_plain && shown >= least && shown < most;
  }
  return is_plain ? standard : frontend::readable_scale(ratio.of, changes);
}

}  // namespace

Column make_column(const std::string& name, const Ratio& ratio) {
  const auto type = std::make_shared<const frontend::Type>(frontend::Type{types::Real{ratio.of / ratio.by}});
  Column column = make_column(name, "", type, {}, {});
  if (!column.dimension.plain()) column.ratio = ratio;
  set_scale(column, standard_scale(column));
  return column;
}

frontend::Scale standard_scale(const Column& column) {
  if (!column.ratio) return frontend::standard_scale(column.dimension);
  return frontend::ratio_scale(frontend::standard_scale(column.ratio->of), frontend::standard_scale(column.ratio->by));
}

frontend::Scale readable_scale(const Column& column, const std::vector<double>& values) {
  const bool is_given = column.unit_was_asked || column.dimension.plain();
  if (is_given) return {column.unit, column.multiplier, column.divisor};
  if (!column.ratio) return frontend::readable_scale(column.dimension, values);
  const frontend::Scale by = frontend::readable_scale(column.ratio->by, column.ratio->by_value);
  return frontend::ratio_scale(changing_scale(*column.ratio, by, values), by);
}

Column make_column(const std::string& name, const std::string& doc, const frontend::TypeRef& type,
                   const std::optional<frontend::Unit>& unit, const std::vector<std::string>& labels) {
  Column column;
  column.name = name;
  column.doc = doc;
  column.kind = kind_of(type, !labels.empty());
  column.words = labels;
  if (column.kind == CellKind::real) {
    if (const auto* const real = type ? std::get_if<types::Real>(&type->kind) : nullptr)
      column.dimension = real->dimension;
    column.unit_was_asked = unit.has_value();
    set_scale(column, unit ? frontend::scale_of(*unit) : frontend::standard_scale(column.dimension));
  }
  if (labels.empty() && type) {
    if (const auto* choice = std::get_if<types::Choice>(&type->kind)) column.words = choice->words;
  }
  return column;
}

std::string_view word_of(const Column& column, const std::vector<std::string>& labels, std::int64_t ordinal) {
  const auto& words = labels.empty() ? column.words : labels;
  const auto place = static_cast<std::size_t>(ordinal);
  return ordinal >= 0 && place < words.size() ? std::string_view(words[place]) : std::string_view();
}

std::string cell_text(const Column& column, const std::vector<std::string>& labels, std::int64_t value) {
  if (column.kind == CellKind::truth) return value != 0 ? "true" : "false";
  if (column.kind == CellKind::word) return std::string(word_of(column, labels, value));
  return std::to_string(value);
}

// --- what failed ---

std::uint64_t count_rows(const std::vector<FailedRows>& failed) {
  std::uint64_t count = 0;
  for (const auto& one : failed) count += one.rows.size();
  return count;
}

void FailureList::add(std::size_t row, const RowFailure& failure) {
  if (is_failed_[row]) return;
  is_failed_[row] = true;
  auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.same_way(failure); });
  if (found == all_.end()) found = all_.insert(found, FailedRows{failure, {}});
  if (!found->rows.empty() && row < found->rows.front()) {
    found->diagnostic = failure.diagnostic;
    found->rows.insert(found->rows.begin(), row);
    return;
  }
  found->rows.push_back(row);
}

std::vector<FailedRows> FailureList::take() {
  for (auto& one : all_) std::sort(one.rows.begin(), one.rows.end());
  std::sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.rows.front() < b.rows.front(); });
  return std::move(all_);
}

void append_failed(std::vector<FailedRows>& all, const std::vector<FailedRows>& more, std::uint64_t offset) {
  for (const auto& one : more) {
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.same_way(one); });
    if (found == all.end()) found = all.insert(found, FailedRows{one, {}});
    const auto before = static_cast<std::ptrdiff_t>(found->rows.size());
    for (const std::uint64_t row : one.rows) found->rows.push_back(offset + row);
    std::inplace_merge(found->rows.begin(), found->rows.begin() + before, found->rows.end());
  }
}

std::string and_others(std::uint64_t count, std::string_view where) {
  if (count <= 1) return "";
  const std::string others = count == 2 ? "another one" : frontend::grouped(count - 1) + " others";
  return ", and " + std::string(where) + " " + others;
}

}  // namespace wave::analysis
