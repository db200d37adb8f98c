// Makes file operations fail for tests: LD_PRELOADed into gopnet (see faults.py).
//
//   GOPNET_FAULT_FOLDER  absolute path; only calls that change files in this folder count
//   GOPNET_FAULT_AT      number of the call to hit, from 1; 0 or absent: none
//   GOPNET_FAULT_KIND    kill    SIGKILL instead of the call
//                        torn    a write writes half of its bytes before the SIGKILL
//                        enospc  a write writes half of its bytes; all later calls that need
//                        eio     space or reach the disk fail with this error
//   GOPNET_FAULT_LOG     file that gets one line per call: number, name, path
//
// Calls go directly to the kernel, so dlsym and other interposers do not matter.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Fate { kGo, kHalf, kFail };

static const char *folder, *kind;
static long at;
static int log_file = -1;
static atomic_long calls;

__attribute__((constructor)) static void ReadEnvironment(void) {
  const char* number = getenv("GOPNET_FAULT_AT");
  const char* log_name = getenv("GOPNET_FAULT_LOG");
  at = number ? atol(number) : 0;
  kind = getenv("GOPNET_FAULT_KIND");
  if (log_name) {
    log_file =
        syscall(SYS_openat, AT_FDCWD, log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
  folder = getenv("GOPNET_FAULT_FOLDER");
}

static bool Is(const char* name) { return kind && strcmp(kind, name) == 0; }

static void Die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Decides what happens to a call on `path`. After a SIGKILL, calls of other threads never happen.
static enum Fate Next(const char* call, const char* path, bool writes, bool takes_room) {
  const size_t length = folder ? strlen(folder) : 0;
  if (!length || strncmp(path, folder, length) != 0) return kGo;
  if (path[length] != '/' && path[length] != '\0') return kGo;
  const long number = ++calls;
  if (log_file >= 0) dprintf(log_file, "%ld %s %s\n", number, call, path);
  if (at <= 0 || number < at) return kGo;
  if (Is("enospc") || Is("eio")) {
    if (!takes_room) return kGo;
    errno = Is("eio") ? EIO : ENOSPC;
    return number == at && writes ? kHalf : kFail;
  }
  if (number > at)
    for (;;) pause();
  if (Is("torn") && writes) return kHalf;
  Die();
  return kFail;
}

static void PathOfFile(int file, char* path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
}

static void PathIn(int directory, const char* name, char* path) {
  char base[PATH_MAX] = "";
  if (name[0] != '/') {
    if (directory != AT_FDCWD)
      PathOfFile(directory, base);
    else if (!getcwd(base, sizeof base))
      base[0] = '\0';
  }
  if (snprintf(path, PATH_MAX, "%s%s%s", base, base[0] ? "/" : "", name) >= PATH_MAX)
    path[0] = '\0';
}

static enum Fate NextOfFile(const char* call, int file, bool writes, bool takes_room) {
  char path[PATH_MAX];
  const int before = errno;
  PathOfFile(file, path);
  errno = before;
  return Next(call, path, writes, takes_room);
}

static enum Fate NextIn(const char* call, int directory, const char* name, bool takes_room) {
  char path[PATH_MAX];
  const int before = errno;
  PathIn(directory, name, path);
  errno = before;
  return Next(call, path, false, takes_room);
}

static ssize_t Write(int file, const void* bytes, size_t count, const off_t* where) {
  const enum Fate fate = NextOfFile(where ? "pwrite" : "write", file, true, true);
  if (fate == kFail || (fate == kHalf && count < 2 && !Is("torn"))) return -1;
  if (fate == kHalf) count /= 2;
  const ssize_t done = where ? syscall(SYS_pwrite64, file, bytes, count, *where)
                             : syscall(SYS_write, file, bytes, count);
  if (fate == kHalf && Is("torn")) Die();
  return done;
}

ssize_t write(int file, const void* bytes, size_t count) { return Write(file, bytes, count, NULL); }
ssize_t pwrite(int file, const void* bytes, size_t count, off_t where) {
  return Write(file, bytes, count, &where);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t where) {
  return Write(file, bytes, count, &where);
}

int fsync(int file) {
  return NextOfFile("fsync", file, false, true) ? -1 : (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) {
  return NextOfFile("fdatasync", file, false, true) ? -1 : (int)syscall(SYS_fdatasync, file);
}
int ftruncate(int file, off_t size) {
  return NextOfFile("ftruncate", file, false, false) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

static int Open(int directory, const char* name, int flags, mode_t mode) {
  if ((flags & O_CREAT) && NextIn("open", directory, name, true)) return -1;
  return (int)syscall(SYS_openat, directory, name, flags, mode);
}

static mode_t Mode(int flags, va_list rest) {
  const bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  return given ? va_arg(rest, mode_t) : 0;
}

#define OPEN(directory, name, flags)                                \
  va_list rest;                                                     \
  va_start(rest, flags);                                            \
  const int file = Open(directory, name, flags, Mode(flags, rest)); \
  va_end(rest);                                                     \
  return file

int open(const char* name, int flags, ...) { OPEN(AT_FDCWD, name, flags); }
int open64(const char* name, int flags, ...) { OPEN(AT_FDCWD, name, flags); }
int openat(int directory, const char* name, int flags, ...) { OPEN(directory, name, flags); }
int openat64(int directory, const char* name, int flags, ...) { OPEN(directory, name, flags); }

int mkdir(const char* name, mode_t mode) {
  return NextIn("mkdir", AT_FDCWD, name, true) ? -1
                                               : (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
}
int rename(const char* from, const char* to) {
  if (NextIn("rename", AT_FDCWD, to, false)) return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (NextIn("rename", to_folder, to, false)) return -1;
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return renameat2(from_folder, from, to_folder, to, 0);
}
int unlinkat(int directory, const char* name, int flags) {
  if (NextIn("unlink", directory, name, false)) return -1;
  return (int)syscall(SYS_unlinkat, directory, name, flags);
}
int unlink(const char* name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char* name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char* name) {
  const int done = unlink(name);
  return done != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(name) : done;
}
