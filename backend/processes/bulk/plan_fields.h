// Scalars of a process, as they vary over the grid. Each is evaluated once for every combination of the indices that it
// looks at, and only for processes that would look at it.
//
// A piece of a program that has no plan is refused: what takes it apart returns nothing, null or false, evaluates no
// more of it, and the engine takes it.
#pragma once

#include "backend/processes/bulk/kept_steps.h"
#include "backend/processes/bulk/peer_map.h"
#include "backend/processes/bulk/plan_bulk.h"
#include "backend/processes/bulk/plan_grid.h"
#include "backend/processes/bulk/plan_lines.h"
#include "backend/processes/bulk/plus_runs.h"
#include "backend/processes/program/rounding.h"
#include "backend/processes/program/scalars.h"
#include "ir/dependences.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::backend::processes {

// Values along some axes, row-major over these; no axis: one value everywhere. Truth is 0 and 1. 0 where it was not
// needed.
struct Field {
  AxisSet axes = 0;
  std::vector<double> values;
  bool uniform() const { return axes == 0; }
  // Of a field that is uniform, or by process.
  double of_process(std::size_t process) const { return values[uniform() ? 0 : process]; }
};
using FieldPtr = std::shared_ptr<const Field>;

struct ServiceOrder;  // services.h

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
  ir::BinderId tile() const { return tile_; }  // of the sweep at hand, or of one before
  std::int64_t bound(ir::BinderId binder) const { return bound_.at(binder); }
  // Has anything been evaluated that looks at the tile, since this was last set to false?
  bool tile_seen = false;

  // --- evaluation; throws Failed ---
  AxisSet axes_of(ir::ValueId value) const;  // that it looks at
  // Null where the domain has no process. Refused where one of its processes has no value.
  [[nodiscard]] std::optional<FieldPtr> evaluate(ir::ValueId value, const Domain& domain);
  // A value that is the same for all processes; refused where it is not.
  [[nodiscard]] std::optional<ir::Scalar> uniform(ir::ValueId value);
  // The places that processes of this mask (null: all) name by coordinates, or by a rank from 1. Null where the mask
  // has no process; refused where one of them has no value, or names a place off the grid.
  [[nodiscard]] std::optional<PeerMapPtr> named(std::span<const ir::ValueId> coordinates, bool by_rank,
                                                const FieldPtr& mask);

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
  // At a process the value of its peer, 0 where there is none.
  FieldPtr gathered(const FieldPtr& field, const PeerMapPtr& peers);
  // Peers at a distance on the grid, which wraps along these axes; always the same.
  PeerMapPtr at_offset(const std::vector<std::int64_t>& offset, const std::vector<bool>& wrap);
  // A mask: the processes that have a peer; null: all.
  FieldPtr with_peer(const PeerMapPtr& peers);
  bool any(const Domain& domain) const;
  bool same(const FieldPtr& a, const FieldPtr& b, const Domain& domain);

  std::vector<double> zeros(std::size_t size) const;
  FieldPtr make(AxisSet axes, std::vector<double> values);
  FieldPtr constant(double value) { return make(0, {value}); }
  PeerMapPtr make(PeerMap peers);
  PlusRunsPtr make(PlusRuns runs);
  std::shared_ptr<const ServiceOrder> make(ServiceOrder order);
  // By process.
  FieldPtr expanded(const FieldPtr& field);

  void look_at_clock() const { host_.look_at_clock(); }
  // What large fields take, in bytes.
  std::int64_t held() const { return *held_; }
  // The value of each of these that is bound.
  std::vector<std::int64_t> bound(const std::set<ir::BinderId>& binders) const;
  // Forgets everything where much is remembered, and says so; between statements.
  bool trim();

  // --- for lists that are kept (plan_fields_kept.cpp) ---
  // While one of these lives, the steps by which what is asked for comes about go there. Null: nowhere.
  class Recording {
   public:
    Recording(Fields& fields, KeptSteps* steps) : fields_(fields), before_(std::exchange(fields.steps_, steps)) {}
    Recording(const Recording&) = delete;
    ~Recording() { fields_.steps_ = before_; }

   private:
    Fields& fields_;
    KeptSteps* before_;
  };
  KeptSteps* recorded() const { return steps_; }
  // That this step takes another time for the values of these; those that are null are left out.
  void note_made(const std::vector<FieldPtr>& fields, const KeptStepPtr& step);
  // Puts other values in the place of those of a field. False: they are along other axes.
  [[nodiscard]] static bool put(const FieldPtr& field, const FieldPtr& values);

 private:
  using Key = std::vector<std::int64_t>;
  using Argument = std::shared_ptr<const void>;
  struct Known {
    FieldPtr field;
    std::vector<Argument> arguments;  // kept, so that no other takes their address
    std::uint64_t used = 0;           // in which tile it was asked for last
  };
  const std::vector<ir::ValueId>* parts(ir::ValueId value);
  bool find_parts(ir::ValueId value, std::vector<ir::ValueId>& parts, std::set<ir::ValueId>& seen) const;
  void add_surroundings(ir::ValueId value, Key& key, bool& of_tile);
  std::optional<FieldPtr> compute(ir::ValueId value, AxisSet axes, const Domain& domain);
  std::optional<double> only_value(ir::ValueId value, const Domain& domain);
  // Calls take(at, value) for every combination of the indices along `axes` that belongs to the domain, row-major.
  template <class Number, class Take>
  [[nodiscard]] bool for_each_value(ir::ValueId value, AxisSet axes, const Domain& domain, Take&& take);
  std::optional<PeerMapPtr> find_named(std::span<const ir::ValueId> coordinates, bool by_rank, const FieldPtr& mask);
  // The same for one coordinate that looks at all indices.
  std::optional<PeerMapPtr> find_named(ir::ValueId coordinate, std::int64_t extent, const FieldPtr& mask);
  [[nodiscard]] bool add_lines(ir::ValueId coordinate, std::int64_t extent, const std::vector<std::int64_t>& first,
                               std::int64_t count, PeerMap::Builder& peers);
  std::vector<bool> needed(AxisSet axes, const Domain& domain) const;
  double number(ir::ValueId value);
  // What is remembered under a key; null: nothing.
  const Known* recall(const Key& key);
  using Bindings = std::vector<std::pair<ir::BinderId, std::int64_t>>;
  Bindings bindings_of(std::span<const ir::ValueId> values) const;
  void bind(const Bindings& bindings);
  bool is_constant(ir::ValueId value, std::size_t depth = 0);
  bool varies(const std::vector<Argument>& arguments) const;
  // That it has been asked for with this result.
  void note_value(ir::ValueId value, AxisSet axes, const Domain& domain, const FieldPtr& field);
  void note_uniform(ir::ValueId value, const ir::Scalar& result);
  void note_named(std::span<const ir::ValueId> coordinates, bool by_rank, const FieldPtr& mask,
                  const PeerMapPtr& peers);
  void note_rounded(const FieldPtr& field, const FieldPtr& rounded);
  void note_same(const FieldPtr& a, const FieldPtr& b, const Domain& domain);
  void note_made(const FieldPtr& field, std::function<FieldPtr(Fields&)> make);
  bool is_of_tile(const Argument& argument) const;
  FieldPtr remember(Key key, FieldPtr field, std::vector<Argument> arguments, bool of_tile);
  template <class Make>
  FieldPtr remembered(Key key, std::vector<Argument> arguments, Make&& make);
  // `made`, whose memory counts as long as it lives.
  template <class Made>
  std::shared_ptr<const Made> counted(Made made, std::size_t bytes);

  PlanGrid grid_;
  Host host_;
  std::vector<ir::BinderId> indices_;  // by axis
  std::vector<std::int64_t> origin_;   // by axis: the first index
  BulkScalars bulk_;
  LineScalars lines_;
  std::map<ir::BinderId, std::int64_t> bound_;
  ir::BinderId tile_;
  std::map<Key, Known> known_, known_for_tile_;
  struct KnownPeers {
    PeerMapPtr peers;
    FieldPtr mask;
  };
  std::map<Key, KnownPeers> known_peers_;
  KeptSteps* steps_ = nullptr;
  std::unordered_map<const void*, KeptStepPtr> step_of_;  // by field whose values may be others another time
  std::map<Key, KeptStepPtr> asked_;                      // by question and result
  std::unordered_map<ir::ValueId, bool> is_constant_;
  std::uint64_t tiles_ = 0;  // bound up to now
  std::map<ir::ValueId, std::optional<std::vector<ir::ValueId>>> parts_;
  std::shared_ptr<std::int64_t> held_ = std::make_shared<std::int64_t>(0);  // bytes of large fields
};

}  // namespace wave::backend::processes
