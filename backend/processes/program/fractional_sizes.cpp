// See fractional_sizes.h.
#include "backend/processes/program/fractional_sizes.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>

namespace wave::backend::processes {

namespace {

struct Enough {};

class Listener final : public ProgramListener {
 public:
  void stand_at(std::vector<std::int64_t> point) { point_ = std::move(point); }
  void message(const Call& call) override {
    look();
    const bool is_own_send = call.message.context == 0 && call.message.side == ir::Message::Side::send;
    if (!is_own_send || call.size == std::floor(call.size)) return;
    const Location location = call.statement.location;
    const auto is_here = [&](const FractionalSize& one) {
      return one.location.file == location.file && one.location.begin == location.begin;
    };
    if (std::ranges::none_of(found, is_here)) found.push_back({location, call.size, point_});
  }
  void compute(const ir::Statement&, double) override { look(); }
  void wait(const ir::Statement&, std::span<const std::uint32_t>) override { look(); }
  void collective(const ir::Statement&, const ir::Collective&) override { look(); }

  std::vector<FractionalSize> found;

 private:
  void look() {
    if (++looked_at_ > most_looked_at_for_sizes) throw Enough{};
  }
  std::size_t looked_at_ = 0;
  std::vector<std::int64_t> point_;
};

}  // namespace

std::vector<FractionalSize> find_fractional_sizes(Accountant& accountant, const Places& places) {
  Listener listener;
  try {
    for (std::int64_t rank = 0; rank < places.count(); ++rank) {
      listener.stand_at(places.point(rank));
      accountant.list(places.point(rank), listener);
    }
  } catch (const Enough&) {
  } catch (const Failed&) {  // the time is up, say; what the process takes is known
  }
  return std::move(listener.found);
}

}  // namespace wave::backend::processes
