#include "chimera_device.h"

#include "chimera_capture.h"
#include "chimera_device_open.h"
#include "chimera_device_system.h"
#include "chimera_uring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Maximum pieces per write; the pieces of a larger write are larger. */
enum { PIECES_MAX = 8 };

/* Write or flush in the ring. */
struct operation {
    uint64_t token;
    uint32_t left; /* pieces in flight; 0: free */
    int32_t done;  /* bytes of completed pieces */
    int32_t error; /* -errno of a failed piece, or 0 */
};

/*
 * A write enters the ring in pieces of a size accepted by the disk without splitting. The kernel starts such a piece
 * without waiting. A larger piece, which needs splitting, goes to a kernel thread, takes as long as the write itself,
 * and counts twice against a bandwidth limit.
 */
struct chimera_device {
    struct chimera_opened target;
    struct chimera_uring ring; /* if available */
    bool has_ring;
    uint32_t depth;
    struct operation *operations; /* one per unit of depth */
    uint32_t in_flight;           /* operations in flight */

    /* Completed operations not yet returned: all operations without a ring, and all operations refused by the ring. */
    uint32_t first;
    uint32_t count;
    struct chimera_completion over[];
};

int chimera_device_available(uint32_t mechanism, char *cause, size_t capacity) {
    struct chimera_uring ring;
    if (mechanism != CHIMERA_DEVICE_IO_URING) {
        return 1;
    }
    if (chimera_uring_open(&ring, 1, cause, capacity) < 0) {
        return 0;
    }
    chimera_uring_close(&ring);
    return 1;
}

int chimera_device_open(
        const struct chimera_device_options *options, chimera_device **opened, char *error, size_t capacity) {
    int result;
    chimera_device *device = calloc(1, sizeof *device + options->depth * sizeof device->over[0]);
    if (device == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
    }
    device->depth = options->depth;
    device->target.claim = -1;
    device->target.fd = -1;
    device->operations = calloc(options->depth, sizeof *device->operations);
    if (device->operations == NULL) {
        result = chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
        goto fail;
    }
    result = chimera_open_target(options, &device->target, error, capacity);
    if (result < 0) {
        goto fail;
    }
    if (options->mechanism != CHIMERA_DEVICE_PWRITE) {
        char cause[512];
        result = chimera_uring_open(&device->ring, options->depth * PIECES_MAX, cause, sizeof cause);
        device->has_ring = result == 0;
        if (result < 0 && options->mechanism == CHIMERA_DEVICE_IO_URING) {
            (void)chimera_fail(error, capacity, -result, "%s: %s", options->target, cause);
            goto fail;
        }
    }
    *opened = device;
    return 0;
fail:
    chimera_device_close(device);
    return result;
}

void chimera_device_facts(const chimera_device *device, struct chimera_device_facts *facts) {
    *facts = device->target.facts;
    facts->flags |= device->has_ring ? CHIMERA_DEVICE_HAS_URING : 0;
}

int chimera_device_register(chimera_device *device, void *memory, size_t bytes) {
    return device->has_ring ? chimera_uring_register(&device->ring, memory, bytes) : 0;
}

static bool is_full(const chimera_device *device) {
    return device->count + device->in_flight >= device->depth;
}

/* Stores a result for poll(). */
static int end(chimera_device *device, uint64_t token, int result) {
    uint32_t place = (device->first + device->count++) % device->depth;
    device->over[place] = (struct chimera_completion){.token = token, .result = result};
    return 1;
}

static int write_now(const chimera_device *device, uint64_t offset, const char *memory, uint32_t bytes) {
    uint32_t done = 0;
    while (done < bytes) {
        ssize_t result =
                chimera_device_system->pwrite(device->target.fd, memory + done, bytes - done, (off_t)(offset + done));
        if (result < 0 && errno == EINTR) {
            continue;
        }
        if (result < 0) {
            return done > 0 ? (int)done : -errno;
        }
        done += (uint32_t)result;
        if (result == 0 || (uint32_t)result % device->target.facts.alignment != 0) {
            break;
        }
    }
    return (int)done;
}

static int flush_now(const chimera_device *device) {
    int result;
    do {
        result = chimera_device_system->fdatasync(device->target.fd);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : -errno;
}

/* Returns a free operation; exists because the device is not full. */
static struct operation *free_operation(const chimera_device *device) {
    struct operation *operation = device->operations;
    while (operation->left > 0) {
        operation++;
    }
    return operation;
}

/*
 * Submits the ring as one operation. Returns the number of started pieces, or 0 when none was started; in the latter
 * case, with no operation in flight, the caller must execute the operation synchronously.
 */
static uint32_t start(chimera_device *device, struct operation *operation, uint64_t token) {
    int taken = chimera_uring_submit(&device->ring);
    if (taken <= 0) {
        return 0;
    }
    *operation = (struct operation){.token = token, .left = (uint32_t)taken};
    device->in_flight++;
    return operation->left;
}

static uint32_t piece_bytes(const chimera_device *device, uint32_t bytes) {
    uint32_t piece = device->target.piece_bytes;
    while ((uint64_t)piece * PIECES_MAX < bytes) {
        piece *= 2;
    }
    return piece;
}

/* Returns the bytes in flight, from the first byte on. */
static uint32_t start_write(
        chimera_device *device, struct operation *operation, uint64_t offset, const char *memory, uint32_t bytes,
        uint64_t token) {
    uint64_t place = (uint64_t)(operation - device->operations);
    uint32_t piece = piece_bytes(device, bytes);
    for (uint32_t from = 0; from < bytes; from += piece) {
        uint32_t length = bytes - from < piece ? bytes - from : piece;
        (void)chimera_uring_write(&device->ring, device->target.fd, offset + from, memory + from, length, place);
    }
    uint64_t started = (uint64_t)start(device, operation, token) * piece;
    return started < bytes ? (uint32_t)started : bytes;
}

int chimera_device_write(chimera_device *device, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token) {
    if (is_full(device)) {
        return 0;
    }
    if (!device->has_ring) {
        return end(device, token, write_now(device, offset, memory, bytes));
    }
    struct operation *operation = free_operation(device);
    uint32_t started = start_write(device, operation, offset, memory, bytes, token);
    if (started == 0) {
        return device->in_flight > 0 ? 0 : end(device, token, write_now(device, offset, memory, bytes));
    }
    if (started < bytes) {
        int result = write_now(device, offset + started, (const char *)memory + started, bytes - started);
        operation->done = result > 0 ? result : 0;
        operation->error = result < 0 ? result : 0;
    }
    return 1;
}

int chimera_device_flush(chimera_device *device, uint64_t token) {
    if (is_full(device)) {
        return 0;
    }
    if (!device->has_ring) {
        return end(device, token, flush_now(device));
    }
    struct operation *operation = free_operation(device);
    (void)chimera_uring_flush(&device->ring, device->target.fd, (uint64_t)(operation - device->operations));
    if (start(device, operation, token) == 0) {
        return device->in_flight > 0 ? 0 : end(device, token, flush_now(device));
    }
    return 1;
}

/* Records the completion of a piece; sets is_last for the last piece of an operation. */
static bool take_piece(chimera_device *device, struct chimera_completion *completion, bool *is_last) {
    uint64_t place;
    int32_t result;
    if (!chimera_uring_take(&device->ring, &place, &result)) {
        return false;
    }
    struct operation *operation = &device->operations[place];
    operation->done += result > 0 ? result : 0;
    operation->error = result < 0 ? result : operation->error;
    *is_last = --operation->left == 0;
    if (*is_last) {
        int32_t told = operation->error != 0 ? operation->error : operation->done;
        *completion = (struct chimera_completion){.token = operation->token, .result = told};
        device->in_flight--;
    }
    return true;
}

static int take(chimera_device *device, struct chimera_completion *completions, int max) {
    int count = 0;
    bool is_last;
    while (count < max && device->count > 0) {
        completions[count++] = device->over[device->first];
        device->first = (device->first + 1) % device->depth;
        device->count--;
    }
    while (count < max && device->has_ring && take_piece(device, &completions[count], &is_last)) {
        count += is_last;
    }
    return count;
}

int chimera_device_poll(chimera_device *device, struct chimera_completion *completions, int max, int timeout_ms) {
    int count = take(device, completions, max);
    /* A completion may belong to a piece of a write with other pieces still in flight. */
    int64_t end_ms = count == 0 && timeout_ms > 0 && device->has_ring ? chimera_uring_now_ms() + timeout_ms : 0;
    while (count == 0 && end_ms != 0) {
        int64_t left = end_ms - chimera_uring_now_ms();
        if (!chimera_uring_wait(&device->ring, left > 0 ? (int)left : 0)) {
            break;
        }
        count = take(device, completions, max);
    }
    return count;
}

int chimera_device_read(chimera_device *device, uint64_t offset, void *memory, uint32_t bytes) {
    uint32_t done = 0;
    while (done < bytes) {
        ssize_t result = chimera_device_system->pread(
                device->target.fd, (char *)memory + done, bytes - done, (off_t)(offset + done));
        if (result < 0 && errno == EINTR) {
            continue;
        }
        if (result < 0) {
            return -errno;
        }
        done += (uint32_t)result;
        /* No direct read is possible after the last whole sector. */
        if (result == 0 || (uint32_t)result % device->target.facts.alignment != 0) {
            break;
        }
    }
    return (int)done;
}

void chimera_device_close(chimera_device *device) {
    if (device->has_ring) {
        chimera_uring_close(&device->ring);
    }
    chimera_close_target(&device->target);
    free(device->operations);
    free(device);
}
