// See mpi_job.h.
#include "cli/studies/mpi_job.h"

#include "analysis/study/ranks/launcher.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/embedded.h"
#include "cli/progress.h"

#include <climits>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

// A claim: the version of the program, which tells how to read the rest; the limits; the study, as its number and in
// words that tell what it depends on, without the values that vary, which can be very many.
constexpr char part_end = '\n';

// What rank 0 has to say is said within this time, even where it was started last.
constexpr std::chrono::seconds time_to_speak{2};

struct Claim {
  std::string_view version, limits, id, study;
};

Claim read_claim(std::string_view text) {
  Claim claim;
  for (std::string_view* const part : {&claim.version, &claim.limits, &claim.id}) {
    const auto end = std::min(text.find(part_end), text.size());
    *part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  claim.study = text;
  return claim;
}

std::string difference(std::string_view own_text, std::string_view other_text) {
  if (own_text == other_text) return "";
  const Claim own = read_claim(own_text), other = read_claim(other_text);
  if (own.version != other.version)
    return fmt::format("it runs wave {}, rank 0 runs wave {}", other.version, own.version);
  if (own.limits != other.limits)
    return fmt::format("its limits are {}, those of rank 0 are {}", other.limits, own.limits);
  const auto here = analysis::decode_description(own.study), there = analysis::decode_description(other.study);
  auto differences = here && there ? analysis::differences(*there, *here) : std::vector<std::string>();
  if (differences.empty()) differences.emplace_back("what varies has other values");
  return fmt::format("its study is not that of rank 0; compared with that,\n{}", join_texts(differences, "\n"));
}

std::string rank_name(int rank, const std::string& host) {
  return fmt::format("rank {}{}", rank, host.empty() ? "" : " on " + host);
}

int report_no_mpi(Console& console, const std::optional<ranks::Launch>& launch, const std::string& reason,
                  const std::string& help) {
  // Once is enough: rank 0 says it. mpirun ends all where one fails, so the others let it speak first.
  if (launch && launch->rank != 0) {
    std::this_thread::sleep_for(time_to_speak);
    return failure;
  }
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(DiagnosticKind::no_mpi, {},
                            launch && launch->size > 1
                                ? fmt::format("{} started {} programs, which cannot divide the study between them",
                                              launch->launcher, launch->size)
                                : std::string("MPI cannot be used"));
  d.notes.push_back(reason);
  d.help.push_back(help);
  d.help.emplace_back(
      "without MPI: `--shard 1/8 --out 1.part` and so on, then `wave merge`; `--no-mpi` where this is to run alone");
  console.report({}, diagnostics);
  return failure;
}

std::string how_to_get_it(const NoPlugin& none) {
  return none.is_missing ? "it needs MPI where wave is built and where it runs (Debian: libopenmpi-dev and openmpi-bin)"
                         : "install wave and its modules from one build, on all machines";
}

// What rank 0 prints goes through a pipe to the mpirun that started it, and from there perhaps to a terminal.
bool is_mpirun_watched() {
  char file[PATH_MAX];
  const std::string stream = fmt::format("/proc/{}/fd/{}", getppid(), STDERR_FILENO);
  const ssize_t length = readlink(stream.c_str(), file, sizeof file);
  const std::string_view name(file, length > 0 ? static_cast<std::size_t>(length) : 0);
  return name.starts_with("/dev/pts/") || name.starts_with("/dev/tty");
}

}  // namespace

std::string claim_of(const analysis::StudyDescription& study, double point_limit_seconds,
                     const CommonOptions& options) {
  analysis::StudyDescription in_words;
  in_words.version = study.version;
  in_words.file = study.file;
  in_words.model = study.model;
  in_words.study = study.study;
  in_words.arguments = study.arguments;
  in_words.inputs = study.inputs;
  in_words.points = 1;  // as many as no columns make
  return fmt::format("{1}{0}{2} s and {3} bytes for a point{0}{4}{0}{5}", part_end, version, point_limit_seconds,
                     options.memory_limit, hexadecimal(id_of(study)), encode(in_words));
}

MpiJob::MpiJob(std::unique_ptr<ranks::MpiTransport> transport, Console& console)
    : transport_(std::move(transport)), console_(console) {
  if (!leads()) {
    console_.capture();
    return;
  }
  leader_.emplace(*transport_);
  if (is_mpirun_watched()) console_.assume_watched();
}

MpiJob::~MpiJob() {
  if (!ended_ && leave()) transport_->leave();
}

ranks::Work MpiJob::work_of(analysis::ChunkComputer& computer) {
  return {[&](PointRange range) -> std::variant<std::string, ranks::Trouble> {
            auto record = computer.compute(range);
            if (!record) return ranks::Trouble{"it was told to stop"};
            return std::move(*record);
          },
          [this] { stop_ = true; }};
}

bool MpiJob::agree(const std::string& claim) {
  gathered_ = true;
  frontend::Diagnostics diagnostics;
  for (const auto& objection : leader_->gather([&](std::string_view other) { return difference(claim, other); })) {
    auto& d = diagnostics.add(DiagnosticKind::rank_failed, {},
                              rank_name(objection.rank, objection.host) + " cannot take part");
    d.notes.push_back(objection.trouble);
  }
  return console_.report({}, diagnostics);
}

std::optional<analysis::RunEnd> MpiJob::run(analysis::ChunkComputer& computer, const analysis::PointSet& open,
                                            const analysis::RecordSink& sink,
                                            const std::function<void(std::uint64_t points)>& progress,
                                            const std::function<bool()>& is_interrupted, const std::string& kept) {
  analysis::RunEnd end;
  std::uint64_t done = 0;
  const auto take = [&](PointRange range, std::string_view record) {
    if (range.size() > 0) {
      end.trouble = sink(range, record);
      done += range.size();
    }
    if (progress) progress(done);
    end.stopped = is_interrupted();
    return !end.stopped && end.trouble.empty();
  };
  if (const auto objection = leader_->run(open.ranges(), work_of(computer), take)) {
    frontend::Diagnostics diagnostics;
    auto& d =
        diagnostics.add(DiagnosticKind::rank_failed, {}, rank_name(objection->rank, objection->host) + " cannot go on");
    d.notes.push_back(objection->trouble);
    if (!kept.empty()) d.help.push_back(kept);
    console_.report({}, diagnostics);
    return std::nullopt;
  }
  for (std::size_t rank = 0; rank < leader_->accounts().size(); ++rank) {
    const auto& one = leader_->accounts()[rank];
    if (one.lost) {
      console_.remark(fmt::format("{} was lost on the way; others computed its points\n",
                                  rank_name(static_cast<int>(rank), one.host)));
    }
  }
  return end;
}

int MpiJob::serve(analysis::ChunkComputer& computer, const std::string& claim) {
  served_ = true;
  leader_is_there_ = ranks::follow(*transport_, {"", claim, ""}, work_of(computer));
  return success;
}

std::uint64_t MpiJob::computed() const {
  std::uint64_t points = 0;
  for (const auto& one : leader_->accounts()) points += one.points;
  return points;
}

std::string MpiJob::account() const {
  std::string text = transport_->library() + ", " + grouped(leader_->accounts().size()) + " ranks\n";
  for (std::size_t rank = 0; rank < leader_->accounts().size(); ++rank) {
    const auto& one = leader_->accounts()[rank];
    text += fmt::format("{}: {} points in {} chunks, {:.3g} s\n", rank_name(static_cast<int>(rank), one.host),
                        grouped(one.points), grouped(one.chunks), one.seconds);
  }
  return text;
}

// Whether all ranks are about to leave MPI, so that it can be left together.
bool MpiJob::leave() {
  ended_ = true;
  if (leads()) {
    // Ranks that have not said hello are reading the model; what is wrong with them does not matter any more.
    if (!gathered_) leader_->gather([](std::string_view) { return std::string(); });
    return leader_->end();
  }
  if (served_) return leader_is_there_;
  std::string reported = console_.captured();
  while (reported.ends_with('\n')) reported.pop_back();
  return ranks::follow(*transport_, {"", "", reported.empty() ? "it ended before it began" : reported}, {});
}

int MpiJob::end(int code) {
  if (ended_) return code;
  const bool together = leave();
  if (together) {
    transport_->leave();
  } else if (leads()) {
    // A rank is lost, or computes a point that cannot be interrupted. So everything is reported before all ranks are
    // ended.
    code = console_.finish(code);
    transport_->end_all(code);
  }
  // The result is that of rank 0: mpirun gives on what it exits with, and ends the others where one of them fails.
  return leads() ? code : success;
}

Joined join_mpi(MpiChoice choice, bool is_part, Console& console) {
  const bool is_alone = choice == MpiChoice::never || (choice == MpiChoice::automatic && is_part);
  if (is_alone) return {};
  const auto launch = ranks::find_launch([](const char* name) { return std::getenv(name); });
  if (choice == MpiChoice::automatic && (!launch || launch->size == 1)) return {};
  auto started = ranks::start_mpi(ranks::mpi_module_path());
  if (const auto* const none = std::get_if<NoPlugin>(&started))
    return {nullptr, report_no_mpi(console, launch, none->reason, how_to_get_it(*none))};
  auto& transport = std::get<std::unique_ptr<ranks::MpiTransport>>(started);
  if (launch && launch->size != transport->size()) {
    const std::string reason = fmt::format("MPI is {}, and sees {} of them", transport->library(), transport->size());
    transport->leave();
    return {nullptr,
            report_no_mpi(console, launch, reason, "start it with the mpirun of that MPI, or with `srun --mpi=pmix`")};
  }
  return {std::make_unique<MpiJob>(std::move(transport), console), std::nullopt};
}

}  // namespace wave::cli
