// See reduction.h. A reader goes through the text once; what it does not find ends it by an exception of its own.
#include "analysis/study/reduce/reduction.h"

#include "base/numbers.h"
#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace wave::analysis {
namespace {

constexpr std::string_view blanks = " \t\n\r";
constexpr const char* forms =
    "`best 10 of total`, `pareto of total, max efficiency`, `histogram of total in 20 bins from 0 s to 2 s`, `mean and "
    "extremes of total by n`, `quantiles 5%, 95% of total`";

class ReductionReader {
 public:
  ReductionReader(std::string_view text, const std::vector<Column>& columns) : text_(text), columns_(columns) {}

  Reduction read();

 private:
  [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message, std::string label,
                         std::string help = {}) const {
    throw ReductionTrouble{begin, end, std::move(message), std::move(label), std::move(help)};
  }
  [[noreturn]] void expect(const std::string& what, const std::string& help = {}) {
    const std::string_view word = next_word();
    fail(
        at_, at_ + std::max<std::size_t>(word.size(), 1),
        word.empty() ? fmt::format("{} is missing", what) : fmt::format("`{}` stands where {} is expected", word, what),
        word.empty() ? "behind this" : "here", help);
  }

  void skip() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }
  std::string_view next_word() {
    skip();
    return text_.substr(at_, std::min(text_.find_first_of(" \t\n\r,", at_), text_.size()) - at_);
  }
  bool take(std::string_view word) {
    if (next_word() != word) return false;
    at_ += word.size();
    return true;
  }
  bool take_comma() {
    skip();
    if (at_ >= text_.size() || text_[at_] != ',') return false;
    ++at_;
    return true;
  }
  void need(std::string_view word) {
    if (!take(word)) expect(fmt::format("`{}`", word));
  }

  std::uint64_t whole(const std::string& what, std::uint64_t most);
  std::optional<std::size_t> find_column();
  std::size_t column();
  std::size_t number_column();
  Goal goal();
  double amount(const Column& column);
  std::uint32_t share();
  void goals(Reduction& reduction);
  void histogram(Reduction& reduction);
  void groups(Reduction& reduction);
  void group_columns(Reduction& reduction);
  void quantiles(Reduction& reduction);

  const std::string_view text_;
  const std::vector<Column>& columns_;
  std::size_t at_ = 0;
};

std::uint64_t ReductionReader::whole(const std::string& what, std::uint64_t most) {
  const std::string_view word = next_word();
  const auto number = parse_number<std::uint64_t>(word);
  if (!number) expect(what);
  if (*number < 1 || *number > most)
    fail(at_, at_ + word.size(), fmt::format("{} may be from 1 to {}", what, most), "this number");
  at_ += word.size();
  return *number;
}

// Names may have blanks in them, as of samples: the longest counts.
std::optional<std::size_t> ReductionReader::find_column() {
  skip();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& name = columns_[i].name;
    const std::size_t end = at_ + name.size();
    if (text_.substr(at_, name.size()) != name) continue;
    if (end < text_.size() && text_[end] != ',' && blanks.find(text_[end]) == std::string_view::npos) continue;
    if (!found || name.size() > columns_[*found].name.size()) found = i;
  }
  if (found) at_ += columns_[*found].name.size();
  return found;
}

std::size_t ReductionReader::column() {
  if (const auto found = find_column()) return *found;
  const std::string_view word = next_word();
  if (word.empty()) expect("the name of a column");
  std::vector<std::string> names;
  for (const auto& one : columns_) names.push_back(one.name);
  const std::string near = frontend::nearest(word, names);
  fail(at_, at_ + word.size(), fmt::format("the study has no column `{}`", word), "no column",
       near.empty() ? "its columns are " + frontend::quoted_list(names) : frontend::did_you_mean({near}));
}

std::size_t ReductionReader::number_column() {
  skip();
  const std::size_t begin = at_, found = column();
  const CellKind kind = columns_[found].kind;
  if (kind != CellKind::real && kind != CellKind::integer)
    fail(begin, at_, fmt::format("`{}` is no number", columns_[found].name), "has no order",
         "groups may be made of it: `mean of total by " + columns_[found].name + "`");
  return found;
}

// A column may be called `max`.
Goal ReductionReader::goal() {
  const std::size_t begin = at_;
  for (const bool is_largest : {false, true}) {
    if (!take(is_largest ? "max" : "min")) continue;
    const std::string_view word = next_word();
    if (!word.empty() && word != "of") return {number_column(), is_largest};
    at_ = begin;
  }
  return {number_column(), false};
}

// "1.5 us", as a quantity of the column, in base units.
double ReductionReader::amount(const Column& column) {
  skip();
  const std::size_t begin = at_;
  std::size_t digits = std::min(text_.find_first_not_of("0123456789.eE+-", begin), text_.size());
  const bool is_negative = begin < text_.size() && text_[begin] == '-';
  const std::string_view number = text_.substr(begin + (is_negative ? 1 : 0), digits - begin - (is_negative ? 1 : 0));
  if (!parse_number<double>(number)) expect("a number");
  at_ = digits;
  std::size_t end = digits;
  const std::string_view word = next_word();
  std::optional<frontend::Unit> unit;
  frontend::Dimension dimension;
  if (!word.empty() && word != "to" && word != "in") {
    frontend::Diagnostics diagnostics;
    unit = frontend::read_unit(word, {}, number, diagnostics);
    if (!unit) {
      const auto& d = diagnostics.all().front();
      fail(at_, at_ + word.size(), d.message, "this unit", d.help.empty() ? "" : d.help.front());
    }
    dimension = frontend::dimension_of(*unit);
    end = at_ += word.size();
  }
  const auto value = frontend::nearest_value(number, unit ? &*unit : nullptr);
  if (!value) fail(begin, end, "this number is too large", "infinite");
  if (*value != 0 && dimension != column.dimension)
    fail(begin, end,
         fmt::format("`{}` is of another dimension than `{}`", text_.substr(begin, end - begin), column.name),
         "of another dimension", column.unit.empty() ? "it is a plain number" : "for example `1 " + column.unit + "`");
  return is_negative ? -*value : *value;
}

std::uint32_t ReductionReader::share() {
  std::string_view word = next_word();
  const std::size_t begin = at_, end = at_ + word.size();
  const bool is_percent = !word.empty() && word.back() == '%';
  if (is_percent) word.remove_suffix(1);
  const auto number = parse_number<double>(word);
  if (!number) expect("a share, such as `95%`");
  const double parts = *number * whole_share / (is_percent ? 100 : 1), whole = std::nearbyint(parts);
  if (!(parts >= 0 && parts <= whole_share))
    fail(begin, end, "a share lies between 0 and 1, or 0% and 100%", "this one does not");
  if (std::fabs(parts - whole) > 1e-6) fail(begin, end, "a share has nine decimals at most", "this one has more");
  at_ = end;
  return static_cast<std::uint32_t>(whole);
}

void ReductionReader::goals(Reduction& reduction) {
  need("of");
  do {
    skip();
    const std::size_t begin = at_;
    reduction.goals.push_back(goal());
    const auto is_same = [&](const Goal& one) { return one.column == reduction.goals.back().column; };
    if (std::count_if(reduction.goals.begin(), reduction.goals.end(), is_same) > 1)
      fail(begin, at_, "a front is of different columns", "once more");
    if (reduction.goals.size() > 3) fail(begin, at_, "a front is of two or three columns", "the fourth");
  } while (take_comma());
  if (reduction.goals.size() < 2) expect("`,` and another column", "for one column there is `best 1 of total`");
}

void ReductionReader::histogram(Reduction& reduction) {
  need("of");
  reduction.goals.push_back({number_column(), false});
  reduction.count = 8;
  if (!take("in")) return;
  const std::size_t begin = at_;
  reduction.count = whole("the number of bins", most_bins);
  if (!take("bin")) need("bins");
  if (take("an")) {
    need("octave");
    if (!std::has_single_bit(reduction.count) || reduction.count > std::uint64_t{1} << bins_of_octave_bits)
      fail(begin + 1, at_, "an octave has 1, 2, 4, 8 … or 1024 bins", "this many");
    return;
  }
  need("from");
  const std::size_t range = at_;
  const Column& column = columns_[reduction.goals.front().column];
  reduction.has_range = true;
  reduction.from = amount(column);
  need("to");
  reduction.to = amount(column);
  if (!(reduction.from < reduction.to) || !std::isfinite(reduction.to - reduction.from))
    fail(range + 1, at_, "a histogram goes from a number to a larger one", "this does not rise");
}

void ReductionReader::group_columns(Reduction& reduction) {
  do {
    skip();
    const std::size_t begin = at_, found = column();
    if (!columns_[found].listed)
      fail(begin, at_, fmt::format("`{}` does not vary", columns_[found].name), "is found at the points",
           "groups are made of what varies");
    if (std::find(reduction.by.begin(), reduction.by.end(), found) != reduction.by.end())
      fail(begin, at_, "groups are made of different columns", "once more");
    reduction.by.push_back(found);
  } while (take_comma());
}

void ReductionReader::groups(Reduction& reduction) {
  do {
    if (take("mean"))
      reduction.mean = true;
    else if (take("sum"))
      reduction.sum = true;
    else if (take("extremes"))
      reduction.extremes = true;
    else
      expect("`mean`, `sum` or `extremes`");
  } while (take("and") || take_comma());
  need("of");
  reduction.goals.push_back({number_column(), false});
  if (take("by")) group_columns(reduction);
}

void ReductionReader::quantiles(Reduction& reduction) {
  do {
    if (reduction.shares.size() == most_shares) expect("`of`", fmt::format("{} shares at a time", most_shares));
    reduction.shares.push_back(share());
  } while (take_comma());
}

Reduction ReductionReader::read() {
  Reduction reduction;
  reduction.text = text_;
  const std::string_view word = next_word();
  if (take("best")) {
    reduction.kind = Reduction::Kind::best;
    reduction.count = whole("the number of points", most_kept_rows);
    need("of");
    reduction.goals.push_back(goal());
  } else if (take("pareto")) {
    reduction.kind = Reduction::Kind::pareto;
    goals(reduction);
  } else if (take("histogram")) {
    reduction.kind = Reduction::Kind::histogram;
    histogram(reduction);
  } else if (word == "mean" || word == "sum" || word == "extremes") {
    reduction.kind = Reduction::Kind::groups;
    groups(reduction);
  } else if (word == "quantiles" || word == "median") {
    reduction.kind = Reduction::Kind::quantiles;
    at_ += word.size();
    if (word == "median")
      reduction.shares = {whole_share / 2};
    else
      quantiles(reduction);
    need("of");
    reduction.goals.push_back({number_column(), false});
    reduction.is_exact = take("exact");
  } else {
    expect("a reduction", std::string("it reads like ") + forms);
  }
  if (!next_word().empty() || at_ < text_.size()) expect("the end");
  return reduction;
}

}  // namespace

std::variant<Reduction, ReductionTrouble> read_reduction(std::string_view text, const std::vector<Column>& columns) {
  try {
    return ReductionReader(text, columns).read();
  } catch (ReductionTrouble& trouble) {
    trouble.end = std::min(std::max(trouble.end, trouble.begin), text.size());
    trouble.begin = std::min(trouble.begin, trouble.end);
    return std::move(trouble);
  }
}

}  // namespace wave::analysis
