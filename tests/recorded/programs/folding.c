/* Folds random sequences of calls, most of them loops of loops, and unfolds them again: the calls, their number and the
 * sums of their times stay. Loops that are always the same take as many nodes as they are written with.
 * usage: folding SEQUENCES */
#include "folding.h"

#include <stdio.h>

static int write_fields(FILE *to, const struct signature *signature) {
  return fprintf(to, "%d", (int)signature->words[0]);
}
static void write_more(FILE *to, const struct signature *signature) { (void)to, (void)signature; }

static uint64_t state = 20261130;
static uint32_t below(uint32_t most) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (uint32_t)(state >> 33) % most;
}

enum { most_calls = 1 << 20 };
static int made[most_calls], unfolded[most_calls];
static uint32_t made_count, unfolded_count;

static void call(int which) {
  if (made_count == most_calls) return;
  made[made_count++] = which;
  const int64_t words[2] = {which, 7};
  int is_new;
  fold_call(signature_of(words, 2, hash_of_words(words, 2), &is_new), (struct single){which + 1, 2, 3, -1, 0});
}
static void make(int depth, int kinds) {
  const uint32_t parts = 1 + below(6);
  struct {
    uint32_t kind, count;
    uint64_t state;
  } part[6];
  for (uint32_t i = 0; i < parts; ++i) {
    part[i].kind = below(3);
    part[i].count = 1 + below(8);
    part[i].state = state + i;
  }
  const uint64_t after = state + 99;
  for (uint32_t i = 0; i < parts; ++i) {
    for (uint32_t k = 0; k < part[i].count; ++k) {
      /* Mostly the same in each round. */
      if (below(50) != 0) state = part[i].state;
      if (depth > 0 && part[i].kind != 0) make(depth - 1, kinds);
      else call((int)below((uint32_t)kinds));
    }
  }
  state = after;
}

static double times_of(const struct node *some, uint32_t count, uint64_t *calls) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (some[i].loops) {
      sum += times_of(some[i].is.loop.body, some[i].is.loop.length, calls);
      continue;
    }
    const struct times *const many = some[i].is.call.many;
    sum += many ? many->since.sum : some[i].is.call.one.since;
    *calls += many ? many->count : 1;
    if (many && (many->since.least != many->since.most || count_of(&many->since) != many->count)) exit(3);
  }
  return sum;
}
static void unfold(const struct node *some, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint64_t k = 0; k < some[i].loops; ++k) unfold(some[i].is.loop.body, some[i].is.loop.length);
    if (!some[i].loops && unfolded_count < most_calls)
      unfolded[unfolded_count++] = (int)signatures[some[i].is.call.signature].words[0];
  }
}
static void forget(struct node *some, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (some[i].loops) {
      forget(some[i].is.loop.body, some[i].is.loop.length);
      release(some[i].is.loop.body, sizeof *some * some[i].is.loop.length);
    } else if (some[i].is.call.many) {
      release(some[i].is.call.many, sizeof *some[i].is.call.many);
    }
  }
}
static void begin_again(void) {
  forget(stack, stack_count);
  memset(lists, 0, sizeof lists);
  stack_count = made_count = unfolded_count = 0;
}
static int is_unchanged(void) {
  uint64_t calls = 0;
  double sum = 0;
  for (uint32_t i = 0; i < made_count; ++i) sum += made[i] + 1;
  unfold(stack, stack_count);
  return unfolded_count == made_count && memcmp(made, unfolded, sizeof *made * made_count) == 0 &&
         times_of(stack, stack_count, &calls) == sum && calls == made_count;
}

int main(int count, char **arguments) {
  const long sequences = count > 1 ? atol(arguments[1]) : 1000;
  for (long i = 0; i < sequences; ++i) {
    begin_again();
    const uint64_t first = state;
    make(1 + (int)below(4), 1 + (int)below(12));
    if (is_unchanged()) continue;
    printf("sequence %ld, of state %llu, is another when it is unfolded\n", i, (unsigned long long)first);
    return 1;
  }
  begin_again();
  for (int i = 0; i < 1000; ++i) {
    call(0);
    for (int k = 0; k < 5; ++k) {
      call(1);
      for (int m = 0; m < 7; ++m) call(2);
      for (int m = 0; m < 300; ++m) call(10 + m);
    }
    call(3);
  }
  if (made_count != most_calls || !is_unchanged() || stack_count > 700) {
    printf("loops of loops take %u nodes\n", stack_count);
    return 1;
  }
  begin_again();
  for (int i = 0; i < 200000; ++i) call(i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 3);
  if (stack_count > 3) return 1;
  begin_again();
  if (held_bytes > 1 << 24) printf("%zu bytes are held\n", held_bytes);
  return held_bytes > 1 << 24;
}
