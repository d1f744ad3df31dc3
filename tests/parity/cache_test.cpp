// Compiled code that engines and processes share, and code for other processors.
#include "tests/folder.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/random_system.h"

#include <catch2/catch.hpp>

#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace wave;
using namespace wave::parity;
using backend::EngineKind;
namespace files = std::filesystem;

namespace {

std::unique_ptr<backend::Engine> jit_with(const ir::System& system, const backend::EngineOptions& options) {
  auto made = backend::make_engine(EngineKind::jit, system, options);
  if (auto* const error = std::get_if<std::string>(&made)) FAIL(*error);
  return std::move(std::get<std::unique_ptr<backend::Engine>>(made));
}

backend::EngineOptions cached(const test::Folder& folder) {
  backend::EngineOptions options;
  options.cache_folder = folder.cache();
  return options;
}

// How an engine got its code, after every root was asked for and had the interpreter's bits.
backend::JitCounts counts_of(const ir::System& system, const backend::EngineOptions& options,
                             const std::vector<backend::Binding>& bindings = {}) {
  const auto jit = jit_with(system, options);
  CHECK(compare(system, *engine(EngineKind::interpreter, system), *jit, bindings).difference == "");
  return backend::jit_counts(*jit);
}

ir::System start_system(std::int64_t n, double work) {
  Model model;
  add_start(model, n, 30);
  model.root("work", {model.parameter("w", model.build.real(work))});
  return model.system;
}

// The entries' files.
std::vector<files::path> entries(const test::Folder& folder) {
  std::vector<files::path> all;
  for (const auto& entry : files::directory_iterator(folder.cache())) all.push_back(entry.path());
  return all;
}

}  // namespace

TEST_CASE("what an engine has compiled another finds, with the same bits") {
  const test::Folder folder;
  const ir::System system = start_system(20, 1.5);
  const auto first = counts_of(system, cached(folder));
  CHECK(first.compilations > 0);
  CHECK(first.found == 0);
  CHECK(first.cache_trouble == "");
  const auto second = counts_of(system, cached(folder));
  CHECK(second.compilations == 0);
  CHECK(second.found == first.compilations);
}

TEST_CASE("random systems from the cache have the interpreter's bits") {
  const test::Folder folder;
  const std::uint64_t seed = std::random_device{}();
  for (std::uint64_t i = 0; i < 15; ++i) {
    INFO("seed " << seed + i);
    const ir::System system = test::random_system(seed + i);
    counts_of(system, cached(folder));
    CHECK(counts_of(system, cached(folder)).compilations == 0);
  }
}

TEST_CASE("parameters with other numbers, by default or bound, compile nothing") {
  const test::Folder folder;
  CHECK(counts_of(start_system(20, 1.5), cached(folder)).compilations > 0);
  for (const std::int64_t n : {1, 2, 7, 20, 33}) {
    for (const double work : {0.0, 1.5, 20.0})
      CHECK(counts_of(start_system(n, work), cached(folder)).compilations == 0);
  }
  Model model;
  add_start(model, 20, 30);
  const std::vector<backend::Binding> bound{{model.definition("n"), ir::Scalar::of(std::int64_t{5})}};
  counts_of(model.system, cached(folder));
  CHECK(counts_of(model.system, cached(folder), bound).compilations == 0);
}

TEST_CASE("another structure, and another processor, are compiled anew") {
  const test::Folder folder;
  Model model;
  add_start(model, 20, 30);
  CHECK(counts_of(model.system, cached(folder)).compilations > 0);
  const ir::BinderId k = model.build.binder("k");
  model.root("one more", {model.build.index(k)}, {model.level(k, model.build.integer(1), model.build.integer(2))});
  CHECK(counts_of(model.system, cached(folder)).compilations > 0);
  CHECK(counts_of(model.system, cached(folder)).compilations == 0);
#if defined(__x86_64__)
  backend::EngineOptions plain = cached(folder);
  plain.cpu = "x86-64";
  CHECK(counts_of(model.system, plain).compilations > 0);
  CHECK(counts_of(model.system, plain).compilations == 0);
#endif
}

TEST_CASE("damaged, short and foreign files in the cache are compiled over") {
  const test::Folder folder;
  const ir::System system = start_system(20, 1.5);
  const int all = counts_of(system, cached(folder)).compilations;
  for (const char* const how : {"damaged", "short", "foreign", "empty"}) {
    INFO(how);
    for (const files::path& file : entries(folder)) {
      std::string bytes = test::contents_of(file);
      const std::string kind = how;
      if (kind == "damaged") bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
      if (kind == "short") bytes.resize(bytes.size() - 1);
      if (kind == "foreign") bytes = "#!/bin/sh\necho " + std::string(300, 'x');
      if (kind == "empty") bytes.clear();
      test::write_file(file, bytes);
    }
    CHECK(counts_of(system, cached(folder)).compilations == all);
    CHECK(counts_of(system, cached(folder)).compilations == 0);
  }
}

TEST_CASE("without a usable folder everything is compiled, and the reason is told") {
  const test::Folder folder;
  test::write_file(folder.path() / "a", "a file where the folder should be");
  const ir::System system = start_system(20, 1.5);
  for (int round = 0; round < 2; ++round) {
    const auto counts = counts_of(system, cached(folder));
    CHECK(counts.compilations > 0);
    CHECK(counts.cache_trouble.find("is not used") != std::string::npos);
  }
}

TEST_CASE("processes that fill one cache at the same time have the same bits") {
  const test::Folder folder;
  const ir::System system = start_system(20, 1.5);
  const auto expected = engine(EngineKind::interpreter, system)->start({}, {})->evaluate(ir::RootId{0});
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    bool same = true;
    for (int round = 0; round < 3; ++round) {
      auto made = backend::make_engine(EngineKind::jit, system, cached(folder));
      auto* const jit = std::get_if<std::unique_ptr<backend::Engine>>(&made);
      same = same && jit && difference(system, expected, (*jit)->start({}, {})->evaluate(ir::RootId{0})).empty();
    }
    _exit(same ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(counts_of(system, cached(folder)).found > 0);
}

#if defined(__x86_64__)

TEST_CASE("code for older processors has the same bits", "[long]") {
  const std::uint64_t seed = std::random_device{}();
  for (const char* const cpu : {"x86-64", "x86-64-v2", "x86-64-v3", "native"}) {
    backend::EngineOptions options;
    options.cpu = cpu;
    auto made = backend::make_engine(EngineKind::jit, start_system(20, 1.5), options);
    if (made.index() == 1) continue;  // this machine is older than the one the code is for
    for (std::uint64_t i = 0; i < 10; ++i) {
      INFO(cpu << ", seed " << seed + i);
      counts_of(test::random_system(seed + i), options);
    }
  }
}

TEST_CASE("a processor that does not exist, or is not this one, is an error that says so") {
  const ir::System system = start_system(20, 1.5);
  for (const EngineKind kind : {EngineKind::jit, EngineKind::automatic}) {
    backend::EngineOptions options;
    options.cpu = "skylak";
    auto made = backend::make_engine(kind, system, options);
    REQUIRE(made.index() == 1);
    CHECK(std::get<1>(made).find("no processor is called `skylak`") == 0);
    CHECK(std::get<1>(made).find("`skylake`") != std::string::npos);
    options.cpu = "bdver4";  // it has instructions that no other processor has
    made = backend::make_engine(kind, system, options);
    REQUIRE(made.index() == 1);
    CHECK(std::get<1>(made).find("this machine cannot run code for `bdver4`: it lacks ") == 0);
    CHECK(backend::dump_llvm(system, options).index() == 0);
    options.cpu = "skylak";
    CHECK(backend::dump_llvm(system, options).index() == 1);
  }
}

#endif
