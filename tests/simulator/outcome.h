// What the simulator answers for a model in a test, in us.
#pragma once

#include "tests/simulator/simulator.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace wave::simulator {

struct Outcome {
  std::map<std::string, std::vector<double>> values;
  std::vector<std::string> failures;
  double operator[](const std::string& name) const { return values.at(name).front() / 1e6; }
  bool fails(const std::string& kind) const {
    return std::find(failures.begin(), failures.end(), kind) != failures.end();
  }
};

// The outputs of the models in a file, or in a text with that name.
inline Outcome outcome_of_file(const std::string& path, const std::string* text = nullptr) {
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load(path, {}, diagnostics, text);
  for (const auto& one : diagnostics.sorted()) FAIL_CHECK(one.message);
  REQUIRE(!diagnostics.has_errors());
  Outcome outcome;
  for (const auto& item : program->main().items) {
    if (!std::holds_alternative<frontend::item::Model>(item->node)) continue;
    for (const Answer& answer : outputs_of(*item)) {
      CHECK(answer.unsupported == "");
      for (const auto& row : answer.rows) outcome.values[answer.name].push_back(as_real(row.back()));
      if (!answer.failure.empty()) outcome.failures.push_back(answer.failure);
    }
  }
  return outcome;
}

inline Outcome outcome_of_model(const std::string& machines, const std::string& members) {
  const std::string text = machines + "model M {\n" + members + "\n}\n";
  return outcome_of_file("<test>", &text);
}

// A process `p` on `n` processes in a line, with outputs for its times.
inline Outcome outcome_on_line(const std::string& machines, const std::string& n, const std::string& machine,
                               const std::string& body, const std::string& outputs = "") {
  return outcome_of_model(
      machines,
      "grid P[i: " + n + "]\nprocess p on P using " + machine + "() {\n" + body + "\n}\n" +
          "output time = p.time\noutput wait = p.wait\noutput overhead = p.overhead\noutput compute = p.compute\n"
          "output messages = p.messages * 1 us\noutput first = p.finish[1]\noutput last = p.finish[" +
          n + "]\n" + outputs);
}

}  // namespace wave::simulator
