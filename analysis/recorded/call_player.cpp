// See call_player.h.
#include "analysis/recorded/call_player.h"

#include "analysis/recorded/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wave::analysis::recorded {

const std::map<std::string_view, std::string_view>& collectives() {
  static const std::map<std::string_view, std::string_view> names{
      {"Barrier", "barrier"},         {"Bcast", "broadcast"},     {"Reduce", "reduce"},
      {"Allreduce", "allreduce"},     {"Scan", "scan"},           {"Gather", "gather"},
      {"Scatter", "scatter"},         {"Allgather", "allgather"}, {"Allgatherv", "allgatherv"},
      {"Alltoall", "total_exchange"}, {"Alltoallv", "alltoallv"}, {"Reduce_scatter", "reduce_scatter"},
      {"Iallreduce", "iallreduce"}};
  return names;
}

std::string_view collective_of(std::string_view name) {
  std::string_view best = name;
  std::size_t longest = 0;
  for (const auto& [call, known] : collectives()) {
    const bool is_ending =
        name.size() > known.size() && name.ends_with(known) && name[name.size() - known.size() - 1] == '_';
    if ((name != known && !is_ending) || known.size() <= longest) continue;
    longest = known.size();
    best = known;
  }
  return best;
}

CallPlayer::Trouble CallPlayer::play(const Call& call) {
  call_ = &call;
  step_ = Step{};
  step_.peer = call.peer;
  step_.size = call.bytes;
  step_.location = call.location;
  if (!call.more.empty() && call.more[0] == "open") {
    if (open_.size() == most_open)
      return {fmt::format("more than {} requests are open", most_open), "this is one more"};
    open_.emplace_back();
  }
  const std::size_t before = result_.steps.size();
  Trouble trouble = play_kind();
  since_ += call.times.since_ns;
  cpu_ = cpu_ < 0 || call.times.cpu_ns < 0 ? -1 : cpu_ + call.times.cpu_ns;
  for (std::size_t i = before; i < result_.steps.size(); ++i) {
    result_.times.push_back({since_, i == before ? call.times.inside_ns : 0, cpu_});
    since_ = cpu_ = 0;
  }
  return trouble;
}

void CallPlayer::begin_phase(std::string name) { phases_.push_back({std::move(name), result_.steps.size(), 0}); }

bool CallPlayer::end_phase(const std::string& name) {
  const auto found =
      std::find_if(phases_.rbegin(), phases_.rend(), [&](const PhaseSteps& one) { return one.name == name; });
  if (found == phases_.rend()) return false;
  found->end = result_.steps.size();
  result_.phases.push_back(std::move(*found));
  phases_.erase(std::next(found).base());
  return true;
}

CallPlayer::Trouble CallPlayer::play_kind() {
  using Kind = Step::Kind;
  const std::string_view name = call_->name;
  if (is_one_of(name, {"Send", "Ssend", "Bsend", "Rsend"})) return add(Kind::send);
  if (is_one_of(name, {"Recv", "Mrecv"})) {
    for (const std::string_view word : call_->more) {
      if (word.starts_with("from")) step_.peer = rank_of(word.substr(4), result_.ranks);
    }
    return add(Kind::receive);
  }
  if (is_one_of(name, {"Isend", "Issend", "Ibsend", "Irsend"})) return begin(Kind::started_send);
  if (is_one_of(name, {"Irecv", "Imrecv"})) return begin(Kind::posted_receive);
  if (is_one_of(name, {"Send_init", "Ssend_init", "Bsend_init", "Rsend_init", "Recv_init"})) {
    step_.kind = name == "Recv_init" ? Kind::posted_receive : Kind::started_send;
    if (call_->more.empty()) return no_request();
    requests_[std::string(call_->more[0])] = {step_, 0, false};
    return none();
  }
  if (is_one_of(name, {"Start", "Startall"})) return start();
  if (name.starts_with("Wait") || name.starts_with("Test")) return end(true);
  if (is_one_of(name, {"Request_free", "Unseen"})) return end(false);
  if (name == "Sendrecv") return exchange();
  if (const auto found = collectives().find(name); found != collectives().end()) return collective(found->second);
  ++result_.passed_over[std::string(name.substr(0, 40))];
  return none();
}

CallPlayer::Trouble CallPlayer::no_request() { return {"this call has no request", "as in `q6`, behind its fields"}; }

CallPlayer::Trouble CallPlayer::add(Step::Kind kind) {
  step_.kind = kind;
  if (step_.peer >= 0) result_.steps.push_back(step_);
  return none();
}

CallPlayer::Trouble CallPlayer::begin(Step::Kind kind) {
  step_.kind = kind;
  if (call_->more.empty() && step_.peer == -1) return none();
  if (call_->more.empty()) return no_request();
  if (call_->more[0] == "open") {
    open_.back() = {result_.steps.size(), step_.peer != -1, false};
    if (open_.back().is_step) result_.steps.push_back(step_);
  } else {
    begin(requests_[std::string(call_->more[0])]);
  }
  return none();
}

void CallPlayer::begin(Request& request) {
  request = {step_, result_.steps.size(), step_.peer != -1};
  if (request.is_step) result_.steps.push_back(step_);
}

CallPlayer::Trouble CallPlayer::start() {
  for (const std::string_view name : call_->more) {
    const auto found = requests_.find(std::string(name));
    if (found == requests_.end()) return {"this request is not known", "it has not been made before"};
    step_ = found->second.step;
    step_.location = call_->location;
    begin(found->second);
  }
  return none();
}

CallPlayer::Trouble CallPlayer::end(bool is_wait) {
  Step wait{Step::Kind::wait};
  wait.location = call_->location;
  bool has_open = false;
  for (const std::string_view word : call_->more) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string_view name = word.substr(0, colon), rest = word.substr(std::min(colon + 1, word.size()));
    if (const auto place = name.starts_with("o") ? whole_number_of(name.substr(1)) : std::nullopt) {
      if (*place < 0 || *place >= static_cast<std::int64_t>(open_.size()))
        return {fmt::format("there is no request {} here", name),
                fmt::format("{} are open before this call", open_.size())};
      Open& open = open_[static_cast<std::size_t>(*place)];
      if (is_wait && open.is_step) end_one(wait, open.began, rest);
      open.is_step = false;
      open.is_over = has_open = true;
      continue;
    }
    const auto found = requests_.find(std::string(name));
    if (found == requests_.end() || !found->second.is_step) continue;
    if (is_wait) end_one(wait, found->second.began, rest);
    found->second.is_step = false;  // it is not under way any more
  }
  if (has_open) std::erase_if(open_, [](const Open& open) { return open.is_over; });
  if (!wait.ended.empty()) result_.steps.push_back(std::move(wait));
  return none();
}

void CallPlayer::end_one(Step& wait, std::size_t step, std::string_view rest) {
  Step& began = result_.steps[step];
  if (began.kind == Step::Kind::posted_receive) {
    if (rest.starts_with("from")) {
      const std::size_t next = std::min(rest.find(':'), rest.size());
      began.peer = rank_of(rest.substr(4, next - 4), result_.ranks);
      rest = rest.substr(std::min(next + 1, rest.size()));
    }
    began.size = size_of(rest).value_or(began.size);
  }
  wait.ended.push_back(step);
}

CallPlayer::Trouble CallPlayer::exchange() {
  step_.kind = Step::Kind::exchange;
  for (const std::string_view word : call_->more) {
    if (word.starts_with("from")) step_.from = rank_of(word.substr(4), result_.ranks);
    if (word.starts_with("got")) step_.received = size_of(word.substr(3)).value_or(0);
  }
  if (step_.peer >= 0 || step_.from >= 0) result_.steps.push_back(step_);
  return none();
}

CallPlayer::Trouble CallPlayer::collective(std::string_view name) {
  step_.kind = Step::Kind::collective;
  step_.peer = -1;
  // There is no size, or there is one for each part.
  if (is_one_of(call_->name, {"Barrier", "Alltoallv", "Allgatherv"})) {
    step_.received = step_.size;
    step_.size = -1;
  }
  step_.name = name;
  const auto participants = whole_number_of(call_->communicator.substr(0, call_->communicator.find('/')));
  if (!participants) return {"the communicator of this call cannot be read", "as in `4/0000`"};
  step_.participants = *participants;
  result_.steps.push_back(step_);
  return none();
}

}  // namespace wave::analysis::recorded
