/*
 * Packets of a capture file. The whole file is mapped into memory and descriptors point into the map, so no data is
 * copied and release() has no work. The file must not be truncated while open.
 */
#include "chimera_capture.h"
#include "chimera_clock.h"
#include "chimera_libpcap.h"
#include "chimera_records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct chimera_capture {
    struct chimera_records records;
    struct chimera_record pending; /* read but not yet due */
    bool has_pending;
    bool started;
    int64_t started_ns; /* monotonic time of the first packet */
    int64_t first_ns;   /* timestamp of the first packet */
    double speed;
    uint32_t snap_length;
    const struct chimera_libpcap *pcap; /* NULL: no filter */
    struct chimera_pcap_program filter;
    struct chimera_capture_counters counters;
    void *map;
    char *name;
};

/*
 * Limit of packets per call: a filter without matches must not block the caller for a whole file. 64 Ki packets take a
 * few milliseconds.
 */
enum { SCANNED_MAX = 65536 };

static void sleep_until(int64_t ns) {
    struct timespec time = {.tv_sec = ns / CHIMERA_NS_PER_SECOND, .tv_nsec = ns % CHIMERA_NS_PER_SECOND};
    int result;
    do {
        result = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    } while (result == EINTR);
}

/* Monotonic time when the pending packet is due. */
static int64_t due_ns(chimera_capture *file, int64_t now) {
    if (!file->started) {
        file->started = true;
        file->started_ns = now;
        file->first_ns = file->pending.timestamp_ns;
    }
    double after = (double)(int64_t)((uint64_t)file->pending.timestamp_ns - (uint64_t)file->first_ns) / file->speed;
    /* A year is practically never, and keeps the sum within 64 bits. */
    double year = 365.0 * 86400 * CHIMERA_NS_PER_SECOND;
    return after <= 0 ? now : file->started_ns + (int64_t)(after < year ? after : year);
}

/* Whether the pending packet is due; waits if permitted, for an otherwise empty batch. */
static bool is_due(chimera_capture *file, bool may_wait, int timeout_ms) {
    int64_t now = chimera_clock_ns(CLOCK_MONOTONIC);
    int64_t due = due_ns(file, now);
    if (due <= now) {
        return true;
    }
    if (!may_wait || timeout_ms <= 0) {
        return false;
    }
    int64_t end = now + (int64_t)timeout_ms * CHIMERA_NS_PER_MS;
    sleep_until(due < end ? due : end);
    return due <= end;
}

static bool matches(const chimera_capture *file, const struct chimera_record *record) {
    struct chimera_pcap_packet packet = {.captured = record->captured, .length = record->length};
    return file->pcap->offline_filter(&file->filter, &packet, record->bytes) != 0;
}

static void hand_out(chimera_capture *file, const struct chimera_record *record, struct chimera_packet *packet) {
    uint32_t captured = record->captured < file->snap_length ? record->captured : file->snap_length;
    *packet = (struct chimera_packet){
            .address = (uint64_t)(uintptr_t)record->bytes,
            .timestamp_ns = record->timestamp_ns,
            .captured = captured,
            .length = record->length,
    };
    file->counters.received++;
    file->counters.bytes += record->length;
    file->counters.truncated += captured < record->length;
}

static int receive_file(chimera_capture *file, struct chimera_packet *packets, int max, int timeout_ms) {
    int count = 0;
    for (int scanned = 0; count < max && scanned < SCANNED_MAX; scanned++) {
        if (!file->has_pending) {
            int result = chimera_records_next(&file->records, &file->pending);
            if (result < 0) {
                /* Returns the packets before first; the next call encounters end or damage again. */
                return count > 0 ? count : result;
            }
            if (file->pcap != NULL && !matches(file, &file->pending)) {
                continue;
            }
        }
        file->has_pending = file->speed > 0 && !is_due(file, count == 0, timeout_ms);
        if (file->has_pending) {
            return count;
        }
        hand_out(file, &file->pending, &packets[count++]);
    }
    return count;
}

static int release_file(chimera_capture *file) {
    (void)file;
    return 0;
}

static int counters_file(chimera_capture *file, struct chimera_capture_counters *counters) {
    *counters = file->counters;
    counters->invalid = file->records.invalid;
    return 0;
}

static int link_type_file(chimera_capture *file) {
    return file->records.link_type;
}

static const char *failure_file(chimera_capture *file) {
    return file->records.failure;
}

static void close_file(chimera_capture *file) {
    if (file->pcap != NULL) {
        file->pcap->freecode(&file->filter);
    }
    if (file->map != NULL) {
        (void)munmap(file->map, file->records.size);
    }
    free(file->name);
    free(file);
}

/* Maps the file: 0 and the bytes, or -errno and an error message. An empty file has no map. */
static int map_file(chimera_capture *file, const char *name, size_t *size, char *error, size_t capacity) {
    int result = 0;
    int descriptor;
    do {
        descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (descriptor < 0 && errno == EINTR);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        int number = errno;
        result = chimera_fail(error, capacity, number, "%s: cannot be opened: %s", name, strerror(number));
        goto fail;
    }
    if (!S_ISREG(status.st_mode)) {
        result = chimera_fail(
                error, capacity, EINVAL,
                "%s: cannot be opened: it is not a regular file; save the output of a pipe to a file first", name);
        goto fail;
    }
    *size = (size_t)status.st_size;
    if (*size > 0) {
        void *map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (map == MAP_FAILED) {
            int number = errno;
            result = chimera_fail(error, capacity, number, "%s: cannot be mapped: %s", name, strerror(number));
            goto fail;
        }
        file->map = map;
        (void)madvise(map, *size, MADV_SEQUENTIAL);
    }
fail:
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return result;
}

static int open_file(
        const struct chimera_capture_options *options, chimera_capture **capture, char *error, size_t capacity) {
    size_t size = 0;
    int result = 0;
    chimera_capture *file = calloc(1, sizeof *file);
    if (file == NULL || (file->name = strdup(options->target)) == NULL) {
        result = chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
        goto fail;
    }
    file->snap_length = options->snap_length;
    file->speed = options->speed;
    result = map_file(file, file->name, &size, error, capacity);
    if (result < 0) {
        goto fail;
    }
    result = chimera_records_open(&file->records, file->name, file->map, size);
    if (result < 0) {
        (void)snprintf(error, capacity, "%s", file->records.failure);
        goto fail;
    }
    if (options->filter != NULL) {
        result = chimera_filter_compile(
                file->name, options->filter, file->records.link_type, CHIMERA_PACKET_BYTES_MAX, &file->filter, error,
                capacity);
        if (result < 0) {
            goto fail;
        }
        file->pcap = chimera_libpcap(error, capacity);
    }
    *capture = file;
    return 0;
fail:
    if (file != NULL) {
        close_file(file);
    }
    return result;
}

static int available_file(char *cause, size_t capacity) {
    (void)cause;
    (void)capacity;
    return 1;
}

const struct chimera_capture_ops chimera_file_ops = {
        .name = "file",
        .available = available_file,
        .open = open_file,
        .receive = receive_file,
        .release = release_file,
        .counters = counters_file,
        .link_type = link_type_file,
        .close = close_file,
        .failure = failure_file,
};
