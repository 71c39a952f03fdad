/* System calls that fail on demand, loaded with LD_PRELOAD.
 *
 * FAULT_PATH    files whose path ends with this are meant; without it standard output is
 * FAULT_READ    short: a read gives 1 to 7 bytes; eio:N: after N bytes a read fails with EIO;
 *               intr: every second read is interrupted
 * FAULT_WRITE   short: a write takes 1 to 7 bytes; intr: every second write is interrupted;
 *               full:N: after N bytes a write fails with ENOSPC
 * FAULT_CALL    the calls of this name (open, read, write, close, rename, sync, truncate, stat, unlink, readlink, opendir,
 *               readdir, closedir, chmod, seek, dup, thread) are counted, all but those on standard error
 * FAULT_NTH     and this one, from 1, fails
 * FAULT_ERRNO   with this error, a number
 * FAULT_MARK    a file that is made when that has happened
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t (*read_fn)(int, void *, size_t);
typedef ssize_t (*pread_fn)(int, void *, size_t, off_t);
typedef ssize_t (*write_fn)(int, const void *, size_t);

static __thread unsigned turn;

static atomic_long calls;

/* Whether this call is the one that fails; its errno is set then. */
static int fails(const char *name)
{
    const char *call = getenv("FAULT_CALL"), *nth = getenv("FAULT_NTH");
    if (!call || !nth || strcmp(call, name) != 0 || atomic_fetch_add(&calls, 1) + 1 != atol(nth))
        return 0;
    const char *mark = getenv("FAULT_MARK"), *number = getenv("FAULT_ERRNO");
    if (mark)
        syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600));
    errno = number ? atoi(number) : EIO;
    return 1;
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

static int is_meant(int fd)
{
    const char *path = getenv("FAULT_PATH");
    char link[64], target[4096];
    if (!path)
        return fd == 1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0)
        return 0;
    target[length] = 0;
    size_t wanted = strlen(path);
    return (size_t)length >= wanted && strcmp(target + length - wanted, path) == 0;
}

/* How many bytes a call may take of `size`, -1 with errno if it fails. */
static ssize_t granted(const char *mode, off_t place, size_t size)
{
    turn++;
    if (strcmp(mode, "short") == 0)
        return size < 1 + turn % 7 ? (ssize_t)size : (ssize_t)(1 + turn % 7);
    if (strcmp(mode, "intr") == 0 && turn % 2) {
        errno = EINTR;
        return -1;
    }
    int is_eio = strncmp(mode, "eio:", 4) == 0, is_full = strncmp(mode, "full:", 5) == 0;
    if (is_eio || is_full) {
        off_t limit = atol(strchr(mode, ':') + 1);
        if (place >= limit) {
            errno = is_eio ? EIO : ENOSPC;
            return -1;
        }
        if ((off_t)size > limit - place)
            return limit - place;
    }
    return (ssize_t)size;
}

static off_t read_so_far, written;

ssize_t read(int fd, void *buffer, size_t size)
{
    static read_fn real;
    if (!real)
        real = (read_fn)dlsym(RTLD_NEXT, "read");
    if (fails("read"))
        return -1;
    const char *mode = getenv("FAULT_READ");
    if (mode && getenv("FAULT_PATH") && is_meant(fd)) {
        ssize_t some = granted(mode, read_so_far, size);
        if (some < 0)
            return -1;
        ssize_t count = real(fd, buffer, (size_t)some);
        if (count > 0)
            read_so_far += count;
        return count;
    }
    return real(fd, buffer, size);
}

ssize_t pread64(int fd, void *buffer, size_t size, off_t place)
{
    static pread_fn real;
    if (!real)
        real = (pread_fn)dlsym(RTLD_NEXT, "pread64");
    if (fails("read"))
        return -1;
    const char *mode = getenv("FAULT_READ");
    if (mode && getenv("FAULT_PATH") && is_meant(fd)) {
        ssize_t some = granted(mode, place, size);
        return some < 0 ? -1 : real(fd, buffer, (size_t)some, place);
    }
    return real(fd, buffer, size, place);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
    static write_fn real;
    if (!real)
        real = (write_fn)dlsym(RTLD_NEXT, "write");
    if (fd != 2 && fails("write"))
        return -1;
    const char *mode = getenv("FAULT_WRITE");
    if (mode && is_meant(fd)) {
        ssize_t some = granted(mode, written, size);
        if (some < 0)
            return -1;
        ssize_t count = real(fd, buffer, (size_t)some);
        if (count > 0)
            written += count;
        return count;
    }
    return real(fd, buffer, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        ssize_t some = write(fd, parts[i].iov_base, parts[i].iov_len);
        if (some < 0)
            return total ? total : -1;
        total += some;
        if ((size_t)some < parts[i].iov_len)
            break;
    }
    return total;
}

/* What follows fails by its number alone. A descriptor that `close` fails for is closed all the same, as Linux does it. */

static int open_by(const char *name, const char *path, int flags, mode_t mode)
{
    return fails("open") ? -1 : REAL(int (*)(const char *, int, ...), name)(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_by("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_by("open64", path, flags, mode);
}

int close(int fd)
{
    int is_failing = fd != 2 && fails("close"), number = errno;
    int done = REAL(int (*)(int), "close")(fd);
    if (!is_failing)
        return done;
    errno = number;
    return -1;
}

int closedir(DIR *folder)
{
    int is_failing = fails("closedir"), number = errno;
    int done = REAL(int (*)(DIR *), "closedir")(folder);
    if (!is_failing)
        return done;
    errno = number;
    return -1;
}

DIR *opendir(const char *path)
{
    return fails("opendir") ? NULL : REAL(DIR * (*)(const char *), "opendir")(path);
}

struct dirent64 *readdir64(DIR *folder)
{
    return fails("readdir") ? NULL : REAL(struct dirent64 * (*)(DIR *), "readdir64")(folder);
}

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : REAL(int (*)(const char *, const char *), "rename")(from, to);
}

int unlink(const char *path)
{
    return fails("unlink") ? -1 : REAL(int (*)(const char *), "unlink")(path);
}

ssize_t readlink(const char *path, char *to, size_t size)
{
    return fails("readlink") ? -1 : REAL(ssize_t (*)(const char *, char *, size_t), "readlink")(path, to, size);
}

int fsync(int fd)
{
    return fails("sync") ? -1 : REAL(int (*)(int), "fsync")(fd);
}

int fdatasync(int fd)
{
    return fails("sync") ? -1 : REAL(int (*)(int), "fdatasync")(fd);
}

int ftruncate64(int fd, off64_t size)
{
    return fails("truncate") ? -1 : REAL(int (*)(int, off64_t), "ftruncate64")(fd, size);
}

off64_t lseek64(int fd, off64_t to, int from)
{
    return fails("seek") ? -1 : REAL(off64_t (*)(int, off64_t, int), "lseek64")(fd, to, from);
}

int fchmod(int fd, mode_t mode)
{
    return fails("chmod") ? -1 : REAL(int (*)(int, mode_t), "fchmod")(fd, mode);
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *to)
{
    return fails("stat") ? -1 : REAL(int (*)(int, const char *, int, unsigned, struct statx *), "statx")(folder, path, flags, mask, to);
}

int fcntl64(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long argument = va_arg(rest, long);
    va_end(rest);
    if (command == F_DUPFD_CLOEXEC && fails("dup"))
        return -1;
    return REAL(int (*)(int, int, ...), "fcntl64")(fd, command, argument);
}

int fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long argument = va_arg(rest, long);
    va_end(rest);
    if (command == F_DUPFD_CLOEXEC && fails("dup"))
        return -1;
    return REAL(int (*)(int, int, ...), "fcntl")(fd, command, argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *with)
{
    return fails("thread") ? errno : REAL(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), "pthread_create")(thread, how, begin, with);
}
