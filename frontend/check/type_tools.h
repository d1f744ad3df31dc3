// Types: how to make them, questions about them, and the dimensions of units.
#pragma once

#include "frontend/ast/types.h"
#include "frontend/format/quantities.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace wave::frontend {
struct Unit;
}

namespace wave::frontend::check {

template <class Kind>
TypeRef make_type(Kind kind) {
  return std::make_shared<const Type>(Type{std::move(kind)});
}

TypeRef unknown_type();
TypeRef int_type();
TypeRef zero_type();  // of the literal 0
TypeRef real_type(Dimension dimension = {});
TypeRef bool_type();
TypeRef string_type();
TypeRef corner_type();
TypeRef level_type();
TypeRef axis_type();
TypeRef order_type();
TypeRef list_of(TypeRef element);
TypeRef time_type();
TypeRef data_type();
TypeRef work_type();

template <class Kind>
const Kind* as(const TypeRef& type) {
  return type ? std::get_if<Kind>(&type->kind) : nullptr;
}

bool is_unknown(const TypeRef& type);  // also for null and the type of an untyped parameter
bool is_numeric(const TypeRef& type);
bool is_zero(const TypeRef& type);            // the literal 0
Dimension dimension_of(const TypeRef& type);  // for an int or real; plain for anything else
TypeRef element_of(const TypeRef& type);      // for a list or an order; null for anything else
TypeRef without_zero(TypeRef type);           // a value that is stored is no longer a literal

// "`int`", as a user reads it: quantities as "time", the rest as to_string gives it.
std::string quoted(const TypeRef& type);

// "an output", "a let".
std::string with_article(const std::string& noun);

// A text that differs between any two types, even if they name different declarations of the same name.
std::string key_of(const TypeRef& type);

// Dimensions with exponents beyond this are an error.
constexpr int largest_exponent = 30;
bool in_range(Dimension d);

// That of `us/B` is time/data. Nothing for a name that is no unit.
std::optional<Dimension> dimension_of_unit(const Unit& unit);
// The same for a text, as in the header of a data file.
std::optional<Dimension> dimension_of_unit(const std::string& text);

}  // namespace wave::frontend::check
