// The only code that sees MPI. It uses the C interface of MPI 3.
#include "analysis/study/ranks/mpi/plugin.h"

#include <chrono>
#include <mpi.h>
#include <thread>

namespace wave::ranks {
namespace {

// Messages are counted in an int; longer ones go in pieces of this size, after a head that says how long they are.
constexpr std::size_t most_at_once = std::size_t{1} << 30;
constexpr int head_tag = 1, piece_tag = 2;

MPI_Comm ranks = MPI_COMM_NULL;  // our own, so that nothing else that uses MPI disturbs it
char error_buffer[MPI_MAX_ERROR_STRING];
char host_buffer[MPI_MAX_PROCESSOR_NAME];
char version_buffer[MPI_MAX_LIBRARY_VERSION_STRING];
int probed_rank = -1;

const char* error_text(int error) {
  int length = 0;
  if (MPI_Error_string(error, error_buffer, &length) != MPI_SUCCESS) return "an error of MPI";
  return error_buffer;
}

const char* start(const char** version) {
  int given = 0, length = 0;
  int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  if (error == MPI_SUCCESS && given < MPI_THREAD_FUNNELED) return "this MPI cannot be used by a program with threads";
  if (error == MPI_SUCCESS) error = MPI_Comm_dup(MPI_COMM_WORLD, &ranks);
  if (error != MPI_SUCCESS) return error_text(error);
  // Errors are returned, because the program itself deals with ranks that cannot be reached.
  MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
  MPI_Get_library_version(version_buffer, &length);
  *version = version_buffer;
  return nullptr;
}

int rank() {
  int result = 0;
  MPI_Comm_rank(ranks, &result);
  return result;
}

int size() {
  int result = 1;
  MPI_Comm_size(ranks, &result);
  return result;
}

const char* host() {
  int length = 0;
  return MPI_Get_processor_name(host_buffer, &length) == MPI_SUCCESS ? host_buffer : "";
}

// The size first, so that the receiver can make room; small messages are one with it in all but name.
int send(int to, const void* bytes, std::size_t count) {
  unsigned long long head = count;
  int error = MPI_Send(&head, 1, MPI_UNSIGNED_LONG_LONG, to, head_tag, ranks);
  const char* at = static_cast<const char*>(bytes);
  while (error == MPI_SUCCESS && count > 0) {
    const std::size_t piece = count < most_at_once ? count : most_at_once;
    error = MPI_Send(at, static_cast<int>(piece), MPI_BYTE, to, piece_tag, ranks);
    at += piece;
    count -= piece;
  }
  return error == MPI_SUCCESS ? 0 : error;
}

int probe(int* from, std::size_t* count) {
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, head_tag, ranks, &there, &status) != MPI_SUCCESS) return -1;
  if (!there) return 0;
  unsigned long long head = 0;
  if (MPI_Recv(&head, 1, MPI_UNSIGNED_LONG_LONG, status.MPI_SOURCE, head_tag, ranks, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return -1;
  probed_rank = status.MPI_SOURCE;
  *from = probed_rank;
  *count = static_cast<std::size_t>(head);
  return 1;
}

// Pieces on their way are polled with pauses. Waiting in MPI would keep the processor busy.
int await(MPI_Request* request, double seconds) {
  constexpr std::chrono::microseconds pause(20);
  const double end = MPI_Wtime() + seconds;
  int done = 0;
  for (;;) {
    const int error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS || done) return error;
    if (MPI_Wtime() > end) return MPI_ERR_PENDING;
    std::this_thread::sleep_for(pause);
  }
}

int receive(void* bytes, std::size_t count, double seconds) {
  char* at = static_cast<char*>(bytes);
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && count > 0) {
    const std::size_t piece = count < most_at_once ? count : most_at_once;
    MPI_Request request = MPI_REQUEST_NULL;
    error = MPI_Irecv(at, static_cast<int>(piece), MPI_BYTE, probed_rank, piece_tag, ranks, &request);
    if (error == MPI_SUCCESS) error = await(&request, seconds);
    at += piece;
    count -= piece;
  }
  return error == MPI_SUCCESS ? 0 : error;
}

void leave() {
  MPI_Comm_free(&ranks);
  MPI_Finalize();
}

void end_all(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

constexpr MpiPlugin plugin{WAVE_MPI_ABI, start, rank, size, host, send, probe, receive, error_text, leave, end_all};

}  // namespace
}  // namespace wave::ranks

extern "C" __attribute__((visibility("default"))) const wave::ranks::MpiPlugin* wave_mpi_plugin() {
  return &wave::ranks::plugin;
}
