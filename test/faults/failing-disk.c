/* Makes a disk fail, for `npm run test:faults`: loaded before the C library of the server.
 * While the file $FAULT_SYNC exists, fsync of a write-ahead log fails with EIO; the first time is
 * written to $FAULT_SYNC.first, in milliseconds since 1970.
 * While the file $FAULT_FULL exists, nothing can be written to a file: ENOSPC.
 * With $FAULT_POWER, what SQLite has synced of its files is in a copy beside each: NAME.synced. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int is_on(const char *name) {
  const char *path = getenv(name);
  return path != NULL && access(path, F_OK) == 0;
}

static int ends_with(int fd, const char *end, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4000);
  if (length < (ssize_t)strlen(end)) return 0;
  path[length] = 0;
  return strcmp(path + length - strlen(end), end) == 0;
}

static int is_log(int fd) {
  char path[4096];
  return ends_with(fd, "-wal", path);
}

static void note_synced(int fd) {
  char path[4096], copy[4200], whole[4200];
  char bytes[65536];
  if (!ends_with(fd, ".sqlite", path) && !ends_with(fd, ".sqlite-wal", path)) return;
  snprintf(copy, sizeof copy, "%s.copying", path);
  snprintf(whole, sizeof whole, "%s.synced", path);
  int to = open(copy, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (to < 0) abort();
  for (off_t at = 0;;) {
    ssize_t count = syscall(SYS_pread64, fd, bytes, sizeof bytes, at);
    if (count < 0 || syscall(SYS_write, to, bytes, count) != count) abort();
    if (count == 0) break;
    at += count;
  }
  close(to);
  if (rename(copy, whole) != 0) abort();
}

static void note(void) {
  char path[4096];
  struct timespec now;
  snprintf(path, sizeof path, "%s.first", getenv("FAULT_SYNC"));
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd < 0) return;
  clock_gettime(CLOCK_REALTIME, &now);
  dprintf(fd, "%lld", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
  close(fd);
}

static int failed_sync(int fd, long call) {
  if (is_on("FAULT_SYNC") && is_log(fd)) {
    note();
    errno = EIO;
    return -1;
  }
  int outcome = (int)syscall(call, fd);
  if (outcome == 0 && getenv("FAULT_POWER") != NULL) note_synced(fd);
  return outcome;
}

int fsync(int fd) { return failed_sync(fd, SYS_fsync); }
int fdatasync(int fd) { return failed_sync(fd, SYS_fdatasync); }

static int is_full(int fd) {
  struct stat found;
  return is_on("FAULT_FULL") && fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

#define FULL_OR(fd, go) \
  if (is_full(fd)) { errno = ENOSPC; return -1; } \
  return go

ssize_t write(int fd, const void *bytes, size_t count) {
  FULL_OR(fd, syscall(SYS_write, fd, bytes, count));
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  FULL_OR(fd, syscall(SYS_pwrite64, fd, bytes, count, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  FULL_OR(fd, syscall(SYS_pwrite64, fd, bytes, count, at));
}
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  FULL_OR(fd, syscall(SYS_writev, fd, pieces, count));
}
