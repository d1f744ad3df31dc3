// Compiled objects in memory, intact and damaged.
#include "backend/jit/loader.h"

#include "backend/jit/structure.h"
#include "backend/jit/translator.h"
#include "ir/passes.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave;

namespace {

struct Translated {
  parity::Model model;
  ir::System system;
  std::unique_ptr<jit::Layout> layout;
  std::unique_ptr<jit::Translator> translator;
  jit::Code code;

  Translated() {
    parity::add_start(model, 10, 10);
    system = jit::in_order_of_use(ir::run_passes(model.system));
    layout = std::make_unique<jit::Layout>(system);
    auto made = std::get<const jit::TranslatorPlugin*>(jit::translator_plugin())->make({});
    translator = std::move(std::get<std::unique_ptr<jit::Translator>>(made));
    code = translator->translate(*layout, {jit::Wanted::root, 0, {}}, {});
    REQUIRE(code.refusal == "");
    REQUIRE_FALSE(code.objects.empty());
  }
};

void anything() {}
void* any_function(const std::string&) { return reinterpret_cast<void*>(anything); }

}  // namespace

TEST_CASE("an object's functions are found in memory that is executable and not writable") {
  const Translated made;
  for (const bool by_llvm : {false, true}) {
    auto loaded = by_llvm ? made.translator->load(made.code.objects, any_function)
                          : jit::load_objects(made.code.objects, any_function);
#if !defined(__x86_64__)
    if (!by_llvm) continue;
#endif
    INFO((by_llvm ? "LLVM's loader" : "own loader"));
    if (const auto* const error = std::get_if<std::string>(&loaded)) FAIL(*error);
    const jit::Image& image = *std::get<std::unique_ptr<jit::Image>>(loaded);
    for (const std::string& name : made.code.defined) CHECK(image.find(name) != nullptr);
    CHECK(image.find("nothing of this name") == nullptr);
  }
}

TEST_CASE("an object whose callees nobody has is refused by name") {
  const Translated made;
  auto loaded = jit::load_objects(made.code.objects, [](const std::string&) -> void* { return nullptr; });
  REQUIRE(std::holds_alternative<std::string>(loaded));
#if defined(__x86_64__)
  CHECK(std::get<std::string>(loaded).find("nobody has `wave_jit_") == 0);
#endif
}

TEST_CASE("objects that are cut short are refused") {
  const Translated made;
  for (const std::string& object : made.code.objects) {
    for (std::size_t bytes = 0; bytes < object.size(); bytes += bytes < 100 ? 1 : 37) {
      CHECK(std::holds_alternative<std::string>(jit::load_objects({object.substr(0, bytes)}, any_function)));
    }
  }
}

TEST_CASE("damaged objects are refused or loaded, and nothing outside is touched") {
  const Translated made;
  const std::uint32_t seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> objects = made.code.objects;
    std::string& object = objects[random() % objects.size()];
    for (std::uint32_t changes = 1 + random() % 3; changes > 0; --changes)
      object[random() % object.size()] = static_cast<char>(random());
    jit::load_objects(objects, any_function);
  }
  SUCCEED();
}
