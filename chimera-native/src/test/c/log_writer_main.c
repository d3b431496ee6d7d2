/*
 * Writes records to rotated log files, like programs that keep a few days of data: the baseline for a store of streams.
 *
 *   chimera-logs FOLDER buffered|ranged one|each STREAMS FILE_BYTES FILES TOTAL_BYTES SEED
 *
 * With "one", records arrive in sequence, each for a random stream, and one thread writes the records; with "each",
 * every stream has a thread that writes at full speed. Records have random lengths with a mean of 64 KiB. Each stream
 * has at most FILES files; a new file replaces the oldest. "ranged" starts write-back of each MiB as soon as the MiB is
 * full, and waits for the previous one (sync_file_range). Prints the bytes accepted within each 50 ms, one number per
 * line, then "longest" and the duration of the longest call in microseconds, and "end" and the milliseconds until all
 * data was on disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STREAMS_MAX = 256,
    RANGE_BYTES = 1 << 20,
    RECORD_BYTES_MIN = 512,
    RECORD_BYTES_MAX = 1 << 19,
    BUCKET_US = 50000,
    BUCKETS_MAX = 1 << 16
};

static const double RECORD_BYTES_MEAN = 65536;

struct stream {
    pthread_t thread;
    uint64_t chance;
    int64_t longest_us; /* of its calls */
    int fd;
    uint64_t number; /* of the current file */
    uint64_t length; /* of the current file */
    uint64_t ranged; /* bytes of the current file with completed or started write-back */
};

static const char *folder;
static uint64_t file_bytes;
static uint64_t files;
static bool is_ranged;
static size_t stream_count;
static uint64_t total;
static int64_t start_us;
static struct stream streams[STREAMS_MAX];
static char bytes[RECORD_BYTES_MAX];
static uint64_t taken;
static uint64_t buckets[BUCKETS_MAX];

static _Noreturn void die(const char *what) {
    (void)fprintf(stderr, "chimera-logs: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_us(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Random number from 0 to below 1. */
static double uniform(struct stream *stream) {
    stream->chance = stream->chance * 6364136223846793005U + 1442695040888963407U;
    return (double)(stream->chance >> 11) / (double)(UINT64_C(1) << 53);
}

static size_t record_bytes(struct stream *stream) {
    double drawn = -log(1 - uniform(stream)) * RECORD_BYTES_MEAN;
    return drawn < RECORD_BYTES_MIN ? RECORD_BYTES_MIN : drawn > RECORD_BYTES_MAX ? RECORD_BYTES_MAX : (size_t)drawn;
}

static void name_of(char *path, size_t stream, uint64_t number) {
    (void)snprintf(path, PATH_MAX, "%s/%zu-%" PRIu64 ".log", folder, stream, number);
}

static void next_file(size_t number) {
    struct stream *stream = &streams[number];
    char path[PATH_MAX];
    if (stream->number > 0 && close(stream->fd) != 0) {
        die("close");
    }
    if (++stream->number > files) {
        name_of(path, number, stream->number - files);
        if (unlink(path) != 0) {
            die(path);
        }
    }
    name_of(path, number, stream->number);
    stream->fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    if (stream->fd < 0) {
        die(path);
    }
    stream->length = 0;
    stream->ranged = 0;
}

static void write_back(struct stream *stream) {
    while (stream->length - stream->ranged >= RANGE_BYTES) {
        off_t from = (off_t)stream->ranged;
        if (sync_file_range(stream->fd, from, RANGE_BYTES, SYNC_FILE_RANGE_WRITE) != 0
            || (from > 0
                && sync_file_range(
                           stream->fd, from - RANGE_BYTES, RANGE_BYTES,
                           SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER)
                        != 0)) {
            die("sync_file_range");
        }
        stream->ranged += RANGE_BYTES;
    }
}

static void append(size_t number, size_t length) {
    struct stream *stream = &streams[number];
    if (stream->number == 0 || stream->length >= file_bytes) {
        next_file(number);
    }
    for (size_t done = 0; done < length;) {
        ssize_t result = write(stream->fd, bytes, length - done);
        if (result < 0 && errno != EINTR) {
            die("write");
        }
        done += result < 0 ? 0 : (size_t)result;
    }
    stream->length += length;
    if (is_ranged) {
        write_back(stream);
    }
}

static uint64_t number_of(const char *text) {
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number == 0) {
        errno = EINVAL;
        die(text);
    }
    return number;
}

/* Appends the next record; false at the end. */
static bool write_next(struct stream *writer, size_t number, int64_t *last) {
    size_t length = record_bytes(writer);
    if (__atomic_fetch_add(&taken, length, __ATOMIC_RELAXED) >= total) {
        return false;
    }
    append(number, length);
    int64_t now = now_us();
    writer->longest_us = now - *last > writer->longest_us ? now - *last : writer->longest_us;
    *last = now;
    int64_t bucket = (now - start_us) / BUCKET_US;
    __atomic_fetch_add(&buckets[bucket < BUCKETS_MAX ? bucket : BUCKETS_MAX - 1], length, __ATOMIC_RELAXED);
    return true;
}

static void *write_stream(void *argument) {
    struct stream *stream = argument;
    int64_t last = now_us();
    while (write_next(stream, (size_t)(stream - streams), &last)) {
    }
    return NULL;
}

static void *write_all(void *argument) {
    struct stream *writer = argument;
    int64_t last = now_us();
    while (write_next(writer, (size_t)(uniform(writer) * (double)stream_count), &last)) {
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 9) {
        (void)fputs("chimera-logs FOLDER buffered|ranged one|each STREAMS FILE_BYTES FILES TOTAL_BYTES SEED\n", stderr);
        return 2;
    }
    folder = arguments[1];
    is_ranged = strcmp(arguments[2], "ranged") == 0;
    bool is_one = strcmp(arguments[3], "one") == 0;
    stream_count = number_of(arguments[4]);
    file_bytes = number_of(arguments[5]);
    files = number_of(arguments[6]);
    total = number_of(arguments[7]);
    uint64_t seed = number_of(arguments[8]);
    if (stream_count > STREAMS_MAX) {
        errno = E2BIG;
        die("streams");
    }
    memset(bytes, 0x5a, sizeof bytes);
    size_t writers = is_one ? 1 : stream_count;
    start_us = now_us();
    for (size_t i = 0; i < writers; i++) {
        streams[i].chance = seed * STREAMS_MAX + i;
        errno = pthread_create(&streams[i].thread, NULL, is_one ? write_all : write_stream, &streams[i]);
        if (errno != 0) {
            die("thread");
        }
    }
    int64_t longest = 0;
    for (size_t i = 0; i < writers; i++) {
        (void)pthread_join(streams[i].thread, NULL);
        longest = streams[i].longest_us > longest ? streams[i].longest_us : longest;
    }
    int64_t written = (now_us() - start_us) / BUCKET_US;
    for (size_t i = 0; i < stream_count; i++) {
        if (streams[i].number > 0 && (fsync(streams[i].fd) != 0 || syncfs(streams[i].fd) != 0)) {
            die("fsync");
        }
    }
    for (int64_t bucket = 0; bucket <= written && bucket < BUCKETS_MAX; bucket++) {
        (void)printf("%" PRIu64 "\n", __atomic_load_n(&buckets[bucket], __ATOMIC_RELAXED));
    }
    (void)printf("longest %" PRId64 "\nend %" PRId64 "\n", longest, (now_us() - start_us) / 1000);
    return 0;
}
