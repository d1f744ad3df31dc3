// The outputs of a model, and the columns and cells of rows.
#include "frontend/lower/outputs.h"

#include "frontend/lower/expressions.h"
#include "frontend/lower/frames.h"
#include "frontend/lower/instances.h"
#include "frontend/parse/units.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::ScalarType;
using ir::ValueId;

TypeRef element_type(const TypeRef& list) {
  const auto* type = as<types::List>(list);
  return type ? type->element : nullptr;
}

void refuse_too_many_columns(const Parts& parts, const TypeRef& type, Location location) {
  const auto scalars = scalars_in(type);
  if (!scalars || *scalars <= Bounds::elements) return;
  parts.sites.abandon(DiagnosticKind::structure_too_large, location, "this has too many columns to be shown",
                      fmt::format("`{}` holds more than {} values", to_string(*type), Bounds::elements));
}

bool add_columns(const TypeRef& type, const std::string& name, const std::optional<Unit>& unit,
                 std::vector<ColumnInfo>& columns) {
  if (!type) return false;
  if (scalar_type(type)) {
    ColumnInfo column{name, type, std::nullopt};
    const auto* real = as<types::Real>(type);
    if (unit && real && real->dimension == dimension_of(*unit)) column.unit = unit;
    columns.push_back(std::move(column));
    return true;
  }
  const auto* record = as<types::Record>(type);
  if (!record) return false;
  const auto& node = std::get<item::Record>(record->declaration->node);
  for (std::size_t i = 0; i < node.fields.size(); ++i) {
    const TypeRef field = i < node.checked_types.size() ? node.checked_types[i] : nullptr;
    const bool nested = as<types::Record>(field);
    const std::string own = node.fields[i].first.text;
    // Inside a record, a field's own name says enough. Only the fields of records in records are spelled out.
    if (!add_columns(field, nested || name.empty() ? own : name + "." + own, unit, columns)) return false;
  }
  return true;
}

void add_cells(const Parts& parts, const ValuePtr& value, const TypeRef& type, Location location,
               std::vector<ValueId>& cells) {
  if (const auto scalar = scalar_type(type)) {
    cells.push_back(parts.values.scalar_of(value, *scalar, location));
    return;
  }
  const auto* record = as<types::Record>(type);
  const auto& fields = std::get<item::Record>(record->declaration->node).checked_types;
  const auto* known = as<value::Record>(value);
  if (!known && !is_untyped(value)) {
    parts.sites.abandon(DiagnosticKind::not_expressible, location, "this record is known only at run time");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    add_cells(parts, known ? known->fields[i] : value, fields[i], location, cells);
  }
}

ir::RowBlock block_of(const Parts& parts, const Iteration& iteration, std::vector<ValueId> cells, Location location) {
  ir::RowBlock block{iteration.levels, std::move(cells)};
  if (!iteration.guard) return block;
  ir::Builder& b = parts.b;
  ir::Level once;
  once.binder = b.binder("");  // the user sees no such index
  once.first = once.last = once.step = b.integer(1);
  once.filter = *iteration.guard;
  once.site = parts.sites.site(ir::FailureKind::no_progress, location);
  block.levels.insert(block.levels.begin(), once);
  return block;
}

namespace {

RowsShape shape_of(const TypeRef& type) {
  if (as<types::Record>(type)) return RowsShape::record;
  const TypeRef element = element_type(type);
  if (!element) return RowsShape::single;
  return as<types::Record>(element) ? RowsShape::records : RowsShape::list;
}

// A record's columns are its fields.
void name_columns(const Parts& parts, const TypeRef& type, const std::optional<Unit>& unit, Location location,
                  OutputInfo& info) {
  refuse_too_many_columns(parts, type, location);
  const bool record = as<types::Record>(type);
  if (!add_columns(type, record ? "" : info.name, unit, info.columns)) {
    parts.sites.abandon(DiagnosticKind::not_expressible, location, "this is more than a table of values can show",
                        type ? fmt::format("its type is `{}`", to_string(*type)) : "",
                        "an output is a value, a record, a list of values or a list of records");
  }
}

}  // namespace

void add_value(const Parts& parts, const ValuePtr& value, const TypeRef& type, const std::optional<Unit>& unit,
               Location location, OutputInfo& info, ir::Root& root) {
  info.shape = shape_of(type);
  const bool is_one = is_one_row(info.shape);
  const TypeRef row_type = is_one ? type : element_type(type);
  name_columns(parts, row_type, unit, location, info);
  const auto cells_of = [&](const ValuePtr& row) {
    std::vector<ValueId> cells;
    add_cells(parts, row, row_type, location, cells);
    return cells;
  };
  if (is_one) {
    root.blocks.push_back({{}, cells_of(value)});
    return;
  }
  for (const Iteration& one : parts.lists.enumerate(value, false, location))
    root.blocks.push_back(block_of(parts, one, cells_of(one.element), location));
}

namespace {

class OutputLowering {
 public:
  OutputLowering(const Parts& parts, Instance& instance, const Item& item)
      : parts_(parts), instance_(instance), item_(item), output_(std::get<item::Output>(item.node)) {}

  void lower(OutputInfo& info) {
    if (const auto* asked = breakdown_call()) return lower_breakdown(info, *asked);
    root_ = parts_.instances.guarded_root(info.name, instance_);
    if (!output_.indices.empty()) {
      lower_series(info);
    } else {
      add_value(parts_, parts_.instances.member(instance_, item_.name.text, item_.name.location, false), value_type(),
                output_.unit, output_.value->location, info, root_);
    }
    info.root = parts_.b.root(std::move(root_));
  }

 private:
  // The call of `breakdown(x)`, if it is the whole output.
  const expr::Call* breakdown_call() const {
    const auto* call = std::get_if<expr::Call>(&output_.value->node);
    const auto* name = call ? std::get_if<expr::Name>(&call->callee->node) : nullptr;
    const auto* builtin = name ? std::get_if<target::Builtin>(&name->target) : nullptr;
    const bool is_asked = builtin && builtin->function == LanguageFunction(OtherFunction::breakdown);
    return is_asked && output_.indices.empty() && !call->arguments.empty() ? call : nullptr;
  }

  void lower_breakdown(OutputInfo& info, const expr::Call& asked) {
    const Expr& whole = *asked.arguments[0].value;
    const Scope scope = parts_.instances.scope_of(instance_);
    info.is_breakdown = true;
    info.shape = RowsShape::single;
    root_ = parts_.instances.guarded_root(info.name, instance_);
    info.columns = {{info.name, whole.type, output_.unit}};
    root_.blocks.push_back({{}, {parts_.expressions.real(whole, scope)}});
    if (asked.arguments.size() > 1) {
      for (const ExprPtr& name : std::get<expr::List>(asked.arguments[1].value->node).elements)
        add_cut(info, *name, scope);
    }
    info.root = parts_.b.root(std::move(root_));
  }

  void add_cut(OutputInfo& info, const Expr& name, const Scope& scope) {
    const ValuePtr value = parts_.expressions.evaluate(name, scope);
    const auto* scalar = as<value::Scalar>(value);
    const auto* reference = scalar ? std::get_if<ir::Reference>(&parts_.b.system()[scalar->id].node) : nullptr;
    const auto* real = as<types::Real>(name.type);
    info.cuts.push_back(
        {written(name), reference ? reference->definition : ir::DefinitionId{}, real ? real->dimension.time : 0});
  }

  // `W`, `net.L`.
  static std::string written(const Expr& name) {
    if (const auto* member = std::get_if<expr::Member>(&name.node))
      return written(*member->object) + "." + member->name.text;
    const auto* plain = std::get_if<expr::Name>(&name.node);
    return plain ? plain->text : "";
  }

  // A mere `error("...")` has no type. It fails as a number would.
  TypeRef value_type() const {
    const TypeRef& type = output_.value->type;
    const bool known = type && !as<types::Unknown>(type);
    return known ? type : check::real_type();
  }

  void lower_series(OutputInfo& info) {
    info.shape = RowsShape::series;
    std::vector<TypeRef> index_types;
    for (const Binder& binder : output_.indices) {
      index_types.push_back(element_type(binder.list->type));
      refuse_too_many_columns(parts_, index_types.back(), binder.list->location);
      if (!add_columns(index_types.back(), binder.name.text, std::nullopt, info.columns)) {
        parts_.sites.abandon(DiagnosticKind::not_expressible, binder.list->location,
                             "the index of a series is a value");
      }
    }
    name_columns(parts_, value_type(), output_.unit, output_.value->location, info);
    const Scope scope = parts_.instances.scope_of(instance_);
    for (const Iteration& one : parts_.lists.iterate(output_.indices, scope, false)) {
      std::vector<ValueId> cells;
      for (std::size_t i = 0; i < output_.indices.size(); ++i) {
        const ValuePtr index = parts_.expressions.look_up(output_.indices[i].name.text, one.scope, item_.name.location);
        add_cells(parts_, index, index_types[i], item_.name.location, cells);
      }
      add_cells(parts_, parts_.expressions.evaluate(*output_.value, one.scope), value_type(), output_.value->location,
                cells);
      root_.blocks.push_back(block_of(parts_, one, std::move(cells), item_.name.location));
    }
  }

  const Parts& parts_;
  Instance& instance_;
  const Item& item_;
  const item::Output& output_;
  ir::Root root_;
};

}  // namespace

OutputInfo Outputs::output(Instance& instance, const Item& item) {
  OutputInfo info;
  info.name = item.name.text;
  info.doc = item.doc;
  info.location = item.name.location;
  try {
    OutputLowering(parts_, instance, item).lower(info);
  } catch (const Abandoned& error) {
    info.failed = error.kind;
  }
  return info;
}

}  // namespace wave::frontend::lowering
