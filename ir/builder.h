// Builds a System. Nodes are shared (equal nodes get one id), and ir/arithmetic.h folds constants. Folding never hides
// a failure: `1 / 0` stays a node that fails when it is needed. An operand that may fail is never dropped, except in
// the branch that a constant condition does not take.
#pragma once

#include "ir/scalar.h"
#include "ir/system.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace wave::ir {

// A node as a list of numbers. Nodes are equal if their lists are, which serves sharing and comparing.
using NodeKey = std::vector<std::uint64_t>;
NodeKey node_key(const Node& node, ScalarType type);

// The values of a system by their nodes. Lowering looks up every node that it makes. All keys lie in one array, because
// allocating a list for each would take most of that time.
class KnownNodes {
 public:
  // The value of an equal node, which is `next` from now on if there was none.
  ValueId find_or_add(const Node& node, ScalarType type, ValueId next);

 private:
  struct Entry {
    std::size_t begin;  // of its key in `words_`, which ends where that of the next one begins
    std::uint64_t hash;
    ValueId value;
  };
  bool is_key_of(std::size_t entry) const;
  void grow();

  NodeKey key_;  // of the node that is asked for
  std::vector<std::uint64_t> words_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // of a hash table: an entry's number plus 1, or 0; a power of two of them
};

class Builder {
 public:
  // Continues a system as it stands; a system without frames gets its root frame. The system must outlive the builder.
  explicit Builder(System& system);

  System& system() { return system_; }
  const System& system() const { return system_; }

  // --- scopes ---
  FrameId frame(std::string name, FrameId parent);
  ParameterId parameter(FrameId frame, std::string name, ScalarType type);
  // A definition whose body is set later (set_body), so that others can refer to it first.
  DefinitionId declare(FrameId frame, std::string name, ScalarType type, Location location = {}, bool bindable = false);
  void set_body(DefinitionId definition, ValueId body) { system_[definition].body = body; }
  DefinitionId define(FrameId frame, std::string name, ValueId body, Location location = {}, bool bindable = false);
  BinderId binder(std::string name);
  SiteId site(FailureKind kind, Location location, std::string text = {}, std::vector<Location> related = {});
  TableId table(Table table);
  SpaceId space(Space space);
  EventId event(Event event);
  // The body, constraints or `else` of an event can be set later through `system()[id]`.
  ProcessId process(Process process);
  EndsId ends(MessageEnds ends);
  RootId root(Root root);

  // --- constants ---
  ValueId constant(Scalar value);
  ValueId real(double value) { return constant(Scalar::of(value)); }
  ValueId integer(std::int64_t value) { return constant(Scalar::of(value)); }
  ValueId boolean(bool value) { return constant(Scalar::of(value)); }

  // --- leaves ---
  ValueId parameter_value(ParameterId parameter);
  ValueId index(BinderId binder);
  ValueId reference(DefinitionId definition);

  // --- operators; the site is dropped if the operation cannot fail ---
  ValueId unary(UnaryOp op, ValueId operand, SiteId site = {});
  ValueId binary(BinaryOp op, ValueId left, ValueId right, SiteId site = {});
  ValueId negate(ValueId x, SiteId site = {});
  ValueId logical_not(ValueId x);
  ValueId logical_and(ValueId a, ValueId b);
  ValueId logical_or(ValueId a, ValueId b);
  ValueId quantize(ValueId x, SiteId site);
  ValueId add(ValueId a, ValueId b, SiteId site = {});
  ValueId subtract(ValueId a, ValueId b, SiteId site = {});
  ValueId multiply(ValueId a, ValueId b, SiteId site = {});
  ValueId divide(ValueId a, ValueId b, SiteId site);
  ValueId equal(ValueId a, ValueId b);
  ValueId less(ValueId a, ValueId b);
  ValueId less_equal(ValueId a, ValueId b);
  // Turns an integer into a real; a real stays as it is.
  ValueId to_real(ValueId x);
  ValueId maximum(std::vector<ValueId> operands);
  ValueId minimum(std::vector<ValueId> operands);
  ValueId select(ValueId condition, ValueId if_true, ValueId if_false);
  ValueId check(ValueId condition, ValueId value, SiteId site);
  ValueId fail(SiteId site, ScalarType type);

  // --- calls, loops, events, tables ---
  ValueId call(FrameId frame, DefinitionId definition, std::vector<ValueId> arguments, SiteId site);
  ValueId reduce(ReduceKind kind, std::vector<Level> levels, ValueId body, ValueId value, SiteId site);
  ValueId read(EventId event, std::vector<ValueId> indices, SiteId site);
  ValueId neighbour(EventId event, std::vector<std::int32_t> offset);
  ValueId measure(Measure measure);
  ValueId lookup(TableId table, std::vector<ValueId> keys, SiteId site);

  // Makes any node, shared but not folded.
  ValueId node(Node node, ScalarType type);

  // --- queries ---
  ScalarType type(ValueId value) const { return system_[value].type; }
  std::optional<Scalar> as_constant(ValueId value) const;

 private:
  ValueId share(Node node, ScalarType type);
  ValueId extremum(std::vector<ValueId> operands, bool greatest);

  System& system_;
  KnownNodes known_;
};

}  // namespace wave::ir
