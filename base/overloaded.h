// A visitor for `std::visit`, made of one function for each alternative. A missing alternative does not compile.
#pragma once

#include <concepts>

namespace wave {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// For alternatives that one function serves, each by its name: `[]<OneOf<A, B> Node>(const Node&) {}`.
template <class Node, class... Kinds>
concept OneOf = (std::same_as<Node, Kinds> || ...);

}  // namespace wave
