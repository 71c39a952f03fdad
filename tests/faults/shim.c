/* System calls that fail on demand, loaded with LD_PRELOAD.
 *
 * FAULT_PATH    files whose path ends with this are meant; without it standard output is
 * FAULT_READ    short: a read gives 1 to 7 bytes; eio:N: after N bytes a read fails with EIO;
 *               intr: every second read is interrupted
 * FAULT_WRITE   short: a write takes 1 to 7 bytes; intr: every second write is interrupted;
 *               full:N: after N bytes a write fails with ENOSPC
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t (*read_fn)(int, void *, size_t);
typedef ssize_t (*pread_fn)(int, void *, size_t, off_t);
typedef ssize_t (*write_fn)(int, const void *, size_t);

static __thread unsigned turn;

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
