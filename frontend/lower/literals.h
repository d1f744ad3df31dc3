// What is measured: literals with a name of their own for those who ask where time goes, values with their spread, and
// tables.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <map>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

class Literals {
 public:
  explicit Literals(const Parts& parts)
      : parts_(parts),
        program_(parts.program),
        b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        processes_(parts.processes) {}

  // From here on literals that carry time are definitions; each is listed.
  void list_literals(std::vector<LiteralInfo>& into) { literals_ = &into; }
  ir::ValueId literal(const expr::Number& node, Place place);
  // From here on what is written with `±` depends on draws; each is listed.
  void list_uncertain(std::vector<UncertainInfo>& into) { uncertain_ = &into; }
  Symbolic uncertain(const expr::Uncertain& node, const Scope& scope, Place place);
  Symbolic table(const expr::TableLiteral& node, const Scope& scope, Place place);
  Symbolic table(const expr::TableFile& node, const TypeRef& type, Place place);
  Symbolic look_up_table(const value::Table& table, const std::vector<Named>& arguments, Place place);

  // While it lives literals and what is written with `±` are constants.
  class ConstantLiterals {
   public:
    explicit ConstantLiterals(Literals& self)
        : self_(self),
          before_(std::exchange(self.literals_, nullptr)),
          draws_before_(std::exchange(self.has_draws_, false)) {}
    ConstantLiterals(const ConstantLiterals&) = delete;
    ~ConstantLiterals() {
      self_.literals_ = before_;
      self_.has_draws_ = draws_before_;
    }

   private:
    Literals& self_;
    std::vector<LiteralInfo>* before_;
    bool draws_before_;
  };

 private:
  void note_table_of_times(ir::TableId table, const TypeRef& values, Place place);
  void read_entries(const expr::TableLiteral& node, const Scope& scope, ir::Table& table);

  const Parts& parts_;
  const Program& program_;
  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Processes& processes_;
  std::vector<LiteralInfo>* literals_ = nullptr;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ir::DefinitionId> literal_at_;  // by file and begin
  std::vector<UncertainInfo>* uncertain_ = nullptr;
  bool has_draws_ = true;                                                        // not where values must be constants
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> uncertain_at_;  // by file and begin
};

}  // namespace wave::frontend::lowering
