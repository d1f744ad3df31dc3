// Runs a single message: the two ends of its protocol against each other. Each end has a processor of its own that does
// nothing else, and all resources are free at first.
//
// Times are values of the system, known only when it is evaluated. Where they decide who is served first (does a signal
// come before the program asks for its processor?), both ways are added up and one is selected.
#pragma once

#include "frontend/lower/parts.h"

namespace wave::frontend::lowering {

// Nothing stands for a moment infinitely long ago. All others are at 0 or later.
using Moment = std::optional<ir::ValueId>;

class Exchange {
 public:
  // `sender` and `receiver` are when the ends are called.
  Exchange(const Parts& parts, const item::Protocol& protocol, const Scope& scope, Moment sender, Moment receiver,
           Place place);

  // When an end is done: both its program, and its processor with what that does on arrival.
  Moment finish_of_receiver() { return finish(receiver_); }
  // The same, but without waiting for signals that come after the program has ended. What they cost on arrival is
  // added.
  Moment cost_of_sender() { return cost(sender_); }
  Moment cost_of_receiver() { return cost(receiver_); }

 private:
  // Asks for the processor, a resource or both. It counts from `since`, and may be served from `ready`.
  struct Request {
    Moment since, ready;
    bool for_processor = false;
    std::optional<std::string> resource;
  };
  // What a signal asks for when it arrives, by `on arrival` or by an `await` with a resource.
  struct Service {
    const Statement* said = nullptr;
    std::string signal;
    Request request;
    ir::ValueId busy, occupied;  // not valid: none
    Moment begin;                // once it has been served
    ir::ValueId is_done;         // boolean
  };
  struct End {
    const Block* program = nullptr;
    Scope scope;
    std::size_t next = 0;
    Moment clock;                           // where the program stands
    Moment handed;                          // what it asks of its processor counts from then on
    Moment processor;                       // when it is free; of interest where something happens on arrival
    bool takes_in = false;                  // something happens on arrival
    bool has_acquired = false;              // it has the processor for the next `busy`
    std::map<std::string, Moment> is_free;  // when each resource is free
    std::vector<Service> services;
  };

  End end_of(const Block& program, const Scope& scope, Moment called);
  void run();
  bool advance(End& end, bool force);
  bool step(End& end, const Statement& statement, bool force);
  bool emit(End& end, const statement::Emit& emit, bool force);
  bool await(End& end, const Statement& statement, const statement::Await& await, bool force);
  bool acquire(End& end, const std::optional<Identifier>& resource, const ExprPtr& occupied, bool force);

  static bool shares(const Request& one, const Request& other);
  bool may_be_late(const End& end, const Request& request) const;
  void serve_earlier(End& end, const Request& request);
  void serve(End& end, Service& service, ir::ValueId now);
  Moment begin(End& end, const Request& request) const;
  Moment finish(End& end);
  Moment cost(End& end);

  ir::ValueId comes_first(End& end, const Request& one, const Request& other) const;
  ir::ValueId is_older(Moment arrives, Moment since) const;
  ir::ValueId is_before(Moment a, Moment b) const;
  bool is_origin(Moment moment) const;
  Moment later(Moment moment, ir::ValueId delay) const;
  Moment latest(Moment a, Moment b) const;
  ir::ValueId time(const End& end, const ExprPtr& expr) const;

  const Parts& parts_;
  ir::Builder& b_;
  std::map<std::string, Moment> arrivals_;
  End sender_, receiver_;
  Place place_;
};

}  // namespace wave::frontend::lowering
