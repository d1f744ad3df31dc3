#include "backend/engine.h"             // breach
#include "frontend/ast/ast.h"           // breach

#include <boost/rational.hpp>           // breach
#include <llvm/IR/IRBuilder.h>          // breach

#include <iostream>                     // breach
void f() {
  std::cout << 1;                       // breach
  printf("x");                          // breach
  std::exit(1);                         // breach
  /* two */ std::abort();               // breach
  fmt::print("x");                      // breach
}
