// What evaluations of a process hand on to later ones, which differ from them in the values of parameters: the lists of
// operations of its stretches, as the rows of a batch have them. A list is used as long as everything holds that it was
// made from, but for times: extents, peers, conditions, counts, tags, and the steps of the protocols that sizes choose.
// Who shares a resource is not among that, so where one may be shared nothing is handed on.
#pragma once

#include "backend/processes/bulk/kept_steps.h"
#include "backend/processes/bulk/plan_operations.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace wave::backend::processes {

struct StretchKey {
  const ir::Statement* first = nullptr;
  std::size_t count = 0;
  std::vector<std::int64_t> bound;  // the loop variables that it looks at
  friend auto operator<=>(const StretchKey&, const StretchKey&) = default;
};
using OperationListPtr = std::shared_ptr<const OperationList>;

class KeptStretches {
 public:
  // An evaluation begins, with processes on such a grid. If the one before had another, nothing is kept of this one:
  // the next may have another, too, and the first of all may be the only one.
  void begin(const std::vector<std::int64_t>& extents);
  // Null: there is none that holds. Throws Failed only for limits.
  OperationListPtr find(const StretchKey& key, const Retaking& again);
  bool has_room() const;
  void keep(StretchKey key, OperationListPtr list, KeptSteps steps);

 private:
  struct Kept {
    OperationListPtr list;
    KeptSteps steps;
    std::size_t bytes() const;
  };
  bool holds(const KeptSteps& steps, const Retaking& again) const;
  void forget(std::map<StretchKey, Kept>::iterator one);

  std::vector<std::int64_t> extents_;
  std::map<StretchKey, Kept> kept_;
  std::size_t bytes_ = 0;
  std::uint64_t evaluation_ = 0;
  bool is_same_grid_ = false;
};

// Those of a process, for evaluations one after the other and side by side.
class KeptPool {
 public:
  // While one of these lives, nobody else has it.
  class Lease {
   public:
    explicit Lease(KeptPool& pool) : pool_(pool), kept_(pool.take()) {}
    Lease(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(kept_)); }
    KeptStretches* get() const { return kept_.get(); }

   private:
    KeptPool& pool_;
    std::unique_ptr<KeptStretches> kept_;
  };

 private:
  std::unique_ptr<KeptStretches> take();
  void give_back(std::unique_ptr<KeptStretches> kept) noexcept;

  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<KeptStretches>> free_;  // with room for all that were made
};

}  // namespace wave::backend::processes
