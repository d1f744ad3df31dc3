// Typed indices into the tables of a System. An id of one kind does not convert to another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace wave::ir {

template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t index = none;

  constexpr bool valid() const { return index != none; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ValueId = Id<struct ValueTag>;            // a node of the scalar DAG
using FrameId = Id<struct FrameTag>;            // a scope with its own definitions
using DefinitionId = Id<struct DefinitionTag>;  // a named scalar, evaluated on demand, once per frame
using EventId = Id<struct EventTag>;            // a value at every point of a space
using SpaceId = Id<struct SpaceTag>;
using BinderId = Id<struct BinderTag>;        // a loop variable or the index of an axis
using ParameterId = Id<struct ParameterTag>;  // an argument of a frame
using TableId = Id<struct TableTag>;
using SiteId = Id<struct SiteTag>;        // where evaluation may fail, and why
using ProcessId = Id<struct ProcessTag>;  // what every processor of a grid does (ir/process.h)
using PhaseId = Id<struct PhaseTag>;      // a labelled part of a process
using MemoryId = Id<struct MemoryTag>;    // what a process holds under one name
using RootId = Id<struct RootTag>;        // something that can be asked of the system

}  // namespace wave::ir

template <class Tag>
struct std::hash<wave::ir::Id<Tag>> {
  std::size_t operator()(wave::ir::Id<Tag> id) const noexcept { return id.index; }
};
