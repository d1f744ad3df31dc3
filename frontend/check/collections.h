// What consists of elements: lists, ranges, comprehensions, reductions and tables; and what stands in brackets.
#pragma once

#include "frontend/check/context.h"

#include <string>
#include <vector>

namespace wave::frontend {
struct SearchPath;
}

namespace wave::frontend::check {

class Collections {
 public:
  // Data files are searched along `search`.
  Collections(const Parts& parts, const SearchPath& search)
      : search_(search),
        context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        references_(parts.references),
        studies_(parts.studies) {}

  TypeRef check_list(expr::List& list, const TypeRef& expected);
  TypeRef check_range(Expr& e, expr::Range& range);
  TypeRef check_comprehension(expr::Comprehension& node, const TypeRef& expected);
  TypeRef check_reduce(Expr& e, expr::Reduce& node, const TypeRef& expected);
  TypeRef check_index(Expr& e, expr::Index& node);
  void open_binders(std::vector<Binder>& binders);  // adds locals; the caller removes them
  // The output that a name or a member reads, where it is a series; null for anything else.
  const item::Output* series_of(const Expr& e);

  // --- tables.cpp ---
  TypeRef check_table(Expr& e, expr::TableLiteral& table, const TypeRef& expected);
  TypeRef check_table_file(expr::TableFile& table);

 private:
  TypeRef check_series_index(Expr& e, expr::Index& node, const item::Output& series);
  TypeRef check_indices(Place place, std::vector<Argument>& indices, std::size_t axes, const TypeRef& result,
                        const std::string& what);
  void check_own_offsets(expr::Index& node);

  const SearchPath& search_;
  Context& context_;
  Reports& reports_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  References& references_;
  Studies& studies_;
};

}  // namespace wave::frontend::check
