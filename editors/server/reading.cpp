// When documents are read and checked, by whom, and for how long. What is quick, the server's thread does when it is
// asked something. What takes longer goes on in the background, and requests about the document wait for it.
#include "backend/limits.h"
#include "editors/server/server.h"
#include "frontend/source/patience.h"

#include <chrono>
#include <new>

namespace wave::editors {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Json problem(frontend::DiagnosticKind kind, const std::string& message) {
  const Json start = {{"line", 0}, {"character", 0}};
  return {{"range", {{"start", start}, {"end", start}}},
          {"severity", 1},
          {"code", std::string(frontend::code_of(kind))},
          {"source", "wave"},
          {"message", message}};
}

}  // namespace

bool Server::read_now(Document& document, double seconds, const std::function<void()>& read) {
  try {
    const frontend::Patience patience(after_a_moment([this] { return options_.has_change && options_.has_change(); }));
    if (finishes_within(seconds, read)) return true;
  } catch (const frontend::GivenUp&) {
    forget(document);
    throw RequestError{ErrorCode::content_modified, "the text has changed"};
  }
  forget(document);
  return false;
}

// What was being read is of no use. It is read again even if nobody asks.
void Server::forget(Document& document) {
  document.analysis.reset();
  document.is_stale = true;
  document.is_published = false;
}

Analysis& Server::current(Document& document) {
  if (!document.unread.empty()) throw RequestError{ErrorCode::request_failed, document.unread};
  const bool is_whole = !document.analysis || document.is_stale;
  const bool is_typed = document.is_typed && !document.is_of_library;
  if (!is_whole && !is_typed) return *document.analysis;
  bool& is_slow = is_whole ? document.is_slow_whole : document.is_slow;
  if (is_slow) {
    document.is_published = false;  // so that it is read even if it was before
    throw BeingRead{document.uri};
  }
  const auto read = [&, search = project().search] {
    if (is_whole)
      document.analysis =
          std::make_unique<Analysis>(document.name, search, document.is_of_library ? nullptr : document.text.get());
    else
      document.analysis->reload(search, *document.text);
  };
  if (!read_now(document, longest_read_now, read)) {
    is_slow = true;
    throw BeingRead{document.uri};
  }
  document.is_stale = document.is_typed = false;
  return *document.analysis;
}

bool Server::idle() {
  for (auto& [uri, document] : documents_.all()) {
    if (document.is_published || document.is_loading) continue;
    const bool is_outdated = !document.analysis || document.is_stale || (document.is_slow && document.is_typed);
    if (document.unread.empty() && is_outdated) {
      load_in_background(document);
    } else {
      publish(document);
    }
    return true;
  }
  return start_evaluation() || start_indexing();
}

void Server::publish(Document& document) {
  try {
    if (!document.unread.empty()) {
      const bool is_late = document.unread_for == frontend::DiagnosticKind::out_of_time;
      const std::string help = is_late ? "give it more time with `wave lsp --time-limit`, or split it into modules"
                                       : "give it more memory with `wave lsp --memory-limit`, or split it into modules";
      send_diagnostics(document, {problem(document.unread_for, document.unread + "\nhelp: " + help)});
      return;
    }
    const Project all_models = project();
    const View view(current(document), all_models);
    send_diagnostics(document, diagnostics_of(view, [this](std::string_view code) { return page_of(code); }));
  } catch (const BeingRead&) {     // in the background from now on
  } catch (const RequestError&) {  // the text has changed
  } catch (const std::bad_alloc&) {
    forget(document);
    document.is_published = true;
  }
}

void Server::send_diagnostics(Document& document, Json all) {
  document.is_published = true;
  send_(notification("textDocument/publishDiagnostics",
                     {{"uri", document.uri}, {"version", document.version}, {"diagnostics", std::move(all)}}));
}

// With all that it imports.
void Server::load_in_background(Document& document) {
  document.is_loading = true;
  const auto made = std::make_shared<Made>();
  const auto done = [this, uri = document.uri, made, generation = document.generation] {
    loaded(uri, generation, *made);
  };
  Background::Job job{Background::Purpose::diagnostics, {}, [made, done] {
                        made->is_cancelled = true;
                        done();
                      }};
  job.work = [made, done, longest = options_.evaluation.reading_seconds(), name = document.name,
              search = project().search,
              text = document.is_of_library ? nullptr : document.text](const std::atomic<bool>&) -> Action {
    const auto start = std::chrono::steady_clock::now();
    try {
      finishes_within(longest, [&] { made->analysis = std::make_unique<Analysis>(name, search, text.get()); });
    } catch (const std::bad_alloc&) {
      made->is_too_large = true;
    }
    made->seconds = seconds_since(start);
    return done;
  };
  background_.start(std::move(job));
}

// If anything has changed meanwhile, it is of no use.
void Server::loaded(const std::string& uri, std::uint64_t generation, Made& made) {
  Document* document = documents_.find(uri);
  if (!document) return;
  document->is_loading = false;
  if (made.is_cancelled || document->generation != generation) return;
  if (made.analysis) {
    if (made.seconds < longest_read_now / 4) document->is_slow = document->is_slow_whole = false;
    document->analysis = std::move(made.analysis);
    document->is_stale = document->is_typed = false;
  } else if (!document->analysis || document->is_stale || document->is_typed) {
    document->unread_for =
        made.is_too_large ? frontend::DiagnosticKind::out_of_memory : frontend::DiagnosticKind::out_of_time;
    document->unread = made.is_too_large ? "this text needs more memory than there may be"
                                         : "this text was not read and checked within " +
                                               backend::duration_text(options_.evaluation.reading_seconds());
  }
  answer_waiting(uri);
}

}  // namespace wave::editors
