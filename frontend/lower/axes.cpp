// The axes that a block names, also by parameters that stand for them.
#include "frontend/lower/expressions.h"
#include "frontend/lower/processes.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

std::size_t ProcessLowering::number_of(const Identifier& name, const Body& body) {
  return as<value::Axis>(parts_.expressions.axis(name.text, body.scope, name.location))->number;
}

std::vector<std::size_t> ProcessLowering::numbers_of(const std::vector<Identifier>& names, const Body& body) {
  std::vector<std::size_t> numbers;
  for (const Identifier& name : names) {
    const std::size_t number = number_of(name, body);
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) {
      parts_.sites.abandon(DiagnosticKind::duplicate_name, name.location,
                           fmt::format("the axis `{}` stands here twice", body.view.names[number]), "again here",
                           name.text == body.view.names[number]
                               ? ""
                               : fmt::format("`{}` is `{}` in this call", name.text, body.view.names[number]));
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::size_t ProcessLowering::axis_of(const Identifier& name, const Body& body) {
  const std::size_t number = number_of(name, body);
  if (body.view.by_rank) {
    parts_.sites.abandon(DiagnosticKind::unknown_name, name.location,
                         fmt::format("`{}` is not an axis of `{}`", name.text, body.view.grid), "not an axis");
  }
  return body.view.axes[number];
}

ValuePtr ProcessLowering::passed(const value::Axis& axis, const Body& caller, const Body& inside, Location location) {
  const View& from = caller.view;
  const View& to = inside.view;
  const auto found =
      to.by_rank || from.by_rank ? to.axes.end() : std::find(to.axes.begin(), to.axes.end(), from.axes[axis.number]);
  const bool is_rank = to.by_rank && from.by_rank && to.group == from.group;
  if (!is_rank && found == to.axes.end()) {
    parts_.sites.abandon(DiagnosticKind::unknown_name, location,
                         fmt::format("`{}` is not an axis along which `{}` runs here", from.names[axis.number],
                                     inside.declaration->name.text),
                         "called here",
                         to.by_rank ? "it sees its processes by their rank alone, as a line"
                                    : fmt::format("it runs along `{}` alone", axes_[to.axes.front()].name));
  }
  const auto number = is_rank ? 0 : static_cast<std::size_t>(found - to.axes.begin());
  return parts_.expressions.axis(to.names[number], inside.scope, location);
}

}  // namespace wave::frontend::lowering
