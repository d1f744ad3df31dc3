// See step_words.h.
#include "analysis/recorded/step_words.h"

#include "frontend/format/quantities.h"

#include <fmt/format.h>

namespace wave::analysis::recorded {

namespace {

std::string bytes(double size) {
  return size < 0 ? "data" : frontend::grouped(static_cast<std::uint64_t>(size)) + " B";
}

std::string source_of(const Step& receive) {
  return receive.peer == Step::anybody ? "anybody" : fmt::format("rank {}", receive.peer);
}

}  // namespace

std::string words_of(const Step& step) {
  const std::string size = step.size < 0 ? "" : " " + bytes(step.size);
  switch (step.kind) {
    case Step::Kind::send: return fmt::format("sends{} to rank {}", size, step.peer);
    case Step::Kind::started_send: return fmt::format("starts to send{} to rank {}", size, step.peer);
    case Step::Kind::receive: return fmt::format("receives{} from {}", size, source_of(step));
    case Step::Kind::posted_receive: return fmt::format("posts a receive of{} from {}", size, source_of(step));
    case Step::Kind::exchange:
      return fmt::format("exchanges{}{}{}", step.peer < 0 ? "" : fmt::format(":{} to rank {}", size, step.peer),
                         step.peer < 0 || step.from < 0 ? "" : ",",
                         step.from < 0 ? "" : fmt::format(" {} from rank {}", bytes(step.received), step.from));
    case Step::Kind::wait:
      return step.ended.size() == 1 ? "waits for one operation"
                                    : fmt::format("waits for {} operations", step.ended.size());
    case Step::Kind::collective:
      return fmt::format("calls `{}`{} of {} ranks", step.name, step.size < 0 ? "" : " with" + size, step.participants);
  }
  return "";
}

std::string words_of(const std::optional<Step>& step) { return step ? words_of(*step) : "does nothing more"; }

}  // namespace wave::analysis::recorded
