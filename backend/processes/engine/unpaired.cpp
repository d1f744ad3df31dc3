// See unpaired.h.
#include "backend/processes/engine/unpaired.h"

#include "backend/processes/engine/instructions.h"
#include "backend/processes/engine/message_walk.h"
#include "backend/processes/engine/names.h"
#include "backend/processes/thresholds.h"
#include "ir/failure.h"

#include <fmt/format.h>

#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

namespace {

class Pairs {
 public:
  Pairs(const ProgramInput& input, const program::Bytecode& program)
      : input_(input),
        channels_(
            input.places.count(), {}, [](Channel&) {}, [this](std::int64_t bytes) { claim(bytes); }),
        walk_(input, program, [this](const CalledEnd& end) { return call(end); }) {
    for (std::size_t at = 0; at < program.code.size(); ++at) sites_.push_back(walk_.site(at));
  }
  ~Pairs() { input_.claim_memory(-claimed_); }
  Pairs(const Pairs&) = delete;

  bool find(const ProgramCode& code) { return walk_.run_together(code); }

  std::optional<ir::Failure> mismatch() const {
    if (!mismatch_) return std::nullopt;
    const auto& [sender, receiver] = *mismatch_;
    ir::Failure failure = failure_at(input_, ir::FailureKind::size_mismatch, receiver.process, statement_of(receiver));
    failure.values = {ir::Scalar::of(receiver.size), ir::Scalar::of(sender.size)};
    failure.detail = fmt::format("{} receives {} B here", name_of(input_, receiver.process), receiver.size);
    failure.labels.emplace_back(statement_of(sender).location,
                                fmt::format("{} sends {} B here", name_of(input_, sender.process), sender.size));
    return failure;
  }

  std::optional<ir::Failure> alone() const {
    const End* first = nullptr;
    channels_.for_each([&](const Channel& channel) {
      if (channel.first == channel.alone.size()) return;
      const End& end = channel.alone[channel.first];
      if (!first || std::pair(end.process, end.call) < std::pair(first->process, first->call)) first = &end;
    });
    if (!first) return std::nullopt;
    ir::Failure failure = failure_at(input_, ir::FailureKind::unmatched_message, first->process, statement_of(*first));
    const bool is_send = sites_[first->site].call->message->side == Side::send;
    failure.detail = fmt::format("{} {} {} here, which never {}", name_of(input_, first->process),
                                 is_send ? "sends to" : "receives from", name_of(input_, first->peer),
                                 is_send ? "receives it" : "sends it");
    return failure;
  }

 private:
  struct End {
    Number process = 0, peer = 0, site = 0;
    std::uint32_t call = 0;
    double size = 0;
  };
  struct Channel {
    std::vector<End> alone;  // whose other ends have not been called, from `first` on; all of one side
    std::size_t first = 0;
  };

  void claim(std::int64_t bytes) {
    input_.claim_memory(bytes);
    claimed_ += bytes;
  }
  Side side_of(const End& end) const { return sites_[end.site].call->message->side; }
  const ir::Statement& statement_of(const End& end) const { return *sites_[end.site].call->statement; }
  bool has_size(const End& end) const { return sites_[end.site].call->size != program::no_operand; }

  // A process that is far ahead of its peer lets others go first, so that few messages wait for their other ends.
  bool call(const CalledEnd& called) {
    MessageSite& site = sites_[called.site];
    if (!site.is_found(called.key)) site.find(called.key, channels_);
    Channel& channel = channels_.find(called.sender, called.receiver, site.kind);
    const bool is_send = called.side == Side::send;
    const End end{is_send ? called.sender : called.receiver, is_send ? called.receiver : called.sender, called.site,
                  called.call, called.size};
    if (channel.first < channel.alone.size() && side_of(channel.alone[channel.first]) != called.side) {
      const End& met = channel.alone[channel.first++];
      match(is_send ? end : met, is_send ? met : end);
      return false;
    }
    if (2 * channel.first >= channel.alone.size()) {  // what has met its other end makes room
      channel.alone.erase(channel.alone.begin(), channel.alone.begin() + static_cast<std::ptrdiff_t>(channel.first));
      channel.first = 0;
    }
    if (channel.alone.size() == channel.alone.capacity())
      claim(static_cast<std::int64_t>((channel.alone.size() + 1) * sizeof(End)));
    channel.alone.push_back(end);
    return (channel.alone.size() - channel.first) % messages_far_ahead == 0;
  }
  void match(const End& sender, const End& receiver) {
    if (!has_size(receiver) || sender.size == receiver.size) return;
    const auto order = [](const End& one) { return std::pair(one.process, one.call); };
    if (!mismatch_ || order(receiver) < order(mismatch_->second)) mismatch_.emplace(sender, receiver);
  }

  const ProgramInput& input_;
  std::int64_t claimed_ = 0;
  Channels<Channel> channels_;
  MessageWalk walk_;
  std::vector<MessageSite> sites_;
  std::optional<std::pair<End, End>> mismatch_;  // sender and receiver
};

}  // namespace

std::optional<ir::Failure> find_unpaired(const ProgramInput& input, const program::Bytecode& program) {
  Pairs pairs(input, program);
  Instructions instructions(input, program);
  if (!pairs.find(instructions.code())) instructions.rethrow();
  if (auto failure = pairs.mismatch()) return failure;
  return pairs.alone();
}

}  // namespace wave::backend::processes::engine
