#include "chimera_uring.h"

#include "chimera_capture.h"
#include "chimera_device_system.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>

enum { NS_PER_MS = 1000000, MS_PER_SECOND = 1000 };

static uint32_t load(const uint32_t *shared) {
    return __atomic_load_n(shared, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *shared, uint32_t value) {
    __atomic_store_n(shared, value, __ATOMIC_RELEASE);
}

static uint32_t *at(const struct chimera_uring *ring, uint32_t offset) {
    return (uint32_t *)(void *)((char *)ring->rings + offset);
}

int64_t chimera_uring_now_ms(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * MS_PER_SECOND + time.tv_nsec / NS_PER_MS;
}

static const char *remedy(int number) {
    switch (number) {
        case EPERM:
        case EACCES:
            return "the system forbids io_uring for this process (sysctl kernel.io_uring_disabled, or the seccomp "
                   "filter of a "
                   "container)";
        case ENOSYS:
            return "the kernel lacks io_uring; use Linux 5.6 or newer";
        case ENOMEM:
            return "the limit of locked memory is too low (ulimit -l, systemd: LimitMEMLOCK)";
        default:
            return strerror(number);
    }
}

static void free_all(struct chimera_uring *ring) {
    const struct chimera_device_system *system = chimera_device_system;
    if (ring->sqes != NULL) {
        (void)system->unmap(ring->sqes, ring->sqes_bytes);
    }
    if (ring->rings != NULL) {
        (void)system->unmap(ring->rings, ring->rings_bytes);
    }
    if (ring->fd >= 0) {
        (void)system->close(ring->fd);
    }
    *ring = (struct chimera_uring){.fd = -1};
}

static int map_rings(struct chimera_uring *ring, const struct chimera_uring_params *params) {
    const struct chimera_device_system *system = chimera_device_system;
    size_t sq_bytes = params->sq.array + params->sq_entries * sizeof(uint32_t);
    size_t cq_bytes = params->cq.cqes + params->cq_entries * sizeof(struct chimera_uring_cqe);
    ring->rings_bytes = sq_bytes > cq_bytes ? sq_bytes : cq_bytes;
    void *rings = system->map(ring->fd, ring->rings_bytes, CHIMERA_URING_MAP_RINGS);
    if (rings == MAP_FAILED) {
        return -errno;
    }
    ring->rings = rings;
    ring->sqes_bytes = params->sq_entries * sizeof(struct chimera_uring_sqe);
    void *sqes = system->map(ring->fd, ring->sqes_bytes, CHIMERA_URING_MAP_SQES);
    if (sqes == MAP_FAILED) {
        return -errno;
    }
    ring->sqes = sqes;
    ring->sq_tail = at(ring, params->sq.tail);
    ring->sq_array = at(ring, params->sq.array);
    ring->sq_mask = *at(ring, params->sq.ring_mask);
    ring->cq_head = at(ring, params->cq.head);
    ring->cq_tail = at(ring, params->cq.tail);
    ring->cq_mask = *at(ring, params->cq.ring_mask);
    ring->cqes = (struct chimera_uring_cqe *)(void *)at(ring, params->cq.cqes);
    return 0;
}

int chimera_uring_open(struct chimera_uring *ring, uint32_t depth, char *cause, size_t capacity) {
    struct chimera_uring_params params = {0};
    int number;
    *ring = (struct chimera_uring){.fd = -1};
    ring->fd = chimera_device_system->uring_setup(depth, &params);
    if (ring->fd < 0) {
        number = errno;
        goto fail;
    }
    uint32_t wanted = CHIMERA_URING_SINGLE_MAP | CHIMERA_URING_PLAIN_WRITES;
    if ((params.features & wanted) != wanted) {
        number = ENOSYS;
        goto fail;
    }
    number = -map_rings(ring, &params);
    if (number != 0) {
        goto fail;
    }
    ring->entries = depth;
    return 0;
fail:
    free_all(ring);
    return chimera_fail(cause, capacity, number, "io_uring cannot be used: %s", remedy(number));
}

int chimera_uring_register(struct chimera_uring *ring, void *memory, size_t bytes) {
    struct iovec vector = {.iov_base = memory, .iov_len = bytes};
    if (ring->registered_bytes != 0) {
        return -EBUSY;
    }
    if (chimera_device_system->uring_register(ring->fd, CHIMERA_URING_BUFFERS, &vector, 1) < 0) {
        return -errno;
    }
    ring->registered = (uintptr_t)memory;
    ring->registered_bytes = bytes;
    return 0;
}

static bool queue(struct chimera_uring *ring, const struct chimera_uring_sqe *sqe) {
    if (ring->in_flight + ring->queued == ring->entries) {
        return false;
    }
    uint32_t slot = (*ring->sq_tail + ring->queued) & ring->sq_mask;
    ring->sqes[slot] = *sqe;
    ring->sq_array[slot] = slot;
    ring->queued++;
    return true;
}

bool chimera_uring_write(
        struct chimera_uring *ring, int fd, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token) {
    uintptr_t address = (uintptr_t)memory;
    uintptr_t behind = address - ring->registered;
    bool fixed =
            address >= ring->registered && behind < ring->registered_bytes && bytes <= ring->registered_bytes - behind;
    struct chimera_uring_sqe sqe = {
            .operation = fixed ? CHIMERA_URING_WRITE_FIXED : CHIMERA_URING_WRITE,
            .fd = fd,
            .offset = offset,
            .address = address,
            .length = bytes,
            .token = token,
    };
    return queue(ring, &sqe);
}

bool chimera_uring_flush(struct chimera_uring *ring, int fd, uint64_t token) {
    struct chimera_uring_sqe sqe = {
            .operation = CHIMERA_URING_FSYNC,
            .fd = fd,
            .operation_flags = CHIMERA_URING_DATASYNC,
            .token = token,
    };
    return queue(ring, &sqe);
}

int chimera_uring_submit(struct chimera_uring *ring) {
    uint32_t tail = *ring->sq_tail;
    uint32_t queued = ring->queued;
    int result;
    store(ring->sq_tail, tail + queued);
    do {
        result = chimera_device_system->uring_enter(ring->fd, queued, 0, 0);
    } while (result < 0 && errno == EINTR);
    ring->queued = 0;
    uint32_t taken = result < 0 ? 0 : (uint32_t)result;
    if (taken < queued) {
        /* The kernel reads the ring only within enter(), so the tail can be reset. */
        store(ring->sq_tail, tail + taken);
    }
    ring->in_flight += taken;
    if (taken > 0) {
        return (int)taken;
    }
    return result < 0 && errno != EBUSY ? -errno : -EAGAIN;
}

bool chimera_uring_take(struct chimera_uring *ring, uint64_t *token, int32_t *result) {
    uint32_t head = *ring->cq_head;
    if (head == load(ring->cq_tail)) {
        return false;
    }
    const struct chimera_uring_cqe *cqe = &ring->cqes[head & ring->cq_mask];
    *token = cqe->token;
    *result = cqe->result;
    store(ring->cq_head, head + 1);
    ring->in_flight--;
    return true;
}

bool chimera_uring_wait(struct chimera_uring *ring, int timeout_ms) {
    struct pollfd descriptor = {.fd = ring->fd, .events = POLLIN};
    int64_t end = chimera_uring_now_ms() + timeout_ms;
    while (*ring->cq_head == load(ring->cq_tail)) {
        int64_t left = end - chimera_uring_now_ms();
        if (ring->in_flight == 0 || left < 0) {
            return false;
        }
        int result = chimera_device_system->poll(&descriptor, 1, (int)left);
        if (result == 0 || (result < 0 && errno != EINTR)) {
            return *ring->cq_head != load(ring->cq_tail);
        }
    }
    return true;
}

void chimera_uring_close(struct chimera_uring *ring) {
    uint64_t token;
    int32_t result;
    while (ring->in_flight > 0) {
        if (chimera_uring_take(ring, &token, &result)) {
            continue;
        }
        if (chimera_device_system->uring_enter(ring->fd, 0, ring->in_flight, CHIMERA_URING_GETEVENTS) < 0) {
            /* The kernel may be short of memory. The operations still run, and read the memory of the caller. */
            (void)chimera_uring_wait(ring, MS_PER_SECOND);
        }
    }
    free_all(ring);
}
