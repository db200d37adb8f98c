/* Makes a program's steady clock count the processor time of its first thread, so that a search on
   one thread can be timed while the machine does other things. Other threads, which only write to
   disk, see the true clock. cluster_measure.py builds it; LD_PRELOAD puts it before the C library.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int first = clock == CLOCK_MONOTONIC && syscall(SYS_gettid) == getpid();
  return (int)syscall(SYS_clock_gettime, first ? CLOCK_THREAD_CPUTIME_ID : clock, now);
}
