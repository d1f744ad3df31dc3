// Statements of processes, procedures, algorithms and protocol ends.
#include "frontend/parse/tree_builder.h"

namespace wave::frontend {

Block StatementBuilder::block(Grammar::BlockContext* context, BlockKind kind) {
  Block result;
  if (context == nullptr) return result;
  for (auto* child : context->statement()) {
    if (auto built = statement(child, kind)) result.push_back(std::move(built));
    if (child->exchange() != nullptr && !broken(child)) exchange(child->exchange(), result);
  }
  return result;
}

namespace {

bool is_step(StatementBuilder::Grammar::StatementContext* context) {
  return context->BUSY() != nullptr || context->EMIT() != nullptr || context->AWAIT() != nullptr ||
         context->ACQUIRE() != nullptr || context->ARRIVAL() != nullptr;
}

}  // namespace

// Only the ends of protocols consist of steps.
void StatementBuilder::check_place(Grammar::StatementContext* context, BlockKind kind) {
  if (is_step(context) == (kind == BlockKind::protocol)) return;
  const Location first = location(context->getStart());
  const Location where = context->ARRIVAL() != nullptr ? cover(first, location(context->ARRIVAL())) : first;
  const std::string word = text(where);
  if (is_step(context)) {
    report(DiagnosticKind::misplaced, where, "`" + word + "` belongs in a protocol", "inside a process")
        .help.emplace_back(
            "a process computes with `compute(t)` and communicates with `send` and `recv`; what they cost at "
            "each end is said by the machine's protocols");
  } else {
    report(DiagnosticKind::misplaced, where, "`" + word + "` has no place in a protocol", "inside a protocol's end")
        .help.emplace_back(
            "the sender and the receiver consist of `busy t`, `emit signal after t`, `await signal`, "
            "`acquire resource for t` and `on arrival of signal busy t`");
  }
}

std::unique_ptr<Statement> StatementBuilder::statement(Grammar::StatementContext* context, BlockKind kind) {
  auto result = std::make_unique<Statement>();
  result->location = location(context);
  if (context->local_let() != nullptr) {
    LocalLet let = local_let(context->local_let());
    if (let.name.text.empty()) return nullptr;
    result->node = statement::Let{std::move(let.name), std::move(let.type), std::move(let.value)};
  } else {
    if (broken(context) || context->SEMICOLON() != nullptr) return nullptr;
    if (context->ready_list() != nullptr || context->task() != nullptr) {
      check_place(context, kind);
      if (context->task() != nullptr)
        result->node = task(context->task(), kind);
      else
        result->node = statement::Ready{block(context->ready_list()->block(), kind)};
      return result;
    }
    if (context->exchange() != nullptr) {  // three statements
      check_place(context, kind);
      return nullptr;
    }
    result->node = context->ARRIVAL() != nullptr                                    ? arrival(context)
                   : context->block() != nullptr || context->condition() != nullptr ? nested(context, kind)
                                                                                    : simple(context, kind);
  }
  if (std::holds_alternative<statement::Busy>(result->node) && kind == BlockKind::protocol) return result;
  check_place(context, kind);
  return result;
}

// Statements with blocks of their own.
decltype(Statement::node) StatementBuilder::nested(Grammar::StatementContext* context, BlockKind kind) {
  if (context->condition() != nullptr) return condition(context->condition(), kind);
  if (context->SWEEP() != nullptr) return sweep(context, kind);
  if (context->PHASE() != nullptr) return statement::Phase{string(context->STRING()), block(context->block(), kind)};
  if (context->REPEAT() != nullptr)
    return statement::Repeat{expression(context->expression()), block(context->block(), kind)};
  return loops(binders(context->binder()), location(context).end, block(context->block(), kind));
}

decltype(Statement::node) StatementBuilder::simple(Grammar::StatementContext* context, BlockKind kind) {
  if (context->message() != nullptr) return message(context->message());
  if (context->WAIT() != nullptr) return statement::Wait{identifier(context->name())};
  if (context->WAITALL() != nullptr) return statement::WaitAll{};
  if (context->first_of() != nullptr) {
    statement::WaitAny waits;
    for (auto* const name : context->first_of()->name()) waits.handles.push_back(identifier(name));
    return waits;
  }
  if (context->BUSY() != nullptr) return statement::Busy{expression(context->expression())};
  if (context->ACQUIRE() != nullptr) return statement::Acquire{use(context->used(), context->expression())};
  if (context->SENT() != nullptr) return statement::Sent{identifier(context->name()), optional(context->expression())};
  if (context->AWAIT() != nullptr)
    return statement::Await{identifier(context->name()), uses(context->via()), optional(context->expression())};
  if (context->EMIT() == nullptr) return called(context->call(), kind);
  return statement::Emit{identifier(context->name()), uses(context->via()), expression(context->expression())};
}

statement::Use StatementBuilder::use(Grammar::UsedContext* context, Grammar::ExpressionContext* occupied) {
  return {identifier(context->name()), optional(context->expression()), expression(occupied)};
}

std::vector<statement::Use> StatementBuilder::uses(const std::vector<Grammar::ViaContext*>& contexts) {
  std::vector<statement::Use> result;
  for (auto* context : contexts) result.push_back(use(context->used(), context->expression()));
  return result;
}

// `busy t`, or `{ acquire rx for g; busy t }`.
decltype(Statement::node) StatementBuilder::arrival(Grammar::StatementContext* context) {
  statement::Arrival result;
  result.signal = identifier(context->name());
  if (context->block() == nullptr) {
    result.time = expression(context->expression());
    return result;
  }
  const Location brace = location(context->block()->LBRACE());
  bool is_whole = true;
  for (auto* child : context->block()->statement()) {
    if (child->SEMICOLON() != nullptr) continue;
    auto built = statement(child, BlockKind::protocol);
    auto* acquire = built ? std::get_if<statement::Acquire>(&built->node) : nullptr;
    auto* busy = built ? std::get_if<statement::Busy>(&built->node) : nullptr;
    if (acquire && !result.use && !result.time) {
      result.use = std::move(acquire->use);
    } else if (busy && !result.time) {
      result.time = std::move(busy->time);
    } else {
      if (built && is_whole && is_step(child)) {  // anything else has been reported
        report(DiagnosticKind::misplaced, built->location, "this has no place in what is done on arrival",
               "inside `on arrival`")
            .help.emplace_back("one `busy t` stands there, after one `acquire resource for t` at most");
      }
      is_whole = false;
    }
  }
  if (!result.time && is_whole) {
    report(DiagnosticKind::unexpected_token, brace, "nothing says how long the processor is busy",
           "on arrival of `" + result.signal.text + "`")
        .help.emplace_back("`busy t` stands last in these braces");
  }
  if (!result.time) result.time = missing(brace);
  return result;
}

// To the grammar, `compute(t)` and `hold(s, "name")` are calls, and so is the step `busy (t)` of a protocol.
decltype(Statement::node) StatementBuilder::called(Grammar::CallContext* context, BlockKind kind) {
  statement::Call made = call(context);
  const auto* const callee = std::get_if<expr::Name>(&made.callee->node);
  std::vector<Argument>& given = made.arguments;
  const bool is_plain = callee && made.among == statement::Call::Among::all &&
                        std::none_of(given.begin(), given.end(), [](const Argument& one) { return one.name; });
  if (!is_plain) return made;
  if (kind == BlockKind::protocol) {
    if (callee->text == "busy" && given.size() == 1) return statement::Busy{std::move(given[0].value)};
    return made;
  }
  if (callee->text == "compute" && given.size() == 1) return statement::Compute{std::move(given[0].value)};
  const auto* const memory = given.size() == 2 ? std::get_if<expr::String>(&given[1].value->node) : nullptr;
  if (memory && (callee->text == "hold" || callee->text == "release")) {
    const Identifier name{memory->value, given[1].value->location};
    return statement::Hold{std::move(given[0].value), name, callee->text == "release"};
  }
  return made;
}

statement::Message StatementBuilder::message(Grammar::MessageContext* context) {
  statement::Message result;
  result.kind = context->TO() != nullptr ? statement::Message::Kind::send : statement::Message::Kind::receive;
  result.background = context->ISEND() != nullptr || context->IRECV() != nullptr;
  result.size = optional(context->expression());
  result.peer = peer(context->peer());
  for (auto* clause : context->message_clause()) {
    const bool is_tag = clause->TAG() != nullptr;
    if (is_tag ? result.tag != nullptr : result.handle.has_value()) {
      report(DiagnosticKind::repeated_clause, location(clause), is_tag ? "a second `tag`" : "a second `as`",
             "given before");
    } else if (is_tag) {
      result.tag = expression(clause->expression());
    } else {
      result.handle = identifier(clause->name());
    }
  }
  return result;
}

// What it waits for is called when its list is entered, in the background.
statement::Task StatementBuilder::task(Grammar::TaskContext* context, BlockKind kind) {
  statement::Task result;
  for (auto* const received : context->message()) {
    if (broken(received)) continue;
    auto made = std::make_unique<Statement>();
    made->location = location(received);
    statement::Message one = message(received);
    if (one.kind != statement::Message::Kind::receive || one.background || one.handle) {
      report(DiagnosticKind::misplaced, made->location, "a task waits for messages that it receives",
             "this is no `recv` without a name")
          .help.emplace_back("write `task when recv from [i-1] tag k { ... }`; what it sends stands in its braces");
      continue;
    }
    one.background = true;
    made->node = std::move(one);
    result.receives.push_back(std::move(made));
  }
  result.priority = optional(context->expression());
  result.body = block(context->block(), kind);
  return result;
}

// `sendrecv s to X from Y` is `isend s to X as a`, `irecv from Y as a` and `wait a`, by a name that nobody can write.
void StatementBuilder::exchange(Grammar::ExchangeContext* context, Block& into) {
  const Identifier handle{"sendrecv()", {}};
  const auto add = [&](Location where, auto node) {
    auto made = std::make_unique<Statement>();
    made->location = where;
    made->node = std::move(node);
    into.push_back(std::move(made));
  };
  const auto message = [&](statement::Message::Kind kind, Grammar::PeerContext* peer, Grammar::ExpressionContext* tag) {
    statement::Message one;
    one.kind = kind;
    one.background = true;
    one.peer = this->peer(peer);
    one.tag = optional(tag);
    one.handle = handle;
    return one;
  };
  statement::Message sent = message(statement::Message::Kind::send, context->to, context->to_tag);
  sent.size = expression(context->size);
  const auto end = [&](Grammar::PeerContext* peer, Grammar::ExpressionContext* tag) {
    return tag != nullptr ? location(tag) : location(peer);
  };
  add(cover(location(context->SENDRECV()), end(context->to, context->to_tag)), std::move(sent));
  add(cover(location(context->FROM()), end(context->from, context->from_tag)),
      message(statement::Message::Kind::receive, context->from, context->from_tag));
  add(location(context), statement::Wait{handle});
}

Neighbourhood StatementBuilder::peer(Grammar::PeerContext* context) {
  Neighbourhood result;
  result.location = location(context);
  const auto names = context->name();
  if (context->UPWIND() != nullptr || context->DOWNWIND() != nullptr) {
    result.kind = context->UPWIND() != nullptr ? Neighbourhood::Kind::upwind : Neighbourhood::Kind::downwind;
    for (auto* name : names) result.axes.push_back(identifier(name));
    return result;
  }
  result.kind = names.empty() ? Neighbourhood::Kind::offset : Neighbourhood::Kind::absolute;
  if (!names.empty()) result.grid = identifier(names[0]);
  result.indices = expressions(context->expression());
  return result;
}

statement::Sweep StatementBuilder::sweep(Grammar::StatementContext* context, BlockKind kind) {
  statement::Sweep result;
  auto* from = context->sweep_from();
  if (from->LBRACE() != nullptr)
    result.corners = expressions(from->expression());
  else
    result.order = expression(from->expression(0));
  result.tiles = expression(context->expression());
  result.body = block(context->block(), kind);
  return result;
}

statement::If StatementBuilder::condition(Grammar::ConditionContext* context, BlockKind kind) {
  statement::If result;
  result.condition = expression(context->expression());
  const auto blocks = context->block();
  result.then_body = block(blocks.empty() ? nullptr : blocks[0], kind);
  if (context->condition() != nullptr) {
    auto nested = std::make_unique<Statement>();
    nested->location = location(context->condition());
    nested->node = condition(context->condition(), kind);
    result.else_body.push_back(std::move(nested));
  } else if (blocks.size() > 1) {
    result.else_body = block(blocks[1], kind);
  }
  return result;
}

statement::Call StatementBuilder::call(Grammar::CallContext* context) {
  statement::Call result;
  const Location first = location(context->getStart());
  result.callee = make(first, expr::Name{text(first), {}});
  for (auto* name : context->any_name()) {
    const Location where = cover(first, location(name));
    result.callee = make(where, expr::Member{std::move(result.callee), identifier(name), {}});
  }
  result.arguments = arguments(context->arguments());
  using Among = statement::Call::Among;
  if (const auto names = context->name(); names.size() > 1) result.of = identifier(names[1]);
  if (context->ALONG() != nullptr) result.among = Among::along;
  if (context->WITHIN() != nullptr) result.among = Among::within;
  if (context->ACROSS() != nullptr) result.among = Among::across;
  return result;
}

}  // namespace wave::frontend
