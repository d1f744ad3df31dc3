// Values of a cell that several places in its code need, where writing each out again would blow the code up: each has
// a function of its own, which the first place that needs the value calls. What cells have at hand, their indices and
// addresses and what was evaluated before them, lies in memory for these functions.
#pragma once

#include "backend/jit/cell.h"

namespace wave::jit {

class SharedCode {
 public:
  // Begins where `in` is, once a cell. What `in` knows here, and its binders, the functions may use.
  explicit SharedCode(FunctionEmitter& in);
  ~SharedCode() { in_.shared_code = nullptr; }
  SharedCode(const SharedCode&) = delete;
  SharedCode& operator=(const SharedCode&) = delete;

  bool contains(ir::ValueId value) const;
  // The value, where `in` is: the cell's code, or one of the functions. Where it is absent, or fails, control goes
  // where `in` says, as from the value itself.
  llvm::Value* emit(FunctionEmitter& in, ir::ValueId value);
  // The functions of what has been met. `in` goes on where it is.
  void finish();

 private:
  enum State : std::uint8_t { not_yet, present, absent };
  // What the code of a cell has at hand.
  struct Surroundings {
    Cell cell;
    std::unordered_map<ir::BinderId, llvm::Value*> binders;
    std::unordered_map<ir::ValueId, llvm::Value*> known;
  };
  // Calls `visit` with a reference to every value of them.
  static void for_each(Surroundings& all, const std::function<void(llvm::Value*&)>& visit);

  struct Code {
    llvm::Function* function;
    std::uint32_t state;  // its word in the memory; the value is in the next
  };
  const Code& code_of(ir::ValueId value);
  void fill_memory();
  void emit_function(ir::ValueId value, const Code& code);

  FunctionEmitter& in_;
  Surroundings outside_;                // values of the function around the cell
  std::vector<llvm::Value*> captured_;  // these, by their word in the memory
  std::unordered_map<llvm::Value*, std::uint32_t> word_of_;
  std::unordered_map<ir::ValueId, Code> codes_;
  std::vector<ir::ValueId> met_;
  std::uint32_t words_ = 0;  // so far
  llvm::AllocaInst* memory_ = nullptr;
  llvm::Instruction* begin_ = nullptr;  // of the cell: behind what fills the memory
};

}  // namespace wave::jit
