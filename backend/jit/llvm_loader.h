// LLVM's loader, for objects that backend/jit/loader.h does not take.
#pragma once

#include "backend/jit/loader.h"

namespace wave::jit {

std::variant<std::unique_ptr<Image>, std::string> load_by_llvm(const std::vector<std::string>& objects,
                                                               const Resolve& resolve);

}  // namespace wave::jit
