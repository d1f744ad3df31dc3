// What processes share: levels of a grid and of a machine, and the innermost one that the ends of a message share.
#pragma once

#include "frontend/lower/parts.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

struct Strides;  // processes.h

// A value of the type `level` is the number of a level, by its name, or 0 for `none`.
class Levels {
 public:
  explicit Levels(const Parts& parts) : parts_(parts) {}

  std::int64_t number_of(const std::string& level);
  const std::string& name(std::int64_t number) const;  // of one that has a number
  ir::ValueId none();
  ir::ValueId word(const std::string& level);

  // `within node` in a machine: whether the level that is shared is `level` or lies inside it.
  ir::ValueId lies_within(ir::ValueId shared, const Item& machine, const std::string& level);
  // `within(node, P[i-1, j], P[i, j])`
  ValuePtr within(const std::string& level, const ValuePtr& a, const ValuePtr& b, ir::FrameId frame, Location location);
  // The innermost of the machine's levels that both ends of a message share. On a grid without levels it is `none`; on
  // one with levels, those that the machine knows must be among them.
  ir::ValueId shared_by(const value::Point& a, const value::Point& b, const Item& machine, ir::FrameId frame,
                        Location location);
  // What is equal for the places that share a level.
  ir::ValueId group(const item::GridLevel& level, const value::Point& place, ir::FrameId frame, Location location);
  // The processes that share the level with a place, or (`across`) those at the same place of each such group. Throws
  // Abandoned where the level is no blocks, `rank div k` or `rank mod k`, or a function that returns one of these.
  std::shared_ptr<const Strides> group_of(const value::Point& place, const Identifier& level, bool is_within,
                                          ir::FrameId frame, Location location);
  // The row-major number of a place, from 0.
  ir::ValueId rank(const value::Point& place, Location location);
  // The index along an axis, between 1 and its extent where it goes round.
  ir::ValueId on_grid(const value::Point& place, std::size_t axis, Location location);
  // The failure of a grid whose blocks hold no process along an axis.
  ir::SiteId no_process(const Expr& extent, const item::GridAxis& axis);

 private:
  // What is written for the level, at a place with this rank.
  ir::ValueId value_of(const item::GridLevel& level, const value::Point& place, ir::ValueId rank, ir::FrameId frame,
                       Location location);
  ir::ValueId share(const item::GridLevel& level, const value::Point& a, const value::Point& b, ir::FrameId frame,
                    Location location);
  ir::ValueId share_block(const item::GridLevel& level, const value::Point& a, const value::Point& b,
                          Location location);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Sites& sites_ = parts_.sites;
  Expressions& expressions_ = parts_.expressions;
  Instances& instances_ = parts_.instances;
  Recurrences& recurrences_ = parts_.recurrences;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace wave::frontend::lowering
