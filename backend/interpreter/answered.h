// A measure of a process, with what it was asked for and where.
#pragma once

#include "backend/processes/run.h"
#include "ir/system.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::interpreter {

struct AnsweredMeasure {
  const ir::Measure& what;            // its indices as numbers below
  std::vector<ir::Scalar> arguments;  // of the frame of the process and of those around it, from the inside out
  const std::vector<std::int64_t>& indices;
};
using AnswerListener = std::function<void(const AnsweredMeasure&, processes::Run&)>;

}  // namespace wave::backend::interpreter
