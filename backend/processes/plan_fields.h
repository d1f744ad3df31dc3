// Scalars of a process, as they vary over the grid. Each is evaluated once for every combination of the indices that it
// looks at, and only for processes that would look at it.
//
// A piece of a program that has no plan is refused: what takes it apart returns nothing, null or false, evaluates no
// more of it, and the network takes it.
#pragma once

#include "backend/processes/plan_bulk.h"
#include "backend/processes/plan_grid.h"
#include "backend/processes/rounding.h"
#include "backend/processes/scalars.h"
#include "ir/dependences.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace wave::backend::processes {

// Values along some axes, row-major over these; no axis: one value everywhere. Truth is 0 and 1. 0 where it was not
// needed.
struct Field {
  AxisSet axes = 0;
  std::vector<double> values;
  bool uniform() const { return axes == 0; }
};
using FieldPtr = std::shared_ptr<const Field>;

// The processes that look at something.
struct Domain {
  GridBox box;
  FieldPtr mask;  // null: all of the box
};

class Fields {
 public:
  struct Host {
    const ir::FreeBinders& binders;
    Scalars& scalars;
    std::function<void()> look_at_clock;
    std::function<void(std::int64_t)> claim_memory;
  };
  Fields(const ir::Process& process, const PlanGrid& grid, Host host);

  const PlanGrid& grid() const { return grid_; }
  const ir::System& system() const { return host_.scalars.system(); }

  // --- loop variables and tiles ---
  void bind(ir::BinderId binder, std::int64_t value);
  // Values that look at this binder are forgotten when a tile passes without anybody asking for them.
  void set_tile(ir::BinderId tile) { tile_ = tile; }
  // Has anything been evaluated that looks at the tile, since this was last set to false?
  bool tile_seen = false;

  // --- evaluation; throws Failed ---
  AxisSet axes_of(ir::ValueId value) const;  // that it looks at
  // Null where the domain has no process. Refused where one of its processes has no value.
  [[nodiscard]] std::optional<FieldPtr> evaluate(ir::ValueId value, const Domain& domain);
  // A value that is the same for all processes; refused where it is not.
  [[nodiscard]] std::optional<ir::Scalar> uniform(ir::ValueId value);

  // --- made from others; the same arguments give the same pointer ---
  using Combine = double (*)(double, double);
  FieldPtr combine(const FieldPtr& a, const FieldPtr& b, Combine f);
  FieldPtr both(const FieldPtr& a, const FieldPtr& b);          // masks; null stands for everywhere
  FieldPtr first_only(const FieldPtr& a, const FieldPtr& b);    // a and not b
  FieldPtr where(const FieldPtr& value, const FieldPtr& mask);  // 0 elsewhere
  FieldPtr guard(const FieldPtr& mask);                         // 0, and -infinity elsewhere
  // Refused where a value is not finite.
  [[nodiscard]] FieldPtr rounded(const FieldPtr& field, double quantum);
  Rounding rounding;      // of all that was
  FieldPtr everywhere();  // a mask
  // At a process the value of the one that lies `offset` behind it.
  FieldPtr shifted(const FieldPtr& field, std::span<const std::int64_t> offset, const std::vector<bool>& wrap);
  // At a process the value of the one with this rank, 0 where the rank is below 0. `ranks` is by process.
  FieldPtr gathered(const FieldPtr& field, const FieldPtr& ranks);
  bool any(const Domain& domain) const;
  bool same(const FieldPtr& a, const FieldPtr& b, const Domain& domain) const;

  FieldPtr make(AxisSet axes, std::vector<double> values);
  FieldPtr constant(double value) { return make(0, {value}); }
  // By process.
  FieldPtr expanded(const FieldPtr& field);

  void look_at_clock() const { host_.look_at_clock(); }
  // Forgets everything where much is remembered, and says so; between statements.
  bool trim();

 private:
  using Key = std::vector<std::int64_t>;
  struct Known {
    FieldPtr field;
    std::vector<FieldPtr> arguments;  // kept, so that no other takes their address
    std::uint64_t used = 0;           // in which tile it was asked for last
  };
  const std::vector<ir::ValueId>* parts(ir::ValueId value);
  bool find_parts(ir::ValueId value, std::vector<ir::ValueId>& parts, std::set<ir::ValueId>& seen) const;
  void add_surroundings(ir::ValueId value, Key& key, bool& of_tile);
  std::optional<FieldPtr> compute(ir::ValueId value, AxisSet axes, const Domain& domain);
  std::vector<bool> needed(AxisSet axes, const Domain& domain) const;
  std::optional<double> only_value(const std::vector<double>& values, const std::function<bool(std::size_t)>& is_wanted,
                                   AxisSet axes, const Domain& domain) const;
  double number(ir::ValueId value);
  // What is remembered under a key; null: nothing.
  const Known* recall(const Key& key);
  FieldPtr remember(Key key, FieldPtr field, std::vector<FieldPtr> arguments, bool of_tile);
  template <class Make>
  FieldPtr remembered(Key key, std::vector<FieldPtr> arguments, Make&& make);

  PlanGrid grid_;
  Host host_;
  std::vector<ir::BinderId> indices_;  // by axis
  std::vector<std::int64_t> origin_;   // by axis: the first index
  BulkScalars bulk_;
  std::map<ir::BinderId, std::int64_t> bound_;
  ir::BinderId tile_;
  std::map<Key, Known> known_, known_for_tile_;
  std::uint64_t tiles_ = 0;  // bound up to now
  std::map<ir::ValueId, std::optional<std::vector<ir::ValueId>>> parts_;
  std::shared_ptr<std::int64_t> held_ = std::make_shared<std::int64_t>(0);  // bytes of large fields
};

}  // namespace wave::backend::processes
