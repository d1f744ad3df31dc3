// What random processes do over several statements: operations that are long pending, pipelines, wavefronts without a
// sweep, many messages on their way, conditions that all processes share.
#include "tests/random/process_writer.h"

#include <fmt/format.h>

namespace wave::test {

void ProcessWriter::pattern(const Around& around) {
  switch (choose_.below(8)) {
    case 0: return pipeline(around);
    case 1: return wavefront(around);
    case 2: return choose_.chance(0.4) ? burst(around) : linger(around);
    case 3: return shared_condition(around);
    case 4: return as_many_as_its_place();
    case 5: return overtake(around);
    default: return linger(around);
  }
}

// A message whose ends are called here, and waited for only after other statements, or never.
void ProcessWriter::linger(const Around& around) {
  note("pending over statements");
  const Offset d = offset(false);
  const Pair message = pair(around);
  const std::string tag = fmt::format(" tag {}", 200 + handles_), out = handle(), in = handle();
  const std::size_t times = choose_.chance(0.2) ? 2 : 1;
  const auto repeated = [&](const std::string& one) {
    line(times == 1 ? one : fmt::format("repeat {} {{ {} }}", times, one));
  };
  repeated("isend " + message.sent + "to " + place(d, 1) + tag + " as " + out);
  repeated("irecv " + message.received + "from " + place(d, -1) + tag + " as " + in);
  Around inner = around;
  if (++inner.depth < 4) block(inner, 1 + choose_.below(3));
  std::vector<std::string> waits;
  if (choose_.chance(0.85)) waits.push_back("wait " + in);
  if (choose_.chance(0.85)) waits.push_back("wait " + out);
  shuffle(waits);
  for (const std::string& one : waits) line(one);
}

// A task, whose messages are sent before its list; `answers` become the receives of what it sends.
std::string ProcessWriter::task(const Around& around, std::vector<std::string>& answers) {
  std::string receives;
  for (std::size_t k = choose_.below(3); k > 0; --k) {
    const Pair message = pair(around);
    const std::string tag = fmt::format(" tag {}", 700 + handles_++);
    const Offset d = offset(false);
    if (choose_.chance(0.4)) line("compute(" + cost(around) + ")");
    line("isend " + message.sent + "to " + place(d, 1) + tag);
    receives += (receives.empty() ? " when recv " : ", recv ") + message.received + "from " + place(d, -1) + tag;
  }
  std::string text = "task" + receives;
  if (choose_.chance(0.5)) {
    const std::vector<std::string> priorities{"2", "-1", "0.5", any_axis().name, "3 - " + any_axis().name};
    text += " priority " + choose_.one_of(priorities);
  }
  text += " {";
  if (choose_.chance(0.8)) text += " compute(" + cost(around) + ")";
  if (choose_.chance(0.5)) {
    const Pair message = pair(around);
    const std::string tag = fmt::format(" tag {}", 700 + handles_++);
    const Offset d = offset(false);
    text += (choose_.chance(0.3) ? "; send " : "; isend ") + message.sent + "to " + place(d, 1) + tag;
    answers.push_back((choose_.chance(0.5) ? "recv " : "irecv ") + message.received + "from " + place(d, -1) + tag);
  }
  if (choose_.chance(0.2)) {
    const std::string out = handle(), tag = fmt::format(" tag {}", 700 + handles_++);
    const Pair message = pair(around);
    const Offset d = offset(false);
    line("isend " + message.sent + "to " + place(d, 1) + tag);
    const std::string received = message.received + "from " + place(d, -1) + tag;
    text += choose_.chance(0.5)
                ? "; recv " + received
                : "; irecv " + received + " as " + out + (choose_.chance(0.5) ? "; wait " : "; waitany ") + out;
  }
  if (choose_.chance(0.1)) text += fmt::format("; phase \"x{}\" {{ compute({}) }}", phases_++, cost(around));
  if (choose_.chance(0.1)) text += "; waitall";
  return text + " }";
}

void ProcessWriter::tasks(const Around& around) {
  note("tasks");
  std::vector<std::string> answers, list;
  for (std::size_t k = 1 + choose_.below(4); k > 0; --k) list.push_back(task(around, answers));
  shuffle(list);
  line("ready {");
  for (const std::string& one : list) {
    const bool is_alone = !one.starts_with("task when") && one.find("send ") == std::string::npos;
    const bool has_condition = is_alone && choose_.chance(0.5);
    line("  " + (has_condition ? "if " + any_axis().name + " mod 2 == 0 { " + one + " }" : one));
  }
  if (choose_.chance(0.3)) {
    note("tasks in a loop");
    line(fmt::format("  for t in 1..3 if t != 2 {{ task priority {} {{ compute(t * 1 {}) }} }}",
                     choose_.chance(0.5) ? "t" : "-t", manner_.ties ? "ns" : "us"));
  }
  line("}");
  for (const std::string& one : answers) line(one);
  if (choose_.chance(0.5)) line("waitall");
}

// In every iteration, what was left pending in the one before is waited for.
void ProcessWriter::overtake(const Around& around) {
  note("pending over iterations");
  const Offset d = offset(false);
  const Pair message = pair(around);
  const std::string tag = fmt::format(" tag {}", 200 + handles_), out = handle(), in = handle();
  line(fmt::format("for x in 1..{} {{", choose_.between(2, 5)));
  ++depth_;
  const bool receives_late = choose_.chance(0.5);
  line("wait " + out);
  line("isend " + message.sent + "to " + place(d, 1) + tag + " as " + out);
  line("compute(" + cost(around) + ")");
  if (!receives_late && choose_.chance(0.6)) line(fmt::format("if x mod 2 == 0 {{ wait {} }}", in));
  line((receives_late ? "recv " : "irecv ") + message.received + "from " + place(d, -1) + tag +
       (receives_late ? "" : " as " + in));
  --depth_;
  line("}");
  if (choose_.chance(0.7)) line("waitall");
}

// Each stage first runs ahead, then alternates one forward and one back, then drains.
void ProcessWriter::pipeline(const Around& around) {
  const std::vector<Axis> straight = straight_axes();
  if (straight.empty()) return linger(around);
  note("one forward, one back");
  const Axis& axis = choose_.one_of(straight);
  const Offset d = along(axis);
  const std::string there = size(around), back = size(around), ahead = fresh("ahead"), all = fresh("all");
  const std::string send = choose_.chance(0.9) ? "isend " : "send ", tag = fmt::format(" tag {}", 300 + names_);
  const std::string received = choose_.chance(0.3) ? "" : there + " ";
  const auto forward = [&] {
    line(fmt::format("recv {}from {}{}", received, place(d, -1), tag));
    line("compute(" + cost(around) + ")");
    line(send + there + " to " + place(d, 1) + tag);
  };
  const auto backward = [&] {
    line(fmt::format("recv {} from {}{}", back, place(d, 1), tag));
    line("compute(" + cost(around) + ")");
    line(send + back + " to " + place(d, -1) + tag);
  };
  const auto repeated = [&](const std::string& count, const auto& first, const auto& second) {
    line("repeat " + count + " {");
    ++depth_;
    first();
    second();
    if (choose_.chance(0.5)) line("waitall");
    --depth_;
    line("}");
  };
  line(fmt::format("let {} = {}", all, choose_.chance(0.3) ? "k + 1" : fmt::format("{}", choose_.between(0, 7))));
  line(fmt::format("let {} = min({} - {}, {})", ahead, axis.written, axis.name, all));
  repeated(ahead, forward, [] {});
  repeated(all + " - " + ahead, forward, backward);
  repeated(ahead, backward, [] {});
  line("waitall");
}

// A sweep as a loop, in any mixture with other messages and collectives.
void ProcessWriter::wavefront(const Around& around) {
  const std::vector<Axis> straight = straight_axes();
  if (straight.empty()) return linger(around);
  note("wavefront without a sweep");
  ++names_;
  Around inner = around;
  inner.variable = "q";
  ++inner.depth;
  std::vector<std::string> receives, sends;
  for (const Axis& axis : straight) {
    if (choose_.chance(0.2)) continue;
    const std::int64_t sign = choose_.chance(0.5) ? 1 : -1;
    const Pair message = pair(inner);
    const std::string tag = fmt::format(" tag {}", 300 + names_);
    receives.push_back("recv " + message.received + "from " + place(along(axis), -sign) + tag);
    sends.push_back((choose_.chance(0.3) ? "isend " : "send ") + message.sent + "to " + place(along(axis), sign) + tag);
  }
  line(fmt::format("for q in 1..{} {{", wide_ ? choose_.between(3, 20) : choose_.between(1, 5)));
  ++depth_;
  for (const std::string& one : receives) line(one);
  line("compute(" + cost(inner) + ")");
  if (choose_.chance(0.3)) exchange(inner);
  for (const std::string& one : sends) line(one);
  if (choose_.chance(0.2)) note("collective in a shared condition"), line("if q mod 2 == 0 { barrier() }");
  if (choose_.chance(0.3)) line("waitall");
  --depth_;
  line("}");
  if (choose_.chance(0.5)) line("waitall");
}

// More messages on their way than a channel first has room for.
void ProcessWriter::burst(const Around& around) {
  note("many messages on their way");
  const Offset d = offset(false);
  const Pair message = pair(around);
  const std::int64_t count = choose_.between(20, 150);
  line(fmt::format("repeat {} {{ isend {}to {} tag 60 }}", count, message.sent, place(d, 1)));
  if (choose_.chance(0.3)) collective(around);
  line(fmt::format("repeat {} {{ {} {}from {} tag 60 }}", count, choose_.chance(0.7) ? "recv" : "irecv",
                   message.received, place(d, -1)));
  if (choose_.chance(0.8)) line("waitall");
}

// Collectives and sweeps may stand in conditions that hold for all processes or for none.
void ProcessWriter::shared_condition(const Around& around) {
  note("collective in a shared condition");
  std::vector<std::string> conditions = {"k == 2", "n0 > 2", "k * n0 mod 2 == 0"};
  if (!around.variable.empty()) conditions.push_back(around.variable + " > 1");
  line("if " + choose_.one_of(conditions) + " {");
  Around inner = around;
  ++inner.depth;
  const auto branch = [&] {
    ++depth_;
    collective(inner);
    if (inner.depth < 4) block(inner, choose_.below(2));
    if (choose_.chance(0.3)) collective(inner);
    --depth_;
  };
  branch();
  if (choose_.chance(0.6)) {
    line("} else {");
    branch();
  }
  line("}");
}

}  // namespace wave::test
