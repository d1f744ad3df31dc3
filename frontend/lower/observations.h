// What editors show beside a text: the values of parameters and `let`s, what orders cost in fills, and which protocols
// messages take. All of it is lowered after the outputs, which stay what they are.
#pragma once

#include "frontend/lower/parts.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

class Observations {
 public:
  explicit Observations(const Parts& parts) : parts_(parts) {}

  // Remembers a message of a process, or the order of a sweep, where that is wanted.
  void message(Location location, Instance& machine, ir::ValueId size);
  void order(Location location, const ValuePtr& order);
  // What was remembered, and the members of an instance.
  void list(Instance& instance, std::vector<Observation>& into);
  // The `let`s of a module.
  void list_globals(const Module& module, std::vector<Observation>& into);

 private:
  struct Message {
    Instance* machine = nullptr;
    ir::ValueId size;
    bool differs = false;  // from one time that it is lowered to the next
  };
  // Under the requirements of an instance, unless it is null. Nothing if it cannot be lowered.
  template <class Fill>
  void add(std::vector<Observation>& into, Observation::Kind kind, const Identifier& name, Instance* instance,
           const Fill& fill);
  // A parameter or a `let` of an instance; or of a module, if it is null.
  void add_item(const Item& item, const TypeRef& type, Instance* instance, std::vector<Observation>& into);

  const Parts& parts_;
  bool is_wanted_ = parts_.options.observations;
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Place, std::pair<Location, Message>> messages_;
  std::map<Place, std::pair<Location, ValuePtr>> orders_;
};

}  // namespace wave::frontend::lowering
