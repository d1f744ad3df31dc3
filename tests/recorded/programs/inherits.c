/* Prints what this program has inherited that another may not have: its limits, the signals that are ignored or blocked,
 * and whether an alarm is set. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>

int main(void) {
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    printf("limit %d: %llu of %llu\n", resource, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
  }
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) printf("ignored: %d\n", number);
    if (sigismember(&blocked, number) == 1) printf("blocked: %d\n", number);
  }
  struct itimerval alarm;
  getitimer(ITIMER_REAL, &alarm);
  printf("alarm: %s\n", alarm.it_value.tv_sec != 0 || alarm.it_value.tv_usec != 0 ? "set" : "none");
  return 0;
}
