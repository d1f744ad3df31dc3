// Field by field.
#include "backend/jit/sweep/structure.h"

#include "backend/jit/code.h"

namespace wave::jit::sweep {

namespace {

void put(Writer& into, const backend::processes::SweepBody& body) {
  into.put(std::uint64_t{body.axes}).put(std::uint64_t{body.registers}).put(std::uint64_t{body.carried});
  into.put(std::uint64_t{body.signals}).put(std::uint64_t{body.weights}).put(std::uint64_t{body.operations.size()});
  for (const auto& operation : body.operations) {
    into.put(static_cast<std::uint64_t>(operation.kind)).put(std::uint64_t{operation.target});
    into.put(std::uint64_t{operation.source}).put(std::uint64_t{operation.signal});
    into.put(std::uint64_t{operation.weights.size()});
    for (const std::uint32_t weight : operation.weights) into.put(std::uint64_t{weight});
    into.put(std::uint64_t{operation.peer.size()});
    for (const std::int8_t distance : operation.peer) into.put(static_cast<std::uint64_t>(std::int64_t{distance}));
  }
}

}  // namespace

std::string structure_of(const backend::processes::SweepBody& body, const Variation& variation, const Plan& plan,
                         const std::vector<Shape>& strips) {
  Writer text;
  text.put("sweep");
  put(text, body);
  for (const Variation::Kind kind : variation.weights) text.put(static_cast<std::uint64_t>(kind));
  for (const bool kept : variation.kept) text.put(std::uint64_t{kept});
  text.put(std::uint64_t{variation.subtract}).put(std::uint64_t{variation.records});
  text.put(std::uint64_t{plan.events.decisions.size()});
  for (const Decision& decision : plan.events.decisions) {
    text.put(std::uint64_t{decision.weight}).put(std::uint64_t{decision.bound}).put(std::uint64_t{decision.is_bounded});
  }
  for (const Shape& strip : strips) text.put(strip.symbol());
  return text.bytes;
}

}  // namespace wave::jit::sweep
