/* Records the MPI calls of a program, rank by rank, for `wave check --against`.
 *
 *   mpicc -O2 -shared -fPIC -o recorder.so recorder.c
 *   mpirun -n 8 wave record --library ./recorder.so -o run ./program ...
 *
 * or linked into a program that is static: mpicc program.c recorder.c. Every rank writes a text into the folder that
 * WAVE_RECORD names: a line for each call (docs/recordings.md). Nothing that a program sends is looked at, and no name of
 * a host or a user is written. Without WAVE_RECORD nothing is recorded.
 *
 * It wraps MPI's profiling interface in C, and of Open MPI also Fortran's, both `use mpi` and `use mpi_f08`, which do not
 * call C's there. Under MPICH `use mpi` calls C's, and `use mpi_f08` is not recorded. The library must be compiled with
 * the mpicc of the MPI that the program runs under.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the file ---- */

static FILE *out;
static char path[4096];        /* of the whole file; while it is written, ".part" is behind it */
static int own_rank, ranks;    /* in MPI_COMM_WORLD */
static int is_paused;          /* by MPI_Pcontrol(0) */
static double last_return;     /* from the call before, in ns */
static double last_flush;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const double between_flushes = 5e9;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void begin_recording(void) {
  const char *folder = getenv("WAVE_RECORD");
  PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  last_return = last_flush = now();
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (!folder || out || parent != MPI_COMM_NULL) return; /* what was spawned has a world of its own */
  char part[4096 + 8];
  if (snprintf(path, sizeof path, "%s/r%05d.txt", folder, own_rank) >= (int)sizeof path) return;
  snprintf(part, sizeof part, "%s.part", path);
  out = access(path, F_OK) == 0 ? NULL : fopen(part, "wx"); /* over no other recording */
  if (!out) {
    fprintf(stderr, "recorder: %s cannot be written or is there already, so rank %d is not recorded\n", part, own_rank);
    return;
  }
  setvbuf(out, NULL, _IOFBF, 1 << 20);
  fprintf(out, "#rank %d of %d\n", own_rank, ranks);
  fflush(out);
}

/* The file takes its name when it is whole. */
static void end_recording(void) {
  if (!out) return;
  char part[4096 + 8];
  snprintf(part, sizeof part, "%s.part", path);
  const int is_whole = !ferror(out) && fclose(out) == 0;
  out = NULL;
  if (!is_whole || rename(part, path) != 0)
    fprintf(stderr, "recorder: %s could not be finished; what there is of it is in %s\n", path, part);
}

/* ---- communicators: by their members ---- */

struct communicator {
  MPI_Comm handle;
  int size;
  unsigned digest; /* of the members; 0: all, in the order of MPI_COMM_WORLD */
  int *members;    /* their ranks in MPI_COMM_WORLD */
};
static struct communicator *communicators;
static int communicator_count;

static int *world_ranks(MPI_Group group, int size) {
  MPI_Group world;
  int *own = malloc(sizeof *own * (size_t)(size + 1)), *result = malloc(sizeof *result * (size_t)(size + 1));
  if (!own || !result) abort();
  for (int i = 0; i < size; ++i) own[i] = i;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, size, own, world, result);
  PMPI_Group_free(&world);
  free(own);
  return result;
}

static const struct communicator *communicator_of(MPI_Comm handle) {
  for (int k = communicator_count - 1; k >= 0; --k) {
    if (communicators[k].handle == handle) return &communicators[k];
  }
  struct communicator made = {handle, 0, 0, NULL};
  MPI_Group group;
  int is_inter = 0;
  PMPI_Comm_test_inter(handle, &is_inter);
  if (is_inter) { /* peers are those of the other side */
    PMPI_Comm_remote_size(handle, &made.size);
    PMPI_Comm_remote_group(handle, &group);
  } else {
    PMPI_Comm_size(handle, &made.size);
    PMPI_Comm_group(handle, &group);
  }
  made.members = world_ranks(group, made.size);
  PMPI_Group_free(&group);
  int is_world = made.size == ranks;
  unsigned digest = 2166136261u; /* FNV-1a, by member */
  for (int i = 0; i < made.size; ++i) {
    digest = (digest ^ (unsigned)made.members[i]) * 16777619u;
    is_world = is_world && made.members[i] == i;
  }
  made.digest = is_world ? 0 : digest % 0xffff + 1;
  communicators = realloc(communicators, sizeof *communicators * (size_t)(communicator_count + 1));
  if (!communicators) abort();
  communicators[communicator_count] = made;
  return &communicators[communicator_count++];
}
static void forget_communicator(MPI_Comm handle) {
  for (int k = 0; k < communicator_count; ++k) {
    if (communicators[k].handle != handle) continue;
    free(communicators[k].members);
    communicators[k] = communicators[--communicator_count];
    return;
  }
}

enum { nobody = -1, anybody = -2 };
static int peer_of(MPI_Comm handle, int rank) {
  if (rank == MPI_PROC_NULL) return nobody;
  if (rank == MPI_ANY_SOURCE) return anybody;
  const struct communicator *found = communicator_of(handle);
  return rank >= 0 && rank < found->size && found->members[rank] >= 0 ? found->members[rank] : nobody;
}

static long bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return size > 0 ? (long)count * (long)size : 0;
}
static long received(const MPI_Status *status) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  return bytes > 0 ? (long)bytes : 0;
}

/* ---- lines ---- */

/* What a call writes behind its fields. */
struct more {
  char *text;
  size_t length, room;
};
static void append(struct more *more, const char *format, ...) {
  va_list list;
  if (more->room < more->length + 64) {
    more->room = 2 * more->room + 256;
    more->text = realloc(more->text, more->room);
    if (!more->text) abort();
  }
  va_start(list, format);
  more->length += (size_t)vsnprintf(more->text + more->length, 64, format, list);
  va_end(list);
}

static void record(const char *call, int peer, long bytes, int tag, MPI_Comm handle, double began, struct more *more) {
  const double ended = now();
  if (out && (!is_paused || strstr(call, "_init"))) { /* of persistent requests, which may be started later */
    const struct communicator *among = handle == MPI_COMM_NULL ? NULL : communicator_of(handle);
    fprintf(out, "%s %d %ld %d %d/%04x %.0f %.0f%s%s\n", call, peer, bytes, tag, among ? among->size : 0,
            among ? among->digest : 0, began - last_return, ended - began, more && more->text ? " " : "",
            more && more->text ? more->text : "");
    if (ended - last_flush > between_flushes) {
      fflush(out);
      last_flush = ended;
    }
  }
  if (more) free(more->text);
  last_return = now();
}

/* ---- requests: numbered as they are made ---- */

/* An MPI may give one handle to many requests that have nothing left to do, so where a request is kept tells them apart:
 * in the program's variable, of Fortran an integer. */
static _Thread_local const MPI_Fint *fortran_requests; /* NULL: the caller is written in C */
static const void *place_of(const MPI_Request *handles, int index) {
  return fortran_requests ? (const void *)(fortran_requests + index) : (const void *)(handles + index);
}

struct request {
  MPI_Request handle;
  const void *place;
  long number;
  int peer, is_receive, is_persistent;
  MPI_Comm communicator;
  int *members; /* of the communicator, where that was freed before; else NULL */
};
static struct request *requests;
static int request_count, request_room;
static long next_request;

static long add_request(const MPI_Request *handle, int peer, int is_receive, int is_persistent, MPI_Comm communicator) {
  if (request_count == request_room) {
    request_room = 2 * request_room + 64;
    requests = realloc(requests, sizeof *requests * (size_t)request_room);
    if (!requests) abort();
  }
  requests[request_count++] = (struct request){*handle, place_of(handle, 0), next_request, peer, is_receive, is_persistent,
                                               communicator, NULL};
  return next_request++;
}
/* The one that is kept there, or else the oldest with that handle, since programs copy handles. */
static struct request *find_request(MPI_Request handle, const void *place) {
  struct request *oldest = NULL;
  for (int k = request_count - 1; k >= 0; --k) {
    struct request *const one = &requests[k];
    if (one->handle != handle) continue;
    if (one->place == place) return one;
    if (!oldest || one->number < oldest->number) oldest = one;
  }
  return oldest;
}
static void drop_request(struct request *one) {
  free(one->members);
  *one = requests[--request_count];
}
static void end_request(MPI_Request handle, const void *place, const MPI_Status *status, struct more *more) {
  struct request *found = handle == MPI_REQUEST_NULL ? NULL : find_request(handle, place);
  if (!found) return;
  if (found->peer != nobody) {
    append(more, "%sq%ld", more->length ? " " : "", found->number);
    if (found->peer == anybody && status->MPI_SOURCE >= 0)
      append(more, ":from%d",
             found->members ? found->members[status->MPI_SOURCE] : peer_of(found->communicator, status->MPI_SOURCE));
    if (found->is_receive) append(more, ":%ld", received(status));
  }
  if (!found->is_persistent) drop_request(found);
}
/* A communicator may be freed while messages in it are under way. */
static void keep_members(MPI_Comm handle) {
  for (int k = 0; k < request_count; ++k) {
    struct request *const one = &requests[k];
    if (one->communicator != handle || one->peer != anybody || one->members) continue;
    const struct communicator *const found = communicator_of(handle);
    one->members = malloc(sizeof(int) * (size_t)(found->size + 1));
    if (!one->members) abort();
    memcpy(one->members, found->members, sizeof(int) * (size_t)found->size);
  }
}
static MPI_Request *copy_of(const MPI_Request *handles, int count) {
  MPI_Request *copy = malloc(sizeof *copy * (size_t)(count + 1));
  if (!copy) abort();
  memcpy(copy, handles, sizeof *copy * (size_t)count);
  return copy;
}
static MPI_Status *statuses_for(MPI_Status *given, int count) {
  if (given != MPI_STATUSES_IGNORE) return given;
  MPI_Status *made = malloc(sizeof *made * (size_t)(count + 1));
  if (!made) abort();
  return made;
}

#define ENTER             \
  const double began = now(); \
  struct more more = {NULL, 0, 0}; \
  (void)more;
#define RECORD(...)             \
  pthread_mutex_lock(&lock);    \
  __VA_ARGS__;                  \
  pthread_mutex_unlock(&lock);

/* ---- the beginning and the end ---- */

int MPI_Init(int *count, char ***arguments) {
  const int result = PMPI_Init(count, arguments);
  begin_recording();
  return result;
}
int MPI_Init_thread(int *count, char ***arguments, int required, int *provided) {
  const int result = PMPI_Init_thread(count, arguments, required, provided);
  begin_recording();
  return result;
}
int MPI_Finalize(void) {
  pthread_mutex_lock(&lock);
  record("Finalize", nobody, 0, 0, MPI_COMM_NULL, now(), NULL);
  end_recording();
  pthread_mutex_unlock(&lock);
  return PMPI_Finalize();
}
int MPI_Abort(MPI_Comm communicator, int code) {
  pthread_mutex_lock(&lock);
  if (out) fflush(out);
  pthread_mutex_unlock(&lock);
  return PMPI_Abort(communicator, code);
}
int MPI_Pcontrol(const int level, ...) {
  pthread_mutex_lock(&lock);
  is_paused = level == 0;
  if (level == 2 && out) fflush(out);
  pthread_mutex_unlock(&lock);
  return MPI_SUCCESS;
}

/* ---- messages ---- */

#define SEND(NAME)                                                                                        \
  int MPI_##NAME(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm among) {        \
    ENTER                                                                                                 \
    const int result = PMPI_##NAME(data, count, type, to, tag, among);                                     \
    RECORD(record(#NAME, peer_of(among, to), bytes_of(count, type), tag, among, began, NULL))              \
    return result;                                                                                        \
  }
SEND(Send)
SEND(Ssend)
SEND(Bsend)
SEND(Rsend)

#define START_SEND(NAME, IS_PERSISTENT)                                                                    \
  int MPI_##NAME(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm among,           \
                 MPI_Request *request) {                                                                  \
    ENTER                                                                                                 \
    const int result = PMPI_##NAME(data, count, type, to, tag, among, request);                            \
    RECORD(append(&more, "q%ld", add_request(request, peer_of(among, to), 0, IS_PERSISTENT, among));                          \
           record(#NAME, peer_of(among, to), bytes_of(count, type), tag, among, began, &more))             \
    return result;                                                                                        \
  }
START_SEND(Isend, 0)
START_SEND(Issend, 0)
START_SEND(Ibsend, 0)
START_SEND(Irsend, 0)
START_SEND(Send_init, 1)
START_SEND(Ssend_init, 1)
START_SEND(Bsend_init, 1)
START_SEND(Rsend_init, 1)

#define POST_RECEIVE(NAME, IS_PERSISTENT)                                                                  \
  int MPI_##NAME(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm among,               \
                 MPI_Request *request) {                                                                  \
    ENTER                                                                                                 \
    const int result = PMPI_##NAME(data, count, type, from, tag, among, request);                          \
    RECORD(append(&more, "q%ld", add_request(request, peer_of(among, from), 1, IS_PERSISTENT, among));     \
           record(#NAME, peer_of(among, from), bytes_of(count, type), tag == MPI_ANY_TAG ? -1 : tag,       \
                  among, began, &more))                                                                   \
    return result;                                                                                        \
  }
POST_RECEIVE(Irecv, 0)
POST_RECEIVE(Recv_init, 1)

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Recv(data, count, type, from, tag, among, found);
  RECORD(append(&more, "cap%ld", bytes_of(count, type));
         if (from == MPI_ANY_SOURCE) append(&more, " from%d", peer_of(among, found->MPI_SOURCE));
         record("Recv", peer_of(among, from), received(found), tag == MPI_ANY_TAG ? -1 : tag, among, began, &more))
  return result;
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *into, int room,
                 MPI_Datatype room_type, int from, int from_tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result =
      PMPI_Sendrecv(data, count, type, to, tag, into, room, room_type, from, from_tag, among, found);
  RECORD(append(&more, "from%d got%ld", peer_of(among, found->MPI_SOURCE), received(found));
         record("Sendrecv", peer_of(among, to), bytes_of(count, type), tag, among, began, &more))
  return result;
}
int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Sendrecv_replace(data, count, type, to, tag, from, from_tag, among, found);
  RECORD(append(&more, "from%d got%ld", peer_of(among, found->MPI_SOURCE), received(found));
         record("Sendrecv", peer_of(among, to), bytes_of(count, type), tag, among, began, &more))
  return result;
}

int MPI_Probe(int from, int tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  const int result = PMPI_Probe(from, tag, among, status);
  RECORD(record("Probe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began, NULL))
  return result;
}
int MPI_Iprobe(int from, int tag, MPI_Comm among, int *is_there, MPI_Status *status) {
  ENTER
  const int result = PMPI_Iprobe(from, tag, among, is_there, status);
  if (*is_there) {
    RECORD(record("Iprobe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began, NULL))
  }
  return result;
}

int MPI_Start(MPI_Request *request) {
  ENTER
  const int result = PMPI_Start(request);
  RECORD(const struct request *found = find_request(*request, place_of(request, 0)); if (found) append(&more, "q%ld", found->number);
         record("Start", nobody, 0, 0, MPI_COMM_NULL, began, &more))
  return result;
}
int MPI_Startall(int count, MPI_Request *handles) {
  ENTER
  const int result = PMPI_Startall(count, handles);
  RECORD(for (int i = 0; i < count; ++i) {
    const struct request *found = find_request(handles[i], place_of(handles, i));
    if (found) append(&more, "%sq%ld", more.length ? " " : "", found->number);
  } record("Startall", nobody, count, 0, MPI_COMM_NULL, began, &more))
  return result;
}
int MPI_Request_free(MPI_Request *request) {
  const MPI_Request old = *request;
  const int result = PMPI_Request_free(request);
  RECORD(struct request *found = find_request(old, place_of(request, 0)); if (found) drop_request(found))
  return result;
}

/* Waits, and tests that found something. */
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  ENTER
  const MPI_Request old = *request;
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Wait(request, found);
  RECORD(end_request(old, place_of(request, 0), found, &more); record("Wait", nobody, 1, 0, MPI_COMM_NULL, began, &more))
  return result;
}
int MPI_Test(MPI_Request *request, int *is_done, MPI_Status *status) {
  ENTER
  const MPI_Request old = *request;
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Test(request, is_done, found);
  if (*is_done) {
    RECORD(end_request(old, place_of(request, 0), found, &more); record("Test", nobody, 1, 0, MPI_COMM_NULL, began, &more))
  }
  return result;
}
int MPI_Waitall(int count, MPI_Request *handles, MPI_Status *statuses) {
  ENTER
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status *const found = statuses_for(statuses, count);
  const int result = PMPI_Waitall(count, handles, found);
  RECORD(for (int i = 0; i < count; ++i) end_request(old[i], place_of(handles, i), &found[i], &more);
         record("Waitall", nobody, count, 0, MPI_COMM_NULL, began, &more))
  if (found != statuses) free(found);
  free(old);
  return result;
}
int MPI_Testall(int count, MPI_Request *handles, int *are_done, MPI_Status *statuses) {
  ENTER
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status *const found = statuses_for(statuses, count);
  const int result = PMPI_Testall(count, handles, are_done, found);
  if (*are_done) {
    RECORD(for (int i = 0; i < count; ++i) end_request(old[i], place_of(handles, i), &found[i], &more);
           record("Testall", nobody, count, 0, MPI_COMM_NULL, began, &more))
  }
  if (found != statuses) free(found);
  free(old);
  return result;
}
int MPI_Waitany(int count, MPI_Request *handles, int *index, MPI_Status *status) {
  ENTER
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Waitany(count, handles, index, found);
  RECORD(if (*index != MPI_UNDEFINED) end_request(old[*index], place_of(handles, *index), found, &more);
         record("Waitany", nobody, count, 0, MPI_COMM_NULL, began, &more))
  free(old);
  return result;
}
int MPI_Testany(int count, MPI_Request *handles, int *index, int *is_done, MPI_Status *status) {
  ENTER
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Testany(count, handles, index, is_done, found);
  if (*is_done && *index != MPI_UNDEFINED) {
    RECORD(end_request(old[*index], place_of(handles, *index), found, &more); record("Testany", nobody, count, 0, MPI_COMM_NULL, began, &more))
  }
  free(old);
  return result;
}
#define SOME(NAME)                                                                                        \
  int MPI_##NAME(int count, MPI_Request *handles, int *done, int *indices, MPI_Status *statuses) {         \
    ENTER                                                                                                 \
    MPI_Request *const old = copy_of(handles, count);                                                     \
    MPI_Status *const found = statuses_for(statuses, count);                                              \
    const int result = PMPI_##NAME(count, handles, done, indices, found);                                  \
    if (*done != MPI_UNDEFINED && *done > 0) {                                                            \
      RECORD(for (int i = 0; i < *done; ++i) end_request(old[indices[i]], place_of(handles, indices[i]), &found[i], &more);               \
             record(#NAME, nobody, count, 0, MPI_COMM_NULL, began, &more))                                 \
    }                                                                                                     \
    if (found != statuses) free(found);                                                                   \
    free(old);                                                                                            \
    return result;                                                                                        \
  }
SOME(Waitsome)
SOME(Testsome)

/* ---- collectives: the bytes that one process has, of all parts together where they differ ---- */

static int size_of(MPI_Comm among) { /* of its own side */
  int size = 0;
  PMPI_Comm_size(among, &size);
  return size;
}
static long sum_of(const int *counts, MPI_Datatype type, MPI_Comm among) {
  long sum = 0;
  for (int i = 0; i < size_of(among); ++i) sum += bytes_of(counts[i], type);
  return sum;
}

#define COLLECTIVE(NAME, ROOT, BYTES, PARAMETERS, ARGUMENTS)               \
  int MPI_##NAME PARAMETERS {                                              \
    ENTER                                                                  \
    const int result = PMPI_##NAME ARGUMENTS;                               \
    RECORD(record(#NAME, ROOT, BYTES, 0, among, began, NULL))              \
    return result;                                                         \
  }
COLLECTIVE(Barrier, nobody, 0, (MPI_Comm among), (among))
COLLECTIVE(Bcast, peer_of(among, root), bytes_of(count, type),
           (void *data, int count, MPI_Datatype type, int root, MPI_Comm among), (data, count, type, root, among))
COLLECTIVE(Reduce, peer_of(among, root), bytes_of(count, type),
           (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm among),
           (data, into, count, type, op, root, among))
COLLECTIVE(Allreduce, nobody, bytes_of(count, type),
           (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm among),
           (data, into, count, type, op, among))
COLLECTIVE(Scan, nobody, bytes_of(count, type),
           (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm among),
           (data, into, count, type, op, among))
COLLECTIVE(Exscan, nobody, bytes_of(count, type),
           (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm among),
           (data, into, count, type, op, among))
COLLECTIVE(Gather, peer_of(among, root), data == MPI_IN_PLACE ? bytes_of(room, room_type) : bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, int root,
            MPI_Comm among),
           (data, count, type, into, room, room_type, root, among))
COLLECTIVE(Gatherv, peer_of(among, root), data == MPI_IN_PLACE ? 0 : bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, const int *rooms, const int *places,
            MPI_Datatype room_type, int root, MPI_Comm among),
           (data, count, type, into, rooms, places, room_type, root, among))
COLLECTIVE(Scatter, peer_of(among, root), into == MPI_IN_PLACE ? bytes_of(count, type) : bytes_of(room, room_type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, int root,
            MPI_Comm among),
           (data, count, type, into, room, room_type, root, among))
COLLECTIVE(Scatterv, peer_of(among, root), into == MPI_IN_PLACE ? 0 : bytes_of(room, room_type),
           (const void *data, const int *counts, const int *places, MPI_Datatype type, void *into, int room,
            MPI_Datatype room_type, int root, MPI_Comm among),
           (data, counts, places, type, into, room, room_type, root, among))
COLLECTIVE(Allgather, nobody, data == MPI_IN_PLACE ? bytes_of(room, room_type) : bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, room, room_type, among))
COLLECTIVE(Allgatherv, nobody, data == MPI_IN_PLACE ? 0 : bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, const int *rooms, const int *places,
            MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, rooms, places, room_type, among))
COLLECTIVE(Alltoall, nobody, data == MPI_IN_PLACE ? bytes_of(room, room_type) : bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, room, room_type, among))
COLLECTIVE(Alltoallv, nobody, data == MPI_IN_PLACE ? sum_of(rooms, room_type, among) : sum_of(counts, type, among),
           (const void *data, const int *counts, const int *places, MPI_Datatype type, void *into, const int *rooms,
            const int *room_places, MPI_Datatype room_type, MPI_Comm among),
           (data, counts, places, type, into, rooms, room_places, room_type, among))
COLLECTIVE(Reduce_scatter, nobody, sum_of(counts, type, among),
           (const void *data, void *into, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm among),
           (data, into, counts, type, op, among))
COLLECTIVE(Reduce_scatter_block, nobody, bytes_of(count, type) * size_of(among),
           (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm among),
           (data, into, count, type, op, among))

#define STARTED(NAME, BYTES, PARAMETERS, ARGUMENTS)                                          \
  int MPI_##NAME PARAMETERS {                                                                \
    ENTER                                                                                    \
    const int result = PMPI_##NAME ARGUMENTS;                                                 \
    RECORD(append(&more, "q%ld", add_request(request, 0, 0, 0, among));                         \
           record(#NAME, nobody, BYTES, 0, among, began, &more))                              \
    return result;                                                                           \
  }
STARTED(Ibarrier, 0, (MPI_Comm among, MPI_Request *request), (among, request))
STARTED(Ibcast, bytes_of(count, type),
        (void *data, int count, MPI_Datatype type, int root, MPI_Comm among, MPI_Request *request),
        (data, count, type, root, among, request))
STARTED(Iallreduce, bytes_of(count, type),
        (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm among, MPI_Request *request),
        (data, into, count, type, op, among, request))
STARTED(Ireduce, bytes_of(count, type),
        (const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm among,
         MPI_Request *request),
        (data, into, count, type, op, root, among, request))
STARTED(Ialltoall, bytes_of(count, type),
        (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among,
         MPI_Request *request),
        (data, count, type, into, room, room_type, among, request))
STARTED(Iallgather, bytes_of(count, type),
        (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among,
         MPI_Request *request),
        (data, count, type, into, room, room_type, among, request))

/* ---- communicators that are made ---- */

#define MAKE(NAME, PARAMETERS, ARGUMENTS) COLLECTIVE(NAME, nobody, 0, PARAMETERS, ARGUMENTS)
MAKE(Comm_split, (MPI_Comm among, int colour, int key, MPI_Comm *made), (among, colour, key, made))
MAKE(Comm_dup, (MPI_Comm among, MPI_Comm *made), (among, made))
MAKE(Comm_create, (MPI_Comm among, MPI_Group group, MPI_Comm *made), (among, group, made))
MAKE(Cart_sub, (MPI_Comm among, const int *remain, MPI_Comm *made), (among, remain, made))
int MPI_Cart_create(MPI_Comm among, int axes, const int *extents, const int *wraps, int reorder, MPI_Comm *made) {
  ENTER
  const int result = PMPI_Cart_create(among, axes, extents, wraps, reorder, made);
  RECORD(for (int i = 0; i < axes; ++i) append(&more, "%s%d%s", i ? "x" : "", extents[i], wraps[i] ? "w" : "");
         record("Cart_create", nobody, 0, 0, among, began, &more))
  return result;
}
int MPI_Comm_free(MPI_Comm *handle) {
  RECORD(keep_members(*handle); forget_communicator(*handle))
  return PMPI_Comm_free(handle);
}
int MPI_Comm_disconnect(MPI_Comm *handle) {
  RECORD(keep_members(*handle); forget_communicator(*handle))
  return PMPI_Comm_disconnect(handle);
}

#ifdef OPEN_MPI
/* ---- Fortran, which calls C's wrappers under MPICH, but not under Open MPI ---- */

/* Each is there for `use mpi` and, with `_f08`, for `use mpi_f08`, whose last argument may be missing. */

extern int mpi_fortran_in_place_ __attribute__((weak)), mpi_fortran_bottom_ __attribute__((weak));
static void *buffer(void *given) {
  if (&mpi_fortran_in_place_ && given == (void *)&mpi_fortran_in_place_) return MPI_IN_PLACE;
  if (&mpi_fortran_bottom_ && given == (void *)&mpi_fortran_bottom_) return MPI_BOTTOM;
  return given;
}
typedef MPI_Fint F;
static MPI_Comm comm(const F *handle) { return MPI_Comm_f2c(*handle); }
static MPI_Datatype type_of(const F *handle) { return MPI_Type_f2c(*handle); }
static MPI_Op op_of(const F *handle) { return MPI_Op_f2c(*handle); }
static void give_status(const MPI_Status *status, F *into) {
  if (into != MPI_F_STATUS_IGNORE) PMPI_Status_c2f(status, into);
}
static void give_error(F *error, int code) {
  if (error) *error = code;
}
enum { status_words = sizeof(MPI_Status) / sizeof(F) };

/* Defines `mpi_NAME_` and `mpi_NAME_f08_`; ARGUMENTS are those before the error. */
#define BOTH(NAME, PARAMETERS, ARGUMENTS, CODE)                                        \
  static int fortran_##NAME PARAMETERS { CODE }                                        \
  BOTH_NAMES(NAME, PARAMETERS, ARGUMENTS)
#define WITH_ERROR(...) (__VA_ARGS__, F *error)
#define STRIP(...) __VA_ARGS__
#define BOTH_NAMES(NAME, PARAMETERS, ARGUMENTS)                                        \
  void mpi_##NAME##_ WITH_ERROR(STRIP PARAMETERS) { give_error(error, fortran_##NAME ARGUMENTS); } \
  void mpi_##NAME##_f08_ WITH_ERROR(STRIP PARAMETERS) { give_error(error, fortran_##NAME ARGUMENTS); }

void mpi_init_(F *error) { give_error(error, MPI_Init(NULL, NULL)); }
void mpi_init_f08_(F *error) { give_error(error, MPI_Init(NULL, NULL)); }
void mpi_finalize_(F *error) { give_error(error, MPI_Finalize()); }
void mpi_finalize_f08_(F *error) { give_error(error, MPI_Finalize()); }
BOTH(init_thread, (F *required, F *provided), (required, provided), {
  int level;
  const int code = MPI_Init_thread(NULL, NULL, *required, &level);
  *provided = level;
  return code;
})

#define FORTRAN_SEND(LOWER, NAME)                                                                          \
  BOTH(LOWER, (void *data, F *count, F *type, F *to, F *tag, F *among), (data, count, type, to, tag, among), \
       { return MPI_##NAME(buffer(data), *count, type_of(type), *to, *tag, comm(among)); })
FORTRAN_SEND(send, Send)
FORTRAN_SEND(ssend, Ssend)
FORTRAN_SEND(bsend, Bsend)
FORTRAN_SEND(rsend, Rsend)

#define FORTRAN_START(LOWER, NAME)                                                                          \
  BOTH(LOWER, (void *data, F *count, F *type, F *to, F *tag, F *among, F *request),                          \
       (data, count, type, to, tag, among, request), {                                                      \
         MPI_Request made;                                                                                  \
         fortran_requests = request;                                                                        \
         const int code = MPI_##NAME(buffer(data), *count, type_of(type), *to, *tag, comm(among), &made);     \
         fortran_requests = NULL;                                                                           \
         *request = PMPI_Request_c2f(made);                                                                  \
         return code;                                                                                       \
       })
FORTRAN_START(isend, Isend)
FORTRAN_START(issend, Issend)
FORTRAN_START(ibsend, Ibsend)
FORTRAN_START(irsend, Irsend)
FORTRAN_START(irecv, Irecv)
FORTRAN_START(send_init, Send_init)
FORTRAN_START(ssend_init, Ssend_init)
FORTRAN_START(recv_init, Recv_init)

BOTH(recv, (void *data, F *count, F *type, F *from, F *tag, F *among, F *status),
     (data, count, type, from, tag, among, status), {
       MPI_Status found;
       const int code = MPI_Recv(buffer(data), *count, type_of(type), *from, *tag, comm(among), &found);
       give_status(&found, status);
       return code;
     })
BOTH(sendrecv,
     (void *data, F *count, F *type, F *to, F *tag, void *into, F *room, F *room_type, F *from, F *from_tag, F *among,
      F *status),
     (data, count, type, to, tag, into, room, room_type, from, from_tag, among, status), {
       MPI_Status found;
       const int code = MPI_Sendrecv(buffer(data), *count, type_of(type), *to, *tag, buffer(into), *room,
                                     type_of(room_type), *from, *from_tag, comm(among), &found);
       give_status(&found, status);
       return code;
     })
BOTH(sendrecv_replace,
     (void *data, F *count, F *type, F *to, F *tag, F *from, F *from_tag, F *among, F *status),
     (data, count, type, to, tag, from, from_tag, among, status), {
       MPI_Status found;
       const int code = MPI_Sendrecv_replace(buffer(data), *count, type_of(type), *to, *tag, *from, *from_tag,
                                             comm(among), &found);
       give_status(&found, status);
       return code;
     })
BOTH(probe, (F *from, F *tag, F *among, F *status), (from, tag, among, status), {
  MPI_Status found;
  const int code = MPI_Probe(*from, *tag, comm(among), &found);
  give_status(&found, status);
  return code;
})

/* Calls of C with handles that Fortran keeps in `given`. */
static MPI_Request *handles_of(const F *given, int count) {
  MPI_Request *handles = malloc(sizeof *handles * (size_t)(count + 1));
  if (!handles) abort();
  for (int i = 0; i < count; ++i) handles[i] = PMPI_Request_f2c(given[i]);
  fortran_requests = given;
  return handles;
}
static void give_handles(MPI_Request *handles, F *into, int count) {
  for (int i = 0; i < count; ++i) into[i] = PMPI_Request_c2f(handles[i]);
  fortran_requests = NULL;
  free(handles);
}
static void give_statuses(MPI_Status *found, F *into, int count) {
  for (int i = 0; i < count && into != MPI_F_STATUSES_IGNORE; ++i) PMPI_Status_c2f(&found[i], into + i * status_words);
  free(found);
}
#define WITH_HANDLES(COUNT, CALL)                        \
  MPI_Request *const handles = handles_of(given, COUNT); \
  const int code = CALL;                                 \
  give_handles(handles, given, COUNT);

BOTH(start, (F *given), (given), {
  WITH_HANDLES(1, MPI_Start(handles))
  return code;
})
BOTH(startall, (F *count, F *given), (count, given), {
  WITH_HANDLES(*count, MPI_Startall(*count, handles))
  return code;
})
BOTH(request_free, (F *given), (given), {
  WITH_HANDLES(1, MPI_Request_free(handles))
  return code;
})
BOTH(wait, (F *given, F *status), (given, status), {
  MPI_Status found;
  WITH_HANDLES(1, MPI_Wait(handles, &found))
  give_status(&found, status);
  return code;
})
BOTH(test, (F *given, F *is_done, F *status), (given, is_done, status), {
  MPI_Status found;
  int done;
  WITH_HANDLES(1, MPI_Test(handles, &done, &found))
  *is_done = done ? 1 : 0;
  if (done) give_status(&found, status);
  return code;
})
BOTH(waitall, (F *count, F *given, F *statuses), (count, given, statuses), {
  MPI_Status *const found = statuses_for(MPI_STATUSES_IGNORE, *count);
  WITH_HANDLES(*count, MPI_Waitall(*count, handles, found))
  give_statuses(found, statuses, *count);
  return code;
})
BOTH(testall, (F *count, F *given, F *are_done, F *statuses), (count, given, are_done, statuses), {
  MPI_Status *const found = statuses_for(MPI_STATUSES_IGNORE, *count);
  int done;
  WITH_HANDLES(*count, MPI_Testall(*count, handles, &done, found))
  *are_done = done ? 1 : 0;
  give_statuses(found, statuses, done ? *count : 0);
  return code;
})
BOTH(waitany, (F *count, F *given, F *index, F *status), (count, given, index, status), {
  MPI_Status found;
  int at;
  WITH_HANDLES(*count, MPI_Waitany(*count, handles, &at, &found))
  *index = at == MPI_UNDEFINED ? at : at + 1;
  give_status(&found, status);
  return code;
})
BOTH(testany, (F *count, F *given, F *index, F *is_done, F *status), (count, given, index, is_done, status), {
  MPI_Status found;
  int at;
  int done;
  WITH_HANDLES(*count, MPI_Testany(*count, handles, &at, &done, &found))
  *is_done = done ? 1 : 0;
  *index = at == MPI_UNDEFINED ? at : at + 1;
  if (done) give_status(&found, status);
  return code;
})
#define FORTRAN_SOME(LOWER, NAME)                                                                     \
  BOTH(LOWER, (F *count, F *given, F *done, F *indices, F *statuses),                                   \
       (count, given, done, indices, statuses), {                                                     \
         MPI_Status *const found = statuses_for(MPI_STATUSES_IGNORE, *count);                          \
         WITH_HANDLES(*count, MPI_##NAME(*count, handles, done, indices, found))                       \
         const int some = *done == MPI_UNDEFINED ? 0 : *done;                                          \
         for (int i = 0; i < some; ++i) ++indices[i];                                                  \
         give_statuses(found, statuses, some);                                                        \
         return code;                                                                                 \
       })
FORTRAN_SOME(waitsome, Waitsome)
FORTRAN_SOME(testsome, Testsome)
BOTH(iprobe, (F *from, F *tag, F *among, F *is_there, F *status), (from, tag, among, is_there, status), {
  MPI_Status found;
  int there;
  const int code = MPI_Iprobe(*from, *tag, comm(among), &there, &found);
  *is_there = there ? 1 : 0;
  if (there) give_status(&found, status);
  return code;
})
BOTH(abort, (F *among, F *exit_code), (among, exit_code), { return MPI_Abort(comm(among), *exit_code); })
void mpi_pcontrol_(const F *level) { MPI_Pcontrol(*level); }
void mpi_pcontrol_f08_(const F *level) { MPI_Pcontrol(*level); }

BOTH(barrier, (F *among), (among), { return MPI_Barrier(comm(among)); })
BOTH(bcast, (void *data, F *count, F *type, F *root, F *among), (data, count, type, root, among),
     { return MPI_Bcast(buffer(data), *count, type_of(type), *root, comm(among)); })
BOTH(reduce, (void *data, void *into, F *count, F *type, F *op, F *root, F *among),
     (data, into, count, type, op, root, among),
     { return MPI_Reduce(buffer(data), buffer(into), *count, type_of(type), op_of(op), *root, comm(among)); })
BOTH(allreduce, (void *data, void *into, F *count, F *type, F *op, F *among), (data, into, count, type, op, among),
     { return MPI_Allreduce(buffer(data), buffer(into), *count, type_of(type), op_of(op), comm(among)); })
BOTH(scan, (void *data, void *into, F *count, F *type, F *op, F *among), (data, into, count, type, op, among),
     { return MPI_Scan(buffer(data), buffer(into), *count, type_of(type), op_of(op), comm(among)); })
#define FORTRAN_ROOTED(LOWER, NAME)                                                                       \
  BOTH(LOWER, (void *data, F *count, F *type, void *into, F *room, F *room_type, F *root, F *among),        \
       (data, count, type, into, room, room_type, root, among), {                                         \
         return MPI_##NAME(buffer(data), *count, type_of(type), buffer(into), *room, type_of(room_type),    \
                           *root, comm(among));                                                           \
       })
FORTRAN_ROOTED(gather, Gather)
FORTRAN_ROOTED(scatter, Scatter)
#define FORTRAN_ALL(LOWER, NAME)                                                                          \
  BOTH(LOWER, (void *data, F *count, F *type, void *into, F *room, F *room_type, F *among),                \
       (data, count, type, into, room, room_type, among), {                                               \
         return MPI_##NAME(buffer(data), *count, type_of(type), buffer(into), *room, type_of(room_type),    \
                           comm(among));                                                                  \
       })
FORTRAN_ALL(allgather, Allgather)
FORTRAN_ALL(alltoall, Alltoall)
BOTH(alltoallv,
     (void *data, F *counts, F *places, F *type, void *into, F *rooms, F *room_places, F *room_type, F *among),
     (data, counts, places, type, into, rooms, room_places, room_type, among), {
       return MPI_Alltoallv(buffer(data), counts, places, type_of(type), buffer(into), rooms, room_places,
                            type_of(room_type), comm(among));
     })
BOTH(reduce_scatter, (void *data, void *into, F *counts, F *type, F *op, F *among),
     (data, into, counts, type, op, among),
     { return MPI_Reduce_scatter(buffer(data), buffer(into), counts, type_of(type), op_of(op), comm(among)); })
BOTH(exscan, (void *data, void *into, F *count, F *type, F *op, F *among), (data, into, count, type, op, among),
     { return MPI_Exscan(buffer(data), buffer(into), *count, type_of(type), op_of(op), comm(among)); })
BOTH(reduce_scatter_block, (void *data, void *into, F *count, F *type, F *op, F *among),
     (data, into, count, type, op, among),
     { return MPI_Reduce_scatter_block(buffer(data), buffer(into), *count, type_of(type), op_of(op), comm(among)); })
BOTH(gatherv, (void *data, F *count, F *type, void *into, F *rooms, F *places, F *room_type, F *root, F *among),
     (data, count, type, into, rooms, places, room_type, root, among), {
       return MPI_Gatherv(buffer(data), *count, type_of(type), buffer(into), rooms, places, type_of(room_type), *root,
                          comm(among));
     })
BOTH(scatterv, (void *data, F *counts, F *places, F *type, void *into, F *room, F *room_type, F *root, F *among),
     (data, counts, places, type, into, room, room_type, root, among), {
       return MPI_Scatterv(buffer(data), counts, places, type_of(type), buffer(into), *room, type_of(room_type), *root,
                           comm(among));
     })
BOTH(allgatherv, (void *data, F *count, F *type, void *into, F *rooms, F *places, F *room_type, F *among),
     (data, count, type, into, rooms, places, room_type, among), {
       return MPI_Allgatherv(buffer(data), *count, type_of(type), buffer(into), rooms, places, type_of(room_type),
                             comm(among));
     })
#define STARTED_BY_FORTRAN(CALL)        \
  MPI_Request made;                     \
  fortran_requests = request;           \
  const int code = CALL;                \
  fortran_requests = NULL;              \
  *request = PMPI_Request_c2f(made);    \
  return code;
BOTH(ibarrier, (F *among, F *request), (among, request), { STARTED_BY_FORTRAN(MPI_Ibarrier(comm(among), &made)) })
BOTH(ibcast, (void *data, F *count, F *type, F *root, F *among, F *request), (data, count, type, root, among, request),
     { STARTED_BY_FORTRAN(MPI_Ibcast(buffer(data), *count, type_of(type), *root, comm(among), &made)) })
BOTH(iallreduce, (void *data, void *into, F *count, F *type, F *op, F *among, F *request),
     (data, into, count, type, op, among, request), {
       STARTED_BY_FORTRAN(
           MPI_Iallreduce(buffer(data), buffer(into), *count, type_of(type), op_of(op), comm(among), &made))
     })
BOTH(ireduce, (void *data, void *into, F *count, F *type, F *op, F *root, F *among, F *request),
     (data, into, count, type, op, root, among, request), {
       STARTED_BY_FORTRAN(
           MPI_Ireduce(buffer(data), buffer(into), *count, type_of(type), op_of(op), *root, comm(among), &made))
     })
#define FORTRAN_ALL_STARTED(LOWER, NAME)                                                                 \
  BOTH(LOWER, (void *data, F *count, F *type, void *into, F *room, F *room_type, F *among, F *request),    \
       (data, count, type, into, room, room_type, among, request), {                                     \
         STARTED_BY_FORTRAN(MPI_##NAME(buffer(data), *count, type_of(type), buffer(into), *room,           \
                                       type_of(room_type), comm(among), &made))                          \
       })
FORTRAN_ALL_STARTED(ialltoall, Ialltoall)
FORTRAN_ALL_STARTED(iallgather, Iallgather)
BOTH(comm_split, (F *among, F *colour, F *key, F *made), (among, colour, key, made), {
  MPI_Comm handle;
  const int code = MPI_Comm_split(comm(among), *colour, *key, &handle);
  *made = PMPI_Comm_c2f(handle);
  return code;
})
BOTH(comm_dup, (F *among, F *made), (among, made), {
  MPI_Comm handle;
  const int code = MPI_Comm_dup(comm(among), &handle);
  *made = PMPI_Comm_c2f(handle);
  return code;
})
BOTH(comm_create, (F *among, F *group, F *made), (among, group, made), {
  MPI_Comm handle;
  const int code = MPI_Comm_create(comm(among), PMPI_Group_f2c(*group), &handle);
  *made = PMPI_Comm_c2f(handle);
  return code;
})
static int *truths_of(const F *given, int count) {
  int *truths = malloc(sizeof *truths * (size_t)(count + 1));
  if (!truths) abort();
  for (int i = 0; i < count; ++i) truths[i] = given[i] != 0;
  return truths;
}
BOTH(cart_create, (F *among, F *axes, F *extents, F *wraps, F *reorder, F *made),
     (among, axes, extents, wraps, reorder, made), {
       MPI_Comm handle;
       int *const truths = truths_of(wraps, *axes);
       const int code = MPI_Cart_create(comm(among), *axes, extents, truths, *reorder != 0, &handle);
       free(truths);
       *made = PMPI_Comm_c2f(handle);
       return code;
     })
BOTH(cart_sub, (F *among, F *remain, F *made), (among, remain, made), {
  MPI_Comm handle;
  int axes = 0;
  PMPI_Cartdim_get(comm(among), &axes);
  int *const truths = truths_of(remain, axes);
  const int code = MPI_Cart_sub(comm(among), truths, &handle);
  free(truths);
  *made = PMPI_Comm_c2f(handle);
  return code;
})
BOTH(comm_disconnect, (F *handle), (handle), {
  MPI_Comm old = comm(handle);
  const int code = MPI_Comm_disconnect(&old);
  *handle = PMPI_Comm_c2f(old);
  return code;
})
BOTH(comm_free, (F *handle), (handle), {
  MPI_Comm old = comm(handle);
  const int code = MPI_Comm_free(&old);
  *handle = PMPI_Comm_c2f(old);
  return code;
})
#else
/* MPICH's `use mpi_f08` calls neither C's functions nor Fortran's that could be wrapped alike. */
static void say_not_recorded(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && getenv("WAVE_RECORD"))
    fprintf(stderr, "recorder: under MPICH a program with `use mpi_f08` is not recorded, one with `use mpi` is\n");
}
void mpi_init_f08_(MPI_Fint *error) {
  const int code = PMPI_Init(NULL, NULL);
  if (error) *error = code;
  say_not_recorded();
}
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
  int level = 0;
  const int code = PMPI_Init_thread(NULL, NULL, *required, &level);
  *provided = level;
  if (error) *error = code;
  say_not_recorded();
}
#endif
