// The two ends of a message: their steps, each at its moment, and the signals between them.
#include "tests/simulator/simulation.h"

#include <algorithm>

namespace wave::simulator {

// ---- calls ------------------------------------------------------------------------------------------------------

void Simulation::call(Process& process, const Message& message) {
  End& end = ends_.at(&message);
  if (!message.before_in_window) return begin(process, end);
  End& earlier = ends_.at(message.before_in_window);
  const auto opens = [this, &process, &end, &earlier] {
    wait_until(process, *earlier.finished);
    agenda_.at(process.stands, [this, &process, &end] { begin(process, end); });
  };
  if (earlier.finished) return opens();
  earlier.when_finished.push_back(opens);
}

void Simulation::begin(Process& process, End& end) {
  const Message& message = *end.message;
  if (message.sends) {
    ++process.account.messages;
    process.account.bytes += *message.size;
  }
  // This overhead belongs to the phase that calls the message, no matter when the processor does it.
  for (const Step& step : message.steps)
    if (step.kind == Step::Kind::arrival) process.account.overhead += step.time;
  end.number = process.called++;
  end.called = true;
  advance(end);
}

// ---- steps ------------------------------------------------------------------------------------------------------

void Simulation::go_on(End& end, const Moment& moment) {
  stands(end) = moment;
  ++end.at;
  agenda_.at(moment, [this, &end] { advance(end); });
}

void Simulation::advance(End& end) {
  const auto& steps = end.message->steps;
  for (; end.at < steps.size(); ++end.at) {
    const Step& step = steps[end.at];
    switch (step.kind) {
      case Step::Kind::arrival: continue;  // not a step of the program
      case Step::Kind::busy:
        if (leave_to_wait(end, step.time)) continue;
        return busy(end, step);
      case Step::Kind::emit: return emit(end, step);
      case Step::Kind::await:
      case Step::Kind::sent: return await(end);
      case Step::Kind::acquire: return acquire(end, step);
    }
  }
  ran(end);
}

// In the background, the time spent busy after the last `emit` is charged at the `wait`.
bool Simulation::leave_to_wait(End& end, double length) {
  const auto& steps = end.message->steps;
  const auto is_emit = [](const Step& step) { return step.kind == Step::Kind::emit; };
  if (!end.behind || std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(end.at), steps.end(), is_emit))
    return false;
  end.charges = true;
  end.charge += length;
  return true;
}

void Simulation::busy(End& end, const Step& step) {
  if (end.behind) return go_on(end, after(end.stands, step.time));
  end.process->account.overhead += step.time;
  if (end.has_processor) {
    end.has_processor = false;
    return go_on(end, after(end.process->stands, step.time));
  }
  work(*end.process, end.number, static_cast<std::int64_t>(end.at), step.time, [this, &end] {
    ++end.at;
    advance(end);
  });
}

Need Simulation::need(const End& end, const Use& use) {
  auto owner = static_cast<std::int64_t>(end.process->rank);
  const Grid::Level* level = use.level ? programs_.grid.level(*use.level) : nullptr;
  if (level) owner = level->of[end.process->rank];
  return {{end.message->machine.get(), use.resource, owner, use.number}, use.occupied, use.servers};
}

Need Simulation::processor_of(const Process& process, double length) {
  return {{nullptr, "", static_cast<std::int64_t>(process.rank), 0}, length, 1};
}

void Simulation::emit(End& end, const Step& step) {
  const Moment moment = stands(end);
  if (step.uses.empty())
    send_signal(end, end.at, moment);
  else
    leave(end, end.at, 0, moment);
  go_on(end, after(moment, 0));
}

// Asks for one thing after the other, and then the signal is on its way.
void Simulation::leave(End& end, std::size_t place, std::size_t use, const Moment& moment) {
  const auto& uses = end.message->steps[place].uses;
  Request request;
  request.stamp = {moment, end.process->rank, end.number, static_cast<std::int64_t>(place), false, use};
  request.from = moment;
  request.needs = {need(end, uses[use])};
  request.served = [this, &end, place, use, last = use + 1 == uses.size()](const Moment& served) {
    if (last) return send_signal(end, place, served);
    const Moment next = after(served, 0);
    agenda_.at(next, [this, &end, place, use, next] { leave(end, place, use + 1, next); });
  };
  desk_of(*end.process).ask(std::move(request));
}

void Simulation::await(End& end) {
  if (end.message->background && !end.behind) {
    end.behind = true;
    end.process->pending.push_back(&end);
    end.stands = end.process->stands;
    next(*end.process);
  }
  const auto found = end.passes.find(end.at);
  end.waits = found == end.passes.end();
  if (end.waits) return;
  if (end.behind) return go_on(end, after(std::max(end.stands, found->second), 0));
  wait_until(*end.process, found->second);
  go_on(end, end.process->stands);
}

void Simulation::acquire(End& end, const Step& step) {
  Process& process = *end.process;
  const auto& steps = end.message->steps;
  const bool asks_processor = programs_.shares_processor && !end.behind;
  Request request;
  request.from = stands(end);
  request.stamp = {asks_processor ? process.handed : request.from, process.rank, end.number,
                   static_cast<std::int64_t>(end.at)};
  request.needs = {need(end, step.uses[0])};
  if (asks_processor) {
    const auto work = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(end.at), steps.end(),
                                   [](const Step& one) { return one.kind == Step::Kind::busy; });
    request.needs.push_back(processor_of(process, work->time));
  }
  request.served = [this, &end](const Moment& served) {
    end.has_processor = !end.behind;
    const Moment moment = after(served, 0);
    if (!end.behind) end.process->handed = moment;
    go_on(end, moment);
  };
  desk_of(process).ask(std::move(request));
}

void Simulation::ran(End& end) {
  end.ran = stands(end);
  if (!end.charges) finish(end, *end.ran);
  if (!end.behind) next(*end.process);
  call_all(end.when_ran);
}

void Simulation::finish(End& end, const Moment& moment) {
  end.finished = moment;
  call_all(end.when_finished);
}

// ---- signals ----------------------------------------------------------------------------------------------------

void Simulation::send_signal(End& end, std::size_t place, const Moment& leaves) {
  const auto& steps = end.message->steps;
  const Step& step = steps[place];
  for (std::size_t k = place + 1; k < steps.size(); ++k) {
    if (steps[k].kind == Step::Kind::sent && steps[k].signal == step.signal) pass(end, k, after(leaves, steps[k].time));
  }
  const Message* const partner = end.message->partner;
  if (!partner) return;  // nobody receives it; that error is reported elsewhere
  End& other = ends_.at(partner);
  const Moment moment = after(leaves, step.time);
  const Stamp stamp{moment, end.process->rank, end.number, static_cast<std::int64_t>(place), true};
  agenda_.at(moment, [this, &other, &step, stamp] { arrive(other, step.signal, stamp); });
}

// `stamp` is that of the `emit`, with the moment when the signal arrives.
void Simulation::arrive(End& end, const std::string& signal, Stamp stamp) {
  const auto& steps = end.message->steps;
  const auto taken_in = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    return step.kind == Step::Kind::arrival && step.signal == signal;
  });
  if (taken_in != steps.end()) return take_in(end, *taken_in, stamp);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].kind != Step::Kind::await || steps[k].signal != signal) continue;
    if (steps[k].uses.empty())
      pass(end, k, stamp.moment);
    else
      ask_on_arrival(end, k, 0, stamp);
  }
}

// Of several requests of one signal the order is that in which they are written.
void Simulation::ask_on_arrival(End& end, std::size_t place, std::size_t use, const Stamp& stamp) {
  const auto& uses = end.message->steps[place].uses;
  Request request;
  request.stamp = stamp;
  request.stamp.written = 1000 * place + use;
  request.from = stamp.moment;
  request.needs = {need(end, uses[use])};
  request.served = [this, &end, place, use, stamp, last = use + 1 == uses.size()](const Moment& served) {
    const double rest = end.message->steps[place].time;
    if (last) return pass(end, place, rest > 0 ? after(served, rest) : served);
    Stamp next = stamp;
    next.moment = after(served, 0);
    agenda_.at(next.moment, [this, &end, place, use, next] { ask_on_arrival(end, place, use + 1, next); });
  };
  desk_of(*end.process).ask(std::move(request));
}

void Simulation::take_in(End& end, const Step& step, const Stamp& stamp) {
  // A signal that came infinitely earlier has had its resource already, and only waits for the processor to begin.
  const bool came_before = stamp.moment.is_late < end.process->starts.is_late;
  Request request;
  request.stamp = stamp;
  request.from = came_before ? end.process->starts : stamp.moment;
  request.needs = {processor_of(*end.process, step.time)};
  if (!step.uses.empty() && !came_before) request.needs.push_back(need(end, step.uses[0]));
  request.served = [this, &end, &step](const Moment& served) {
    end.process->taken_in.emplace_back(served, step.time);
    for (std::size_t k = 0; k < end.message->steps.size(); ++k) {
      const Step& one = end.message->steps[k];
      if (one.kind == Step::Kind::await && one.signal == step.signal) pass(end, k, served);
    }
  };
  desk_of(*end.process).ask(std::move(request));
}

void Simulation::pass(End& end, std::size_t place, const Moment& moment) {
  end.passes.emplace(place, moment);
  if (!end.waits || end.at != place) return;
  end.waits = false;
  await(end);
}

}  // namespace wave::simulator
