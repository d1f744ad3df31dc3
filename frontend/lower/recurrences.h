// Recurrences: their spaces and events, and how a reference becomes a neighbour or a read.
#pragma once

#include "frontend/lower/parts.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Recurrences {
 public:
  explicit Recurrences(const Parts& parts) : parts_(parts) {}

  Recurrence& recurrence(Instance& instance, const Item& declaration);
  ValuePtr read(const value::Event& event, const std::vector<ValuePtr>& indices, const Scope& scope, Location location);
  // The extents of a grid's axes.
  std::vector<ir::ValueId> extents(const value::Grid& grid);

 private:
  void lower_recurrence(Recurrence& recurrence);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Instances& instances_ = parts_.instances;
  std::map<std::string, ir::SpaceId> spaces_;
};

// The right side of a recurrence. It becomes constraints if it consists, more or less, of max and plus.
class RecurrenceBody {
 public:
  RecurrenceBody(const Parts& parts, Recurrence& recurrence, Scope scope)
      : parts_(parts), recurrence_(recurrence), scope_(std::move(scope)) {}

  // Fills in the event with constraints; or with a body of max, min, `if` and sums over rounded summands; or with any
  // other body, evaluated as written.
  void lower();

 private:
  struct Term {
    ir::EventId source;
    std::vector<std::int32_t> offset;
    std::vector<ir::ValueId> weights;
    std::optional<ir::ValueId> guard;
    Location location;
  };
  using Terms = std::optional<std::vector<Term>>;
  // An expression and where it stands, so that a local `let` can be looked through.
  struct Standing {
    const Expr* expr;
    Scope scope;
  };

  Terms terms(const Standing& at);
  Terms terms_of_sum(const expr::Binary& sum, const Scope& scope);
  Terms terms_of_choice(ir::ValueId condition, const Standing& if_true, const std::function<Terms()>& if_false);
  Terms terms_of_when(const expr::When& when, std::size_t arm, const Scope& scope);
  std::optional<ir::ValueId> rounded(const Standing& at);
  std::optional<ir::ValueId> rounded_choice(ir::ValueId condition, const Standing& if_true,
                                            const std::function<std::optional<ir::ValueId>()>& if_false);
  std::optional<ir::ValueId> rounded_when(const expr::When& when, std::size_t arm, const Scope& scope);
  std::optional<ir::ValueId> rounded_sum(const expr::Binary& sum, const Scope& scope);
  ir::ValueId rounded_summands(const Standing& at);
  void summands(const Standing& at, bool negative, std::vector<ir::ValueId>& into);
  std::optional<std::vector<const Expr*>> operands_of_extremum(const Expr& expr, ReduceOperator op) const;
  // The local `let` that a name stands for; null if it stands for something else.
  static const Environment* let_of(const Expr& expr, const Scope& scope);
  Terms terms_of_let(const Environment& let);
  std::optional<ir::ValueId> rounded_let(const Environment& let);
  std::optional<Term> neighbour(const Standing& at);
  // Whether it mentions neither the recurrence itself nor what is defined together with it.
  bool is_weight(const Standing& at);
  bool mentions(ir::ValueId value);
  bool defined_together(ir::EventId event);

  // How many terms there may be because a `let` is read again. Beyond this, the recurrence gets a body, which shares
  // it.
  static constexpr std::size_t most_repeated = 100;
  // How many weights all terms together may have: a chain of local `let`s that each take a maximum and add something
  // gives every term the weights of all that follow.
  static constexpr std::size_t most_written = 20'000;

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Recurrence& recurrence_;
  Scope scope_;
  std::map<const Environment*, Terms> terms_of_;
  std::map<const Environment*, std::optional<ir::ValueId>> rounded_of_;
  std::size_t repeated_ = 0, written_ = 0;
  std::set<ir::ValueId> mentioning_;  // as far as it is known
};

}  // namespace wave::frontend::lowering
