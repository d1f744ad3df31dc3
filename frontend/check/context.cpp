// See context.h.
#include "frontend/check/context.h"

namespace wave::frontend::check {

ContextSwitch::ContextSwitch(Context& context, const Item& item)
    : context_(context), saved_(std::exchange(context, Context{})) {
  context_.module = item.module;
  context_.owner = item.owner;
  context_.item = &mutable_item(item);
}

ContextSwitch::ContextSwitch(Context& context, const Module& module)
    : context_(context), saved_(std::exchange(context, Context{})) {
  context_.module = &module;
}

Item& mutable_item(const Item& item) { return const_cast<Item&>(item); }

Why declared_as(const std::string& name, Place place, const TypeRef& type) {
  return {place, "`" + name + "` is declared as " + quoted(type) + " here"};
}

}  // namespace wave::frontend::check
