/* Makes the steady clock of a program count the processor time of its first thread, so that a
   search on one thread can be timed on a busy machine. Other threads, which only write to disk, see
   the true clock. cluster_measure.py builds this file and loads it with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int first = clock == CLOCK_MONOTONIC && syscall(SYS_gettid) == getpid();
  return (int)syscall(SYS_clock_gettime, first ? CLOCK_THREAD_CPUTIME_ID : clock, now);
}
