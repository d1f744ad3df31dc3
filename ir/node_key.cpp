// Writes every field of a node, kind first, lists with their length.
#include "ir/node_key.h"

#include "ir/arithmetic.h"

#include <bit>

namespace wave::ir {

namespace {

class KeyWriter {
 public:
  std::vector<std::uint64_t> key;

  void operator()(const Constant& n) {
    const Scalar x = n.value;
    put(x.type == ScalarType::real      ? std::bit_cast<std::uint64_t>(arithmetic::canonical(x.real))
        : x.type == ScalarType::integer ? static_cast<std::uint64_t>(x.integer)
                                        : std::uint64_t{x.boolean});
  }
  void operator()(const Parameter& n) { put(n.parameter); }
  void operator()(const Index& n) { put(n.binder); }
  void operator()(const Reference& n) { put(n.definition); }
  void operator()(const Unary& n) { put(static_cast<std::uint64_t>(n.op)), put(n.operand), put(n.site); }
  void operator()(const Binary& n) { put(static_cast<std::uint64_t>(n.op)), put(n.left), put(n.right), put(n.site); }
  void operator()(const Maximum& n) { put(n.operands); }
  void operator()(const Minimum& n) { put(n.operands); }
  void operator()(const Select& n) {
    put(n.condition), put(n.if_true), put(n.if_false), put(std::uint64_t{n.is_shortcut});
  }
  void operator()(const Check& n) { put(n.condition), put(n.value), put(n.site); }
  void operator()(const Fail& n) { put(n.site); }
  void operator()(const Call& n) { put(n.frame), put(n.definition), put(n.arguments), put(n.site); }
  void operator()(const Reduce& n) {
    put(static_cast<std::uint64_t>(n.kind)), put(n.body), put(n.value), put(n.site), put(n.levels.size());
    for (const Level& level : n.levels) {
      put(level.binder), put(level.first), put(level.last), put(level.step), put(level.filter), put(level.site);
      put(std::uint64_t{level.geometric});
    }
  }
  void operator()(const Read& n) { put(n.event), put(n.indices), put(n.site); }
  void operator()(const Neighbour& n) {
    put(n.event), put(n.offset.size());
    for (const std::int32_t d : n.offset) put(static_cast<std::uint64_t>(static_cast<std::int64_t>(d)));
  }
  void operator()(const Measure& n) {
    put(n.process), put(static_cast<std::uint64_t>(n.quantity)), put(n.phase), put(n.indices), put(n.site);
    put(static_cast<std::uint64_t>(n.over));
  }
  void operator()(const Lookup& n) { put(n.table), put(n.keys), put(n.site); }

  void put(std::uint64_t word) { key.push_back(word); }

 private:
  template <class Tag>
  void put(Id<Tag> id) {
    key.push_back(id.index);
  }
  void put(const std::vector<ValueId>& ids) {
    put(ids.size());
    for (const ValueId id : ids) put(id);
  }
};

}  // namespace

std::vector<std::uint64_t> node_key(const Node& node, ScalarType type) {
  KeyWriter writer;
  writer.put(node.index() * 4 + static_cast<std::uint64_t>(type));
  std::visit(writer, node);
  return std::move(writer.key);
}

}  // namespace wave::ir
