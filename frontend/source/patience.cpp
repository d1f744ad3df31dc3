// See patience.h.
#include "frontend/source/patience.h"

#include <utility>

namespace wave::frontend {
namespace {

thread_local Patience* here = nullptr;

}  // namespace

Patience::Patience(std::function<bool()> is_over) : is_over_(std::move(is_over)), outer_(std::exchange(here, this)) {}

Patience::~Patience() { here = outer_; }

bool Patience::ends() const { return is_over_() || (outer_ && outer_->ends()); }

void Patience::ask() {
  constexpr unsigned between_looks = 256;  // a look at the clock costs as much as a token
  if (here && ++here->calls_ % between_looks == 0 && here->ends()) throw GivenUp{};
}

}  // namespace wave::frontend
