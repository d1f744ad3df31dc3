// See kernel_batch.h.
#include "backend/interpreter/kernel_batch.h"

#include "backend/interpreter/thresholds.h"

namespace wave::backend::interpreter {

namespace {

class KernelBatch final : public Batch {
 public:
  KernelBatch(Engine& engine, KernelTable& table, const ir::System& system,
              const std::vector<ir::DefinitionId>& parameters, const std::vector<Wanted>& wanted)
      : engine_(engine), table_(table), system_(system), parameters_(parameters), wanted_(wanted) {
    if (is_for_lanes(0)) used_ = &many();
  }

  std::variant<BatchResult, ir::Failure> evaluate(std::span<const InputColumn> columns, const Limits& limits,
                                                  const std::function<void(std::size_t)>& progress) override {
    const std::size_t rows =
        columns.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, columns.front());
    used_ = is_for_lanes(rows) ? &many() : &plain(rows);
    return used_->evaluate(columns, limits, progress);
  }
  std::string schedule() const override { return used_ ? used_->schedule() : std::string(); }

 private:
  bool is_for_lanes(std::size_t rows) {
    if (const auto decided = kernels::decided()) return *decided && table_.kernels();
    return (rows > few_rows || table_.policy() == kernels::Policy::always) && table_.kernels();
  }
  Batch& plain(std::size_t rows) {
    std::unique_ptr<Batch>& made = rows > few_rows ? plain_ : few_;
    if (!made)
      made = make_plain_batch(engine_, system_, parameters_, wanted_, rows > few_rows ? table_.options().threads : 1);
    return *made;
  }
  Batch& many() {
    if (!many_) many_ = table_.kernels()->batch(engine_, system_, parameters_, wanted_);
    return *many_;
  }

  Engine& engine_;
  KernelTable& table_;
  const ir::System& system_;
  const std::vector<ir::DefinitionId> parameters_;
  const std::vector<Wanted> wanted_;
  std::unique_ptr<Batch> few_, plain_, many_;
  Batch* used_ = nullptr;  // last
};

}  // namespace

std::unique_ptr<Batch> make_kernel_batch(Engine& engine, KernelTable& table, const ir::System& system,
                                         const std::vector<ir::DefinitionId>& parameters,
                                         const std::vector<Wanted>& wanted) {
  if (!table.is_used()) return nullptr;
  return std::make_unique<KernelBatch>(engine, table, system, parameters, wanted);
}

}  // namespace wave::backend::interpreter
