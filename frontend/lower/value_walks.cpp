// Walks over the parts of values. Values share parts (`Pair(a = x, b = x)`), as nodes of the system do, so a walk looks
// at each part once, and what it makes of a value shares as the value does. Written out, n records in each other would
// have 2^n parts.
#include "frontend/ast/operators.h"
#include "frontend/lower/parts.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

// What a walk has made of the parts that it has met.
using Made = std::unordered_map<const Value*, ValuePtr>;

bool is_composite(const ValuePtr& value) {
  return as<value::Record>(value) || as<value::List>(value) || as<value::Select>(value) || as<value::Lifted>(value) ||
         as<value::Comprehension>(value);
}

// `make` once for each part that others may share.
template <class Make>
ValuePtr once(Made& made, const ValuePtr& value, Make&& make) {
  if (!is_composite(value)) return make();
  const auto known = made.find(value.get());
  if (known != made.end()) return known->second;
  ValuePtr result = make();
  made.emplace(value.get(), result);
  return result;
}

class LeafMapper {
 public:
  LeafMapper(Values& values, const std::function<ValueId(ValueId)>& change) : values_(values), change_(change) {}

  ValuePtr map(const ValuePtr& value) {
    return once(made_, value, [&] { return map_new(value); });
  }

 private:
  ValuePtr map_new(const ValuePtr& value) {
    if (const auto* choice = as<value::Select>(value)) {
      const ValueId condition = change_(choice->condition);
      const ValuePtr if_true = map(choice->if_true);
      const ValuePtr if_false = map(choice->if_false);
      if (condition == choice->condition && if_true == choice->if_true && if_false == choice->if_false) return value;
      return values_.select(condition, if_true, if_false);
    }
    Value copy = *value;
    bool differs = false;
    const auto replace = [&](auto& old, const auto& changed) {
      differs = differs || old != changed;
      old = changed;
    };
    for_each_part(
        copy, [&](ValuePtr& part) { replace(part, map(part)); }, [&](ValueId& id) { replace(id, change_(id)); });
    if (auto* const comprehension = std::get_if<value::Comprehension>(&copy.node)) {
      comprehension->scope.locals = environment(comprehension->scope.locals);
      differs = true;
    }
    values_.require_room();
    return differs ? std::make_shared<const Value>(std::move(copy)) : value;
  }

  EnvironmentPtr environment(const EnvironmentPtr& locals) {
    if (!locals) return nullptr;
    const auto known = environments_.find(locals.get());
    if (known != environments_.end()) return known->second;
    auto changed = std::make_shared<Environment>(*locals);
    changed->parent = environment(locals->parent);
    if (!changed->value && changed->pending) {
      changed->scope.locals = changed->parent;
      changed->define = false;
      changed->evaluating = false;
    }
    if (changed->value) changed->value = map(changed->value);
    environments_.emplace(locals.get(), changed);
    return changed;
  }

  Values& values_;
  const std::function<ValueId(ValueId)>& change_;
  Made made_;
  std::unordered_map<const Environment*, EnvironmentPtr> environments_;
};

// Shows every part once, before those inside it.
class PartVisitor {
 public:
  PartVisitor(const std::function<void(const ValuePtr&)>& part, const std::function<void(ValueId)>& leaf)
      : part_(part), leaf_(leaf) {}

  void visit(const ValuePtr& value) {
    if (is_composite(value) && !seen_.insert(value.get()).second) return;
    part_(value);
    for_each_part(*value, [&](const ValuePtr& one) { visit(one); }, leaf_);
    if (const auto* node = as<value::Comprehension>(value)) locals(node->scope.locals.get());
  }

 private:
  void locals(const Environment* local) {
    if (!local || !seen_locals_.insert(local).second) return;
    locals(local->parent.get());
    if (local->value) visit(local->value);
  }

  const std::function<void(const ValuePtr&)>& part_;
  const std::function<void(ValueId)>& leaf_;
  std::unordered_set<const Value*> seen_;
  std::unordered_set<const Environment*> seen_locals_;
};

class LeafDefiner {
 public:
  LeafDefiner(const Parts& parts, ir::FrameId frame, Location location)
      : parts_(parts), frame_(frame), location_(location) {}

  ValuePtr define(const ValuePtr& value, const std::string& name) {
    return once(made_, value, [&] { return define_new(value, name); });
  }

 private:
  ValuePtr define_new(const ValuePtr& value, const std::string& name) {
    if (const auto* scalar = as<value::Scalar>(value)) return define_scalar(value, scalar->id, name);
    if (const auto* record = as<value::Record>(value)) {
      const auto& fields = std::get<item::Record>(record->declaration->node).fields;
      return with_parts(value, record->fields, [&](std::size_t i) {
        return name + "." + (i < fields.size() ? fields[i].first.text : std::to_string(i + 1));
      });
    }
    if (const auto* list = as<value::List>(value)) {
      return with_parts(value, list->elements, [&](std::size_t i) { return fmt::format("{}[{}]", name, i + 1); });
    }
    if (const auto* choice = as<value::Select>(value)) {
      const ValuePtr if_true = define(choice->if_true, name);
      const ValuePtr if_false = define(choice->if_false, name);
      if (if_true == choice->if_true && if_false == choice->if_false) return value;
      return parts_.values.select(choice->condition, if_true, if_false);
    }
    return value;
  }

  ValuePtr define_scalar(const ValuePtr& value, ValueId id, const std::string& name) {
    ir::Builder& b = parts_.b;
    const ir::Node& node = b.system()[id].node;
    if (std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Reference>(node)) return value;
    if (parts_.facts.of(id).depends_on_loop()) return value;
    return number(b.reference(b.define(frame_, name, id, location_)));
  }

  template <class Name>
  ValuePtr with_parts(const ValuePtr& whole, const std::vector<ValuePtr>& old, const Name& name) {
    std::vector<ValuePtr> defined;
    for (std::size_t i = 0; i < old.size(); ++i) defined.push_back(define(old[i], name(i)));
    if (defined == old) return whole;
    const auto* record = as<value::Record>(whole);
    return record ? make(value::Record{record->declaration, std::move(defined)})
                  : make(value::List{std::move(defined)});
  }

  const Parts& parts_;
  ir::FrameId frame_;
  Location location_;
  Made made_;
};

}  // namespace

ValuePtr Values::map_leaves(const ValuePtr& value, const std::function<ValueId(ValueId)>& change) {
  return LeafMapper(*this, change).map(value);
}

void Values::visit_parts(const ValuePtr& value, const std::function<void(const ValuePtr&)>& part,
                         const std::function<void(ValueId)>& leaf) const {
  PartVisitor(part, leaf).visit(value);
}

void Values::visit_leaves(const ValuePtr& value, const std::function<void(ValueId)>& visit) const {
  visit_parts(value, [](const ValuePtr&) {}, visit);
}

bool Values::depends_on_loop(const ValuePtr& value) {
  bool depends = false;
  visit_leaves(value, [&](ValueId id) { depends |= facts_.of(id).depends_on_loop(); });
  return depends;
}

ValuePtr Values::define_leaves(const ValuePtr& value, ir::FrameId frame, const std::string& name, Location location) {
  return LeafDefiner(parts_, frame, location).define(value, name);
}

ir::FrameId Values::deepest_frame(const ValuePtr& value) {
  ir::FrameId deepest = ir::System::root_frame;
  const auto instance = [&](const Instance* one) {
    if (one) deepest = facts_.deeper(deepest, one->frame);
  };
  const auto part = [&](const ValuePtr& one) {
    if (const auto* node = as<value::Object>(one)) instance(node->instance);
    if (const auto* node = as<value::Function>(one)) instance(node->self);
    if (const auto* node = as<value::Derived>(one)) instance(node->machine);
    if (const auto* node = as<value::Grid>(one)) instance(node->self);
    if (const auto* node = as<value::Series>(one)) instance(node->self);
    if (const auto* node = as<value::Point>(one)) instance(node->self);
    if (const auto* node = as<value::Event>(one)) instance(node->recurrence->self);
    if (const auto* node = as<value::Process>(one)) instance(node->process->self);
    if (const auto* node = as<value::Comprehension>(one)) instance(node->scope.self);
  };
  visit_parts(value, part, [&](ValueId id) { deepest = facts_.deeper(deepest, facts_.of(id).deepest); });
  return deepest;
}

// --- which values are the same ---

namespace {

// A text for a value that has no parts. Equal texts mean the same value.
std::string text_of_leaf(const ValuePtr& value) {
  return std::visit(
      Overloaded{
          [&](const value::Scalar& node) { return fmt::format("s{}", node.id.index); },
          [&](const value::Range& node) {
            return fmt::format("R{}.{}.{}.{}{}{}", node.first.index, node.last.index, node.step.index, node.geometric,
                               node.widen, node.rows ? fmt::format("{}", node.rows->first.index) : "");
          },
          [&](const value::Comprehension& node) {
            return fmt::format("C{}.{}.{}{}", fmt::ptr(node.node), fmt::ptr(node.scope.locals.get()),
                               fmt::ptr(node.scope.self), check::key_of(node.element));
          },
          [&](const value::Corner& node) {
            std::string text = "c";
            for (const bool rising : node.rising) text += rising ? '+' : '-';
            return text;
          },
          [&](const value::Axis& node) {
            return fmt::format("a{}.{}.{}", node.number, node.index.index, node.extent.index);
          },
          [&](const value::Function& node) {
            return fmt::format("f{}.{}{}", fmt::ptr(node.declaration), fmt::ptr(node.self), node.guarded);
          },
          [&](const value::Builtin& node) { return std::string("b") + frontend::name_of(node.function); },
          [&](const value::Derived& node) {
            return fmt::format("d{}.{}.{}{}", node.end, fmt::ptr(node.machine), fmt::ptr(node.declaration),
                               node.guarded);
          },
          [&](const value::Declaration& node) { return fmt::format("D{}", fmt::ptr(node.item)); },
          [&](const value::Table& node) {
            return node.rows ? fmt::format("T{}", fmt::ptr(node.rows.get()))
                             : fmt::format("T{}{}", node.table.index, node.is_integer ? "i" : "");
          },
          [&](const value::Event& node) { return fmt::format("E{}{}", fmt::ptr(node.recurrence), node.guarded); },
          [&](const value::Grid& node) {
            return fmt::format("G{}.{}", fmt::ptr(node.declaration), fmt::ptr(node.self));
          },
          [&](const value::Point& node) {
            std::string text = fmt::format("P{}.{}", fmt::ptr(node.grid), fmt::ptr(node.self));
            for (const ValueId id : node.indices) text += fmt::format(",{}", id.index);
            return text;
          },
          [&](const value::Process& node) { return fmt::format("p{}{}", fmt::ptr(node.process), node.guarded); },
          [&](const value::Series& node) { return fmt::format("S{}.{}", fmt::ptr(node.output), fmt::ptr(node.self)); },
          [&](const value::Failure& node) { return fmt::format("!{}", node.site.index); },
          [&](const value::Object& node) { return fmt::format("o{}", fmt::ptr(node.instance)); },
          [&]<OneOf<value::Record, value::List, value::Select, value::Lifted> Node>(const Node&) {
            return std::string();
          },
      },
      value->node);
}

}  // namespace

// The text of a value with parts is a number: that of the list of the numbers and texts of its parts.
std::string Values::key(const ValuePtr& value) const {
  std::unordered_map<const Value*, std::string> known;
  const std::function<std::string(const ValuePtr&)> key_of = [&](const ValuePtr& one) {
    std::string text = text_of_leaf(one);
    if (!text.empty()) return text;
    const auto found = known.find(one.get());
    if (found != known.end()) return found->second;
    const auto named = [&](const std::vector<Named>& values) {
      std::string all;
      for (const Named& part : values) all += part.first + "=" + key_of(part.second) + ",";
      return all;
    };
    if (const auto* node = as<value::Record>(one)) text = fmt::format("r{}", fmt::ptr(node->declaration));
    if (as<value::List>(one)) text = "l";
    if (const auto* node = as<value::Select>(one)) text = fmt::format("?{}", node->condition.index);
    if (const auto* node = as<value::Lifted>(one)) {
      text = fmt::format("L{}({})", fmt::ptr(node->declaration), named(node->given));
      for (const LiftedStep& step : node->steps) {
        text += fmt::format(".{}{}{}/{}({})", static_cast<int>(step.kind), step.name,
                            step.phase ? " in \"" + *step.phase + "\"" : "", static_cast<int>(step.over),
                            named(step.arguments));
      }
    } else {
      const auto part = [&](const ValuePtr& inner) { text += "," + key_of(inner); };
      for_each_part(*one, part, [](ValueId) {});
    }
    const std::size_t number = numbers_.try_emplace(std::move(text), numbers_.size()).first->second;
    return known[one.get()] = fmt::format("#{}", number);
  };
  return key_of(value);
}

namespace {

class Comparison {
 public:
  explicit Comparison(const Values& values) : values_(values) {}

  bool same(const ValuePtr& a, const ValuePtr& b) {
    if (a == b) return true;
    if (a->node.index() != b->node.index()) return false;
    if (as<value::Lifted>(a)) return values_.key(a) == values_.key(b);
    const std::string text = text_of_leaf(a);
    if (!text.empty()) return text == text_of_leaf(b);
    if (!seen_.insert({a.get(), b.get()}).second) return true;
    if (const auto* choice = as<value::Select>(a)) {
      const auto& other = *as<value::Select>(b);
      return choice->condition == other.condition && same(choice->if_true, other.if_true) &&
             same(choice->if_false, other.if_false);
    }
    const auto* record = as<value::Record>(a);
    if (record && record->declaration != as<value::Record>(b)->declaration) return false;
    const auto& mine = record ? record->fields : as<value::List>(a)->elements;
    const auto& theirs = record ? as<value::Record>(b)->fields : as<value::List>(b)->elements;
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                      [&](const ValuePtr& x, const ValuePtr& y) { return same(x, y); });
  }

 private:
  const Values& values_;
  std::set<std::pair<const Value*, const Value*>> seen_;  // found to be the same, or the whole is not
};

}  // namespace

bool Values::same(const ValuePtr& a, const ValuePtr& b) const { return Comparison(*this).same(a, b); }

}  // namespace wave::frontend::lowering
