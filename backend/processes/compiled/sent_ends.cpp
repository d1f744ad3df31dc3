// See sent_ends.h.
#include "backend/processes/compiled/sent_ends.h"

#include "backend/processes/compiled/program_host.h"
#include "backend/processes/thresholds.h"

namespace wave::backend::processes::compiled {

namespace {

// One process after the other goes through its program; nothing has to be kept of it.
class Sends : public ProgramHost {
 public:
  Sends(const NetworkInput& input, const network::Bytecode& program, const std::function<void(const Send&)>& take)
      : ProgramHost(input, program, calls_of_code(), nullptr), take_(take), sites_(program.code.size()) {
    Shared::sites = sites_.data();  // of which nothing is known, so that code asks
    reserve(0, 1);
  }

  bool run(const ProgramCode& code) {
    bool goes_on = true;
    const std::int64_t count = input_.places.count();
    for (std::int64_t rank = 0; goes_on && rank < count; ++rank) {
      Standing& me = standing(0);
      place(me, static_cast<Number>(rank));
      goes_on = code(*this, me) == 0 && me.is_finished;
    }
    rethrow();
    return goes_on;
  }

 private:
  friend class ProgramHost;
  static Calls calls_of_code() {
    Calls calls = calls_of<Sends>();
    calls.note_rounding = [](Shared*, Standing*, double, double) {};
    calls.leave_phase = [](Shared*, Standing*, std::uint32_t, double) {};
    calls.compute = [](Shared*, Standing*, double) { return Outcome::goes_on; };
    return calls;
  }
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                      const std::int64_t* key) {
    if (++turns_ % turns_between_clock_reads == 0) input_.look_at_clock();
    const ir::Message& message = *std::get<network::Communicate>(program_.code[number]).message;
    if (message.side == Side::send) take_({number, me.rank, peer, size, within, key});
    return Outcome::goes_on;
  }
  Outcome go_on_with_message(Standing&, std::uint32_t) { return Outcome::failed; }
  Outcome await_pending(Standing&, std::uint32_t) { return Outcome::goes_on; }
  Outcome synchronise(Standing&, const ir::Collective&) { return Outcome::goes_on; }
  Outcome pay(Standing&, const ir::Collective&, double) { return Outcome::failed; }

  const std::function<void(const Send&)>& take_;
  std::vector<SiteForCode> sites_;
  std::uint32_t turns_ = 0;
};

}  // namespace

bool for_each_send(const NetworkInput& input, const network::Bytecode& program, const ProgramCode& code,
                   const std::function<void(const Send&)>& take) {
  return Sends(input, program, take).run(code);
}

}  // namespace wave::backend::processes::compiled
