// Runs the parity tests with the module of this build, since they test its code. Everything that can be handed to a
// kernel is, unless a test decides otherwise.
#include "backend/kernels/choice.h"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  wave::backend::kernels::decide_by([] { return true; });
  return Catch::Session().run(count, arguments);
}
