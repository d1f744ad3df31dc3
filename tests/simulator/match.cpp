// Finds which send meets which receive: on every channel, the k-th send meets the k-th receive.
#include "tests/simulator/program.h"

#include <algorithm>
#include <functional>

namespace wave::simulator {

namespace {

struct Ends {
  std::vector<Message*> sends, receives;
};

// Finds the message that must have been received before this one is sent. A window counts the messages of one protocol.
void find_window(const std::vector<Message*>& sends) {
  std::map<const frontend::Item*, std::vector<Message*>> of_protocol;
  for (Message* send : sends) {
    auto& earlier = of_protocol[send->protocol.protocol];
    if (send->window) {
      const auto number = static_cast<std::int64_t>(earlier.size());
      if (*send->window < 1) throw Unsupported{"a window of nothing"};
      if (*send->window <= number) {
        send->before_in_window = earlier[static_cast<std::size_t>(number - *send->window)]->partner;
      }
    }
    earlier.push_back(send);
  }
}

}  // namespace

std::optional<std::string> match(Evaluator& evaluator, Programs& programs) {
  std::map<Channel, Ends> channels;
  const std::function<void(std::vector<Operation>&)> note = [&](std::vector<Operation>& program) {
    for (Operation& operation : program) {
      if (Message** message = std::get_if<Message*>(&operation)) {
        Ends& ends = channels[(*message)->channel];
        ((*message)->sends ? ends.sends : ends.receives).push_back(*message);
      }
      if (auto* list = std::get_if<std::shared_ptr<Ready>>(&operation)) {
        for (Task& task : (*list)->tasks) note(task.body);
      }
    }
  };
  for (auto& program : programs.of) note(program);
  bool differs = false, lacks = false;
  for (auto& [channel, ends] : channels) {
    lacks = lacks || ends.sends.size() != ends.receives.size();
    for (std::size_t k = 0; k < std::min(ends.sends.size(), ends.receives.size()); ++k) {
      Message& send = *ends.sends[k];
      Message& receive = *ends.receives[k];
      send.partner = &receive;
      receive.partner = &send;
      differs = differs || (receive.size && *receive.size != *send.size);
      if (receive.size) continue;
      receive.protocol =
          received_as(choose_protocol(evaluator, send.machine, *send.machine->declaration, *send.size, send.route),
                      receive.machine, *send.size);
      receive.steps = steps_of(evaluator, receive.protocol, false, evaluator.quantum);
    }
    find_window(ends.sends);
  }
  if (differs) return "size_mismatch";
  if (lacks) return "unmatched_message";
  return std::nullopt;
}

}  // namespace wave::simulator
