// See doubts.h.
#include "analysis/inferred/doubts.h"

#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wave::analysis::inferred {

namespace {

class Doubts {
 public:
  Doubts(FormulaText& text, const Explained& explained) : text_(text), explained_(explained) {}

  std::vector<std::string> doubts() {
    std::vector<std::string> said;
    const auto say = [&](const std::string& text) {
      if (std::find(said.begin(), said.end(), text) == said.end()) said.push_back(text);
    };
    doubt_parameters(say);
    doubt_what_was_taken(say);
    doubt_rests(say);
    const auto size_text = [&](const Formula& formula) { return text_.bytes_text(formula); };
    const auto count_text = [&](const Formula& formula) { return text_.rounds_text(formula); };
    for (const auto& size : explained_.sizes) {
      if (size) find_settled(*size, size_text);
    }
    for (const Amount& rounds : explained_.rounds) find_settled(rounds, count_text);
    for (const auto& size : explained_.sizes) {
      if (!size) continue;
      doubt(*size, size_text, say);
      doubt_few_runs(*size, size_text, say);
    }
    for (const Amount& rounds : explained_.rounds) {
      doubt(rounds, count_text, say);
      doubt_few_runs(rounds, count_text, say);
    }
    constexpr double worth_saying = 0.01;
    if (explained_.left_out >= worth_saying)
      say(fmt::format("{:.0f} % of what is computed is left out: it is little at each place",
                      100 * explained_.left_out));
    return said;
  }

 private:
  // What a user may vary, and its values in the runs.
  struct Varied {
    std::string name;
    std::vector<std::int64_t> values;  // by run in the model
    bool is_extent;
  };
  std::vector<Varied> varied() const {
    std::vector<Varied> result;
    const auto matched = text_.matched_runs();
    for (std::size_t k = 0; k < text_.formulas().parameters().size(); ++k) {
      result.push_back({text_.parameter_names()[k], {}, false});
      for (const std::size_t run : matched)
        result.back().values.push_back(text_.runs()[run]->parameters.at(text_.formulas().parameters()[k]));
    }
    for (std::size_t axis = 0; axis < text_.axes(); ++axis) {
      if (axis > 0 && text_.extent_names()[axis] == text_.extent_names()[0]) continue;
      result.push_back({text_.extent_names()[axis], {}, true});
      for (const std::size_t run : matched)
        result.back().values.push_back(text_.structure().runs[run]->grid.extents[axis]);
    }
    return result;
  }

  template <class Say>
  void doubt_parameters(const Say& say) const {
    const std::vector<Varied> all = varied();
    const auto is_constant = [](const Varied& one) {
      return std::count(one.values.begin(), one.values.end(), one.values[0]) ==
             static_cast<std::ptrdiff_t>(one.values.size());
    };
    // Whether both rise together, or one falls as the other rises: then either may stand for the other.
    const auto go_together = [](const Varied& one, const Varied& other) {
      std::set<std::pair<std::int64_t, std::int64_t>> pairs;
      for (std::size_t run = 0; run < one.values.size(); ++run) pairs.insert({one.values[run], other.values[run]});
      bool rises = true, falls = true;
      for (auto at = pairs.begin(), next = std::next(at); next != pairs.end(); ++at, ++next) {
        rises = rises && next->first > at->first && next->second > at->second;
        falls = falls && next->first > at->first && next->second < at->second;
      }
      return rises || falls;
    };
    for (const Varied& one : all) {
      if (is_constant(one))
        say(fmt::format("`{0}` is {1} in all runs: record one with another, since what depends on it is not known",
                        one.name, one.values[0]));
      if (one.is_extent && *std::max_element(one.values.begin(), one.values.end()) == 2)
        say(
            fmt::format("no run has more than two processes along `{}`: the neighbours on both sides are one there, so "
                        "record one with three",
                        one.name));
    }
    std::vector<bool> is_named(all.size());
    for (std::size_t a = 0; a < all.size(); ++a) {
      if (is_named[a] || is_constant(all[a])) continue;
      std::vector<std::string> together{all[a].name};
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        if (is_named[b] || is_constant(all[b]) || !go_together(all[a], all[b])) continue;
        together.push_back(all[b].name);
        is_named[b] = true;
      }
      if (together.size() > 1)
        say(fmt::format("{} are never varied apart: record a run in which one of them alone is another",
                        frontend::quoted_list(together)));
    }
    if (text_.axes() > 1 && text_.extent_names()[1] == text_.extent_names()[0])
      say(fmt::format(
          "all axes have the same extent in all runs: a grid of others may do something else than `{}` says",
          text_.extent_names()[0]));
  }

  template <class Say>
  void doubt_what_was_taken(const Say& say) const {
    for (std::size_t axis = 0; axis < text_.axes(); ++axis) {
      if (!text_.given_extents()[axis].empty())
        say(fmt::format("`{}` is how many processes lie along {} in all runs, and was taken for that",
                        text_.given_extents()[axis], text_.axis_names()[axis]));
    }
    std::set<std::string> all;
    for (const std::size_t run : text_.matched_runs()) {
      for (const auto& [name, value] : text_.runs()[run]->parameters) all.insert(name);
    }
    for (const std::string& name : all) {
      const bool is_known =
          std::find(text_.given_extents().begin(), text_.given_extents().end(), name) != text_.given_extents().end() ||
          std::find(text_.formulas().parameters().begin(), text_.formulas().parameters().end(), name) !=
              text_.formulas().parameters().end();
      if (!is_known) say(fmt::format("`{}` is not given for all runs, so nothing depends on it", name));
    }
  }

  // Parts that are as large for all: who has what is left over is not known.
  template <class Say>
  void doubt_rests(const Say& say) const {
    std::set<std::size_t> used;
    const auto use = [&](const std::optional<Formula>& formula) {
      if (formula) used.insert(formula->above.begin(), formula->above.end());
    };
    for (const auto& size : explained_.sizes) use(size ? size->formula : std::nullopt);
    for (const Amount& rounds : explained_.rounds) use(rounds.formula);
    for (const std::size_t number : used) {
      const Atom& atom = text_.formulas().atoms()[number];
      const bool is_by_axis =
          atom.kind == Atom::Kind::part || atom.kind == Atom::Kind::inner || atom.kind == Atom::Kind::share;
      const bool is_by_other = atom.kind == Atom::Kind::quotient || atom.kind == Atom::Kind::whole_quotient;
      if (!is_by_axis && !is_by_other) continue;
      const std::string& name = text_.formulas().parameters()[atom.parameter];
      bool is_even = true;
      for (const std::size_t run : text_.matched_runs()) {
        const std::int64_t by = is_by_axis
                                    ? text_.structure().runs[run]->grid.extents[atom.axis]
                                    : text_.runs()[run]->parameters.at(text_.formulas().parameters()[atom.other]);
        is_even = is_even && by > 0 && text_.runs()[run]->parameters.at(name) % by == 0;
      }
      if (is_even)
        say(fmt::format(
            "`{}` is a multiple of `{}` in all runs: record one in which it is not, since what is left over goes "
            "somewhere",
            text_.parameter_names()[atom.parameter],
            is_by_axis ? text_.extent_names()[atom.axis] : text_.parameter_names()[atom.other]));
    }
  }

  // What was seen in some runs only, in which something that others vary is the same.
  template <class TextOf, class Say>
  void doubt_few_runs(const Amount& amount, const TextOf& text_of, const Say& say) {
    const auto matched = text_.matched_runs();
    if (!amount.formula || amount.runs.size() == matched.size() || amount.runs.empty()) return;
    std::vector<std::string> same;
    for (const Varied& one : varied()) {
      std::set<std::int64_t> own, all(one.values.begin(), one.values.end());
      for (std::size_t k = 0; k < matched.size(); ++k) {
        if (amount.runs.count(matched[k]) > 0) own.insert(one.values[k]);
      }
      if (own.size() == 1 && all.size() > 1) same.push_back(one.name);
    }
    const std::string text = text_of(*amount.formula);
    if (!same.empty() && settled_.count(text) == 0)
      say(fmt::format("`{}` was seen with one value of {} only: record another run that comes there", text,
                      frontend::quoted_list(same)));
  }

  // Of formulas that are as exact, a run that tells them apart.
  template <class TextOf, class Say>
  void doubt(const Amount& amount, const TextOf& text_of, const Say& say) {
    if (!amount.formula || amount.is_by_turn) return;
    const std::string own = text_of(*amount.formula);
    for (const Formula& other : amount.others) {
      const auto apart = told_apart_by(*amount.formula, other);
      if (apart.empty() || text_of(other) == own || settled_.count(own) > 0) continue;
      say(fmt::format("`{}` might be `{}`, too: a run with another {} alone would tell", own, text_of(other), apart));
      return;
    }
  }
  // Formulas that no other one could replace, at one place at least.
  template <class TextOf>
  void find_settled(const Amount& amount, const TextOf& text_of) {
    if (!amount.formula || amount.is_by_turn || amount.runs.size() < text_.matched_runs().size()) return;
    const bool is_settled = std::all_of(amount.others.begin(), amount.others.end(), [&](const Formula& other) {
      return told_apart_by(*amount.formula, other).empty();
    });
    if (is_settled) settled_.insert(text_of(*amount.formula));
  }
  std::string told_apart_by(const Formula& one, const Formula& other) const {
    const Run& base = *text_.runs()[text_.structure().base];
    const auto differ = [&](const Parameters& parameters, const RankGrid& grid) {
      for (std::int64_t rank = 0; rank < grid.count(); ++rank) {
        const Where where{&parameters, &grid, grid.place_of(rank)};
        const double a = text_.formulas().value_of(one, where), b = text_.formulas().value_of(other, where);
        if (std::abs(a - b) > 1e-9 * std::abs(a)) return true;  // not where one of them has no value
      }
      return false;
    };
    // Where one is rounded and the other is not, multiples tell nothing of that, and others would tell only that.
    const auto rounds = [&](const Formula& formula) {
      return std::any_of(formula.above.begin(), formula.above.end(),
                         [&](std::size_t atom) { return text_.formulas().atoms()[atom].kind == Atom::Kind::share; });
    };
    const std::int64_t more = rounds(one) == rounds(other) ? 1 : 0;
    for (std::size_t k = 0; k < text_.formulas().parameters().size(); ++k) {
      for (const std::int64_t times : {2, 3, 5}) {
        Parameters parameters = base.parameters;
        std::int64_t& value = parameters[text_.formulas().parameters()[k]];
        value = times * value + more;
        if (differ(parameters, text_.grid())) return fmt::format("`{}`", text_.parameter_names()[k]);
      }
    }
    for (std::size_t axis = 0; axis < text_.axes(); ++axis) {
      RankGrid wider = text_.grid();
      wider.extents[axis] = more > 0 ? wider.extents[axis] + 1 : 2 * wider.extents[axis];
      if (differ(base.parameters, wider)) return fmt::format("`{}`", text_.extent_names()[axis]);
    }
    return "";
  }

  FormulaText& text_;
  const Explained& explained_;
  std::set<std::string> settled_;  // texts of formulas
};

}  // namespace

std::vector<std::string> doubts_of(FormulaText& text, const Explained& explained) {
  return Doubts(text, explained).doubts();
}

}  // namespace wave::analysis::inferred
