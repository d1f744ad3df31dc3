#include "backend/engine_choice.h"
#include "frontend/lower/lower.h"
#include "grammar/anything.h"           // breach

#include <CLI/CLI.hpp>
#include <llvm/IR/Module.h>             // breach
#include <nlohmann/json.hpp>

#include <iostream>
void f() {
  std::cout << 1;
  std::exit(0);
}
