// Requests for things that serve one request at a time: interfaces, engines for transfers, the processor.
#pragma once

#include "tests/simulator/moments.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wave::simulator {

struct Instance;

// A resource of a machine, or a processor, which has neither machine nor name. Its owner is a process, or what shares a
// level; several may stand side by side.
struct ResourceName {
  const Instance* machine = nullptr;
  std::string name;
  std::int64_t owner = 0, number = 0;
  auto operator<=>(const ResourceName&) const = default;
};
struct Need {
  ResourceName resource;
  double length = 0;  // how long it is needed
  std::int64_t servers = 1;
};

struct Request {
  Stamp stamp;
  Moment from;  // when it can be served
  std::vector<Need> needs;
  std::function<void(const Moment&)> served;
};

// Resources and who asks for them: of one process, or of all where they are shared.
class Desk {
 public:
  explicit Desk(Agenda& agenda) : agenda_(&agenda) {}
  void ask(Request request);
  // Serves, by ascending stamp, the requests made by now that find everything they need free. Other requests hold
  // nothing.
  void look(const Moment& now);

 private:
  bool can_be_served(const Request& request, const Moment& now) const;

  Agenda* agenda_;
  std::multimap<Stamp, Request> waiting_;
  // Since when each server is free; absent: from the beginning.
  std::map<ResourceName, std::vector<Moment>> free_;
};

}  // namespace wave::simulator
