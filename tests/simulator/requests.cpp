// Moments follow each other. At each, the request with the least stamp that can be served is served.
#include "tests/simulator/requests.h"

#include <algorithm>
#include <stdexcept>

namespace wave::simulator {

void Agenda::at(const Moment& moment, std::function<void()> happens) {
  if (moment < now_) throw std::logic_error("an event in the past");
  queue_.push({moment, events_++, std::move(happens)});
}

void Agenda::run() {
  while (!queue_.empty() || !looks_.empty()) {
    now_ = queue_.empty()   ? looks_.begin()->first
           : looks_.empty() ? queue_.top().moment
                            : std::min(queue_.top().moment, looks_.begin()->first);
    while (!queue_.empty() && queue_.top().moment == now_) {
      const Event event = queue_.top();
      queue_.pop();
      event.happens();
    }
    while (!looks_.empty() && looks_.begin()->first == now_) {
      Desk* const desk = looks_.begin()->second;
      looks_.erase(looks_.begin());
      desk->look(now_);
      if (!queue_.empty() && queue_.top().moment == now_) throw std::logic_error("being served takes no step");
    }
  }
}

void Desk::ask(Request request) {
  agenda_->look_at(request.from, *this);
  const Stamp stamp = request.stamp;
  waiting_.emplace(stamp, std::move(request));
}

bool Desk::can_be_served(const Request& request, const Moment& now) const {
  return request.from <= now && std::all_of(request.needs.begin(), request.needs.end(), [&](const Need& need) {
           const auto found = free_.find(need.resource);
           return found == free_.end() || std::any_of(found->second.begin(), found->second.end(),
                                                      [&](const Moment& since) { return since <= now; });
         });
}

void Desk::look(const Moment& now) {
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    if (!can_be_served(one->second, now)) {
      ++one;
      continue;
    }
    const Request request = std::move(one->second);
    one = waiting_.erase(one);
    for (const Need& need : request.needs) {
      auto& servers = free_[need.resource];
      servers.resize(static_cast<std::size_t>(need.servers), Moment{false, 0, 0});
      // Any of those that are free will do.
      const auto one_of =
          std::find_if(servers.begin(), servers.end(), [&](const Moment& since) { return since <= now; });
      *one_of = after(now, need.length);
      agenda_->look_at(*one_of, *this);
    }
    request.served(now);
  }
}

}  // namespace wave::simulator
