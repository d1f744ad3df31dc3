// Compiled objects in memory, intact, incomplete and foreign.
#include "backend/jit/loader.h"

#include "backend/jit/code_source.h"
#include "backend/jit/structure.h"
#include "ir/passes.h"
#include "tests/folder.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstring>
#include <elf.h>
#include <fstream>

using namespace wave;

namespace {

struct Translated {
  parity::Model model;
  ir::System system;
  std::unique_ptr<jit::Layout> layout;
  jit::Code code;

  Translated() {
    parity::add_start(model, 10, 10);
    system = jit::in_order_of_use(ir::run_passes(model.system));
    layout = std::make_unique<jit::Layout>(system);
    code = get(*std::make_unique<jit::CodeSource>(jit::Processor{}, ""));
    REQUIRE(code.refusal == "");
    REQUIRE(code.objects.size() == 2);
  }
  // What reads a cell, and the cells, an object each.
  jit::Code get(jit::CodeSource& source) const {
    const std::uint32_t corner = system.roots.front().blocks.front().columns.front().index;
    return source.get("start", [&](jit::Translator& translator) {
      jit::Code both = translator.translate(*layout, {jit::Wanted::value, corner}, {});
      const jit::Code cells = translator.translate(*layout, {jit::Wanted::group, 0}, {});
      both.objects.insert(both.objects.end(), cells.objects.begin(), cells.objects.end());
      both.defined.insert(both.defined.end(), cells.defined.begin(), cells.defined.end());
      return both;
    });
  }
};

void anything() {}
void* any_function(const std::string& name) {
  return name.starts_with("wave_jit_") ? reinterpret_cast<void*>(anything) : nullptr;
}
void* no_function(const std::string&) { return nullptr; }

std::string refusal(const jit::Code& code, const jit::Resolve& resolve = any_function) {
  const auto loaded = jit::load(code, resolve);
  const auto* const reason = std::get_if<std::string>(&loaded);
  return reason ? *reason : std::string();
}

// Of the mapping that an address lies in, as /proc shows them: "r-xp".
std::string permissions(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string result;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> result;
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    if (place >= begin && place < end) return result;
  }
  return {};
}

}  // namespace

TEST_CASE("a code's functions are found in memory that is executable and not writable") {
  const Translated made;
  auto loaded = jit::load(made.code, any_function);
  if (const auto* const error = std::get_if<std::string>(&loaded)) FAIL(*error);
  const jit::Image& image = *std::get<std::unique_ptr<jit::Image>>(loaded);
  REQUIRE_FALSE(made.code.defined.empty());
  for (const std::string& name : made.code.defined) {
    REQUIRE(image.find(name) != nullptr);
    CHECK(permissions(image.find(name)).starts_with("r-x"));
  }
  CHECK(image.find("nothing of this name") == nullptr);
  CHECK(image.find("wave_jit_fail") == nullptr);
}

TEST_CASE("what cannot be compiled in time is given up, and not kept") {
  const Translated made;
  const test::Folder folder;
  jit::CodeSource source(jit::Processor{}, folder.cache());
  const auto cells_by = [&](jit::GiveUp give_up) {
    return source.get("cells", [&](jit::Translator& translator) {
      jit::Wanted wanted{jit::Wanted::group, 0};
      wanted.give_up = give_up;
      return translator.translate(*made.layout, wanted, {});
    });
  };
  const jit::Code late = cells_by(std::chrono::steady_clock::now());
  CHECK(late.is_given_up);
  CHECK_FALSE(late.refusal.empty());
  CHECK(source.translations() == 0);
  const jit::Code in_time = cells_by({});
  CHECK(in_time.refusal.empty());
  CHECK(in_time.objects.size() == 1);
  CHECK(source.translations() == 1);
}

TEST_CASE("images of one code have each their own functions, and go on their own") {
  const Translated made;
  auto first = std::get<std::unique_ptr<jit::Image>>(jit::load(made.code, any_function));
  auto second = std::get<std::unique_ptr<jit::Image>>(jit::load(made.code, any_function));
  const std::string& name = made.code.defined.front();
  CHECK(first->find(name) != second->find(name));
  first.reset();
  CHECK(permissions(second->find(name)).starts_with("r-x"));
}

TEST_CASE("a code whose callees nobody has is refused by their names") {
  const Translated made;
  CHECK(refusal(made.code, no_function).find("wave_jit_") != std::string::npos);
}

TEST_CASE("a code that lacks an object, or a function that it says it has, is refused by the name") {
  const Translated made;
  jit::Code lacking = made.code;
  lacking.objects.pop_back();
  CHECK(refusal(lacking).find("Symbols not found") != std::string::npos);
  jit::Code promising = made.code;
  promising.defined.push_back("one_more");
  CHECK(refusal(promising).find("one_more") != std::string::npos);
  // What the host has is none of the code's.
  promising.defined.back() = "wave_jit_fail";
  CHECK(refusal(promising).find("wave_jit_fail") != std::string::npos);
}

TEST_CASE("a code with a function twice is refused") {
  const Translated made;
  jit::Code twice = made.code;
  twice.objects.push_back(twice.objects.front());
  CHECK(refusal(twice).find("uplicate definition") != std::string::npos);
}

TEST_CASE("objects that are cut short, empty or no objects are refused") {
  const Translated made;
  for (std::size_t which = 0; which < made.code.objects.size(); ++which) {
    const std::string whole = made.code.objects[which];
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes < 100 ? 1 : 37) {
      jit::Code code = made.code;
      code.objects[which] = whole.substr(0, bytes);
      INFO("object " << which << ", " << bytes << " of " << whole.size() << " bytes");
      CHECK_FALSE(refusal(code).empty());
    }
  }
  jit::Code text = made.code;
  text.objects.front() = "#!/bin/sh\necho " + std::string(300, 'x');
  CHECK_FALSE(refusal(text).empty());
}

TEST_CASE("an object for another processor is refused") {
  const Translated made;
#if defined(__x86_64__)
  constexpr Elf64_Half other = EM_AARCH64;
#else
  constexpr Elf64_Half other = EM_X86_64;
#endif
  for (const Elf64_Half machine : {other, Elf64_Half{EM_68K}}) {
    jit::Code foreign = made.code;
    foreign.objects.front().replace(offsetof(Elf64_Ehdr, e_machine), sizeof machine,
                                    reinterpret_cast<const char*>(&machine), sizeof machine);
    CHECK_FALSE(refusal(foreign).empty());
  }
  // Without anything in it that is of the processor, too: LLVM would take it.
  Elf64_Ehdr header{};
  std::memcpy(&header, made.code.objects.front().data(), sizeof header);
  header.e_machine = other;
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  jit::Code empty = made.code;
  empty.objects.emplace_back(reinterpret_cast<const char*>(&header), sizeof header);
  CHECK(refusal(empty).starts_with("an object for "));
}

TEST_CASE("an entry of the cache with any byte damaged is made anew, and never reaches the linker") {
  const Translated made;
  const test::Folder folder;
  jit::CodeSource first({}, folder.cache());
  made.get(first);
  REQUIRE(first.translations() == 1);
  const std::filesystem::path file = *std::filesystem::directory_iterator(folder.cache());
  const std::string good = test::contents_of(file);
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 50) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << at % 8);
    test::write_file(file, bytes);
    jit::CodeSource source({}, folder.cache());
    const jit::Code code = made.get(source);
    CHECK(source.translations() == 1);
    CHECK(refusal(code) == "");
  }
  jit::CodeSource last({}, folder.cache());
  CHECK(refusal(made.get(last)) == "");
  CHECK(last.found() == 1);
}
