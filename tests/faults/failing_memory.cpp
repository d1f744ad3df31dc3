// A library that is loaded before all others (LD_PRELOAD) and has one request for memory fail, or all from one on, as
// the environment says. A request is what asks for memory or for a thread: malloc and its relatives, with them
// `operator new`; mmap; pthread_create. What libraries ask for before the program begins does not count.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
// Of the GNU C library: what its own malloc and relatives are called besides.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

std::atomic<long> requests{0};
long first_failing = 0, last_failing = 0;
bool counts = false;

long number_in(const char* variable, long otherwise) {
  const char* const text = getenv(variable);
  return text != nullptr ? strtol(text, nullptr, 10) : otherwise;
}

bool fails() {
  if (!counts) return false;
  const long number = requests.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number < first_failing || number > last_failing) return false;
  errno = ENOMEM;
  return true;
}

[[gnu::constructor]] void begin() {
  first_failing = number_in("WAVE_FIRST_FAILING", 0);
  last_failing = number_in("WAVE_LAST_FAILING", -1);
  counts = true;
}

// So that the test knows how many requests there are.
[[gnu::destructor]] void end() {
  counts = false;
  const char* const file = getenv("WAVE_REQUESTS");
  const int stream = file != nullptr ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (stream < 0) return;
  dprintf(stream, "%ld\n", requests.load());
  close(stream);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) noexcept { return fails() ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  const int before = errno;
  void* const memory = memalign(alignment, size);
  errno = before;
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}

void* mmap(void* address, std::size_t length, int protection, int flags, int stream, off_t offset) noexcept {
  if (fails()) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, length, protection, flags, stream, offset));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return fails() ? EAGAIN : create(thread, attributes, start, argument);
}
}
