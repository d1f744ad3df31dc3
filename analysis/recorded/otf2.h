// Traces in OTF2, which Score-P and others write: read into the texts of a recording (recording.h), a line for each
// call of MPI, so that all that is known of a recording holds for them, too.
#pragma once

#include "analysis/recorded/otf2/plugin.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::recorded {

// Makes texts of what a trace has. It knows nothing of the library that reads it.
class Otf2Texts : public otf2::Listener {
 public:
  // All texts together take `most_bytes`.
  explicit Otf2Texts(std::size_t most_bytes) : bytes_left_(most_bytes) {}

  bool define(const otf2::Definitions& definitions) override;
  bool begin(std::uint64_t location) override;
  bool take(const otf2::TraceEvent& event) override;

  // Why there is no recording; empty: there is one, unless the trace itself could not be read.
  const std::string& trouble() const { return trouble_; }
  const std::string& way_on() const { return way_on_; }
  // By rank.
  std::vector<std::string> texts() &&;

 private:
  struct Ended {
    std::size_t request = 0;
    std::int64_t from = -1;  // of a receive
    std::uint64_t bytes = 0;
  };
  // The outermost function of MPI that the process is in.
  struct Call {
    std::string name;  // without `MPI_`
    std::uint64_t entered = 0;
    std::vector<std::string> done{};    // the lines of what it did, without times: "Send 1 8 0 2/0"
    std::vector<std::string> behind{};  // what stands behind the times of each: "q3"
    std::vector<Ended> ended{};
    std::optional<otf2::TraceEvent> sent{}, received{};  // of an exchange
  };

  bool refuse(std::string trouble, std::string way_on);
  bool take_inside(const otf2::TraceEvent& event);
  bool take_message(const otf2::TraceEvent& event, bool is_exchange);
  bool add(const otf2::TraceEvent& event, const char* name, std::string behind);
  bool end_request(const otf2::TraceEvent& event);
  void leave(std::uint64_t time);
  void write(const std::string& what, std::uint64_t since, std::uint64_t inside, const std::string& behind);
  std::optional<std::int64_t> rank_of(const otf2::TraceEvent& event) const;
  std::uint64_t nanoseconds(std::uint64_t from, std::uint64_t to) const;
  bool is_exchange() const;
  std::optional<std::size_t> size_of_communicator(std::uint32_t communicator) const;
  std::size_t request_for(std::uint64_t number);

  otf2::Definitions definitions_;
  std::map<std::uint64_t, std::size_t> rank_of_location_;
  std::vector<std::string> texts_;
  std::string trouble_, way_on_;
  std::size_t bytes_left_;

  // Of the location that is read.
  std::optional<std::size_t> rank_;
  std::optional<std::uint64_t> last_;  // when it left the call before, or the first event
  std::size_t depth_ = 0;              // of functions of MPI within each other
  Call call_;
  std::map<std::uint64_t, std::size_t> requests_;  // those under way, by the number in the trace
  std::vector<std::size_t> free_requests_;
  std::size_t used_requests_ = 0;
};

// Reads the trace with this anchor file and adds a text for each rank to the sources, as read_recording takes them.
// Nothing, with a diagnostic, if it cannot be read, or if this build reads no such traces. `name` is the anchor file as
// the user is shown it.
std::optional<std::vector<std::uint32_t>> read_otf2(const std::string& anchor, const std::string& name,
                                                    std::size_t most_bytes, frontend::Sources& sources,
                                                    frontend::Diagnostics& diagnostics);

// Where the module is that reads them.
std::string otf2_module_path();

}  // namespace wave::analysis::recorded
