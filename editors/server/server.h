// The language server: takes messages, and sends its answers. One thread runs it; what takes long goes on in the
// background and comes back as an action for that thread.
#pragma once

#include "editors/server/background.h"
#include "editors/server/documents.h"
#include "editors/server/features.h"
#include "editors/server/index.h"
#include "editors/server/values.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::editors {

struct ServerOptions {
  std::string version;
  std::vector<std::string> search;  // -I and WAVE_PATH
  // Pages on diagnostics, by code, and the folder where they are files; either may be missing.
  const std::vector<std::pair<std::string, std::string>>* pages = nullptr;
  std::string pages_folder;
  std::string library_folder;  // where the modules of the standard library are files; empty if they are not
  EvaluationLimits evaluation;
  double question_seconds = 1;  // for a request that asks the compiler, which reads the text a few times
  // Whether a change of a text has come that the server has not seen yet. May be empty.
  std::function<bool()> has_change;
};

class Server {
 public:
  using Clock = std::chrono::steady_clock;

  // `send` writes a message to the client. `post` hands an action to the thread that runs the server.
  Server(ServerOptions options, std::function<void(const Json&)> send, std::function<void(Action)> post);

  // Never throws. `is_cancelled`: the client has already said that it does not want the answer.
  void handle(const Json& message, bool is_cancelled = false);
  // The message could not be read.
  void reject(const RequestError& error) { send_(error_message(nullptr, error)); }
  // Does some of what nobody has asked for yet, such as diagnostics. False if nothing is left to do.
  bool idle();
  // Answers requests that have waited for values for as long as an evaluation may take, with what is known.
  void answer_late();
  // When that is to be done next; nothing if none waits.
  std::optional<Clock::time_point> next_due() const;
  bool is_background_idle() const { return background_.is_idle() && evaluations_.is_idle(); }

  // After `exit`: the code of the program.
  std::optional<int> exit_code() const { return exit_code_; }
  // Between `initialize` and `shutdown`.
  bool is_running() const { return state_ == State::running; }

 private:
  enum class State { fresh, running, shut_down };

  // --- messages ---
  void request(const Json& id, const std::string& method, const Json& params);
  void begin(const Json& id, const std::string& method, const Json& params);
  void notified(const std::string& method, const Json& params);
  Json initialize(const Json& params);
  void add_folder(const std::string& uri);
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void saved(const Json& params);
  void watched_files_changed(const Json& params);
  void folders_changed(const Json& params);
  void cancel(const Json& id);
  Json document_content(const Json& params) const;

  // --- requests ---
  // Answers at once. Nothing if there is no such request.
  std::optional<Json> answer(const std::string& method, const Json& params);
  std::optional<Json> answer_with_questions(const std::string& method, const Json& params);
  // How long the server's thread may read or lay out a text, while it answers nobody else.
  static constexpr double longest_read_now = 0.25;
  // What is to be done in the background. Nothing if there is no such request.
  using Search = std::function<Json(const std::atomic<bool>&)>;
  std::optional<Search> search(const std::string& method, const Json& params);
  // The answer, or the `rest` of what has to be done for it. Neither if there is no such request.
  std::optional<Json> lay_out(const std::string& method, const Json& params, std::optional<Search>& rest);
  void start_search(const Json& id, Search search, bool shows_result);
  // Brings the index up to date, before somebody asks. False if it is.
  bool start_indexing();

  // --- evaluations.cpp ---
  struct Waiting {
    Json id;
    std::string method;
    Json params;
    std::string uri;                         // of the document whose analysis or values it needs
    std::optional<Clock::time_point> until;  // nothing: that is read, which has a limit of its own
  };
  bool start_evaluation();  // false if there is nothing to evaluate
  void evaluated(const std::string& uri, std::uint64_t generation, std::shared_ptr<const Values> values);
  EvaluatedText evaluated_text(const Document& document);
  bool is_evaluated(const Document& document) const;
  // Keeps a request that needs the values of a document until they are there. False if it need not wait.
  bool wait_for_values(const Json& id, const std::string& method, const Json& params);
  void wait(Waiting one);
  // The waiting requests about a document are answered, or wait for the next thing. False if there were none.
  bool answer_waiting(const std::string& uri);
  bool answer_if(const std::function<bool(const Waiting&)>& is_ready);
  // The waiting requests about a document, or all, are refused.
  void refuse_waiting(const std::string* uri, const RequestError& error);
  void refresh();
  void show(const std::string& text);  // in a window of the client
  Document& document_of_command(const Json& params);
  void set_parameters(Document& document, const Json& given);
  // A command that needs no search.
  Json execute(const Json& params);
  std::optional<Search> search_of_command(const Json& params);
  // With what messages cost on it. Nothing if no machine is named there.
  std::optional<Search> hover_of_machine(const Json& params);

  // --- documents ---
  Document& asked_for(const Json& params);
  void outdate_importers(const std::string& path);
  void outdate(Document& document);
  // --- reading.cpp ---
  struct BeingRead {  // thrown: it is read in the background, and requests about it wait
    std::string uri;
  };
  Analysis& current(Document& document);
  bool read_now(Document& document, double seconds, const std::function<void()>& read);  // false: it takes longer
  void forget(Document& document);
  void load_in_background(Document& document);
  struct Made {                          // by that
    std::unique_ptr<Analysis> analysis;  // null if it was given up
    bool is_too_large = false;           // for the memory that there is
    bool is_cancelled = false;
    double seconds = 0;
  };
  void loaded(const std::string& uri, std::uint64_t generation, Made& made);
  void publish(Document& document);
  void send_diagnostics(Document& document, Json all);
  Project project();
  std::string page_of(std::string_view code) const;

  ServerOptions options_;
  std::function<void(const Json&)> send_;
  State state_ = State::fresh;
  std::optional<int> exit_code_;
  Encoding encoding_ = Encoding::utf16;
  bool reads_program_documents_ = false;  // the client asks for the text of `wave:/std/comm.wave`
  std::vector<std::string> folders_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<ProjectIndex> index_ = std::make_shared<ProjectIndex>();  // of the thread of `background_`
  std::uint64_t indexed_ = static_cast<std::uint64_t>(-1);                  // the generation that it was read for
  bool is_indexing_ = false;
  Documents documents_;
  std::map<std::string, std::uint64_t> searches_;  // tickets by ids
  std::vector<Waiting> waiting_;
  bool is_late_ = false;  // what is handled now has waited for long enough
  bool may_evaluate_ = true;
  bool plots_studies_ = false;
  bool is_evaluating_ = false;
  bool refreshes_hints_ = false, refreshes_lenses_ = false;  // the client asks again when it is told
  std::uint64_t refreshes_ = 0;
  std::shared_ptr<Evaluator> evaluator_;  // of the thread of `evaluations_`
  Background background_;
  Background evaluations_;  // a thread of their own, since searches need not wait for them
};

}  // namespace wave::editors
