// Requests for what does one thing at a time: interfaces, engines for transfers, the processor.
#pragma once

#include "tests/simulator/moments.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wave::simulator {

struct Instance;

// Of one process: a resource of a machine, or its processor, which has neither.
using ResourceName = std::pair<const Instance*, std::string>;
inline const ResourceName the_processor{nullptr, ""};

struct Request {
  Stamp stamp;
  Moment from;                                         // when it can be served
  std::vector<std::pair<ResourceName, double>> needs;  // and for how long
  std::function<void(const Moment&)> served;
};

// The resources of one process and who asks for them.
class Desk {
 public:
  explicit Desk(Agenda& agenda) : agenda_(&agenda) {}
  void ask(Request request);
  // Serves what has been asked for by now and finds all that it needs free, by ascending stamp. What finds less holds
  // nothing.
  void look(const Moment& now);

 private:
  bool can_be_served(const Request& request, const Moment& now) const;

  Agenda* agenda_;
  std::multimap<Stamp, Request> waiting_;
  std::map<ResourceName, Moment> free_;  // from when; not there: from the beginning
};

}  // namespace wave::simulator
