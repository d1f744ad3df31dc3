// Protocols by process: resolved once per combination of size and place, grouped by their steps.
#include "backend/processes/bulk/plan_ends.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <map>

namespace wave::backend::processes {

namespace {

bool same_steps(const std::vector<ResolvedStep>& a, const std::vector<ResolvedStep>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ResolvedStep& x, const ResolvedStep& y) {
    const auto same_use = [](const ResolvedUse& one, const ResolvedUse& other) {
      return one.resource == other.resource && one.number == other.number;
    };
    return x.kind == y.kind && x.signal == y.signal && x.has_time == y.has_time &&
           std::ranges::equal(x.uses, y.uses, same_use);
  });
}

bool asks_for_several(const ResolvedEnds& ends) {
  const auto asks = [](const ResolvedStep& step) { return step.uses.size() > 1; };
  return std::ranges::any_of(ends.sender, asks) || std::ranges::any_of(ends.receiver, asks);
}

bool same_question(const EndsQuestion& a, const EndsQuestion& b) {
  return a.ends == b.ends && a.size == b.size && a.within == b.within && a.domain.box == b.domain.box &&
         a.domain.mask == b.domain.mask && a.offset == b.offset && a.sources == b.sources;
}

bool same_mask(const FieldPtr& a, const FieldPtr& b) {
  return a && b ? a->axes == b->axes && a->values == b->values : !a && !b;
}

[[nodiscard]] bool put_times(const AlternativeEnd& to, const AlternativeEnd& from) {
  const auto put = [](const FieldPtr& a, const FieldPtr& b) { return a && b ? Fields::put(a, b) : !a && !b; };
  return std::ranges::equal(to.time, from.time, put) && std::ranges::equal(to.occupied, from.occupied, put);
}

}  // namespace

// Which of the resolved protocols each combination of indices takes; 0: nobody of the domain has it.
struct PlanEnds::Choice {
  AxisSet axes = 0;
  std::vector<std::uint32_t> number;  // from 1, over `axes`
  std::vector<const ResolvedEnds*> resolved;
};

AlternativesPtr PlanEnds::of(const EndsQuestion& question) {
  KeptSteps* const recorded = fields_.recorded();
  for (const Known& known : known_) {
    if (!same_question(known.question, question) || (recorded && !known.steps)) continue;
    if (recorded) recorded->add(*known.steps);
    return known.answer;
  }
  if (known_.size() >= most_ends_remembered) known_.pop_front();
  std::optional<Alternatives> answer = by_sender(question);
  if (!answer) return nullptr;
  std::optional<KeptSteps> steps;
  if (recorded) steps.emplace().add(step_of(question, *answer));
  {
    const Fields::Recording recording(fields_, steps ? &*steps : nullptr);
    for (Alternative& one : *answer) {
      const auto shift = [&](FieldPtr& field) {
        field = question.sources ? fields_.gathered(field, question.sources)
                                 : fields_.shifted(field, question.offset, wrap_);
      };
      shift(one.receiver.mask);
      for (std::vector<FieldPtr>* const times : {&one.receiver.time, &one.receiver.occupied})
        std::ranges::for_each(*times, shift);
    }
  }
  if (recorded) recorded->add(*steps);
  known_.push_back({question, std::make_shared<const Alternatives>(std::move(*answer)), std::move(steps)});
  return known_.back().answer;
}

std::optional<Alternatives> PlanEnds::by_sender(const EndsQuestion& question) {
  const std::optional<Choice> chosen = choose(question);
  if (!chosen) return std::nullopt;
  const Choice& choice = *chosen;
  std::vector<std::vector<std::size_t>> groups;  // resolved protocols of equal steps
  for (std::size_t i = 0; i < choice.resolved.size(); ++i) {
    const ResolvedEnds& ends = *choice.resolved[i];
    if (ends.window > 0 || asks_for_several(ends)) return std::nullopt;
    const auto alike = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      const ResolvedEnds& other = *choice.resolved[group.front()];
      return same_steps(ends.sender, other.sender) && same_steps(ends.receiver, other.receiver);
    });
    if (alike != groups.end())
      alike->push_back(i);
    else
      groups.push_back({i});
  }
  if (groups.size() > most_alternatives) return std::nullopt;
  Alternatives answer;
  for (const std::vector<std::size_t>& members : groups) {
    Alternative one{choice.resolved[members.front()], end(choice, members, true), end(choice, members, false),
                    members.size() > 1};
    if (groups.size() > 1) {
      one.sender.mask = times(choice, members, [](const ResolvedEnds&) { return 1.0; });
      one.receiver.mask = one.sender.mask;
    }
    answer.push_back(std::move(one));
  }
  return answer;
}

// Another time sizes may choose protocols with other times, but with the same steps, for the same processes.
KeptStepPtr PlanEnds::step_of(const EndsQuestion& question, const Alternatives& answer) const {
  std::vector<ResolvedEnds> shapes;  // the resolver will be gone
  std::vector<FieldPtr> fields;
  const auto step = std::make_shared<KeptStep>();
  for (const Alternative& one : answer) {
    shapes.push_back(*one.shape);
    for (const AlternativeEnd* const end : {&one.sender, &one.receiver})
      for (const std::vector<FieldPtr>* const times : {&end->time, &end->occupied})
        fields.insert(fields.end(), times->begin(), times->end());
  }
  for (const FieldPtr& field : fields) step->bytes += field ? field->values.size() * sizeof(double) : 0;
  fields_.note_made(fields, step);
  step->take = [=](const Retaking& again) {
    const std::optional<Alternatives> now = again.ends.by_sender(question);
    if (!now || now->size() != answer.size()) return false;
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const Alternative &before = answer[i], &one = (*now)[i];
      if (!same_steps(shapes[i].sender, one.shape->sender) || !same_steps(shapes[i].receiver, one.shape->receiver) ||
          !same_mask(before.sender.mask, one.sender.mask) || !put_times(before.sender, one.sender) ||
          !put_times(before.receiver, one.receiver))
        return false;
    }
    return true;
  };
  return step;
}

std::optional<PlanEnds::Choice> PlanEnds::choose(const EndsQuestion& question) {
  const PlanGrid& grid = fields_.grid();
  Choice choice;
  const Field nowhere{0, {0}};
  const Field& size = *question.size;
  const Field& within = question.within ? *question.within : nowhere;
  const Field* const mask = question.domain.mask.get();
  choice.axes = size.axes | within.axes;
  choice.number.assign(grid.size(choice.axes), 0);
  const auto to = grid.strides(choice.axes), of_size = grid.strides(size.axes), of_within = grid.strides(within.axes);
  const auto of_mask = grid.strides(mask ? mask->axes : 0);
  std::map<std::pair<double, std::int64_t>, std::uint32_t> known;
  std::size_t steps = 0;
  const auto take = [&](const std::vector<std::int64_t>& point) {
    if (mask && mask->values[place(point, of_mask)] == 0) return true;
    std::uint32_t& number = choice.number[place(point, to)];
    if (number != 0) return true;
    const double bytes = size.values[place(point, of_size)];
    const auto level = static_cast<std::int64_t>(within.values[place(point, of_within)]);
    const auto [entry, is_new] =
        known.try_emplace({bytes, level}, static_cast<std::uint32_t>(choice.resolved.size() + 1));
    if (is_new) {
      if (choice.resolved.size() >= most_resolved_ends) return false;
      choice.resolved.push_back(&resolver_.resolve(question.ends, bytes, {level}));
    }
    number = entry->second;
    if (++steps % ends_between_clock_reads == 0) fields_.look_at_clock();
    return true;
  };
  if (!grid.for_each(choice.axes | (mask ? mask->axes : 0), question.domain.box, take)) return std::nullopt;
  return choice;
}

AlternativeEnd PlanEnds::end(const Choice& choice, const std::vector<std::size_t>& members, bool of_sender) {
  const auto steps_of = [of_sender](const ResolvedEnds& ends) -> const std::vector<ResolvedStep>& {
    return of_sender ? ends.sender : ends.receiver;
  };
  AlternativeEnd result;
  for (std::size_t i = 0; i < steps_of(*choice.resolved[members.front()]).size(); ++i) {
    const ResolvedStep& step = steps_of(*choice.resolved[members.front()])[i];
    const bool has_time = step.has_time || step.kind != ir::Step::Kind::await;
    result.time.push_back(
        !has_time ? nullptr : times(choice, members, [&](const ResolvedEnds& ends) { return steps_of(ends)[i].time; }));
    const auto occupied = [&](const ResolvedEnds& ends) { return steps_of(ends)[i].uses[0].occupied; };
    result.occupied.push_back(step.asks() ? times(choice, members, occupied) : nullptr);
  }
  return result;
}

// By sender; one value where all that are chosen agree, even if some processes have no message.
FieldPtr PlanEnds::times(const Choice& choice, const std::vector<std::size_t>& members,
                         const std::function<double(const ResolvedEnds&)>& time) {
  std::vector<double> of_number(choice.resolved.size() + 1, 0);
  bool alike = members.size() == choice.resolved.size();
  const double first = time(*choice.resolved[members.front()]);
  for (const std::size_t member : members) {
    of_number[member + 1] = time(*choice.resolved[member]);
    alike = alike && of_number[member + 1] == first;
  }
  if (alike) return fields_.constant(first);
  std::vector<double> values(choice.number.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = of_number[choice.number[i]];
  return fields_.make(choice.axes, std::move(values));
}

}  // namespace wave::backend::processes
