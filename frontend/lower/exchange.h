// Runs a single message: the two ends of its protocol against each other. Each end has a processor of its own that does
// nothing else, and all resources are free at first. Those of levels that the ends share are the same for both.
//
// Times are values of the system, known only when it is evaluated. Where they decide who is served first (does a signal
// come before the program asks for its processor?), both ways are added up and one is selected.
#pragma once

#include "frontend/lower/parts.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

// Nothing stands for a moment infinitely long ago. All others are at 0 or later.
using SymbolicTime = std::optional<ir::ValueId>;

class Exchange {
 public:
  // `sender` and `receiver` are when the ends are called. `shared` are the levels that they share.
  Exchange(const Parts& parts, const Item& machine, const item::Protocol& protocol, const Scope& scope,
           const std::set<std::string>& shared, SymbolicTime sender, SymbolicTime receiver, Location location);

  // When an end is done: both its program, and its processor with what that does on arrival.
  SymbolicTime finish_of_receiver() { return finish(receiver_); }
  // The same, but without waiting for signals that come after the program has ended. What they cost on arrival is
  // added.
  SymbolicTime cost_of_sender() { return cost(sender_); }
  SymbolicTime cost_of_receiver() { return cost(receiver_); }

 private:
  // Asks for the processor, a resource or both. It counts from `since`, and may be served from `ready`.
  struct Request {
    SymbolicTime since, ready;
    bool for_processor = false;
    std::optional<std::string> resource = {};
    bool is_shared = false;  // the resource, by both ends
  };
  // What a signal asks for when it arrives, by `on arrival` or by an `await` with a resource.
  struct Service {
    const Statement* said = nullptr;
    std::string signal;
    Request request;
    ir::ValueId busy, occupied;  // not valid: none
    SymbolicTime begin;          // once it has been served
    ir::ValueId is_done;         // boolean
    std::size_t before = none;  // which of the end's services it follows; none: it is asked for when the signal arrives
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
  };
  struct End {
    const Block* program = nullptr;
    Scope scope;
    std::size_t next = 0;
    SymbolicTime clock;         // where the program stands
    SymbolicTime handed;        // what it asks of its processor counts from then on
    SymbolicTime processor;     // when it is free; of interest where something happens on arrival
    bool takes_in = false;      // something happens on arrival
    bool has_acquired = false;  // it has the processor for the next `busy`
    // Of what it has emitted: when the last use began, or the step itself; and how long that use takes.
    struct Leaving {
      SymbolicTime begin;
      ir::ValueId occupied;
    };
    std::map<std::string, Leaving> leaving;
    std::vector<Service> services;
  };

  End end_of(const Block& program, const Scope& scope, SymbolicTime called);
  void add_service(End& end, const Statement& said, const std::string& signal, const statement::Use* use);
  Request request_of(const statement::Use& use, SymbolicTime when) const;
  void refuse_what_is_not_derived(const item::Protocol& protocol);
  bool is_known(const End& end, const Service& service) const;
  void run();
  bool advance(End& end, bool force);
  bool step(End& end, const Statement& statement, bool force);
  bool emit(End& end, const statement::Emit& emit, bool force);
  bool await(End& end, const Statement& statement, const statement::Await& await, bool force);
  void await_sent(End& end, const statement::Sent& sent);
  bool acquire(End& end, const statement::Use* use, bool force);
  SymbolicTime& is_free(End& end, const Request& request);

  // Whether both want the same thing; `same_end`: they ask at one end.
  static bool shares(const Request& one, const Request& other, bool same_end);
  template <class Visit>
  void for_each_rival(End& end, const Request& request, Visit&& visit);
  bool may_be_late(End& end, const Request& request);
  void serve_earlier(End& end, const Request& request);
  void serve(End& end, Service& service, ir::ValueId now);
  SymbolicTime begin(End& end, const Request& request);
  SymbolicTime finish(End& end);
  SymbolicTime cost(End& end);

  ir::ValueId comes_first(End& end, const Request& one, End& other_end, const Request& other);
  ir::ValueId is_older(SymbolicTime arrives, SymbolicTime since) const;
  ir::ValueId is_before(SymbolicTime a, SymbolicTime b) const;
  bool is_origin(SymbolicTime moment) const;
  SymbolicTime later(SymbolicTime moment, ir::ValueId delay) const;
  SymbolicTime latest(SymbolicTime a, SymbolicTime b) const;
  ir::ValueId time(const End& end, const ExprPtr& expr) const;

  const Parts& parts_;
  ir::Builder& b_;
  const Item& machine_;
  const std::set<std::string>& shared_;
  std::map<std::string, SymbolicTime> arrivals_;
  std::map<std::pair<const End*, std::string>, SymbolicTime> is_free_;  // null: what both ends share
  End sender_, receiver_;
  Location location_;
};

}  // namespace wave::frontend::lowering
