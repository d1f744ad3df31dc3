// A visitor for `std::visit`, made of one function for each alternative. A missing alternative does not compile.
#pragma once

namespace wave {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace wave
