#include "chimera_device.h"

#include "chimera_capture.h"
#include "chimera_device_open.h"
#include "chimera_device_system.h"
#include "chimera_uring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct chimera_device {
    struct chimera_opened target;
    struct chimera_uring ring; /* where there is one */
    bool has_ring;
    uint32_t depth;

    /* What is over and not yet handed out: all without a ring, and what the ring did not take. */
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
    result = chimera_open_target(options, &device->target, error, capacity);
    if (result < 0) {
        free(device);
        return result;
    }
    if (options->mechanism != CHIMERA_DEVICE_PWRITE) {
        char cause[512];
        result = chimera_uring_open(&device->ring, options->depth, cause, sizeof cause);
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
    return device->count + (device->has_ring ? device->ring.in_flight : 0) >= device->depth;
}

/* Keeps a result for poll(). */
static int end(chimera_device *device, uint64_t token, int result) {
    uint32_t place = (device->first + device->count++) % device->depth;
    device->over[place] = (struct chimera_completion){.token = token, .result = result};
    return 1;
}

static int write_now(const chimera_device *device, uint64_t offset, const char *memory, uint32_t bytes) {
    uint32_t done = 0;
    while (done < bytes) {
        ssize_t result = chimera_device_system->pwrite(
                device->target.fd, memory + done, bytes - done, (off_t)(offset + done));
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

/* Whether the operation is to be submitted once more when others have ended. */
static bool is_for_later(const chimera_device *device, int result) {
    return result == -EAGAIN && device->ring.in_flight > 0;
}

int chimera_device_write(
        chimera_device *device, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token) {
    if (is_full(device)) {
        return 0;
    }
    if (device->has_ring) {
        int result = chimera_uring_write(&device->ring, device->target.fd, offset, memory, bytes, token);
        if (result == 0 || is_for_later(device, result)) {
            return result == 0;
        }
    }
    /* What the ring does not take is done at once. */
    return end(device, token, write_now(device, offset, memory, bytes));
}

int chimera_device_flush(chimera_device *device, uint64_t token) {
    if (is_full(device)) {
        return 0;
    }
    if (device->has_ring) {
        int result = chimera_uring_flush(&device->ring, device->target.fd, token);
        if (result == 0 || is_for_later(device, result)) {
            return result == 0;
        }
    }
    return end(device, token, flush_now(device));
}

static int take(chimera_device *device, struct chimera_completion *completions, int max) {
    int count = 0;
    while (count < max && device->count > 0) {
        completions[count++] = device->over[device->first];
        device->first = (device->first + 1) % device->depth;
        device->count--;
    }
    while (count < max && device->has_ring
           && chimera_uring_take(&device->ring, &completions[count].token, &completions[count].result)) {
        completions[count++].padding = 0;
    }
    return count;
}

int chimera_device_poll(chimera_device *device, struct chimera_completion *completions, int max, int timeout_ms) {
    int count = take(device, completions, max);
    if (count == 0 && timeout_ms > 0 && device->has_ring && chimera_uring_wait(&device->ring, timeout_ms)) {
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
        /* Behind the last whole sector there is nothing that could be read directly. */
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
    free(device);
}
