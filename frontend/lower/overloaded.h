// A visitor from one function per alternative; a missing alternative does not compile.
#pragma once

namespace wave::frontend::lowering {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace wave::frontend::lowering
