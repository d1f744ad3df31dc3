// `wave new`: a project with a model, a test, a study, and what continuous integration runs.
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/whole_folder.h"
#include "frontend/project/manifest.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;
using frontend::DiagnosticKind;

struct NewCommand {
  std::string folder;
};

void declare(CLI::App& verb, NewCommand& command, CommonOptions&) {
  add_text(verb, "FOLDER", command.folder, "", "The folder to make; its name becomes that of the project").required();
}

// What imports may begin with, made of the name of a folder: `my-halo` gives `my_halo`.
std::string name_for(const std::string& folder) {
  std::string name = fs::path(folder).filename().string();
  for (char& c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fits) c = '_';
  }
  if (name.empty() || (name.front() >= '0' && name.front() <= '9') || name == "std") name.insert(name.begin(), '_');
  return name;
}

constexpr const char* manifest = R"([project]
name = "{0}"
version = "0.1.0"
edition = 1
folders = ["models", "tests"]

# [dependencies]
# acme = {{ path = "../acme", version = "1.2" }}
)";

constexpr const char* model = R"(wave 1
/// A ring of processes: each computes, and sends to the next one.

import std.machines.loggp {{ LogGOPSim }}
import std.comm as comm

model Ring {{
  param n: int = 16 in 2..              /// processes
  param work: time = 100 us in 0 us..   /// computation in a step
  param size: data = 8 KiB in 0 B..     /// of a message
  param steps: int = 10 in 1..
  param net: comm.Machine = LogGOPSim()

  grid P[i: n wrap]

  process run on P using net {{
    repeat steps {{
      compute(work)
      isend size to [i+1]
      recv size from [i-1]
      waitall
    }}
  }}

  output total = run.time in us
  output share = steps * work / run.time
}}

study scaling of Ring {{
  vary n in 2..64 by *2
  vary size in [1 KiB, 64 KiB]
  show total, share
  plot total vs n by size
}}
)";

constexpr const char* tests = R"(wave 1
import {0}.ring {{ Ring }}

test "steps take the same time each" {{
  expect Ring(steps = 20).total == 2 * Ring(steps = 10).total within 1 us
}}

test "more work takes longer by just that" {{
  expect Ring(steps = 1, work = 200 us).total == Ring(steps = 1, work = 100 us).total + 100 us within 1 ns
}}
)";

constexpr const char* continuous_integration = R"sh(#!/bin/sh
# What continuous integration runs for this project.
set -eu
cd "$(dirname "$0")"
wave fmt --check
wave check
wave test
)sh";

constexpr const char* readme = R"(# {0}

A project of models for Wave, which predicts how long parallel programs take.

    wave run models/ring.wave            # one evaluation
    wave sweep models/ring.wave          # the study of the file
    wave test                            # the tests of the project
    ./ci.sh                              # all that continuous integration runs
)";

// In the order in which they are named.
std::vector<std::pair<std::string, std::string>> files_of(const std::string& name) {
  const auto filled = [&](const char* text) { return fmt::format(fmt::runtime(text), name); };
  return {{frontend::manifest_name, filled(manifest)},
          {"README.md", filled(readme)},
          {"models/ring.wave", filled(model)},
          {"tests/ring_test.wave", filled(tests)},
          {"ci.sh", continuous_integration}};
}

int execute(const NewCommand& command, const CommonOptions&, Console& console) {
  fs::path folder = command.folder;
  if (!folder.has_filename()) folder = folder.parent_path();
  frontend::Diagnostics diagnostics;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  if (error) {
    diagnostics.add(DiagnosticKind::cannot_write, {},
                    fmt::format("cannot make `{}`: {}", folder.string(), error.message()));
    console.report({}, diagnostics);
    return failure;
  }
  const std::string name = name_for(whole.string());
  if (fs::exists(folder, error) && !is_empty_folder(folder.string())) {
    diagnostics.add(DiagnosticKind::misuse, {}, fmt::format("`{}` is there already", folder.string()))
        .help.push_back("nothing was changed; name a folder that does not exist yet, or an empty one");
    console.report({}, diagnostics);
    return failure;
  }
  const auto files = files_of(name);
  if (const std::string trouble = make_folder(folder.string(), {files.begin(), files.end()}, {"ci.sh"});
      !trouble.empty()) {
    diagnostics.add(DiagnosticKind::cannot_write, {}, fmt::format("cannot make `{}`: {}", folder.string(), trouble));
    console.report({}, diagnostics);
    return failure;
  }
  for (const auto& [path, text] : files) console.print(fmt::format("{}\n", (folder / path).string()));
  console.remark(
      fmt::format("the project `{}`: `cd {}`, then `wave test`, `wave run models/ring.wave`\n", name, folder.string()));
  return success;
}

}  // namespace

Verb new_verb() {
  return make_verb<NewCommand>(
      "new", "Make a project with a model, a test and a study",
      {{"Make a project and run its tests", "wave new halo && cd halo && wave test"},
       {"Make one and evaluate its model", "wave new waves && wave run waves/models/ring.wave"}},
      declare, execute);
}

}  // namespace wave::cli
