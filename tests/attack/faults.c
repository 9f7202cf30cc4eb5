/* A file layer that fails on demand: put between a process and the C library by LD_PRELOAD.
 *
 * Once `faults_arm` was called, operations that change files of a folder are counted, and the
 * one of a given number, or all from it on, go wrong in a given way.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, KILLED, TORN, FULL, FAILING };

static char folder[PATH_MAX];
static enum fault fault;
static long at;
static atomic_long seen;

void faults_arm(const char *in, int kind, long number) {
    strncpy(folder, in, sizeof folder - 1);
    fault = kind;
    at = number;
    atomic_store(&seen, 0);
}

long faults_seen(void) { return atomic_load(&seen); }

static int is_ours(int file) {
    char link[64], path[PATH_MAX];
    if (!folder[0])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    pause();
}

/* Whether an operation that needs no space fails. */
static int goes_wrong(int ours) {
    if (!ours)
        return 0;
    long number = atomic_fetch_add(&seen, 1);
    if (number == at && (fault == KILLED || fault == TORN))
        die();
    if (number >= at && fault == FAILING) {
        errno = EIO;
        return 1;
    }
    return 0;
}

/* How many of `size` octets are written before what happens next; all if nothing does. */
static size_t written(int file, size_t size, enum fault *next) {
    *next = NONE;
    if (!is_ours(file))
        return size;
    long number = atomic_fetch_add(&seen, 1);
    if (number < at || fault == NONE || (number > at && fault < FULL))
        return size;
    *next = fault;
    return fault == TORN || (fault == FULL && number == at) ? size / 2 : 0;
}

static ssize_t after(enum fault next, ssize_t done) {
    if (next == KILLED || next == TORN)
        die();
    if (next == FULL && done > 0)
        return done;
    if (next != NONE) {
        errno = next == FULL ? ENOSPC : EIO;
        return -1;
    }
    return done;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRITES(name, parameters, ...)                                                              \
    ssize_t name parameters {                                                                      \
        REAL(name);                                                                                \
        enum fault next;                                                                           \
        size_t part = written(file, size, &next);                                                  \
        ssize_t done = part || next == NONE ? real(__VA_ARGS__) : 0;                               \
        return after(next, done);                                                                  \
    }

WRITES(write, (int file, const void *from, size_t size), file, from, part)
WRITES(pwrite, (int file, const void *from, size_t size, off_t start), file, from, part, start)
WRITES(pwrite64, (int file, const void *from, size_t size, off64_t start), file, from, part, start)

#define CHANGES(name, parameters, ours, ...)                                                       \
    int name parameters {                                                                          \
        REAL(name);                                                                                \
        return goes_wrong(ours) ? -1 : real(__VA_ARGS__);                                          \
    }

CHANGES(ftruncate, (int file, off_t size), is_ours(file), file, size)
CHANGES(ftruncate64, (int file, off64_t size), is_ours(file), file, size)
CHANGES(fsync, (int file), is_ours(file), file)
CHANGES(fdatasync, (int file), is_ours(file), file)

static int is_path_ours(const char *path) {
    return folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

CHANGES(rename, (const char *from, const char *to), is_path_ours(to), from, to)
CHANGES(unlink, (const char *path), is_path_ours(path), path)
