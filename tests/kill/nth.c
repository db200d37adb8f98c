// Makes one call of the program fail for tests: LD_PRELOADed into gopnet (see sweep.py).
//
//   GOPNET_NTH_CALL   malloc, mmap (of a file), write, read, open, rename, fsync or thread; calls
//                     before main and writes to stderr do not count. terminate: fsync number n
//                     calls std::terminate. short: every write takes 7 bytes or is interrupted.
//                     plain: a file system without links and RENAME_NOREPLACE
//   GOPNET_NTH_AT     number of the call that fails, from 1; 0: none
//   GOPNET_NTH_COUNT  file for the number of these calls
//   GOPNET_SHRINK     absolute path of a file to truncate after it has been mapped,
//   GOPNET_SHRINK_BY  by this number of bytes
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static const char *kind = "", *count_file;
static long at;
static atomic_long calls;
static bool started;

extern void _ZSt9terminatev(void) __attribute__((weak));  // std::terminate

static bool Fails(const char* call, int error) {
  if (!started || strcmp(call, kind) != 0) return false;
  if (++calls != at) return false;
  errno = error;
  return true;
}

void* malloc(size_t size) { return Fails("malloc", ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) {
  return Fails("malloc", ENOMEM) ? NULL : __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
  return Fails("malloc", ENOMEM) ? NULL : __libc_realloc(old, size);
}
void* memalign(size_t align, size_t size) {
  return Fails("malloc", ENOMEM) ? NULL : __libc_memalign(align, size);
}
void* aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
int posix_memalign(void** out, size_t align, size_t size) {
  *out = memalign(align, size);
  return *out ? 0 : ENOMEM;
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (file != STDERR_FILENO && Fails("write", ENOSPC)) return -1;
  if (started && file > STDERR_FILENO && strcmp(kind, "short") == 0) {
    errno = EINTR;
    if (++calls % 2 == 0) return -1;
    count = count < 7 ? count : 7;
  }
  return syscall(SYS_write, file, bytes, count);
}
ssize_t read(int file, void* bytes, size_t count) {
  return Fails("read", EIO) ? -1 : syscall(SYS_read, file, bytes, count);
}
int fsync(int file) {
  if (Fails("terminate", 0)) _ZSt9terminatev();
  return Fails("fsync", EIO) ? -1 : (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) { return Fails("fsync", EIO) ? -1 : (int)syscall(SYS_fdatasync, file); }
int rename(const char* from, const char* to) {
  return Fails("rename", EIO) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
static bool Lacks(int error) {
  errno = error;
  return started && strcmp(kind, "plain") == 0;
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return Fails("rename", EIO) ? -1
                              : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return Lacks(EPERM) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (Lacks(EINVAL)) return -1;
  return Fails("rename", EIO)
             ? -1
             : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = given ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return Fails("open", EIO) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}
int open64(const char* name, int flags, ...) __attribute__((alias("open")));
int openat(int folder, const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = given ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return Fails("open", EIO) ? -1 : (int)syscall(SYS_openat, folder, name, flags, mode);
}
int openat64(int, const char*, int, ...) __attribute__((alias("openat")));

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  if (Fails("thread", EAGAIN)) return EAGAIN;
  int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) =
      dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, run, argument);
}

void* mmap(void* where, size_t size, int protection, int flags, int file, off_t offset) {
  if (file >= 0 && Fails("mmap", ENOMEM)) return MAP_FAILED;
  void* map = (void*)syscall(SYS_mmap, where, size, protection, flags, file, offset);
  const char *shrink = getenv("GOPNET_SHRINK"), *by = getenv("GOPNET_SHRINK_BY");
  struct stat info;
  char link[64], path[PATH_MAX];
  if (map == MAP_FAILED || file < 0 || !shrink || fstat(file, &info) != 0) return map;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  if (strcmp(path, shrink) == 0 && truncate(path, info.st_size - atol(by)) != 0) abort();
  return map;
}
void* mmap64(void*, size_t, int, int, int, off64_t) __attribute__((alias("mmap")));

static int (*real_main)(int, char**, char**);
static int Main(int count, char** words, char** environment) {
  const char* number = getenv("GOPNET_NTH_AT");
  at = number ? atol(number) : 0;
  kind = getenv("GOPNET_NTH_CALL") ? getenv("GOPNET_NTH_CALL") : "";
  count_file = getenv("GOPNET_NTH_COUNT");
  started = true;
  const int code = real_main(count, words, environment);
  started = false;
  if (count_file) {
    FILE* file = fopen(count_file, "w");
    if (file) fprintf(file, "%ld", (long)calls), fclose(file);
  }
  return code;
}

int __libc_start_main(int (*main_function)(int, char**, char**), int count, char** words,
                      void (*init)(void), void (*fini)(void), void (*end)(void), void* stack) {
  int (*real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
              void (*)(void), void*) = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main_function;
  return real(Main, count, words, init, fini, end, stack);
}
