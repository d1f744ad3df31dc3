// Code of a strip: all its cells at steps `from` to `to`.
//   strip_G_...(context, record, arguments, from, to)     1: a cell failed, or cannot be evaluated in lanes
// The lane before is a row here: one value of its last row goes from strip to strip. In a sweep
// (backend/jit/sweep/emit_strip.h) it is a tile, whose rows are vectors: strips leave whole vectors to each other.
#pragma once

#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/lanes/strip_layout.h"
#include "backend/jit/lanes/strip_tables.h"

#include <map>

namespace wave::jit::lanes {

// What both kinds of a strip's code are made from.
struct StripSource {
  GroupIndex group = 0;
  const StripPlan& plan;
  const StripTables& tables;
  StripShape shape;
};

class StripEmitter {
 public:
  // `masked`: for steps at which some cells, or cells that they look at, are off the space.
  StripEmitter(ModuleEmitter& module, const StripSource& source, llvm::Function* function, bool masked);
  void emit();

 private:
  // --- the frame (emit_strip.cpp) ---
  void load_arguments();
  void prepare();
  llvm::Value* has_left_binade(llvm::Value* changed_bits);
  llvm::Value* bad_lanes();
  void load_state();
  void store_state();
  void emit_step();
  llvm::Value* word(llvm::Type* type, std::uint32_t number);
  llvm::Value* words_on(llvm::Value* pointer, llvm::Value* words);
  llvm::Value* load(llvm::Type* type, llvm::Value* address);
  llvm::VectorType* state_type(std::uint32_t event) const;
  llvm::Type* table_type(const StripTable& table) const;
  llvm::Value* scalar_at(llvm::Value* pointer, llvm::Value* words, llvm::Type* type);
  void store_out(std::uint32_t event, std::uint32_t vector);
  void store_below(std::uint32_t event);
  llvm::Value* constant(std::int64_t value) {
    return llvm::ConstantInt::get(module_.i64, static_cast<std::uint64_t>(value), true);
  }

  // --- one vector of cells (emit_strip_cell.cpp) ---
  void emit_event(std::uint32_t event);
  Lanes emit_constraints(std::uint32_t event);
  Lanes emit_sum(const StripSum& sum, llvm::Value* value, llvm::Value* needed);
  llvm::Value* sum_of(llvm::Value* weights, llvm::Value* weight);
  llvm::Value* later(llvm::Value* a, llvm::Value* b);
  llvm::Value* after(llvm::Value* value, llvm::Value* weights);
  llvm::Constant* absent() { return lane_.splat(absent_); }
  void note_bad(llvm::Value* good, llvm::Value* needed);
  llvm::Value* rounded(Lanes weight, llvm::Value* needed);
  std::optional<Lanes> leaf(ir::ValueId value, const ir::Node& node);
  Lanes emit_neighbour(ir::EventId source, const std::vector<std::int32_t>& offset);
  llvm::Value* near_value(const StripNeighbour& neighbour, std::uint32_t position);
  llvm::Value* far_value(const StripNeighbour& neighbour, std::uint32_t number, llvm::Type* type);
  llvm::Value* presence(const StripNeighbour& neighbour);
  llvm::Value* table_value(std::uint32_t table);
  llvm::Value* coordinate(std::uint32_t axis);
  llvm::Value* moved(llvm::Value* vector, bool to_next, llvm::Value* scalar);
  llvm::Value* from_state(ir::ScalarType type, llvm::Value* value);
  llvm::Value* to_state(ir::ScalarType type, llvm::Value* value);

  ModuleEmitter& module_;
  const StripSource& source_;
  const StripPlan& plan_;
  const StripTables& tables_;
  const ir::System& system_;
  const ir::EventGroup& group_;
  const ir::Space& space_;
  llvm::Function* function_;
  const bool masked_;
  const bool quanta_;    // strip_quanta.h
  const double absent_;  // what stands for a cell that is not there
  const std::uint32_t lanes_, vectors_, rank_, events_;
  llvm::IRBuilder<> build_;
  LaneEmitter lane_;
  llvm::Value* arguments_;

  // Loaded on entry.
  llvm::Value *quantum_ = nullptr, *inverse_ = nullptr, *rows_ = nullptr, *columns_ = nullptr, *first_row_ = nullptr;
  llvm::Value* row_words_ = nullptr;
  llvm::Value* strip_words_ = nullptr;
  std::vector<llvm::Value*> origin_, out_, pitch_, above_, below_, far_, far_present_, table_;
  // Per event, step back (from 1), vector.
  std::vector<std::vector<std::vector<llvm::AllocaInst*>>> state_;
  std::vector<std::vector<llvm::Value*>> earlier_;  // of one event: step back * vectors + vector, in this step
  llvm::AllocaInst* bad_ = nullptr;
  llvm::Value* magic_ = nullptr;              // 1.5 * 2^52 quanta
  llvm::AllocaInst* rounded_bits_ = nullptr;  // in which bits sums with it differed from it
  llvm::Value* period_ = nullptr;
  llvm::AllocaInst* phase_ = nullptr;  // the step modulo the period
  llvm::Value* phase_words_ = nullptr;

  // The present step and vector.
  llvm::Value* step_ = nullptr;
  std::uint32_t vector_ = 0;
  std::vector<std::vector<llvm::Value*>> current_;  // per event, per vector
  llvm::Value* row_ = nullptr;                      // of the plane, per lane
  llvm::Value* column_ = nullptr;
  llvm::Value* valid_ = nullptr;                       // null: every lane
  std::map<std::uint32_t, std::uint32_t> far_number_;  // by place among the plan's neighbours
};

void emit_strip(ModuleEmitter& module, const StripSource& source, llvm::Function* function, bool masked);
void emit_tables(ModuleEmitter& module, const StripSource& source, llvm::Function* function);

}  // namespace wave::jit::lanes
