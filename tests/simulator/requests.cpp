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
  return request.from <= now && std::all_of(request.needs.begin(), request.needs.end(), [&](const auto& need) {
           const auto found = free_.find(need.first);
           return found == free_.end() || found->second <= now;
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
    for (const auto& [resource, length] : request.needs) {
      free_[resource] = after(now, length);
      agenda_->look_at(free_[resource], *this);
    }
    request.served(now);
  }
}

}  // namespace wave::simulator
