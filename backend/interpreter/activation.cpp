// Cells of events.
#include "backend/interpreter/activation.h"

namespace wave::backend::interpreter {

EventValues::EventValues(ir::ScalarType type, std::size_t count)
    : type_(type), cells_(new Bits[count]), progress_(count, Progress::none) {}

void EventValues::set(std::size_t cell, ir::Scalar value) {
  switch (type_) {
    case ir::ScalarType::real: cells_[cell].real = value.real; break;
    case ir::ScalarType::integer: cells_[cell].integer = value.integer; break;
    case ir::ScalarType::boolean: cells_[cell].integer = value.boolean ? 1 : 0; break;
  }
  progress_[cell] = Progress::done;
}

ir::Scalar EventValues::get(std::size_t cell) const {
  switch (type_) {
    case ir::ScalarType::real: return ir::Scalar::of(cells_[cell].real);
    case ir::ScalarType::integer: return ir::Scalar::of(cells_[cell].integer);
    case ir::ScalarType::boolean: return ir::Scalar::of(cells_[cell].integer != 0);
  }
  return {};
}

}  // namespace wave::backend::interpreter
