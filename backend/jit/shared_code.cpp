// See shared_code.h.
#include "backend/jit/shared_code.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit {

SharedCode::SharedCode(FunctionEmitter& in) : in_(in) {
  if (!in.layout.shared.has_values_of_cells()) return;
  outside_ = {*in.cell, in.binders, in.known()};
  for_each(outside_, [&](llvm::Value*& value) {
    if (word_of_.try_emplace(value, captured_.size()).second) captured_.push_back(value);
  });
  words_ = static_cast<std::uint32_t>(captured_.size());
  memory_ = in.local(in.module.i64, "shared");
  llvm::BasicBlock* const begin = in.block("shared_from_here");
  begin_ = in.build.CreateBr(begin);
  in.build.SetInsertPoint(begin);
  in.shared_code = this;
  in.shared_memory = memory_;
}

void SharedCode::for_each(Surroundings& all, const std::function<void(llvm::Value*&)>& visit) {
  Cell& cell = all.cell;
  for (auto* list : {&cell.index, &cell.first, &cell.last, &cell.stride, &cell.base, &cell.current}) {
    for (llvm::Value*& value : *list) {
      if (value) visit(value);
    }
  }
  for (llvm::Value** one : {&cell.quantum, &cell.inverse}) {
    if (*one) visit(*one);
  }
  for (auto& [offset, hoisted] : cell.hoisted_for) {
    for (auto& [id, value] : hoisted) visit(value);
  }
  for (auto& [binder, value] : all.binders) visit(value);
  for (auto& [id, value] : all.known) visit(value);
  for (llvm::Value*& value : cell.previous) {
    if (value) visit(value);
  }
}

bool SharedCode::contains(ir::ValueId value) const {
  const auto* const binders = in_.layout.shared.binders_in_cell(value);
  // Inside a loop of the cell, what looks at its variable differs from round to round.
  return binders && std::all_of(binders->begin(), binders->end(),
                                [&](ir::BinderId binder) { return outside_.binders.count(binder) > 0; });
}

const SharedCode::Code& SharedCode::code_of(ir::ValueId value) {
  const auto [place, is_new] = codes_.try_emplace(value);
  if (!is_new) return place->second;
  ModuleEmitter& module = in_.module;
  auto* const type = llvm::FunctionType::get(module.i32, {module.pointer, module.pointer, module.pointer}, false);
  auto* const function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                                fmt::format("of_cell_{}", value.index), module.module.get());
  function->setDoesNotThrow();
  place->second = {function, words_};
  words_ += 2;
  met_.push_back(value);
  return place->second;
}

llvm::Value* SharedCode::emit(FunctionEmitter& in, ir::ValueId value) {
  auto& build = in.build;
  const Code& code = code_of(value);
  llvm::Value* const state = in.at(in.shared_memory, 8 * code.state);
  in.call_where(build.CreateICmpEQ(build.CreateLoad(in.module.i64, state), in.constant(not_yet)), code.function,
                {in.context, in.record, in.shared_memory});
  if (in.absent) {
    llvm::BasicBlock* const is_there = in.block("is_there");
    llvm::Value* const is_absent = build.CreateICmpEQ(build.CreateLoad(in.module.i64, state), in.constant(absent));
    build.CreateCondBr(is_absent, in.absent, is_there);
    build.SetInsertPoint(is_there);
  }
  return in.load_word(in.type_of(value), in.at(in.shared_memory, 8 * (code.state + 1)));
}

void SharedCode::finish() {
  for (std::size_t i = 0; i < met_.size(); ++i) emit_function(met_[i], codes_.at(met_[i]));  // which may meet more
  if (!met_.empty()) fill_memory();
}

// At the beginning of the cell.
void SharedCode::fill_memory() {
  const auto here = in_.build.saveIP();
  in_.build.SetInsertPoint(begin_);
  memory_->setOperand(0, in_.constant32(words_));
  for (std::uint32_t word = 0; word < captured_.size(); ++word) {
    llvm::Value* const value = captured_[word];
    const auto* const place = llvm::dyn_cast<llvm::AllocaInst>(value);
    llvm::Value* stored = place ? in_.build.CreateLoad(place->getAllocatedType(), value) : value;
    if (stored->getType() == in_.module.i1) stored = in_.build.CreateZExt(stored, in_.module.i64);
    in_.build.CreateStore(stored, in_.at(memory_, 8 * word));
  }
  for (const ir::ValueId value : met_) {
    in_.build.CreateStore(in_.constant(not_yet), in_.at(memory_, 8 * codes_.at(value).state));
  }
  in_.build.restoreIP(here);
}

void SharedCode::emit_function(ir::ValueId value, const Code& code) {
  FunctionEmitter inside(in_.module, code.function, in_.frame);
  inside.shared_code = this;
  inside.shared_memory = code.function->getArg(2);
  Surroundings own = outside_;
  for_each(own, [&](llvm::Value*& one) {
    llvm::Value* const address = inside.at(inside.shared_memory, 8 * word_of_.at(one));
    if (auto* const place = llvm::dyn_cast<llvm::AllocaInst>(one)) {
      llvm::Type* const type = place->getAllocatedType();
      one = inside.local(type, "previous");
      inside.build.CreateStore(inside.build.CreateLoad(type, address), one);
    } else if (one->getType() == inside.module.i1) {
      one = inside.load_word(ir::ScalarType::boolean, address);
    } else {
      one = inside.build.CreateLoad(one->getType(), address);
    }
  });
  inside.cell = &own.cell;
  inside.binders = own.binders;
  for (const auto& [id, known] : own.known) inside.know(id, known);
  inside.absent = inside.block("absent");
  const std::uint32_t state = code.state;
  llvm::Value* const result = inside.emit_in_place(value);
  inside.store_word(inside.type_of(value), result, inside.at(inside.shared_memory, 8 * (state + 1)));
  inside.build.CreateStore(inside.constant(present), inside.at(inside.shared_memory, 8 * state));
  inside.return_done();
  inside.build.SetInsertPoint(inside.absent);
  inside.build.CreateStore(inside.constant(absent), inside.at(inside.shared_memory, 8 * state));
  inside.return_done();
}

}  // namespace wave::jit
