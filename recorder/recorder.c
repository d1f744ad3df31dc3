/* Records the MPI calls of a program, rank by rank, for `wave check --against`.
 *
 *   mpicc -O2 -shared -fPIC -o recorder.so recorder.c
 *   mpirun -n 8 wave record --library ./recorder.so -o run ./program ...
 *
 * or linked into a program that is static: mpicc program.c recorder.c. Every rank writes a text into the folder that
 * WAVE_RECORD names (docs/recordings.md): calls with what is repeated folded into loops, or with WAVE_RECORD_RAW a line
 * for each. Nothing that a program sends is looked at, and no name of a host or a user is written. Without WAVE_RECORD
 * nothing is recorded.
 *
 * It wraps MPI's profiling interface in C, and of Open MPI also Fortran's, both `use mpi` and `use mpi_f08`, which do not
 * call C's there. Under MPICH `use mpi` calls C's, and `use mpi_f08` is not recorded. The library must be compiled with
 * the mpicc of the MPI that the program runs under.
 */
#define _GNU_SOURCE
#include "folding.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- clocks ---- */

static double last_return;     /* from the call before, in ns */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double clock_of(clockid_t which) {
  struct timespec time;
  clock_gettime(which, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
static double now(void) { return clock_of(CLOCK_MONOTONIC); }

/* The thread's processor time since the call before. To read that clock asks the kernel, which may take longer than all
 * else here, so it is read where the time since the call before is expected to be many times that, by what it was after
 * the last call with the same signature. Where it is short nothing came between, and it is the time by the clock. */
static double short_gap; /* in ns */
static _Thread_local double last_processor;
static _Thread_local int knows_processor;
enum { gap_count = 1024 };
static float gaps[gap_count]; /* after the last call with a hash, by some of its bits; 0: there was none */
static float *last_gap;

static double processor_now(void) { return clock_of(CLOCK_THREAD_CPUTIME_ID); }
static void begin_clocks(void) {
  enum { tries = 16, gap_of_reads = 40 };
  const double began = now();
  for (int i = 0; i < tries; ++i) processor_now();
  short_gap = (now() - began) / tries * gap_of_reads;
  last_processor = processor_now();
  knows_processor = 1;
  last_return = now();
}

/* The begin of a call. */
struct entry {
  double began, processor; /* since the call before; negative: not known */
  const void *caller;      /* where the program called it */
};
static struct entry enter(const void *caller) {
  struct entry entry = {now(), -1, caller};
  const double gap = entry.began - last_return;
  if (gap < short_gap) entry.processor = gap;
  else if (knows_processor) entry.processor = processor_now() - last_processor;
  return entry;
}
static struct entry enter_test(const void *caller) { return (struct entry){now(), -1, caller}; }

static void leave(uint64_t hash, double gap) {
  if (last_gap) *last_gap = (float)gap + 1;
  last_gap = &gaps[hash >> 20 & (gap_count - 1)];
  knows_processor = *last_gap == 0 || *last_gap > short_gap;
  if (knows_processor) last_processor = processor_now();
  last_return = now();
}
/* Leaves a call out of the time between others. */
static void pass_over(struct entry entry) {
  last_return += now() - entry.began;
  knows_processor = 0;
}

/* ---- the file ---- */

static int is_recording;
static FILE *raw;              /* a line for each call, as it is made; NULL: they are folded */
static char path[4096];        /* of the whole file; while it is written, ".part" is behind it */
static int own_rank, ranks;    /* in MPI_COMM_WORLD */
static int is_paused;          /* by MPI_Pcontrol(0) */
static double next_write;
static double begun;           /* when the recording began */

/* Lines with `#`, which stand before the calls. */
static char *remarks;
static size_t remarks_length;
static void remark(const char *format, ...) {
  char line[1024];
  va_list list;
  va_start(list, format);
  const int written = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  const size_t length = written < 0 ? 0 : (size_t)written < sizeof line ? (size_t)written : sizeof line - 1;
  if (raw) fwrite(line, 1, length, raw);
  remarks = resized(remarks, remarks_length, remarks_length + length);
  memcpy(remarks + remarks_length, line, length);
  remarks_length += length;
}

/* A line that may come again and again. */
static void remark_once(const char *line) {
  enum { most_remarks = 1 << 16 };
  const size_t length = strlen(line);
  if (remarks_length > most_remarks || (remarks && memmem(remarks, remarks_length, line, length))) return;
  remark("%s\n", line);
}

/* Calls that are only counted, since they are none that a model has, or since there was no room for more. */
struct counted {
  const char *name;
  uint64_t calls;
};
static struct counted one_sided[64], dropped[64];
static void count_call(struct counted *counts, const char *name) {
  int k = 0;
  while (k < 63 && counts[k].name && strcmp(counts[k].name, name) != 0) ++k;
  if (!counts[k].name) counts[k].name = k < 63 ? name : "others";
  ++counts[k].calls;
}
static void write_counts(FILE *to, const char *title, const struct counted *counts) {
  for (int k = 0; k < 64 && counts[k].name; ++k)
    fprintf(to, "%s%s %llu", k ? ", " : title, counts[k].name, (unsigned long long)counts[k].calls);
  if (counts[0].name) fputc('\n', to);
}

static size_t most_bytes = 16 << 20; /* that calls may take in memory, before sizes are given up */
static void write_data_operations(FILE *to);

/* All there is, beside the file, whose place it then takes. */
static int write_whole(const char *place, int is_cut) {
  char other[4096 + 16];
  snprintf(other, sizeof other, "%s.part.new", path);
  FILE *const to = fopen(other, "w");
  if (!to) return 0;
  setvbuf(to, NULL, _IOFBF, 1 << 16);
  fprintf(to, "#rank %d of %d\n", own_rank, ranks);
  if (is_cut) fputs("#cut\n", to);
  fwrite(remarks, 1, remarks_length, to);
  write_data_operations(to);
  write_counts(to, "#counted ", one_sided);
  write_counts(to, "#dropped ", dropped);
  write_folded(to);
  const int is_whole = !ferror(to);
  return fclose(to) == 0 && is_whole && rename(other, place) == 0;
}

/* So that little is lost of a run that is killed, and little time is spent on it. */
static void write_now_and_then(double time) {
  static const double between_writes = 5e9, times_as_long = 50;
  if (time < next_write) return;
  char part[4096 + 8];
  snprintf(part, sizeof part, "%s.part", path);
  if (raw) fflush(raw);
  else write_whole(part, 1);
  const double taken = now() - time;
  next_write = time + (times_as_long * taken > between_writes ? times_as_long * taken : between_writes);
}

/* The file takes its name when it is whole. */
static void end_recording(void) {
  if (!is_recording) return;
  is_recording = 0;
  char part[4096 + 8];
  snprintf(part, sizeof part, "%s.part", path);
  int is_whole;
  if (raw) {
    write_counts(raw, "#counted ", one_sided);
    is_whole = !ferror(raw) & (fclose(raw) == 0) && rename(part, path) == 0;
    raw = NULL;
  } else {
    is_whole = write_whole(path, 0) && unlink(part) == 0;
  }
  if (!is_whole) fprintf(stderr, "recorder: %s could not be finished; what there is of it is in %s\n", path, part);
}
/* A program may leave without MPI_Finalize. What it has forked may, too, and is not the program. */
static pid_t own_process;
static void end_at_exit(void) {
  if (getpid() != own_process) return;
  pthread_mutex_lock(&lock);
  end_recording();
  pthread_mutex_unlock(&lock);
}

static void begin_file(const char *folder) {
  char part[4096 + 8];
  if (snprintf(path, sizeof path, "%s/r%05d.txt", folder, own_rank) >= (int)sizeof path) return;
  snprintf(part, sizeof part, "%s.part", path);
  FILE *const file = access(path, F_OK) == 0 ? NULL : fopen(part, "wx"); /* over no other recording */
  if (!file) {
    fprintf(stderr, "recorder: %s cannot be written or is there already, so rank %d is not recorded\n", part, own_rank);
    return;
  }
  fprintf(file, "#rank %d of %d\n", own_rank, ranks);
  const char *const is_raw = getenv("WAVE_RECORD_RAW");
  if (is_raw && *is_raw && strcmp(is_raw, "0") != 0) {
    raw = file;
    setvbuf(raw, NULL, _IOFBF, 1 << 20);
    fflush(raw);
  } else {
    fputs("#cut\n", file);
    fclose(file);
  }
  is_recording = 1;
  own_process = getpid();
  atexit(end_at_exit);
}

/* ---- where the program calls from: an address in a module ---- */

static int has_frames;
struct frame {
  const void *address;
  const char *module; /* its file's name, without the folder */
  ptrdiff_t offset;
};
static struct frame *frames;
static uint32_t frame_count, frame_room;
static uint32_t last_frames[256]; /* by some bits of the address */

static long frame_of(const void *address) {
  uint32_t *const last = &last_frames[(uintptr_t)address >> 1 & 255];
  if (*last < frame_count && frames[*last].address == address) return *last;
  uint32_t k = 0;
  while (k < frame_count && frames[k].address != address) ++k;
  if (k == frame_count) {
    if (frame_count == frame_room) {
      frames = resized(frames, sizeof *frames * frame_room, sizeof *frames * (2 * frame_room + 64));
      frame_room = 2 * frame_room + 64;
    }
    Dl_info found;
    const int is_known = dladdr(address, &found) != 0 && found.dli_fname;
    const char *const slash = is_known ? strrchr(found.dli_fname, '/') : NULL;
    frames[frame_count++] =
        (struct frame){address, !is_known ? "unknown" : slash ? slash + 1 : found.dli_fname,
                       is_known ? (const char *)address - (const char *)found.dli_fbase : 0};
  }
  *last = k;
  return k;
}
static void write_frame(FILE *to, long k) {
  fputs(" @", to);
  for (const char *at = frames[k].module; *at; ++at) fputc(*at == ' ' ? '_' : *at, to);
  fprintf(to, "+0x%tx", frames[k].offset);
}

/* ---- the run ---- */

/* As `Open MPI 4.1.4`: what stands before the first comma, in which there is no name of a host. */
static void remark_library(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  version[strcspn(version, ",;@(\n")] = 0;
  for (char *at = version; *at; ++at) {
    if (*at == '\t') *at = ' ';
    if (at > version && at[-1] == ' ' && *at == 'v' && at[1] >= '0' && at[1] <= '9') memmove(at, at + 1, strlen(at));
  }
  remark("#mpi %.60s\n", version);
}
/* Lines of names and values. */
static void remark_parameters(const char *given) {
  while (given && *given) {
    const size_t length = strcspn(given, "\n"), name = strcspn(given, "=\n");
    if (name > 0 && name < length)
      remark("#param %.*s %.*s\n", (int)name, given, (int)(length - name - 1), given + name + 1);
    given += length + (given[length] == '\n');
  }
}

static MPI_Comm aside = MPI_COMM_NULL; /* of all ranks, for what they tell each other about the run */

/* Ranks that share a node say its first one. */
static void remark_node(void) {
  MPI_Comm node;
  int first = own_rank;
  if (PMPI_Comm_split_type(aside, MPI_COMM_TYPE_SHARED, own_rank, MPI_INFO_NULL, &node) != MPI_SUCCESS) return;
  PMPI_Bcast(&first, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  remark("#node %d\n", first);
}
/* What the clock of rank 0 shows, from its beginning on, less what the own one does: at the shortest of several ways there
 * and back, whose time is the other number. */
static void remark_clock(const char *when) {
  enum { tries = 5, tag = 1 };
  double offset = 0, shortest = -1, theirs = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    if (own_rank != 0 && own_rank != rank) continue;
    for (int i = 0; i < tries; ++i) {
      if (own_rank == 0) {
        PMPI_Recv(&theirs, 1, MPI_DOUBLE, rank, tag, aside, MPI_STATUS_IGNORE);
        theirs = now() - begun;
        PMPI_Send(&theirs, 1, MPI_DOUBLE, rank, tag, aside);
        continue;
      }
      const double sent = now();
      PMPI_Send(&theirs, 1, MPI_DOUBLE, 0, tag, aside);
      PMPI_Recv(&theirs, 1, MPI_DOUBLE, 0, tag, aside, MPI_STATUS_IGNORE);
      const double back = now();
      if (shortest >= 0 && back - sent >= shortest) continue;
      shortest = back - sent;
      offset = theirs - ((sent + back) / 2 - begun);
    }
  }
  remark("#clock %s %.0f %.0f\n", when, offset, shortest < 0 ? 0 : shortest);
}

static void begin_recording(void) {
  const char *const folder = getenv("WAVE_RECORD"), *const memory = getenv("WAVE_RECORD_MEMORY");
  PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  begun = now();
  begin_clocks();
  if (!folder || is_recording || parent != MPI_COMM_NULL) return; /* what was spawned has a world of its own */
  const char *const wanted = getenv("WAVE_RECORD_FRAMES");
  has_frames = wanted && strtoul(wanted, NULL, 10) > 0;
  if (memory && strtoul(memory, NULL, 10) > 0) most_bytes = strtoul(memory, NULL, 10);
  begin_file(folder);
  remark_library();
  remark_parameters(getenv("WAVE_RECORD_PARAMETERS"));
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &aside) == MPI_SUCCESS) {
    remark_node();
    remark_clock("init");
  }
  if (raw) fflush(raw);
  next_write = last_return = now();
  last_processor = processor_now();
  if (is_recording) write_now_and_then(last_return);
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

/* ---- calls ---- */

/* What a call writes behind its fields, in pairs of a kind and a value. Sizes that are data are -1. */
enum more_kind {
  begins,
  names,
  ends,
  ends_named,
  ended_from,
  ended_got,
  taken_from,
  taken_got,
  room_for,
  called_at,
  title
};

/* The words of a call's signature: its name's address, the fields and the pairs. They are made under the lock. */
static const int64_t data_tag = INT64_MIN;
enum { name_word, peer_word, bytes_word, tag_word, among_word, field_count };
static int64_t *words;
static uint32_t word_count, word_room;

static void begin_words(void) {
  if (word_room == 0) words = resized(NULL, 0, sizeof *words * (word_room = 64));
  word_count = field_count;
}
static void append(enum more_kind kind, long value) {
  if (word_count + 2 > word_room) {
    words = resized(words, sizeof *words * word_room, sizeof *words * 2 * word_room);
    word_room *= 2;
  }
  words[word_count++] = kind;
  words[word_count++] = value;
}
static int is_size(int64_t kind) { return kind == ended_got || kind == taken_got || kind == room_for; }

static void write_size(FILE *to, const char *name, int64_t size) {
  if (size < 0) fprintf(to, "%sdata", name);
  else fprintf(to, "%s%lld", name, (long long)size);
}
static void write_some_fields(FILE *to, const int64_t *some) {
  fprintf(to, "%s %d", (const char *)(intptr_t)some[name_word], (int)some[peer_word]);
  write_size(to, " ", some[bytes_word]);
  if (some[tag_word] == data_tag) fputs(" data", to);
  else fprintf(to, " %d", (int)some[tag_word]);
  fprintf(to, " %d/%04x", (int)(some[among_word] >> 32), (unsigned)(some[among_word] & 0xffffffff));
}
static void write_some_more(FILE *to, const int64_t *some, uint32_t count) {
  for (uint32_t i = field_count; i < count; i += 2) {
    const long long value = some[i + 1];
    switch ((enum more_kind)some[i]) {
      case begins: fputs(" open", to); break;
      case names: fprintf(to, " %c%lld", raw ? 'q' : 'p', value); break;
      case ends: fprintf(to, " o%lld", value); break;
      case ends_named: fprintf(to, " %c%lld", raw ? 'q' : 'p', value); break;
      case ended_from: fprintf(to, ":from%lld", value); break;
      case ended_got: write_size(to, ":", value); break;
      case taken_from: fprintf(to, " from%lld", value); break;
      case taken_got: write_size(to, " got", value); break;
      case room_for: write_size(to, " cap", value); break;
      case called_at: write_frame(to, value); break;
      case title: fprintf(to, " %s", (const char *)(intptr_t)value); break;
    }
  }
}
static int is_mark(const int64_t *some) { return some[among_word] < 0; }
static int write_fields(FILE *to, const struct signature *signature) {
  if (is_mark(signature->words)) {
    fputs((const char *)(intptr_t)signature->words[name_word], to);
    write_some_more(to, signature->words, signature->count);
    return 0;
  }
  write_some_fields(to, signature->words);
  return 1;
}
static void write_more(FILE *to, const struct signature *signature) {
  write_some_more(to, signature->words, signature->count);
}

/* ---- what does not fold: once calls take more memory than they may, sizes and tags that differ become data ---- */

struct operation {
  const char *name;
  uint64_t sizes;                    /* a digest of those of its first call */
  int64_t tag;                       /* of its first call */
  int sizes_differ, tags_differ;
  int has_data_sizes, has_data_tags; /* from now on */
  size_t nodes;                      /* that are calls of it */
};
static struct operation operations[128];
static uint32_t operation_count;
static size_t next_look; /* at the memory */
static int is_dropping;

/* Waits, which have no communicator, have a number of requests in the place of bytes. */
static int has_bytes(void) { return words[among_word] > 0; }
static uint64_t digest_of_sizes(void) {
  uint64_t digest = has_bytes() ? mixed(0, (uint64_t)words[bytes_word]) : 0;
  for (uint32_t i = field_count; i < word_count; i += 2) {
    if (is_size(words[i])) digest = mixed(digest, (uint64_t)words[i + 1]);
  }
  return digest;
}
static uint32_t operation_of(const char *name) {
  uint32_t k = 0;
  while (k < operation_count && strcmp(operations[k].name, name) != 0) ++k;
  if (k == operation_count && k < 127)
    operations[operation_count++] = (struct operation){name, digest_of_sizes(), words[tag_word], 0, 0, 0, 0, 0};
  return k;
}
static void count_nodes(const struct node *some, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (some[i].loops) count_nodes(some[i].is.loop.body, some[i].is.loop.length);
    else ++operations[signatures[some[i].is.call.signature].operation].nodes;
  }
}
static void give_up_data(void) {
  enum { share = 16 };
  size_t all = 0;
  for (uint32_t k = 0; k < operation_count; ++k) operations[k].nodes = 0;
  count_nodes(stack, stack_count);
  for (uint32_t k = 0; k < operation_count; ++k) all += operations[k].nodes;
  for (uint32_t k = 0; k < operation_count; ++k) {
    struct operation *const one = &operations[k];
    if (one->nodes * share <= all) continue;
    one->has_data_sizes |= one->sizes_differ;
    one->has_data_tags |= one->tags_differ;
  }
  next_look += most_bytes / 4;
  is_dropping = held_bytes > 2 * most_bytes;
}
static void write_data_operations(FILE *to) {
  const char *between = "#data ";
  for (uint32_t k = 0; k < operation_count; ++k) {
    const struct operation *const one = &operations[k];
    if (!one->has_data_sizes && !one->has_data_tags) continue;
    fprintf(to, "%s%s%s%s", between, one->name, one->has_data_sizes ? " sizes" : "", one->has_data_tags ? " tags" : "");
    between = ", ";
  }
  if (*between != '#') fprintf(to, ": in later calls, since with them calls took more than %zu bytes\n", most_bytes);
}
/* All bytes of the call. */
static double take_sizes(void) {
  double sum = 0;
  if (has_bytes()) {
    sum = (double)words[bytes_word];
    words[bytes_word] = -1;
  }
  for (uint32_t i = field_count; i < word_count; i += 2) {
    if (!is_size(words[i])) continue;
    if (words[i] != room_for) sum += (double)words[i + 1];
    words[i + 1] = -1;
  }
  return sum;
}

static uint32_t failed_tests; /* since the call before */
static void count_failed_test(struct entry began) {
  pthread_mutex_lock(&lock);
  failed_tests += !is_paused;
  pass_over(began);
  pthread_mutex_unlock(&lock);
}

/* The hash of the call. */
static uint64_t fold(const char *call, struct single one) {
  if (next_look == 0) next_look = most_bytes;
  if (held_bytes > next_look) give_up_data();
  if (is_dropping) {
    count_call(dropped, call);
    return 0;
  }
  if (next_look > most_bytes) {
    const struct operation *const operation = &operations[operation_of(call)];
    if (operation->has_data_sizes) one.size = take_sizes();
    if (operation->has_data_tags) words[tag_word] = data_tag;
  }
  const uint64_t hash = hash_of_words(words, word_count);
  int is_new;
  const uint32_t signature = signature_of(words, word_count, hash, &is_new);
  if (is_new) {
    const uint32_t operation = signatures[signature].operation = operation_of(call);
    operations[operation].sizes_differ |= operations[operation].sizes != digest_of_sizes();
    operations[operation].tags_differ |= operations[operation].tag != words[tag_word];
  }
  fold_call(signature, one);
  return hash;
}
static uint64_t write_raw(struct single one) {
  write_some_fields(raw, words);
  fprintf(raw, " %.0f %.0f", one.since, one.inside);
  write_some_more(raw, words, word_count);
  if (one.processor >= 0) fprintf(raw, " cpu=%.0f", one.processor);
  if (one.failed_tests) fprintf(raw, " tests=%u", one.failed_tests);
  fputc('\n', raw);
  return hash_of_words(words, field_count);
}

static void end_requests(void);

static void record(const char *call, int peer, long bytes, int tag, MPI_Comm handle, struct entry entry) {
  const double ended = now(), since = entry.began - last_return;
  uint64_t hash = 0;
  if (is_recording && (!is_paused || strstr(call, "_init"))) { /* of persistent requests, which may be started later */
    const struct communicator *among = handle == MPI_COMM_NULL ? NULL : communicator_of(handle);
    words[name_word] = (intptr_t)call;
    words[peer_word] = peer;
    words[bytes_word] = bytes;
    words[tag_word] = tag;
    words[among_word] = among ? (int64_t)among->size << 32 | among->digest : 0;
    const struct single one = {since, ended - entry.began, entry.processor, -1, failed_tests};
    failed_tests = 0;
    if (has_frames && entry.caller) append(called_at, frame_of(entry.caller));
    hash = raw ? write_raw(one) : fold(call, one);
    write_now_and_then(ended);
  }
  end_requests();
  leave(hash, since);
}

/* ---- requests: by their place among those that are open, from the oldest; in a raw recording by a number ---- */

/* An MPI may give one handle to many requests that have nothing left to do, so where a request is kept tells them apart:
 * in the program's variable, of Fortran an integer. */
static _Thread_local const MPI_Fint *fortran_requests; /* NULL: the caller is written in C */
static const void *place_of(const MPI_Request *handles, int index) {
  return fortran_requests ? (const void *)(fortran_requests + index) : (const void *)(handles + index);
}

struct request {
  MPI_Request handle;
  const void *place;
  long number; /* of all in a raw recording, else of persistent ones */
  int peer, is_receive, is_persistent;
  int is_hidden; /* it has no place among those that are open: it is persistent, with nobody, or begun while paused */
  int is_over;   /* it ends with this call, or unseen while paused */
  MPI_Comm communicator;
  int *members; /* of the communicator, where that was freed before; else NULL */
};
static struct request *requests; /* from the oldest */
static int request_count, request_room, hidden_count, over_count;
static int next_found; /* where the next one is looked for first */
static long next_request;

static char *used_numbers; /* of persistent ones */
static long used_room;
static long lowest_number(void) {
  long number = 0;
  while (number < used_room && used_numbers[number]) ++number;
  if (number == used_room) {
    used_numbers = resized(used_numbers, (size_t)used_room, (size_t)(2 * used_room + 16));
    memset(used_numbers + used_room, 0, (size_t)(used_room + 16));
    used_room = 2 * used_room + 16;
  }
  used_numbers[number] = 1;
  return number;
}
static void begin_request(const MPI_Request *handle, int peer, int is_receive, int is_persistent,
                          MPI_Comm communicator) {
  if (request_count == request_room) {
    request_room = 2 * request_room + 64;
    requests = realloc(requests, sizeof *requests * (size_t)request_room);
    if (!requests) abort();
  }
  const long number = raw ? next_request++ : is_persistent ? lowest_number() : 0;
  const int is_hidden = peer == nobody || is_persistent || is_paused;
  requests[request_count++] = (struct request){*handle, place_of(handle, 0), number, peer, is_receive, is_persistent,
                                               is_hidden, 0, communicator, NULL};
  hidden_count += is_hidden;
  if (raw || is_persistent) append(names, number);
  else if (!is_hidden) append(begins, 0);
}
/* The one that is kept there, or else the oldest with that handle, since programs copy handles. */
static struct request *find_request(MPI_Request handle, const void *place) {
  struct request *oldest = NULL;
  for (int i = 0; i < request_count; ++i) {
    if (next_found >= request_count) next_found = 0;
    struct request *const one = &requests[next_found++];
    if (one->handle != handle || one->is_over) continue;
    if (one->place == place) return one;
    if (!oldest || one < oldest) oldest = one;
  }
  return oldest;
}
static long place_among_open(const struct request *one) {
  if (hidden_count == 0) return one - requests;
  long place = 0;
  for (const struct request *k = requests; k < one; ++k) place += !k->is_hidden;
  return place;
}
static void name_request(const struct request *one, enum more_kind open) {
  if (raw || one->is_persistent) append(open == ends ? ends_named : names, one->number);
  else append(open, place_among_open(one));
}
static void drop_request(struct request *one) {
  one->is_over = 1;
  ++over_count;
  if (one->is_persistent && !raw) used_numbers[one->number] = 0;
}
/* Those that the call has ended go behind it: their places are those before it. What ended while the recording was
 * paused goes when it goes on. */
static void end_requests(void) {
  if (over_count == 0) return;
  int kept = 0;
  over_count = 0;
  for (int k = 0; k < request_count; ++k) {
    struct request *const one = &requests[k];
    if (one->is_over && (raw || one->is_hidden || !is_paused)) {
      hidden_count -= one->is_hidden;
      free(one->members);
      continue;
    }
    over_count += one->is_over;
    requests[kept++] = *one;
  }
  request_count = kept;
}
static void end_request(MPI_Request handle, const void *place, const MPI_Status *status) {
  struct request *found = handle == MPI_REQUEST_NULL ? NULL : find_request(handle, place);
  if (!found) return;
  if (found->peer != nobody && (raw || found->is_persistent || !found->is_hidden)) {
    name_request(found, ends);
    if (found->peer == anybody && status->MPI_SOURCE >= 0)
      append(ended_from,
             found->members ? found->members[status->MPI_SOURCE] : peer_of(found->communicator, status->MPI_SOURCE));
    if (found->is_receive) append(ended_got, received(status));
  }
  if (!found->is_persistent) drop_request(found);
}
/* A request that the program leaves to itself. */
static void free_request(MPI_Request handle, const void *place) {
  struct request *const found = find_request(handle, place);
  if (!found) return;
  if (found->peer != nobody && (raw || found->is_persistent || !found->is_hidden)) name_request(found, ends);
  drop_request(found);
}
/* Says what ended while the recording was paused. */
static void say_unseen(void) {
  if (over_count == 0) return;
  begin_words();
  for (int k = 0; k < request_count; ++k) {
    if (requests[k].is_over) append(ends, place_among_open(&requests[k]));
  }
  record("Unseen", nobody, 0, 0, MPI_COMM_NULL, enter(NULL));
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

static _Thread_local const void *fortran_caller; /* NULL: the caller is written in C */
#define CALLER (fortran_caller ? fortran_caller : __builtin_return_address(0))
#define ENTER const struct entry began = enter(CALLER);
#define ENTER_TEST const struct entry began = enter_test(CALLER);
#define RECORD(...)          \
  pthread_mutex_lock(&lock); \
  begin_words();             \
  __VA_ARGS__;               \
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
  begin_words();
  record("Finalize", nobody, 0, 0, MPI_COMM_NULL, enter(NULL));
  if (aside != MPI_COMM_NULL) {
    remark_clock("finalize");
    PMPI_Comm_free(&aside);
  }
  end_recording();
  pthread_mutex_unlock(&lock);
  return PMPI_Finalize();
}
int MPI_Abort(MPI_Comm communicator, int code) {
  RECORD(record("Abort", nobody, 0, 0, communicator, enter(NULL)); end_recording())
  return PMPI_Abort(communicator, code);
}
/* Phases, by the macros of wave_record.h. */
enum { phase_begins = 101, phase_ends = 102, most_phases = 64 };
static const char *phases[most_phases]; /* that have begun */
static int phase_count;
static char **phase_names;
static uint32_t phase_name_count;

/* Each name is kept once, in one line. */
static const char *kept_name(const char *name) {
  char line[81];
  snprintf(line, sizeof line, "%s", name ? name : "");
  line[strcspn(line, "\n\r")] = 0;
  for (uint32_t k = 0; k < phase_name_count; ++k) {
    if (strcmp(phase_names[k], line) == 0) return phase_names[k];
  }
  const size_t before = sizeof *phase_names * phase_name_count;
  phase_names = resized(phase_names, before, before + sizeof *phase_names);
  char *const kept = resized(NULL, 0, strlen(line) + 1);
  return phase_names[phase_name_count++] = strcpy(kept, line);
}
static void mark_phase(const char *mark, const char *name) {
  if (!is_recording) return;
  begin_words();
  words[name_word] = (intptr_t)mark;
  words[peer_word] = words[bytes_word] = words[tag_word] = 0;
  words[among_word] = -1;
  append(title, (intptr_t)name);
  if (raw) fprintf(raw, "%s %s\n", mark, name);
  else fold(mark, (struct single){0, 0, -1, -1, 0});
}
static void begin_phase(const char *name) {
  if (phase_count < most_phases) mark_phase("Phase", phases[phase_count] = kept_name(name));
  ++phase_count;
}
static void end_phase(void) {
  if (phase_count == 0) return;
  if (--phase_count < most_phases) mark_phase("End", phases[phase_count]);
}

int MPI_Pcontrol(const int level, ...) {
  pthread_mutex_lock(&lock);
  if (level == 0 || level == 1) is_paused = level == 0;
  if (level == 1) say_unseen();
  if (level == phase_begins) {
    va_list list;
    va_start(list, level);
    begin_phase(va_arg(list, const char *));
    va_end(list);
  }
  if (level == phase_ends) end_phase();
  if (level == 2 && is_recording) {
    next_write = 0;
    write_now_and_then(now());
  }
  pthread_mutex_unlock(&lock);
  return MPI_SUCCESS;
}

/* ---- messages ---- */

#define SEND(NAME)                                                                                        \
  int MPI_##NAME(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm among) {        \
    ENTER                                                                                                 \
    const int result = PMPI_##NAME(data, count, type, to, tag, among);                                     \
    RECORD(record(#NAME, peer_of(among, to), bytes_of(count, type), tag, among, began))              \
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
    RECORD(begin_request(request, peer_of(among, to), 0, IS_PERSISTENT, among);                          \
           record(#NAME, peer_of(among, to), bytes_of(count, type), tag, among, began))             \
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
    RECORD(begin_request(request, peer_of(among, from), 1, IS_PERSISTENT, among);     \
           record(#NAME, peer_of(among, from), bytes_of(count, type), tag == MPI_ANY_TAG ? -1 : tag,       \
                  among, began))                                                                   \
    return result;                                                                                        \
  }
POST_RECEIVE(Irecv, 0)
POST_RECEIVE(Recv_init, 1)

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Recv(data, count, type, from, tag, among, found);
  RECORD(append(room_for, bytes_of(count, type));
         if (from == MPI_ANY_SOURCE) append(taken_from, peer_of(among, found->MPI_SOURCE));
         record("Recv", peer_of(among, from), received(found), tag == MPI_ANY_TAG ? -1 : tag, among, began))
  return result;
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *into, int room,
                 MPI_Datatype room_type, int from, int from_tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result =
      PMPI_Sendrecv(data, count, type, to, tag, into, room, room_type, from, from_tag, among, found);
  RECORD(append(taken_from, peer_of(among, found->MPI_SOURCE)); append(taken_got, received(found));
         record("Sendrecv", peer_of(among, to), bytes_of(count, type), tag, among, began))
  return result;
}
int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm among, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Sendrecv_replace(data, count, type, to, tag, from, from_tag, among, found);
  RECORD(append(taken_from, peer_of(among, found->MPI_SOURCE)); append(taken_got, received(found));
         record("Sendrecv", peer_of(among, to), bytes_of(count, type), tag, among, began))
  return result;
}

int MPI_Probe(int from, int tag, MPI_Comm among, MPI_Status *status) {
  ENTER
  const int result = PMPI_Probe(from, tag, among, status);
  RECORD(record("Probe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began))
  return result;
}
int MPI_Iprobe(int from, int tag, MPI_Comm among, int *is_there, MPI_Status *status) {
  ENTER_TEST
  const int result = PMPI_Iprobe(from, tag, among, is_there, status);
  if (*is_there) {
    RECORD(record("Iprobe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began))
  } else {
    count_failed_test(began);
  }
  return result;
}

/* A message that a probe has taken, until it is received. */
struct taken {
  MPI_Message handle;
  MPI_Comm communicator;
  int peer, tag;
};
static struct taken taken[64]; /* a message that finds no room is received from nobody */
static int taken_count;

static void take_message(MPI_Message handle, MPI_Comm among, const MPI_Status *status) {
  if (taken_count == 64 || handle == MPI_MESSAGE_NO_PROC || handle == MPI_MESSAGE_NULL) return;
  taken[taken_count++] = (struct taken){handle, among, peer_of(among, status->MPI_SOURCE), status->MPI_TAG};
}
static struct taken give_message(MPI_Message handle) {
  for (int k = 0; k < taken_count; ++k) {
    if (taken[k].handle != handle) continue;
    const struct taken found = taken[k];
    taken[k] = taken[--taken_count];
    return found;
  }
  return (struct taken){handle, MPI_COMM_NULL, nobody, 0};
}
int MPI_Mprobe(int from, int tag, MPI_Comm among, MPI_Message *message, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Mprobe(from, tag, among, message, found);
  RECORD(take_message(*message, among, found);
         record("Mprobe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began))
  return result;
}
int MPI_Improbe(int from, int tag, MPI_Comm among, int *is_there, MPI_Message *message, MPI_Status *status) {
  ENTER_TEST
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Improbe(from, tag, among, is_there, message, found);
  if (*is_there) {
    RECORD(take_message(*message, among, found);
           record("Improbe", peer_of(among, from), 0, tag == MPI_ANY_TAG ? -1 : tag, among, began))
  } else {
    count_failed_test(began);
  }
  return result;
}
int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
  ENTER
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const MPI_Message old = *message;
  const int result = PMPI_Mrecv(data, count, type, message, found);
  RECORD(const struct taken one = give_message(old); append(room_for, bytes_of(count, type));
         record("Mrecv", one.peer, received(found), one.tag, one.communicator, began))
  return result;
}
int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
  ENTER
  const MPI_Message old = *message;
  const int result = PMPI_Imrecv(data, count, type, message, request);
  RECORD(const struct taken one = give_message(old); begin_request(request, one.peer, 1, 0, one.communicator);
         record("Imrecv", one.peer, bytes_of(count, type), one.tag, one.communicator, began))
  return result;
}

int MPI_Start(MPI_Request *request) {
  ENTER
  const int result = PMPI_Start(request);
  RECORD(const struct request *found = find_request(*request, place_of(request, 0));
         if (found) name_request(found, names);
         record("Start", nobody, 0, 0, MPI_COMM_NULL, began))
  return result;
}
int MPI_Startall(int count, MPI_Request *handles) {
  ENTER
  const int result = PMPI_Startall(count, handles);
  RECORD(for (int i = 0; i < count; ++i) {
    const struct request *found = find_request(handles[i], place_of(handles, i));
    if (found) name_request(found, names);
  } record("Startall", nobody, count, 0, MPI_COMM_NULL, began))
  return result;
}
int MPI_Request_free(MPI_Request *request) {
  ENTER
  const MPI_Request old = *request;
  const int result = PMPI_Request_free(request);
  RECORD(free_request(old, place_of(request, 0)); record("Request_free", nobody, 0, 0, MPI_COMM_NULL, began))
  return result;
}

/* Waits, and tests that found something. */
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  ENTER
  const MPI_Request old = *request;
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Wait(request, found);
  RECORD(end_request(old, place_of(request, 0), found); record("Wait", nobody, 1, 0, MPI_COMM_NULL, began))
  return result;
}
int MPI_Test(MPI_Request *request, int *is_done, MPI_Status *status) {
  ENTER_TEST
  const MPI_Request old = *request;
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Test(request, is_done, found);
  if (*is_done) {
    RECORD(end_request(old, place_of(request, 0), found); record("Test", nobody, 1, 0, MPI_COMM_NULL, began))
  } else {
    count_failed_test(began);
  }
  return result;
}
int MPI_Waitall(int count, MPI_Request *handles, MPI_Status *statuses) {
  ENTER
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status *const found = statuses_for(statuses, count);
  const int result = PMPI_Waitall(count, handles, found);
  RECORD(for (int i = 0; i < count; ++i) end_request(old[i], place_of(handles, i), &found[i]);
         record("Waitall", nobody, count, 0, MPI_COMM_NULL, began))
  if (found != statuses) free(found);
  free(old);
  return result;
}
int MPI_Testall(int count, MPI_Request *handles, int *are_done, MPI_Status *statuses) {
  ENTER_TEST
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status *const found = statuses_for(statuses, count);
  const int result = PMPI_Testall(count, handles, are_done, found);
  if (*are_done) {
    RECORD(for (int i = 0; i < count; ++i) end_request(old[i], place_of(handles, i), &found[i]);
           record("Testall", nobody, count, 0, MPI_COMM_NULL, began))
  } else {
    count_failed_test(began);
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
  RECORD(if (*index != MPI_UNDEFINED) end_request(old[*index], place_of(handles, *index), found);
         record("Waitany", nobody, count, 0, MPI_COMM_NULL, began))
  free(old);
  return result;
}
int MPI_Testany(int count, MPI_Request *handles, int *index, int *is_done, MPI_Status *status) {
  ENTER_TEST
  MPI_Request *const old = copy_of(handles, count);
  MPI_Status own, *const found = status == MPI_STATUS_IGNORE ? &own : status;
  const int result = PMPI_Testany(count, handles, index, is_done, found);
  if (*is_done && *index != MPI_UNDEFINED) {
    RECORD(end_request(old[*index], place_of(handles, *index), found);
           record("Testany", nobody, count, 0, MPI_COMM_NULL, began))
  } else {
    count_failed_test(began);
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
      RECORD(for (int i = 0; i < *done; ++i)                                                              \
               end_request(old[indices[i]], place_of(handles, indices[i]), &found[i]);                    \
             record(#NAME, nobody, count, 0, MPI_COMM_NULL, began))                                       \
    } else if (*done == 0) {                                                                              \
      count_failed_test(began);                                                                                \
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
    RECORD(record(#NAME, ROOT, BYTES, 0, among, began))              \
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
static long sum_of_types(const int *counts, const MPI_Datatype *types, MPI_Comm among) {
  long sum = 0;
  for (int i = 0; i < size_of(among); ++i) sum += bytes_of(counts[i], types[i]);
  return sum;
}
COLLECTIVE(Alltoallw, nobody,
           data == MPI_IN_PLACE ? sum_of_types(rooms, room_types, among) : sum_of_types(counts, types, among),
           (const void *data, const int *counts, const int *places, const MPI_Datatype *types, void *into,
            const int *rooms, const int *room_places, const MPI_Datatype *room_types, MPI_Comm among),
           (data, counts, places, types, into, rooms, room_places, room_types, among))
/* Among neighbours: the bytes that one of them has, where all have as much. */
COLLECTIVE(Neighbor_allgather, nobody, bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, room, room_type, among))
COLLECTIVE(Neighbor_allgatherv, nobody, bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, const int *rooms, const int *places,
            MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, rooms, places, room_type, among))
COLLECTIVE(Neighbor_alltoall, nobody, bytes_of(count, type),
           (const void *data, int count, MPI_Datatype type, void *into, int room, MPI_Datatype room_type, MPI_Comm among),
           (data, count, type, into, room, room_type, among))
COLLECTIVE(Neighbor_alltoallv, nobody, 0,
           (const void *data, const int *counts, const int *places, MPI_Datatype type, void *into, const int *rooms,
            const int *room_places, MPI_Datatype room_type, MPI_Comm among),
           (data, counts, places, type, into, rooms, room_places, room_type, among))
COLLECTIVE(Neighbor_alltoallw, nobody, 0,
           (const void *data, const int *counts, const MPI_Aint *places, const MPI_Datatype *types, void *into,
            const int *rooms, const MPI_Aint *room_places, const MPI_Datatype *room_types, MPI_Comm among),
           (data, counts, places, types, into, rooms, room_places, room_types, among))
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
    RECORD(begin_request(request, 0, 0, 0, among);                         \
           record(#NAME, nobody, BYTES, 0, among, began))                              \
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
/* Its extents, the axes that wrap around, and where this rank is. */
static void remark_grid(MPI_Comm made) {
  enum { most_axes = 16 };
  int axes = 0, extents[most_axes], wraps[most_axes], place[most_axes];
  if (made == MPI_COMM_NULL || !is_recording || PMPI_Cartdim_get(made, &axes) != MPI_SUCCESS) return;
  if (axes < 1 || axes > most_axes) return;
  PMPI_Cart_get(made, axes, extents, wraps, place);
  const struct communicator *const found = communicator_of(made);
  char text[512];
  size_t at = (size_t)snprintf(text, sizeof text, "#cart %d/%04x ", found->size, found->digest);
  for (int i = 0; i < axes; ++i) at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", i ? "x" : "", extents[i]);
  at += (size_t)snprintf(text + at, sizeof text - at, " periodic ");
  for (int i = 0; i < axes; ++i) at += (size_t)snprintf(text + at, sizeof text - at, "%d", wraps[i] != 0);
  for (int i = 0; i < axes; ++i)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", i ? "," : " at ", place[i]);
  remark_once(text);
}
int MPI_Cart_create(MPI_Comm among, int axes, const int *extents, const int *wraps, int reorder, MPI_Comm *made) {
  ENTER
  const int result = PMPI_Cart_create(among, axes, extents, wraps, reorder, made);
  RECORD(record("Cart_create", nobody, 0, 0, among, began); if (result == MPI_SUCCESS) remark_grid(*made))
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

/* ---- one-sided operations and files, which are only counted ---- */

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)               \
  int MPI_##NAME PARAMETERS {                              \
    ENTER_TEST                                             \
    const int result = PMPI_##NAME ARGUMENTS;              \
    pthread_mutex_lock(&lock);                             \
    if (is_recording && !is_paused) count_call(one_sided, #NAME); \
    pass_over(began);                                      \
    pthread_mutex_unlock(&lock);                           \
    return result;                                         \
  }
COUNTED(Put, (const void *data, int count, MPI_Datatype type, int to, MPI_Aint at, int room, MPI_Datatype room_type,
              MPI_Win window), (data, count, type, to, at, room, room_type, window))
COUNTED(Get, (void *data, int count, MPI_Datatype type, int from, MPI_Aint at, int room, MPI_Datatype room_type,
              MPI_Win window), (data, count, type, from, at, room, room_type, window))
COUNTED(Accumulate, (const void *data, int count, MPI_Datatype type, int to, MPI_Aint at, int room,
                     MPI_Datatype room_type, MPI_Op op, MPI_Win window),
        (data, count, type, to, at, room, room_type, op, window))
COUNTED(Get_accumulate, (const void *data, int count, MPI_Datatype type, void *into, int into_count,
                         MPI_Datatype into_type, int to, MPI_Aint at, int room, MPI_Datatype room_type, MPI_Op op,
                         MPI_Win window),
        (data, count, type, into, into_count, into_type, to, at, room, room_type, op, window))
COUNTED(Fetch_and_op, (const void *data, void *into, MPI_Datatype type, int to, MPI_Aint at, MPI_Op op, MPI_Win window),
        (data, into, type, to, at, op, window))
COUNTED(Compare_and_swap, (const void *data, const void *expected, void *into, MPI_Datatype type, int to, MPI_Aint at,
                           MPI_Win window), (data, expected, into, type, to, at, window))
COUNTED(Win_fence, (int hints, MPI_Win window), (hints, window))
COUNTED(Win_lock, (int kind, int rank, int hints, MPI_Win window), (kind, rank, hints, window))
COUNTED(Win_unlock, (int rank, MPI_Win window), (rank, window))
COUNTED(Win_lock_all, (int hints, MPI_Win window), (hints, window))
COUNTED(Win_unlock_all, (MPI_Win window), (window))
COUNTED(Win_flush, (int rank, MPI_Win window), (rank, window))
COUNTED(Win_flush_all, (MPI_Win window), (window))
COUNTED(Win_start, (MPI_Group group, int hints, MPI_Win window), (group, hints, window))
COUNTED(Win_complete, (MPI_Win window), (window))
COUNTED(Win_post, (MPI_Group group, int hints, MPI_Win window), (group, hints, window))
COUNTED(Win_wait, (MPI_Win window), (window))
COUNTED(File_open, (MPI_Comm among, const char *name, int mode, MPI_Info info, MPI_File *file),
        (among, name, mode, info, file))
COUNTED(File_close, (MPI_File *file), (file))
#define COUNTED_FILE(NAME, BUFFER)                                                                       \
  COUNTED(File_##NAME, (MPI_File file, BUFFER data, int count, MPI_Datatype type, MPI_Status *status),    \
          (file, data, count, type, status))                                                             \
  COUNTED(File_##NAME##_all, (MPI_File file, BUFFER data, int count, MPI_Datatype type, MPI_Status *status), \
          (file, data, count, type, status))                                                             \
  COUNTED(File_##NAME##_at,                                                                              \
          (MPI_File file, MPI_Offset at, BUFFER data, int count, MPI_Datatype type, MPI_Status *status),  \
          (file, at, data, count, type, status))                                                         \
  COUNTED(File_##NAME##_at_all,                                                                          \
          (MPI_File file, MPI_Offset at, BUFFER data, int count, MPI_Datatype type, MPI_Status *status),  \
          (file, at, data, count, type, status))
COUNTED_FILE(read, void *)
COUNTED_FILE(write, const void *)

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
#define BOTH_NAMES(NAME, PARAMETERS, ARGUMENTS)              \
  void mpi_##NAME##_ WITH_ERROR(STRIP PARAMETERS) {          \
    fortran_caller = __builtin_return_address(0);            \
    give_error(error, fortran_##NAME ARGUMENTS);             \
    fortran_caller = NULL;                                   \
  }                                                          \
  void mpi_##NAME##_f08_ WITH_ERROR(STRIP PARAMETERS) {      \
    fortran_caller = __builtin_return_address(0);            \
    give_error(error, fortran_##NAME ARGUMENTS);             \
    fortran_caller = NULL;                                   \
  }

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
