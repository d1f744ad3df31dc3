// See explain.h.
#include "analysis/inferred/explain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace wave::analysis::inferred {

using recorded::Step;
using Term = Condition::Term;

std::vector<Where> places_of(const Structure& structure, const Runs& runs) {
  std::vector<Where> places;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!structure.runs[run]) continue;
    const RankGrid& grid = structure.runs[run]->grid;
    for (std::int64_t rank = 0; rank < grid.count(); ++rank)
      places.push_back({&runs[run]->parameters, &grid, grid.place_of(rank)});
  }
  return places;
}

std::vector<std::string> given_extents(const Structure& structure, const Runs& runs) {
  std::vector<std::string> result;
  for (std::size_t axis = 0; axis < structure.runs[structure.base]->grid.extents.size(); ++axis) {
    result.emplace_back();
    for (const auto& [name, base] : runs[structure.base]->parameters) {
      std::set<std::int64_t> extents;
      bool is_extent = true;
      for (std::size_t run = 0; run < runs.size() && is_extent; ++run) {
        if (!structure.runs[run]) continue;
        const std::int64_t extent = structure.runs[run]->grid.extents[axis];
        const auto found = runs[run]->parameters.find(name);
        is_extent = found != runs[run]->parameters.end() && found->second == extent;
        extents.insert(extent);
      }
      const bool is_free = std::find(result.begin(), result.end(), name) == result.end();
      if (is_extent && is_free && extents.size() > 1 && result.back().empty()) result.back() = name;
    }
  }
  return result;
}

namespace {

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool holds(const Term& term, const Where& where) {
  const std::int64_t at = where.place[term.axis], last = where.grid->extents[term.axis] - 1;
  switch (term.kind) {
    case Term::Kind::first: return at == 0;
    case Term::Kind::not_first: return at > 0;
    case Term::Kind::last: return at == last;
    case Term::Kind::not_last: return at < last;
    case Term::Kind::border: return at == 0 || at == last;
    case Term::Kind::not_border: return at > 0 && at < last;
    case Term::Kind::odd: return at % 2 == 0;  // counted from 1
    case Term::Kind::even: return at % 2 == 1;
    case Term::Kind::below_last_even: return at % 2 == 1 && at < last;
  }
  return false;
}

class Explainer {
 public:
  Explainer(const Structure& structure, Formulas& formulas) : structure_(structure), formulas_(formulas) {
    std::size_t row = 0;
    for (std::size_t run = 0; run < structure.runs.size(); ++run) {
      first_row_.push_back(row);
      if (structure.runs[run]) row += static_cast<std::size_t>(structure.runs[run]->grid.count());
    }
    result_.sizes.resize(structure.tree.calls);
    result_.conditions.resize(structure.tree.calls);
    result_.work.resize(structure.tree.calls);
    result_.rounds.resize(structure.tree.loops);
  }

  Explained run() {
    explain(structure_.tree.nodes, nullptr);
    explain_alike(structure_.tree.nodes);
    explain_work();
    return std::move(result_);
  }

 private:
  template <class Visit>
  void for_each_seen(const Visit& visit) const {
    for (std::size_t run = 0; run < structure_.runs.size(); ++run) {
      if (!structure_.runs[run] || structure_.is_unclear[run]) continue;
      const auto ranks = static_cast<std::size_t>(structure_.runs[run]->grid.count());
      for (std::size_t rank = 0; rank < ranks; ++rank) visit(*structure_.runs[run], run, rank);
    }
  }

  void explain(const std::vector<Node>& nodes, const Node* loop) {
    for (const Node& node : nodes) {
      if (node.is_loop) {
        explain_rounds(node);
        explain(node.body, &node);
        continue;
      }
      explain_size(node, loop);
      if (node.is_conditional) explain_condition(node);
    }
  }

  // Keeps what was seen, too, where there is no formula.
  Amount amount_of(const std::vector<Formulas::Value>& values, Formulas::What what, bool varies, bool is_of_all) {
    Amount amount;
    amount.varies = varies;
    for (std::size_t run = 0; run < structure_.runs.size(); ++run) {
      const auto is_of_run = [&](const Formulas::Value& value) {
        return structure_.runs[run] && formulas_.rows()[value.row].grid == &structure_.runs[run]->grid;
      };
      if (std::any_of(values.begin(), values.end(), is_of_run)) amount.runs.insert(run);
    }
    if (!varies) {
      const Fit& fit = formulas_.fit(values, what, is_of_all);
      amount.formula = fit.best;
      amount.others = fit.others;
    }
    if (amount.formula) return amount;
    for (std::size_t run = 0; run < structure_.runs.size(); ++run) {
      amount.seen.emplace_back();
      if (structure_.runs[run]) amount.seen.back().resize(static_cast<std::size_t>(structure_.runs[run]->grid.count()));
      for (const auto& value : values) {
        if (value.row < first_row_[run] || value.row - first_row_[run] >= amount.seen.back().size()) continue;
        amount.seen.back()[value.row - first_row_[run]] = value.value;
      }
    }
    return amount;
  }

  void explain_size(const Node& node, const Node* loop) {
    const Step::Kind kind = node.operation.kind;
    if (!has_size(kind)) return;
    std::vector<Formulas::Value> values;
    bool varies = false, has_size = false;
    for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
      const CallSeen& call = seen.calls[node.number][rank];
      const bool sends =
          kind != Step::Kind::exchange || peer_of(node.operation.to, static_cast<std::int64_t>(rank), seen.grid) >= 0;
      if (call.times == 0 || !sends) return;
      has_size = has_size || call.size >= 0;
      varies = varies || !call.sizes.empty();
      values.push_back({first_row_[run] + rank, call.sizes.empty() ? call.size : mean_of(call.sizes)});
    });
    if (has_size && !varies) {
      values_of_[node.number] = values;
      operations_[node.number] = &node.operation;
    }
    if (has_size && varies && loop != nullptr) {
      if (auto amount = amount_by_turn(node, *loop)) {
        result_.sizes[node.number] = std::move(amount);
        return;
      }
    }
    if (has_size)
      result_.sizes[node.number] = amount_of(values, Formulas::What::bytes, varies, kind == Step::Kind::collective);
  }

  // Sizes that follow from the turn of the loop around the call. Nothing: they do not, or it is not known which turn it
  // is.
  std::optional<Amount> amount_by_turn(const Node& node, const Node& loop) {
    constexpr std::size_t most_rows = 20000;
    std::vector<Formulas::Value> values;
    bool is_known = true;
    for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
      const CallSeen& call = seen.calls[node.number][rank];
      const LoopSeen& turns = seen.loops[loop.number][rank];
      is_known = is_known && turns.varying.empty() && call.times == turns.times * turns.rounds;
      if (!is_known || call.times == 0) return;
      for (std::size_t turn = 0; turn < turns.rounds && is_known; ++turn) {
        const auto size_at = [&](std::size_t time) { return call.sizes.empty() ? call.size : call.sizes[time]; };
        for (std::size_t time = turn; time < call.times; time += turns.rounds)
          is_known = is_known && size_at(time) == size_at(turn);
        Where where = formulas_.rows()[first_row_[run] + rank];
        where.turn = static_cast<std::int64_t>(turn) + 1;
        where.turns = static_cast<std::int64_t>(turns.rounds);
        if (values.size() < most_rows) values.push_back({formulas_.add_row(where), size_at(turn)});
      }
    });
    if (!is_known || values.empty()) return std::nullopt;
    const Fit& fit = formulas_.fit(values, Formulas::What::bytes, false);
    if (!fit.best) return std::nullopt;
    return Amount{fit.best, fit.others, {}, {}, true, true};
  }

  // A call that fewer runs have takes the formula of one that does the same elsewhere, if that is as exact.
  void explain_alike(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      explain_alike(node.body);
      if (node.is_loop || !result_.sizes[node.number]) continue;
      Amount& own = *result_.sizes[node.number];
      if (!own.formula || own.is_by_turn) continue;
      for (const auto& [call, other] : values_of_) {
        const Amount& amount = *result_.sizes[call];
        const bool is_better = *operations_[call] == node.operation && amount.formula && !amount.is_by_turn &&
                               runs_of(other) > runs_of(values_of_[node.number]);
        if (!is_better || *amount.formula == *own.formula) continue;
        const auto& values = values_of_[node.number];
        const bool is_exact = std::all_of(values.begin(), values.end(), [&](const Formulas::Value& value) {
          return formulas_.value_of(*amount.formula, formulas_.rows()[value.row]) == value.value;
        });
        if (!is_exact) continue;
        own.formula = amount.formula;
        own.others = amount.others;
        own.runs = amount.runs;
        break;
      }
    }
  }
  std::size_t runs_of(const std::vector<Formulas::Value>& values) const {
    std::set<const RankGrid*> runs;
    for (const Formulas::Value& value : values) runs.insert(formulas_.rows()[value.row].grid);
    return runs.size();
  }

  bool are_same_in_runs(const std::vector<Formulas::Value>& values) const {
    std::map<const RankGrid*, double> first;
    return std::all_of(values.begin(), values.end(), [&](const auto& value) {
      return first.try_emplace(formulas_.rows()[value.row].grid, value.value).first->second == value.value;
    });
  }

  void explain_rounds(const Node& loop) {
    std::vector<Formulas::Value> values;
    bool varies = false;
    for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
      const LoopSeen& own = seen.loops[loop.number][rank];
      if (own.times == 0 || !does_anything(loop.body, seen, rank)) return;
      varies = varies || !own.varying.empty();
      double rounds = static_cast<double>(own.rounds);
      if (!own.varying.empty())
        rounds = std::accumulate(own.varying.begin(), own.varying.end(), 0.0) / static_cast<double>(own.varying.size());
      values.push_back({first_row_[run] + rank, rounds});
    });
    result_.rounds[loop.number] = amount_of(values, Formulas::What::rounds, varies, are_same_in_runs(values));
  }
  // A loop whose body has nothing for a rank has no number of rounds there.
  static bool does_anything(const std::vector<Node>& body, const Seen& seen, std::size_t rank) {
    const auto own = static_cast<std::int64_t>(rank);
    return std::any_of(body.begin(), body.end(), [&](const Node& node) {
      if (node.is_loop) return does_anything(node.body, seen, rank);
      if (node.is_conditional) return seen.calls[node.number][rank].times > 0;
      return can_do(node.operation, own, seen.grid);
    });
  }

  void explain_condition(const Node& node) {
    struct One {
      const Where* where;
      bool is_there;
    };
    std::vector<One> all;
    for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
      const auto own = static_cast<std::int64_t>(rank);
      const bool may = can_do(node.operation, own, seen.grid);
      if (may) all.push_back({&formulas_.rows()[first_row_[run] + rank], seen.calls[node.number][rank].times > 0});
    });
    const auto says = [&](const std::vector<Term>& terms) {
      return std::all_of(all.begin(), all.end(), [&](const One& one) {
        return one.is_there ==
               std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return holds(term, *one.where); });
      });
    };
    std::vector<Term> terms;
    const std::size_t axes = formulas_.rows().empty() ? 0 : formulas_.rows().front().place.size();
    for (std::size_t axis = 0; axis < axes; ++axis) {
      for (const auto kind :
           {Term::Kind::first, Term::Kind::not_first, Term::Kind::last, Term::Kind::not_last, Term::Kind::border,
            Term::Kind::not_border, Term::Kind::odd, Term::Kind::even, Term::Kind::below_last_even})
        terms.push_back({kind, axis});
    }
    Condition condition;
    const auto choose = [&](std::vector<Term> chosen) {
      if (!condition.all.empty() || !says(chosen)) return;
      condition.all = std::move(chosen);
    };
    std::vector<Term> everywhere_first;
    for (std::size_t axis = 0; axis < axes; ++axis) everywhere_first.push_back({Term::Kind::first, axis});
    for (const Term& one : terms) choose({one});
    if (axes > 0) choose(everywhere_first);
    for (const Term& one : terms) {
      for (const Term& other : terms) {
        if (one < other) choose({one, other});
      }
    }
    if (condition.all.empty()) {
      for (std::size_t run = 0; run < structure_.runs.size(); ++run) condition.ranks.emplace_back();
      for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
        condition.ranks[run].push_back(seen.calls[node.number][rank].times > 0);
      });
    }
    result_.conditions[node.number] = std::move(condition);
  }

  // --- computations ---

  struct Gap {
    std::size_t row;
    double ns;  // the mean of one
    std::size_t times;
  };
  std::vector<Gap> gaps_of(std::size_t call) const {
    std::vector<Gap> gaps;
    for_each_seen([&](const Seen& seen, std::size_t run, std::size_t rank) {
      const CallSeen& own = seen.calls[call][rank];
      if (own.gaps > 0 && own.since > 0)
        gaps.push_back({first_row_[run] + rank, own.since / static_cast<double>(own.gaps), own.gaps});
    });
    return gaps;
  }

  static double mean_gap(const std::vector<Gap>& gaps) {
    double ns = 0, times = 0;
    for (const Gap& gap : gaps) {
      ns += gap.ns * static_cast<double>(gap.times);
      times += static_cast<double>(gap.times);
    }
    return times > 0 ? ns / times : 0;
  }

  void explain_work() {
    constexpr double most_left_out = 0.05, of_calls = 1000;  // shorter ones are what calls take around them
    find_groups(structure_.tree.nodes, nullptr);
    find_size_parameters();
    double all = 0;
    std::map<std::size_t, std::vector<Gap>> gaps;  // by group
    for (const auto& [call, group] : group_of_) {
      for (const Gap& gap : gaps_of(call)) {
        gaps[group].push_back(gap);
      }
    }
    std::erase_if(gaps, [&](const auto& group) { return mean_gap(group.second) < of_calls; });
    // The smallest are left out, as far as they are little together.
    std::vector<std::pair<double, std::size_t>> totals;
    for (const auto& [group, of_group] : gaps) {
      totals.emplace_back(0, group);
      for (const Gap& gap : of_group) totals.back().first += gap.ns * static_cast<double>(gap.times);
      all += totals.back().first;
    }
    std::sort(totals.begin(), totals.end());
    std::map<std::size_t, Work> works;
    double left_out = 0;
    for (const auto& [total, group] : totals) {
      if (left_out + total <= most_left_out * all) {
        left_out += total;
        continue;
      }
      works[group] = work_of(gaps[group]);
      works[group].group = group;
      works[group].share = total / all;
    }
    result_.left_out = all > 0 ? left_out / all : 0;
    for (const auto& [call, group] : group_of_) {
      if (const auto found = works.find(group); found != works.end()) result_.work[call] = found->second;
    }
  }

  // Parameters that sizes are made of: what is computed may grow with these.
  void find_size_parameters() {
    for (const auto& size : result_.sizes) {
      if (!size || !size->formula) continue;
      for (const std::size_t number : size->formula->above) {
        const Atom& atom = formulas_.atoms()[number];
        const bool has_parameter = atom.kind != Atom::Kind::extent && atom.kind != Atom::Kind::ranks &&
                                   atom.kind != Atom::Kind::rounds && atom.kind != Atom::Kind::turn &&
                                   atom.kind != Atom::Kind::turn_left && atom.kind != Atom::Kind::power;
        if (has_parameter) of_sizes_.insert(atom.parameter);
      }
    }
  }

  // A call and the one before it, which of the first in a loop is the last.
  using CallKey = std::pair<Operation, Operation>;
  static const Operation* last_of(const std::vector<Node>& nodes) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      const Operation* const last = node->is_loop ? last_of(node->body) : &node->operation;
      if (last != nullptr) return last;
    }
    return nullptr;
  }
  void find_groups(const std::vector<Node>& nodes, const Operation* before) {
    for (const Node& node : nodes) {
      if (node.is_loop) {
        find_groups(node.body, last_of(node.body));
        before = last_of(node.body);
        continue;
      }
      const CallKey key{node.operation, before != nullptr ? *before : Operation{}};
      group_of_[node.number] = groups_.try_emplace(key, groups_.size()).first->second;
      before = &node.operation;
    }
  }

  // Once, or by what has least spread: a product of sizes of a process.
  Work work_of(const std::vector<Gap>& gaps) const {
    constexpr double clearly_less = 0.6;
    const auto spread_of = [&](const std::optional<Formula>& per) {
      std::vector<double> logs;
      for (const Gap& gap : gaps) {
        const double unit = per ? formulas_.value_of(*per, formulas_.rows()[gap.row]) : 1;
        if (!(unit > 0)) return 1e9;
        logs.push_back(std::log(gap.ns / unit));
      }
      const double mean = mean_of(logs);
      double sum = 0;
      for (const double one : logs) sum += (one - mean) * (one - mean);
      return std::sqrt(sum / static_cast<double>(logs.size()));
    };
    std::optional<Formula> best;
    double least = spread_of(std::nullopt) * clearly_less;
    const auto& atoms = formulas_.atoms();
    std::vector<std::size_t> usable;
    for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
      const auto kind = atoms[atom].kind;
      const bool is_size = atoms[atom].more == 0 && (kind == Atom::Kind::part || kind == Atom::Kind::parameter) &&
                           of_sizes_.count(atoms[atom].parameter) > 0;
      const auto value = [&](const Gap& gap) {
        return formulas_.value_of(Formula{1, {atom}, {}, 0, 0}, formulas_.rows()[gap.row]);
      };
      const bool changes =
          std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) { return value(gap) != value(gaps[0]); });
      if (is_size && changes) usable.push_back(atom);
    }
    const auto offer = [&](std::vector<std::size_t> above) {
      const Formula per{1, std::move(above), {}, 0, 0};
      if (const double spread = spread_of(per); spread < least) {
        least = spread * clearly_less;  // a further factor must bring as much again
        best = per;
      }
    };
    constexpr std::size_t most_atoms = 40;
    if (usable.size() > most_atoms) usable.resize(most_atoms);
    for (std::size_t i = 0; i < usable.size(); ++i) offer({usable[i]});
    for (std::size_t i = 0; i < usable.size(); ++i) {
      for (std::size_t j = i; j < usable.size(); ++j) offer({usable[i], usable[j]});
    }
    for (std::size_t i = 0; i < usable.size(); ++i) {
      for (std::size_t j = i; j < usable.size(); ++j) {
        for (std::size_t k = j; k < usable.size(); ++k) offer({usable[i], usable[j], usable[k]});
      }
    }
    std::vector<double> units;
    for (const Gap& gap : gaps)
      units.push_back(gap.ns / (best ? formulas_.value_of(*best, formulas_.rows()[gap.row]) : 1));
    std::sort(units.begin(), units.end());
    return {0, units[units.size() / 2], best, units.front(), units.back(), 0};
  }

  const Structure& structure_;
  Formulas& formulas_;
  std::vector<std::size_t> first_row_;                             // by run
  std::map<std::size_t, std::vector<Formulas::Value>> values_of_;  // by call
  std::map<std::size_t, const Operation*> operations_;
  std::map<CallKey, std::size_t> groups_;
  std::set<std::size_t> of_sizes_;               // parameters
  std::map<std::size_t, std::size_t> group_of_;  // by call
  Explained result_;
};

}  // namespace

Unexplained unexplained_of(const Explained& explained) {
  Unexplained result;
  const auto add = [&](const Amount& amount) {
    result.varying += amount.varies && !amount.formula;
    result.tables += !amount.formula;
  };
  for (const auto& size : explained.sizes) {
    if (size) add(*size);
  }
  for (const Amount& rounds : explained.rounds) add(rounds);
  for (const auto& condition : explained.conditions) result.tables += condition && condition->all.empty();
  return result;
}

Explained explain(const Structure& structure, Formulas& formulas) { return Explainer(structure, formulas).run(); }

}  // namespace wave::analysis::inferred
