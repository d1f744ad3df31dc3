# Choice of engine, and the loader of the JIT.
set(wave_interface engine.h engine_options.h batch.h observer.h failed.h kernels/excerpt.h kernels/kernel.h jit/plugin.h
  jit_counts.h jit/lane_wishes.h processes/bulk/sweep_body.h processes/engine/layout.h)
list(TRANSFORM wave_interface PREPEND backend/)
foreach(header exact.h failure.h failures.def ids.h location.h process.h scalar.h system.h table.h)
  list(APPEND wave_interface ir/${header})
endforeach()
wave_plugin_abi(WAVE_JIT_ABI ${wave_interface})

add_library(wave_backend STATIC
  engine_choice.cpp
)
target_link_libraries(wave_backend PUBLIC wave_ir wave_interpreter wave_base)
set_source_files_properties(engine_choice.cpp PROPERTIES COMPILE_DEFINITIONS WAVE_JIT_ABI="${WAVE_JIT_ABI}")
