// Axes by name: those of the grid around and the parameters that stand for them, as arguments, and in the offsets of
// messages.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>

namespace wave::frontend::check {

namespace {

bool is_axis(const TypeExpr& type) {
  const auto* product = std::get_if<type_expr::Product>(&type.node);
  if (!product || product->factors.size() != 1) return false;
  const type_expr::Power& only = product->factors.front();
  return only.exponent == 1 && only.path.size() == 1 && only.path.front().text == "axis";
}

}  // namespace

TypeRef Types::resolve_of_procedure(const Parameter& parameter) {
  if (parameter.type && is_axis(*parameter.type)) return axis_type();
  return resolve(parameter.type, "a parameter of a procedure", parameter.name.location);
}

bool Types::refuses_axis(const TypeExpr& type) {
  if (!is_axis(type)) return false;
  reports_
      .add(DiagnosticKind::not_a_type, type.location, "only parameters of procedures are of type `axis`",
           "this is no such parameter")
      .help.push_back("take numbers instead, the index and the extent along the axis: `f(i, extent(i))`");
  return true;
}

const LocalName* Names::require_axis(const Identifier& name) {
  if (asks(name.text, "axis")) return nullptr;
  const LocalName* found = nullptr;
  for (const LocalName& local : context_.locals) {
    if (as<types::Axis>(local.type) && local.name == name.text) found = &local;
  }
  const ProcessContext* process = context_.process;
  if (found) {
    refer(name.location, found->location);
  } else if (!process || process->grid_known) {
    reports_
        .add(DiagnosticKind::unknown_name, name.location,
             "`" + name.text + "` is not an axis" + (process ? " of `" + process->grid + "`" : ""), "not an axis")
        .help.push_back(axes_around());
  }
  return found;
}

std::string Names::axes_around() const {
  std::string shown;
  for (const LocalName& local : context_.locals) {
    if (as<types::Axis>(local.type)) shown += (shown.empty() ? "its axes are `" : ", `") + local.name + "`";
  }
  return shown.empty() ? "axes have their names in the bodies of processes and procedures, which run on a grid" : shown;
}

void Processes::require_once(const std::vector<Identifier>& axes) {
  for (std::size_t i = 1; i < axes.size(); ++i) {
    const auto same = [&](const Identifier& other) { return other.text == axes[i].text; };
    if (std::none_of(axes.begin(), axes.begin() + i, same)) continue;
    reports_.add(DiagnosticKind::duplicate_name, axes[i].location, "the axis `" + axes[i].text + "` stands here twice",
                 "again here");
  }
}

const expr::Name* Processes::find_axis(Expr& sum, const std::string& axis, std::vector<Expr*>& rest) {
  if (const auto* name = std::get_if<expr::Name>(&sum.node)) {
    const LocalName* local = axis.empty() || axis == name->text ? names_.look_up(name->text).local : nullptr;
    return local && as<types::Axis>(local->type) ? name : nullptr;
  }
  auto* binary = std::get_if<expr::Binary>(&sum.node);
  if (!binary || (binary->op != BinaryOperator::add && binary->op != BinaryOperator::subtract)) return nullptr;
  if (const expr::Name* left = find_axis(*binary->left, axis, rest)) {
    rest.push_back(binary->right.get());
    return left;
  }
  const expr::Name* right = binary->op == BinaryOperator::add ? find_axis(*binary->right, axis, rest) : nullptr;
  if (right) rest.push_back(binary->left.get());
  return right;
}

bool Processes::names_parameter(Expr& index) {
  const std::vector<std::string>& axes = context_.process->axes;
  std::vector<Expr*> rest;
  const expr::Name* name = find_axis(index, "", rest);
  return name && std::find(axes.begin(), axes.end(), name->text) == axes.end();
}

bool Processes::is_at_one_distance(Expr& index, const std::string& axis, Identifier& named) {
  std::vector<Expr*> rest;
  const expr::Name* name = find_axis(index, axis, rest);
  if (!name) return false;
  named = {name->text, index.location};
  return std::none_of(rest.begin(), rest.end(),
                      [&](Expr* other) { return references_.follows_index([&] { expressions_.check(*other); }); });
}

// An offset is the same distance for every process that reaches the statement. Where there is an index for each axis,
// they stand in the order of the axes; else each names its axis, and along the others nothing changes.
void Processes::check_offset(Neighbourhood& peer) {
  const ProcessContext& process = *context_.process;
  const bool names_axes =
      peer.indices.size() < process.axes.size() ||
      std::any_of(
          peer.indices.begin(), peer.indices.end(), [&](const ExprPtr& index) { return names_parameter(*index); });
  peer.axes.clear();
  for (std::size_t k = 0; k < peer.indices.size(); ++k) {
    Expr& index = *peer.indices[k];
    const TypeRef type = expressions_.expect(index, int_type());
    if (k >= process.axes.size() || is_unknown(type)) continue;
    const std::string axis = names_axes ? "" : process.axes[k];
    Identifier named;
    const bool fits = is_at_one_distance(index, axis, named);
    if (fits && names_axes) peer.axes.push_back(named);
    if (fits) continue;
    const std::string written = names_axes ? "an axis" : "`" + axis + "`";
    Diagnostic& d =
        reports_.add(DiagnosticKind::bad_offset, index.location,
                     "an offset is " + written + " plus or minus something that is the same for all processes",
                     "not at one distance from " + written);
    if (names_axes) d.help.push_back(names_.axes_around());
    d.help.push_back("an absolute place is written `" + process.grid + "[...]`");
  }
  require_once(peer.axes);
  if (!names_axes || peer.indices.size() > process.axes.size()) check_peer_indices(peer);
}

}  // namespace wave::frontend::check
