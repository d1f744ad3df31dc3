// See recording.h.
#include "backend/processes/engine/recording.h"

#include "backend/processes/engine/rings.h"

namespace wave::backend::processes::engine {

Recording::Recording(std::size_t processes, std::function<void(std::int64_t)> claim, ir::PhaseId phase)
    : programs_(processes), claim_(std::move(claim)), phase_(phase) {
  claim_(static_cast<std::int64_t>(processes * sizeof(OfProgram)));
}

template <class Entry>
void Recording::append(std::vector<Entry>& entries, const Entry& entry) {
  if (entries.size() == entries.capacity()) {
    const std::size_t before = entries.capacity(), after = std::max<std::size_t>(4, 2 * before);
    claim_(static_cast<std::int64_t>((after - before) * sizeof(Entry)));
    entries.reserve(after);
  }
  entries.push_back(entry);
}

void Recording::keep(Standing& process) {
  append(programs_[process.rank].words, process.choices);
  process.choices = 0;
  process.choice_bits = 0;
}

void Recording::leave_phase(const Standing& process, std::uint32_t phase, double entered) {
  if (phase_.valid() && phase == phase_.index) append(programs_[process.rank].phases, {entered, process.clock});
}

void Recording::keep(Number process, std::uint32_t call, const Choices& choices) {
  if (choices.count == 0) return;
  claim_(static_cast<std::int64_t>(bytes_of_sorted_entry));
  calls_in_background_[{process, call}] = choices;
}

const Choices* Recording::choices_in_background(Number process, std::uint32_t call) const {
  const auto found = calls_in_background_.find({process, call});
  return found == calls_in_background_.end() ? nullptr : &found->second;
}

Number Recording::serve(Number process, std::uint32_t call, std::uint16_t step, std::uint16_t use,
                        const Choices& waits) {
  std::vector<Service>& services = programs_[process].services;
  Service service{call, step};
  service.waits = static_cast<std::uint16_t>(waits.word);
  service.use = use;
  append(services, service);
  return static_cast<Number>(services.size() - 1);
}

void Recording::wait_for(const ServiceOf& service, const ServiceOf& before) {
  append(programs_[service.process].waits, {service.service, before});
}

std::optional<Recording::ServiceOf> Recording::before(const ServiceOf& service) const {
  const auto& waits = programs_[service.process].waits;
  const auto found = std::ranges::lower_bound(waits, service.service, {}, [](const auto& one) { return one.first; });
  if (found == waits.end() || found->first != service.service) return std::nullopt;
  return found->second;
}

void Recording::serve_program(Number process, const Choices& waits) {
  serve(process, programs_[process].uses++, Service::of_program, 0, waits);
}

void Recording::call(Number process, Number last, std::uint32_t call) {
  while (last != none) last = std::exchange(programs_[process].services[last].call, call);
}

}  // namespace wave::backend::processes::engine
