// Values of scalars that are asked for again and again while indices, tiles and loop variables change. Each is
// evaluated again only when a binder that it looks at has moved.
#pragma once

#include "backend/processes/scalars.h"
#include "ir/dependences.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace wave::backend::processes {

class KnownValues {
 public:
  KnownValues(Scalars& scalars, const ir::FreeBinders& binders) : scalars_(scalars), binders_(binders) {}

  void bind(ir::BinderId binder, std::int64_t value) {
    scalars_.bind(binder, value);
    bound_[binder.index] = {value, ++clock_};
  }
  // What is bound now; `restore` binds it again.
  using Bindings = std::unordered_map<std::uint32_t, std::pair<std::int64_t, std::uint64_t>>;
  Bindings bindings() const { return bound_; }
  void restore(const Bindings& before) {
    for (const auto& [binder, value] : before) bind(ir::BinderId{binder}, value.first);
  }
  // Throws Failed.
  ir::Scalar value(ir::ValueId value) {
    Known& known = known_[value.index];
    if (known.at == 0 || is_stale(known, value)) {
      known.at = 0;
      known.value = scalars_.value(value);
      known.at = ++clock_;
    }
    return known.value;
  }
  double real(ir::ValueId id) { return value(id).real; }
  std::int64_t integer(ir::ValueId id) { return value(id).integer; }
  bool boolean(ir::ValueId id) { return value(id).boolean; }

 private:
  struct Known {
    std::uint64_t at = 0;  // 0: not known
    ir::Scalar value;
  };
  bool is_stale(const Known& known, ir::ValueId value) {
    const auto& free = binders_.of(value);
    return std::any_of(free.begin(), free.end(),
                       [&](ir::BinderId binder) { return bound_[binder.index].second > known.at; });
  }

  Scalars& scalars_;
  const ir::FreeBinders& binders_;
  std::uint64_t clock_ = 0;
  Bindings bound_;  // by binder: its value, and when it got it
  std::unordered_map<std::uint32_t, Known> known_;
};

}  // namespace wave::backend::processes
