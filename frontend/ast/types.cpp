// Arithmetic of dimensions, and types as a user would write them.
#include "frontend/ast/types.h"

#include "frontend/ast/ast.h"

namespace wave::frontend {
namespace {

std::string power(const char* base, int exponent) {
  return exponent == 1 ? base : std::string(base) + "^" + std::to_string(exponent);
}

void append_factor(std::string& text, const char* base, int exponent) {
  if (exponent <= 0) return;
  if (!text.empty()) text += "*";
  text += power(base, exponent);
}

struct CheckedTypePrinter {
  std::string operator()(const types::Unknown&) const { return "?"; }
  std::string operator()(const types::Int&) const { return "int"; }
  std::string operator()(const types::Real& t) const { return to_string(t.dimension); }
  std::string operator()(const types::Bool&) const { return "bool"; }
  std::string operator()(const types::String&) const { return "string"; }
  std::string operator()(const types::Choice& t) const {
    std::string text;
    for (const std::string& word : t.words) text += (text.empty() ? "" : " | ") + word;
    return text;
  }
  std::string operator()(const types::Corner&) const { return "corner"; }
  std::string operator()(const types::Axis&) const { return "axis"; }
  std::string operator()(const types::Level&) const { return "level"; }
  std::string operator()(const types::Order&) const { return "order"; }
  std::string operator()(const types::List& t) const { return "[" + to_string(*t.element) + "]"; }
  std::string operator()(const types::Record& t) const { return t.declaration->name.text; }
  std::string operator()(const types::Table& t) const {
    std::string text = "table(";
    for (const TypeRef& key : t.keys) text += (&key == &t.keys.front() ? "" : ", ") + to_string(*key);
    return text + "): " + to_string(*t.value);
  }
  std::string operator()(const types::Function& t) const {
    std::string text = "fn(" + named(t.parameters) + ")";
    return t.result ? text + ": " + to_string(*t.result) : text;
  }
  std::string operator()(const types::Machine& t) const {
    std::string text = t.declaration->name.text;
    return t.parameters.empty() ? text : text + " { " + named(t.parameters) + " }";
  }
  std::string operator()(const types::Model& t) const { return t.declaration->name.text; }
  std::string operator()(const types::Recurrence& t) const {
    return "recurrence of " + to_string(*t.value) + " over " + axes(t.axes);
  }
  std::string operator()(const types::Grid& t) const { return "grid of " + axes(t.axes); }
  std::string operator()(const types::Place&) const { return "place on a grid"; }
  std::string operator()(const types::Process&) const { return "process"; }
  std::string operator()(const types::Any&) const { return "any type"; }

  static std::string axes(std::size_t count) { return std::to_string(count) + (count == 1 ? " axis" : " axes"); }
  static std::string named(const std::vector<std::pair<std::string, TypeRef>>& parameters) {
    std::string text;
    for (const auto& [name, type] : parameters) {
      if (!text.empty()) text += ", ";
      text += type && !std::holds_alternative<types::Any>(type->kind) ? name + ": " + to_string(*type) : name;
    }
    return text;
  }
};

}  // namespace

Dimension operator*(Dimension a, Dimension b) {
  return {static_cast<std::int8_t>(a.time + b.time), static_cast<std::int8_t>(a.data + b.data),
          static_cast<std::int8_t>(a.work + b.work)};
}

Dimension operator/(Dimension a, Dimension b) {
  return {static_cast<std::int8_t>(a.time - b.time), static_cast<std::int8_t>(a.data - b.data),
          static_cast<std::int8_t>(a.work - b.work)};
}

std::string to_string(Dimension d) {
  if (d.plain()) return "real";
  std::string above;
  append_factor(above, "work", d.work);
  append_factor(above, "data", d.data);
  append_factor(above, "time", d.time);
  std::string text = above.empty() ? "1" : above;
  if (d.work < 0) text += "/" + power("work", -d.work);
  if (d.data < 0) text += "/" + power("data", -d.data);
  if (d.time < 0) text += "/" + power("time", -d.time);
  return text;
}

std::string to_string(const Type& type) { return std::visit(CheckedTypePrinter{}, type.kind); }

}  // namespace wave::frontend
