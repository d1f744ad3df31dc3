/* Folds the calls of one rank while they are recorded: what is repeated becomes a loop with a count, in loops of loops,
 * without loss of their order. Times of calls that became one are added up. recorder.c includes this; it knows no MPI.
 *
 * A stack has what was recorded, calls and loops. Whenever a call is put on it, its end is compared with what is before:
 * with the body of a loop, whose count grows then, and with as many nodes, which become a loop of two. Rolling hashes
 * make a comparison one step, and only places where the same call stands are compared, the nearest first. Nodes that are
 * equal by their hashes are compared one by one before they are merged, so that a collision folds nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory, all of which is counted ---- */

static size_t held_bytes;

static void *resized(void *old, size_t before, size_t after) {
  void *const result = realloc(old, after ? after : 1);
  if (!result) {
    fprintf(stderr, "recorder: there is no memory left\n");
    abort();
  }
  held_bytes += after - before;
  return result;
}
static void release(void *old, size_t bytes) {
  held_bytes -= bytes;
  free(old);
}

/* ---- times ---- */

/* What is known of several values: bucket k counts those from 4^k to below 4^(k+1), the first also less, the last also
 * more. */
enum { bucket_count = 16 };
struct spread {
  double sum, least, most;
  uint32_t buckets[bucket_count];
};

/* Of calls that became one. Processor times and sizes are not known of all. */
struct times {
  uint64_t count, failed_tests;
  struct spread since, inside, processor, size;
};

/* Of one call. Negative: not known. */
struct single {
  double since, inside, processor, size;
  uint32_t failed_tests;
};

static int bucket_of(double value) {
  if (!(value >= 4)) return 0;
  const int bucket = (63 - __builtin_clzll(value < 1e18 ? (unsigned long long)value : 1000000000000000000ULL)) / 2;
  return bucket < bucket_count ? bucket : bucket_count - 1;
}
static uint64_t count_of(const struct spread *spread) {
  uint64_t count = 0;
  for (int k = 0; k < bucket_count; ++k) count += spread->buckets[k];
  return count;
}
static void raise_bucket(uint32_t *bucket, uint32_t by) {
  *bucket = *bucket > UINT32_MAX - by ? UINT32_MAX : *bucket + by;
}
static void add_value(struct spread *spread, double value) {
  if (value < 0) return;
  const int is_first = spread->most == 0 && spread->sum == 0 && count_of(spread) == 0;
  spread->sum += value;
  if (is_first || value < spread->least) spread->least = value;
  if (is_first || value > spread->most) spread->most = value;
  raise_bucket(&spread->buckets[bucket_of(value)], 1);
}
static void add_spread(struct spread *into, const struct spread *from) {
  if (count_of(from) == 0) return;
  if (count_of(into) == 0) {
    *into = *from;
    return;
  }
  into->sum += from->sum;
  if (from->least < into->least) into->least = from->least;
  if (from->most > into->most) into->most = from->most;
  for (int k = 0; k < bucket_count; ++k) raise_bucket(&into->buckets[k], from->buckets[k]);
}
static void add_single(struct times *times, const struct single *one) {
  ++times->count;
  times->failed_tests += one->failed_tests;
  add_value(&times->since, one->since);
  add_value(&times->inside, one->inside);
  add_value(&times->processor, one->processor);
  add_value(&times->size, one->size);
}
static void add_times(struct times *into, const struct times *from) {
  into->count += from->count;
  into->failed_tests += from->failed_tests;
  add_spread(&into->since, &from->since);
  add_spread(&into->inside, &from->inside);
  add_spread(&into->processor, &from->processor);
  add_spread(&into->size, &from->size);
}

/* ---- signatures: all that two calls must share to be the same, as words, each kept once ---- */

static uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

struct signature {
  uint64_t hash;
  const int64_t *words;
  uint32_t count;
  uint32_t operation; /* the caller's */
};
static struct signature *signatures;
static uint32_t signature_count, signature_room;
static uint32_t *signature_slots; /* by hash; a number from 1, or 0 */
static uint32_t slot_count;

static uint64_t hash_of_words(const int64_t *words, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; ++i) hash = mixed(hash, (uint64_t)words[i]);
  return hash | 1;
}

static void widen_slots(void) {
  const uint32_t wider = slot_count ? 2 * slot_count : 1024;
  release(signature_slots, sizeof *signature_slots * slot_count);
  signature_slots = resized(NULL, 0, sizeof *signature_slots * wider);
  memset(signature_slots, 0, sizeof *signature_slots * wider);
  slot_count = wider;
  for (uint32_t i = 0; i < signature_count; ++i) {
    uint32_t slot = (uint32_t)(signatures[i].hash >> 20) & (slot_count - 1);
    while (signature_slots[slot]) slot = (slot + 1) & (slot_count - 1);
    signature_slots[slot] = i + 1;
  }
}

/* The number of the signature with these words, which is made if it is new. */
static uint32_t signature_of(const int64_t *words, uint32_t count, uint64_t hash, int *is_new) {
  if (2 * signature_count >= slot_count) widen_slots();
  uint32_t slot = (uint32_t)(hash >> 20) & (slot_count - 1);
  *is_new = 0;
  for (; signature_slots[slot]; slot = (slot + 1) & (slot_count - 1)) {
    const struct signature *const one = &signatures[signature_slots[slot] - 1];
    if (one->hash == hash && one->count == count && memcmp(one->words, words, sizeof *words * count) == 0)
      return signature_slots[slot] - 1;
  }
  if (signature_count == signature_room) {
    const uint32_t wider = signature_room ? 2 * signature_room : 256;
    signatures = resized(signatures, sizeof *signatures * signature_room, sizeof *signatures * wider);
    signature_room = wider;
  }
  int64_t *const kept = resized(NULL, 0, sizeof *words * count);
  memcpy(kept, words, sizeof *words * count);
  signatures[signature_count] = (struct signature){hash, kept, count, 0};
  signature_slots[slot] = ++signature_count;
  *is_new = 1;
  return signature_count - 1;
}

/* ---- nodes ---- */

struct node {
  uint64_t hash;   /* of a call its signature's, of a loop of its body and count */
  uint64_t prefix; /* of all on the stack up to this one */
  uint64_t loops;  /* how often, 0: it is a call */
  union {
    struct {
      struct node *body;
      uint64_t body_hash, end_hash; /* of all of it, and of its last node */
      uint32_t length;
    } loop;
    struct {
      struct times *many; /* NULL: it was called once */
      struct single one;
      uint32_t signature;
    } call;
  } is;
  /* On the stack: the one before in its list, by its own hash, and of a loop by the hash of its body's end. */
  uint32_t before, before_by_end;
};

static struct node *stack;
static uint32_t stack_count, stack_room;

/* The last on the stack with a hash, by some of its bits: twice its place and, of a loop by its body's end, 1 more; from
 * 2, 0: none. Lists are changed at the stack's end alone, so that they are stacks, too. */
enum { list_count = 4096, window = 4096, most_compared = 64 };
static uint32_t lists[list_count];
static uint64_t powers[window + 1]; /* of the base of the rolling hash */
static const uint64_t base = 0xd1342543de82ef95ULL;

static uint32_t *list_of(uint64_t hash) { return &lists[hash >> 52 & (list_count - 1)]; }

static void enlist(uint32_t place) {
  struct node *const one = &stack[place];
  if (one->loops) {
    uint32_t *const list = list_of(one->is.loop.end_hash);
    one->before_by_end = *list;
    *list = 2 * (place + 1) + 1;
  }
  uint32_t *const list = list_of(one->hash);
  one->before = *list;
  *list = 2 * (place + 1);
}
static void strike(uint32_t place) {
  struct node *const one = &stack[place];
  *list_of(one->hash) = one->before;
  if (one->loops) *list_of(one->is.loop.end_hash) = one->before_by_end;
}

/* Of the nodes from one place to another. */
static uint64_t block_hash(uint32_t from, uint32_t to) {
  const uint64_t before = from ? stack[from - 1].prefix : 0;
  return stack[to - 1].prefix - before * powers[to - from];
}
static void hash_top(void) {
  struct node *const top = &stack[stack_count - 1];
  if (top->loops) top->hash = mixed(mixed(0x5851f42d4c957f2dULL, top->is.loop.body_hash), top->loops) | 1;
  top->prefix = (stack_count > 1 ? stack[stack_count - 2].prefix : 0) * base + top->hash;
}

static int is_same(const struct node *one, const struct node *other) {
  if (one->loops != other->loops) return 0;
  if (!one->loops) return one->is.call.signature == other->is.call.signature;
  if (one->is.loop.length != other->is.loop.length) return 0;
  for (uint32_t i = 0; i < one->is.loop.length; ++i) {
    if (!is_same(&one->is.loop.body[i], &other->is.loop.body[i])) return 0;
  }
  return 1;
}
static int are_same(const struct node *some, const struct node *others, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_same(&some[i], &others[i])) return 0;
  }
  return 1;
}

/* Adds the times of a node that is the same, and takes what it holds. */
static void merge(struct node *into, struct node *from) {
  if (into->loops) {
    for (uint32_t i = 0; i < from->is.loop.length; ++i) merge(&into->is.loop.body[i], &from->is.loop.body[i]);
    release(from->is.loop.body, sizeof *stack * from->is.loop.length);
    return;
  }
  if (!into->is.call.many) {
    const struct single one = into->is.call.one;
    into->is.call.many = resized(NULL, 0, sizeof *into->is.call.many);
    memset(into->is.call.many, 0, sizeof *into->is.call.many);
    add_single(into->is.call.many, &one);
  }
  if (from->is.call.many) {
    add_times(into->is.call.many, from->is.call.many);
    release(from->is.call.many, sizeof *from->is.call.many);
  } else {
    add_single(into->is.call.many, &from->is.call.one);
  }
}

/* Nodes from `place` go; all but the last are in lists. */
static void cut_stack(uint32_t place) {
  for (uint32_t i = stack_count - 1; i-- > place;) strike(i);
  stack_count = place;
}

/* The stack's end is another round of the loop before. */
static void grow_loop(uint32_t place) {
  struct node *const loop = &stack[place];
  for (uint32_t i = 0; i < loop->is.loop.length; ++i) merge(&loop->is.loop.body[i], &stack[place + 1 + i]);
  cut_stack(place + 1);
  strike(place);
  ++loop->loops;
  hash_top();
}
/* The stack's end has the same twice. */
static void make_loop(uint32_t length) {
  const uint32_t second = stack_count - length, first = second - length;
  struct node loop;
  memset(&loop, 0, sizeof loop);
  loop.loops = 2;
  loop.is.loop.length = length;
  loop.is.loop.body_hash = block_hash(first, second);
  loop.is.loop.end_hash = stack[second - 1].hash;
  loop.is.loop.body = resized(NULL, 0, sizeof *stack * length);
  memcpy(loop.is.loop.body, &stack[first], sizeof *stack * length);
  for (uint32_t i = 0; i < length; ++i) merge(&loop.is.loop.body[i], &stack[second + i]);
  cut_stack(first);
  stack[stack_count++] = loop;
  hash_top();
}
/* The last two are loops of the same. */
static int join_loops(void) {
  if (stack_count < 2) return 0;
  struct node *const top = &stack[stack_count - 1], *const loop = top - 1;
  if (!top->loops || !loop->loops || top->is.loop.body_hash != loop->is.loop.body_hash ||
      top->is.loop.length != loop->is.loop.length ||
      !are_same(loop->is.loop.body, top->is.loop.body, top->is.loop.length))
    return 0;
  const uint64_t more = top->loops;
  top->loops = loop->loops; /* bodies are merged, whatever the counts are */
  strike(stack_count - 2);
  merge(loop, top);
  loop->loops += more;
  --stack_count;
  hash_top();
  return 1;
}
/* What ends at the stack's end and is there before, by the nearest node that is like the last. */
static int fold_end(void) {
  if (join_loops()) return 1;
  const uint32_t top = stack_count - 1;
  const uint64_t hash = stack[top].hash;
  uint32_t entry = *list_of(hash);
  for (int compared = 0; entry && compared < most_compared; ++compared) {
    const uint32_t place = entry / 2 - 1, length = top - place;
    struct node *const one = &stack[place];
    const int is_by_end = entry & 1;
    if (length > window) return 0;
    entry = is_by_end ? one->before_by_end : one->before;
    if (is_by_end) {
      if (one->is.loop.length != length || one->is.loop.body_hash != block_hash(place + 1, stack_count) ||
          !are_same(one->is.loop.body, one + 1, length))
        continue;
      grow_loop(place);
      return 1;
    }
    if (one->hash != hash || 2 * length > stack_count) continue;
    const uint32_t second = stack_count - length;
    if (block_hash(second - length, second) != block_hash(second, stack_count) ||
        !are_same(&stack[second - length], &stack[second], length))
      continue;
    make_loop(length);
    return 1;
  }
  return 0;
}

/* Puts a call behind all that was recorded. */
static void fold_call(uint32_t signature, struct single one) {
  if (stack_count == stack_room) {
    const uint32_t wider = stack_room ? stack_room + stack_room / 2 : 256;
    stack = resized(stack, sizeof *stack * stack_room, sizeof *stack * wider);
    stack_room = wider;
  }
  if (!powers[0]) {
    powers[0] = 1;
    for (int i = 1; i <= window; ++i) powers[i] = powers[i - 1] * base;
  }
  struct node *const call = &stack[stack_count++];
  call->hash = signatures[signature].hash;
  call->loops = 0;
  call->is.call.many = NULL;
  call->is.call.one = one;
  call->is.call.signature = signature;
  hash_top();
  while (fold_end()) {
  }
  enlist(stack_count - 1);
}

/* ---- text ---- */

static void write_spread(FILE *to, const char *name, const struct spread *spread) {
  if (count_of(spread) == 0) return;
  fprintf(to, " %s=%.0f:%.0f:%.0f:", name, spread->sum, spread->least, spread->most);
  const char *between = "";
  for (int k = 0; k < bucket_count; ++k) {
    if (!spread->buckets[k]) continue;
    fprintf(to, "%s%dx%u", between, k, spread->buckets[k]);
    between = ",";
  }
}
/* The caller's: a call's fields before its times, unless it has none of these; and what it has behind them. */
static int write_fields(FILE *to, const struct signature *signature);
static void write_more(FILE *to, const struct signature *signature);

static void write_node(FILE *to, const struct node *node) {
  if (node->loops) {
    fprintf(to, "repeat %llu {\n", (unsigned long long)node->loops);
    for (uint32_t i = 0; i < node->is.loop.length; ++i) write_node(to, &node->is.loop.body[i]);
    fputs("}\n", to);
    return;
  }
  const struct signature *const signature = &signatures[node->is.call.signature];
  const struct times *const many = node->is.call.many;
  const struct single *const one = &node->is.call.one;
  if (!write_fields(to, signature)) {
    fputc('\n', to);
    return;
  }
  if (many) {
    fprintf(to, " %.0f %.0f", many->since.sum / (double)many->count, many->inside.sum / (double)many->count);
    write_more(to, signature);
    fprintf(to, " n=%llu", (unsigned long long)many->count);
    write_spread(to, "since", &many->since);
    write_spread(to, "inside", &many->inside);
    write_spread(to, "cpu", &many->processor);
    write_spread(to, "size", &many->size);
    if (many->failed_tests) fprintf(to, " tests=%llu", (unsigned long long)many->failed_tests);
  } else {
    fprintf(to, " %.0f %.0f", one->since, one->inside);
    write_more(to, signature);
    if (one->processor >= 0) fprintf(to, " cpu=%.0f", one->processor);
    if (one->size >= 0) fprintf(to, " size=%.0f", one->size);
    if (one->failed_tests) fprintf(to, " tests=%u", one->failed_tests);
  }
  fputc('\n', to);
}
static void write_folded(FILE *to) {
  for (uint32_t i = 0; i < stack_count; ++i) write_node(to, &stack[i]);
}
