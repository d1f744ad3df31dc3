// What a study is reduced to, as a person writes it:
//
//   best 10 of total                           the points with the least total; `of max speedup`: with the largest
//   pareto of total, max efficiency            the points that no other beats in all of two or three columns
//   histogram of total in 20 bins from 0 s to 2 s
//   histogram of total in 8 bins an octave     between powers of two
//   mean and extremes of total by n, m         also `sum`; without `by`, of all points
//   quantiles 5%, 50%, 95% of total exact      without `exact`, from bins of a relative width of 2^-10; also `median`
#pragma once

#include "analysis/tables/table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// The most rows that a reduction keeps, and the most groups, bins and quantiles that it has.
inline constexpr std::uint64_t most_kept_rows = 100'000, most_groups = 1'000'000, most_bins = 1'000'000,
                               most_shares = 20;
inline constexpr std::uint32_t whole_share = 1'000'000'000;
inline constexpr unsigned bins_of_octave_bits = 10;  // of quantiles: bins have a relative width of 2^-10

// A column of the study, and whether large values are good.
struct Goal {
  std::size_t column = 0;
  bool is_largest = false;
};

struct Reduction {
  enum class Kind : std::uint8_t { best, pareto, histogram, groups, quantiles };
  Kind kind{};
  std::string text;         // as it was written
  std::vector<Goal> goals;  // one, or those of a front
  std::uint64_t count = 0;  // of rows, of bins, or of bins of an octave
  bool has_range = false;   // of a histogram: equal bins between these, in base units
  double from = 0, to = 0;
  bool mean = false, sum = false, extremes = false;
  std::vector<std::size_t> by;        // columns that vary
  std::vector<std::uint32_t> shares;  // of quantiles, in units of 10^-9
  bool is_exact = false;
};

// Where a text is no reduction, and why.
struct ReductionTrouble {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string message, label, help;
};

// `columns` are those of a study, what varies first.
std::variant<Reduction, ReductionTrouble> read_reduction(std::string_view text, const std::vector<Column>& columns);

}  // namespace wave::analysis
