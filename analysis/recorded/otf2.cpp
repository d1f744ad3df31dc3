// See otf2.h.
#include "analysis/recorded/otf2.h"

#include "base/plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>

namespace wave::analysis::recorded {

using frontend::DiagnosticKind;
using otf2::TraceEvent;

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Calls that other processes take part in and that are no step of a recording: they are named as passed over.
bool is_with_others(std::string_view name) {
  if (is_one_of(name,
                {"Put", "Get", "Rput", "Rget", "Accumulate", "Raccumulate", "Get_accumulate", "Rget_accumulate",
                 "Fetch_and_op", "Compare_and_swap", "Mprobe", "Improbe", "Mrecv", "Imrecv", "Probe", "Finalize"}))
    return true;
  if (is_one_of(name, {"Isend", "Issend", "Ibsend", "Irsend", "Irecv", "Iprobe", "Is_thread_main", "Info_create"}))
    return false;
  for (const std::string_view beginning : {"Comm_create",
                                           "Comm_dup",
                                           "Comm_idup",
                                           "Comm_split",
                                           "Comm_spawn",
                                           "Comm_accept",
                                           "Comm_connect",
                                           "Cart_create",
                                           "Cart_sub",
                                           "Graph_create",
                                           "Dist_graph_create",
                                           "Intercomm_",
                                           "Win_",
                                           "File_",
                                           "Neighbor_",
                                           "Ineighbor_",
                                           "Ia",
                                           "Ib",
                                           "Ie",
                                           "Ig",
                                           "Ir",
                                           "Is"}) {
    if (name.starts_with(beginning)) return true;
  }
  return false;
}

// The name of a function of MPI, without what comes before and behind; empty: it is none.
std::string call_of(const std::string& region) {
  if (!region.starts_with("MPI_")) return "";
  std::string name = region.substr(4, region.find('(') == std::string::npos ? region.npos : region.find('(') - 4);
  for (char& c : name) {
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) c = '_';
  }
  return name.substr(0, 40);
}

// The bytes that one process has (docs/mpi.md), of those that Score-P counts as sent and received, where each also
// sends to itself, except in place (Score-P, src/adapters/mpi/scorep_mpi_coll.inc.c).
std::uint64_t size_of(const TraceEvent& event, std::uint64_t ranks, std::uint64_t own_rank) {
  const std::string& name = event.operation;
  const std::uint64_t others = std::max<std::uint64_t>(ranks, 2) - 1;
  if (is_one_of(name, {"Bcast", "Scatter"})) return event.received > 0 ? event.received : event.bytes / others;
  if (is_one_of(name, {"Gather", "Reduce"})) return event.bytes > 0 ? event.bytes : event.received / others;
  if (is_one_of(name, {"Scan"})) return own_rank < ranks ? event.bytes / (ranks - own_rank) : 0;
  if (is_one_of(name, {"Allreduce", "Allgather", "Alltoall"})) {
    // Numbers have four bytes at least. Where both would do, it is not in place.
    constexpr std::uint64_t least = 4;
    const bool is_in_place = event.bytes % (ranks * least) != 0 && event.bytes % (others * least) == 0;
    return event.bytes / (is_in_place ? others : ranks);
  }
  return event.bytes;
}

}  // namespace

bool Otf2Texts::refuse(std::string trouble, std::string way_on) {
  trouble_ = std::move(trouble);
  way_on_ = std::move(way_on);
  return false;
}

bool Otf2Texts::define(const otf2::Definitions& definitions) {
  definitions_ = definitions;
  const std::size_t ranks = definitions_.ranks.size();
  if (ranks == 0)
    return refuse("the trace has no processes of MPI", "record the program with MPI, as by `scorep --mpp=mpi mpicc`");
  constexpr std::size_t most = std::size_t{1} << 24;
  if (ranks > most) return refuse("the trace has too many processes", "record the program on fewer");
  for (std::size_t rank = 0; rank < ranks; ++rank) rank_of_location_[definitions_.ranks[rank]] = rank;
  texts_.resize(ranks);
  return true;
}

bool Otf2Texts::begin(std::uint64_t location) {
  const auto found = rank_of_location_.find(location);
  rank_ = found == rank_of_location_.end() ? std::nullopt : std::optional(found->second);
  last_.reset();
  depth_ = 0;
  call_ = {};
  requests_.clear();
  free_requests_.clear();
  used_requests_ = 0;
  if (rank_) texts_[*rank_] = fmt::format("#rank {} of {}\n", *rank_, texts_.size());
  return true;
}

bool Otf2Texts::take(const TraceEvent& event) {
  using Kind = TraceEvent::Kind;
  if (!last_) last_ = event.time;
  switch (event.kind) {
    case Kind::pause:
      if (event.until > event.time) *last_ += event.until - event.time;
      return true;
    case Kind::enter:
    case Kind::leave: {
      const auto found = definitions_.regions.find(event.region);
      std::string name = found == definitions_.regions.end() ? "" : call_of(found->second);
      if (name.empty() || !rank_) return true;
      if (event.kind == Kind::enter) {
        if (depth_ == 0) call_ = Call{std::move(name), event.time};
        ++depth_;
      } else if (depth_ > 0) {
        --depth_;
        if (depth_ == 0) leave(event.time);
      }
      return trouble_.empty();
    }
    default: break;
  }
  if (!rank_)
    return refuse("several threads of a process send or receive",
                  "a model has one program for each process: record a run in which one thread calls MPI");
  if (depth_ > 0) return take_inside(event);
  // There are traces without functions.
  call_ = Call{event.operation, event.time};
  if (!take_inside(event)) return false;
  leave(event.time);
  return trouble_.empty();
}

bool Otf2Texts::is_exchange() const { return call_.name.starts_with("Sendrecv"); }

bool Otf2Texts::take_inside(const TraceEvent& event) {
  using Kind = TraceEvent::Kind;
  switch (event.kind) {
    case Kind::send:
    case Kind::started_send:
    case Kind::receive: return take_message(event, is_exchange());
    case Kind::posted_receive:
      if (is_exchange()) return true;  // its end says all
      call_.done.push_back("Irecv -2 0 0 0/0");
      call_.behind.push_back(fmt::format(" q{}", request_for(event.request)));
      return true;
    case Kind::ended_receive:
      if (is_exchange() && requests_.count(event.request) == 0) {
        call_.received = event;
        return true;
      }
      return end_request(event);
    case Kind::ended_send:
    case Kind::cancelled: return end_request(event);
    case Kind::collective: {
      const auto ranks = size_of_communicator(event.communicator);
      if (!ranks || *ranks == 0) return refuse("a collective of a communicator that is not defined", "record it again");
      const auto own = definitions_.communicators.at(event.communicator).group;
      const auto& members = definitions_.groups.at(own).members;
      const auto place =
          static_cast<std::uint64_t>(std::find(members.begin(), members.end(), *rank_) - members.begin());
      call_.done.push_back(
          fmt::format("{} -1 {} 0 {}/{:x}", event.operation, size_of(event, *ranks, place), *ranks, own));
      call_.behind.emplace_back();
      return true;
    }
    default: return true;
  }
}

bool Otf2Texts::take_message(const TraceEvent& event, bool is_exchange) {
  using Kind = TraceEvent::Kind;
  if (is_exchange) {
    (event.kind == Kind::receive ? call_.received : call_.sent) = event;
    return true;
  }
  const std::string_view call = call_.name;
  // Score-P writes requests only if it is told to.
  const bool is_in_background =
      event.kind == Kind::send ? is_one_of(call, {"Isend", "Issend", "Ibsend", "Irsend", "Start", "Startall"})
                               : event.kind == Kind::receive && (call.starts_with("Wait") || call.starts_with("Test"));
  if (is_in_background)
    return refuse("which wait ends which message is not in the trace",
                  "record it with requests: `SCOREP_MPI_ENABLE_GROUPS=default,xnonblock`");
  if (event.kind == Kind::receive) return add(event, "Recv", "");
  if (event.kind == Kind::started_send) return add(event, "Isend", fmt::format(" q{}", request_for(event.request)));
  return add(event, "Send", "");
}

bool Otf2Texts::add(const TraceEvent& event, const char* name, std::string behind) {
  const auto peer = rank_of(event);
  if (!peer) return refuse("a message to or from a process that the trace does not have", "record the run again");
  const std::size_t ranks = size_of_communicator(event.communicator).value_or(0);
  call_.done.push_back(fmt::format("{} {} {} {} {}/{:x}", name, *peer, event.bytes, event.tag, ranks,
                                   definitions_.communicators.at(event.communicator).group));
  call_.behind.push_back(std::move(behind));
  return true;
}

// A small number, so that names of requests take as much as there are under way.
std::size_t Otf2Texts::request_for(std::uint64_t number) {
  std::size_t chosen = used_requests_;
  if (free_requests_.empty()) {
    ++used_requests_;
  } else {
    chosen = free_requests_.back();
    free_requests_.pop_back();
  }
  requests_[number] = chosen;
  return chosen;
}

bool Otf2Texts::end_request(const TraceEvent& event) {
  const auto found = requests_.find(event.request);
  if (found == requests_.end()) return true;  // it began before anything was recorded
  Ended ended{found->second};
  if (event.kind == TraceEvent::Kind::ended_receive) {
    const auto from = rank_of(event);
    if (!from) return refuse("a message from a process that the trace does not have", "record the run again");
    ended.from = *from;
    ended.bytes = event.bytes;
  }
  if (event.kind != TraceEvent::Kind::cancelled) call_.ended.push_back(ended);
  free_requests_.push_back(found->second);
  requests_.erase(found);
  return true;
}

void Otf2Texts::leave(std::uint64_t time) {
  if (is_exchange() && (call_.sent || call_.received)) {
    const auto to = call_.sent ? rank_of(*call_.sent) : std::nullopt;
    const auto from = call_.received ? rank_of(*call_.received) : std::nullopt;
    call_.done.push_back(
        fmt::format("Sendrecv {} {} {} 0/0", to.value_or(-1), to ? call_.sent->bytes : 0, to ? call_.sent->tag : 0));
    call_.behind.push_back(from ? fmt::format(" from{} got{}", *from, call_.received->bytes) : "");
    call_.ended.clear();
  }
  if (!call_.ended.empty()) {
    const bool is_wait = call_.name.starts_with("Wait") || call_.name.starts_with("Test");
    std::string behind;
    for (const Ended& one : call_.ended)
      behind += one.from < 0 ? fmt::format(" q{}:0", one.request)
                             : fmt::format(" q{}:from{}:{}", one.request, one.from, one.bytes);
    call_.done.push_back(fmt::format("{} -1 0 0 0/0", is_wait ? call_.name : "Wait"));
    call_.behind.push_back(std::move(behind));
  }
  const bool is_empty = call_.done.empty();
  if (is_empty && is_with_others(call_.name)) {
    call_.done.push_back(call_.name + " -1 0 0 0/0");
    call_.behind.emplace_back();
  }
  for (std::size_t i = 0; i < call_.done.size(); ++i) {
    const bool is_first = i == 0;
    write(call_.done[i], is_first ? nanoseconds(*last_, call_.entered) : 0,
          is_first ? nanoseconds(call_.entered, time) : 0, call_.behind[i]);
  }
  // What a call takes that is not written counts neither as between calls nor as inside one.
  last_ = call_.done.empty() ? *last_ + (time > call_.entered ? time - call_.entered : 0) : time;
}

void Otf2Texts::write(const std::string& what, std::uint64_t since, std::uint64_t inside, const std::string& behind) {
  const std::string line = fmt::format("{} {} {}{}\n", what, since, inside, behind);
  constexpr std::size_t most_of_a_text = 0xf0000000;  // its places have 32 bits
  if (line.size() > bytes_left_ || texts_[*rank_].size() > most_of_a_text) {
    refuse("the trace is too large for this memory", "raise `--memory-limit`, or record a shorter run");
    return;
  }
  bytes_left_ -= line.size();
  texts_[*rank_] += line;
}

std::uint64_t Otf2Texts::nanoseconds(std::uint64_t from, std::uint64_t to) const {
  constexpr double nanoseconds_per_second = 1e9, most = 9e18;
  if (to <= from || definitions_.ticks_per_second == 0) return 0;
  const double ticks = static_cast<double>(to - from);
  return static_cast<std::uint64_t>(
      std::min(ticks / static_cast<double>(definitions_.ticks_per_second) * nanoseconds_per_second + 0.5, most));
}

std::optional<std::size_t> Otf2Texts::size_of_communicator(std::uint32_t communicator) const {
  const auto found = definitions_.communicators.find(communicator);
  if (found == definitions_.communicators.end()) return std::nullopt;
  const auto group = definitions_.groups.find(found->second.group);
  if (group == definitions_.groups.end()) return std::nullopt;
  return group->second.is_self ? 1 : group->second.members.size();
}

// The rank of MPI_COMM_WORLD at the other end.
std::optional<std::int64_t> Otf2Texts::rank_of(const TraceEvent& event) const {
  const auto found = definitions_.communicators.find(event.communicator);
  if (found == definitions_.communicators.end()) return std::nullopt;
  auto group = definitions_.groups.find(found->second.group);
  if (group == definitions_.groups.end()) return std::nullopt;
  if (group->second.is_self) return static_cast<std::int64_t>(*rank_);
  if (found->second.other_group != found->second.group) {
    const auto& own = group->second.members;
    const bool is_in_first = std::find(own.begin(), own.end(), *rank_) != own.end();
    if (is_in_first) group = definitions_.groups.find(found->second.other_group);
    if (group == definitions_.groups.end()) return std::nullopt;
  }
  std::uint64_t rank = event.peer;
  if (!group->second.has_global_ranks) {
    if (rank >= group->second.members.size()) return std::nullopt;
    rank = group->second.members[rank];
  }
  return rank < texts_.size() ? std::optional(static_cast<std::int64_t>(rank)) : std::nullopt;
}

std::vector<std::string> Otf2Texts::texts() && { return std::move(texts_); }

std::string otf2_module_path() { return plugin_path("WAVE_OTF2_PLUGIN", "libwave-otf2.so"); }

std::optional<std::vector<std::uint32_t>> read_otf2(const std::string& anchor, const std::string& name,
                                                    std::size_t most_bytes, frontend::Sources& sources,
                                                    frontend::Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& message, const std::string& note, const std::string& help) {
    auto& d = diagnostics.add(DiagnosticKind::unreadable_recording, {}, message);
    if (!note.empty()) d.notes.push_back(note);
    d.help.push_back(help);
    return std::nullopt;
  };
  constexpr const char* what_it_is =
      "a trace is an anchor file `NAME.otf2`, the definitions `NAME.def` and a folder `NAME` beside it";
  const auto loaded =
      load_plugin<otf2::Plugin>(otf2_module_path(), otf2::plugin_symbol, WAVE_OTF2_ABI, "the module for OTF2");
  if (const auto* const none = std::get_if<NoPlugin>(&loaded))
    return refuse(fmt::format("{} is a trace in OTF2, which cannot be read here", name), none->reason,
                  none->is_missing ? "install `wave-otf2`, or build wave where OTF2 is (Debian: "
                                     "libopen-trace-format2-dev; then configure again)"
                                   : "install wave and its modules from one build");
  std::error_code error;
  if (!std::filesystem::is_regular_file(anchor, error))
    return refuse(fmt::format("{} cannot be read: {}", name, error ? error.message() : "it is no file"), "",
                  what_it_is);
  Otf2Texts reading(most_bytes);
  const std::string trouble = std::get<const otf2::Plugin*>(loaded)->read(anchor, reading);
  if (!reading.trouble().empty()) return refuse(fmt::format("{}: {}", name, reading.trouble()), "", reading.way_on());
  if (!trouble.empty()) return refuse(fmt::format("{} cannot be read", name), trouble, what_it_is);
  std::vector<std::uint32_t> files;
  std::vector<std::string> texts = std::move(reading).texts();
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (texts[rank].empty())
      return refuse(fmt::format("{}: the events of rank {} are missing", name, rank), "",
                    "copy the whole folder of the trace");
    files.push_back(sources.add(fmt::format("{} rank {}", name, rank), std::move(texts[rank])));
  }
  return files;
}

}  // namespace wave::analysis::recorded
