// Requests for things that serve one request at a time: interfaces, engines for transfers, the processor.
#pragma once

#include "tests/simulator/moments.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wave::simulator {

struct Instance;

// Something that one process owns: a resource of a machine, or its processor, which has neither machine nor name.
using ResourceName = std::pair<const Instance*, std::string>;
inline const ResourceName the_processor{nullptr, ""};

struct Request {
  Stamp stamp;
  Moment from;                                         // when it can be served
  std::vector<std::pair<ResourceName, double>> needs;  // with how long each is needed
  std::function<void(const Moment&)> served;
};

// The resources of one process and who asks for them.
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
  std::map<ResourceName, Moment> free_;  // since when; absent: from the beginning
};

}  // namespace wave::simulator
