// Runs the parity tests with the module of this build, since they test its code. Everything that can be compiled is
// compiled, unless a test asks otherwise.
#include "backend/engine_choice.h"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  wave::backend::force_jit_code(true);
  return Catch::Session().run(count, arguments);
}
