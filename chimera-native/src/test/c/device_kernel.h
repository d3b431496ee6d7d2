/*
 * Simulates the kernel and a disk for tests: the system calls of chimera_device_system.h on a real file, with an
 * io_uring whose rings are memory of this process. Operations wait in the ring until a caller waits for completions,
 * and complete in random order. Failures, short writes and interruptions are injected by the test; writes and flushes
 * are logged at completion.
 */
#ifndef DEVICE_KERNEL_H
#define DEVICE_KERNEL_H

#include "chimera_device_system.h"
#include "expect.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DISK_RING_FD = 1000, DISK_ENTRIES_MAX = 512, DISK_LOG_MAX = 8192 };

/* Completed operation. */
struct disk_operation {
    uint8_t operation; /* CHIMERA_URING_WRITE, _WRITE_FIXED or _FSYNC; WRITE also without a ring */
    uint64_t offset;
    uint32_t bytes;
    int result;
};

/* Faults and facts set or read by a test between calls. */
static struct {
    int setup_error, register_error, flush_error, read_error;
    int enter_error;      /* of the next submitting enter, once */
    uint32_t enter_limit; /* maximum operations accepted by an enter; 0: all */
    uint32_t features;    /* 0: all */
    int interruptions;    /* number of calls that first end with EINTR */
    int fail_write;       /* the write with this number, from 1, ends with write_error */
    int write_error;
    int short_write; /* the write with this number, from 1, ends after short_bytes */
    uint32_t short_bytes;
    bool stuck;     /* no operation completes */
    int wait_error; /* of every enter that waits */

    int writes, flushes, registrations, polls, opened, mapped;
    struct disk_operation log[DISK_LOG_MAX];
    int logged;

    struct chimera_uring_params params;
    uint32_t *rings; /* head, tail and mask of sq, the same of cq, the array, the cqes */
    struct chimera_uring_sqe *sqes;
    struct chimera_uring_sqe waiting[DISK_ENTRIES_MAX];
    uint32_t waiting_count;
    uint64_t chance;
} disk;

static inline bool disk_interrupts(void) {
    if (disk.interruptions == 0) {
        return false;
    }
    disk.interruptions--;
    errno = EINTR;
    return true;
}

static inline uint32_t disk_chance(uint32_t below) {
    disk.chance = disk.chance * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(disk.chance >> 33) % below;
}

static inline void disk_log(uint8_t operation, uint64_t offset, uint32_t bytes, int result) {
    EXPECT(disk.logged < DISK_LOG_MAX);
    disk.log[disk.logged++] =
            (struct disk_operation){.operation = operation, .offset = offset, .bytes = bytes, .result = result};
}

static inline int disk_write(uint8_t operation, int fd, const void *memory, uint32_t bytes, uint64_t offset) {
    int number = ++disk.writes;
    int result;
    if (number == disk.fail_write) {
        result = -disk.write_error;
    } else {
        uint32_t wanted = number == disk.short_write ? disk.short_bytes : bytes;
        ssize_t written = pwrite(fd, memory, wanted, (off_t)offset);
        result = written < 0 ? -errno : (int)written;
    }
    disk_log(operation, offset, bytes, result);
    return result;
}

static inline int disk_flush(void) {
    disk.flushes++;
    disk_log(CHIMERA_URING_FSYNC, 0, 0, -disk.flush_error);
    return -disk.flush_error;
}

static inline int disk_result(int result) {
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
}

static inline ssize_t disk_pwrite(int fd, const void *memory, size_t bytes, off_t offset) {
    if (disk_interrupts()) {
        return -1;
    }
    return disk_result(disk_write(CHIMERA_URING_WRITE, fd, memory, (uint32_t)bytes, (uint64_t)offset));
}

static inline ssize_t disk_pread(int fd, void *memory, size_t bytes, off_t offset) {
    if (disk_interrupts()) {
        return -1;
    }
    return disk.read_error != 0 ? disk_result(-disk.read_error) : pread(fd, memory, bytes, offset);
}

static inline int disk_fdatasync(int fd) {
    (void)fd;
    return disk_interrupts() ? -1 : disk_result(disk_flush());
}

static inline int disk_uring_setup(uint32_t entries, struct chimera_uring_params *params) {
    if (disk.setup_error != 0) {
        return disk_result(-disk.setup_error);
    }
    uint32_t size = 1;
    while (size < entries) {
        size *= 2;
    }
    EXPECT(size <= DISK_ENTRIES_MAX);
    EXPECT_NUMBER(disk.opened, 0);
    disk.opened = 1;
    params->sq_entries = size;
    params->cq_entries = 2 * size;
    params->features = disk.features != 0 ? disk.features : UINT32_MAX;
    params->sq.head = 0;
    params->sq.tail = 4;
    params->sq.ring_mask = 8;
    params->cq.head = 12;
    params->cq.tail = 16;
    params->cq.ring_mask = 20;
    params->sq.array = 32;
    params->cq.cqes = 32 + 16 * size;
    disk.params = *params;
    return DISK_RING_FD;
}

static inline void *disk_map(int ring, size_t bytes, int64_t offset) {
    EXPECT_NUMBER(ring, DISK_RING_FD);
    void *memory = calloc(1, bytes);
    EXPECT(memory != NULL);
    disk.mapped++;
    if (offset == CHIMERA_URING_MAP_SQES) {
        EXPECT_NUMBER(bytes, disk.params.sq_entries * sizeof(struct chimera_uring_sqe));
        disk.sqes = memory;
    } else {
        EXPECT(bytes >= disk.params.cq.cqes + disk.params.cq_entries * sizeof(struct chimera_uring_cqe));
        disk.rings = memory;
        disk.rings[2] = disk.params.sq_entries - 1;
        disk.rings[5] = disk.params.cq_entries - 1;
    }
    return memory;
}

static inline int disk_unmap(void *memory, size_t bytes) {
    (void)bytes;
    EXPECT_NUMBER(disk.waiting_count, 0);
    disk.mapped--;
    free(memory);
    return 0;
}

static inline int disk_close(int ring) {
    EXPECT_NUMBER(ring, DISK_RING_FD);
    EXPECT_NUMBER(disk.waiting_count, 0);
    disk.opened--;
    return 0;
}

static inline int disk_uring_register(int ring, uint32_t operation, const void *argument, uint32_t count) {
    EXPECT_NUMBER(ring, DISK_RING_FD);
    EXPECT_NUMBER(operation, CHIMERA_URING_BUFFERS);
    EXPECT_NUMBER(count, 1);
    EXPECT(argument != NULL);
    disk.registrations++;
    return disk_result(-disk.register_error);
}

/* Completes one of the waiting operations. */
static inline void disk_end_one(void) {
    uint32_t chosen = disk_chance(disk.waiting_count);
    struct chimera_uring_sqe sqe = disk.waiting[chosen];
    disk.waiting[chosen] = disk.waiting[--disk.waiting_count];
    int result = sqe.operation == CHIMERA_URING_FSYNC
            ? disk_flush()
            : disk_write(sqe.operation, sqe.fd, (const void *)(uintptr_t)sqe.address, sqe.length, sqe.offset);
    uint32_t tail = disk.rings[4];
    EXPECT(tail - disk.rings[3] < disk.params.cq_entries);
    struct chimera_uring_cqe *cqes = (void *)((char *)disk.rings + disk.params.cq.cqes);
    cqes[tail & disk.rings[5]] = (struct chimera_uring_cqe){.token = sqe.token, .result = result};
    disk.rings[4] = tail + 1;
}

static inline int disk_uring_enter(int ring, uint32_t submitted, uint32_t wanted, uint32_t flags) {
    EXPECT_NUMBER(ring, DISK_RING_FD);
    EXPECT_NUMBER(flags, wanted > 0 ? CHIMERA_URING_GETEVENTS : 0);
    if (disk_interrupts()) {
        return -1;
    }
    if (submitted > 0 && disk.enter_error != 0) {
        int number = disk.enter_error;
        disk.enter_error = 0;
        return disk_result(-number);
    }
    if (wanted > 0 && disk.wait_error != 0) {
        return disk_result(-disk.wait_error);
    }
    uint32_t taken = 0;
    uint32_t limit = disk.enter_limit != 0 && disk.enter_limit < submitted ? disk.enter_limit : submitted;
    while (taken < limit && disk.rings[0] != disk.rings[1]) {
        uint32_t slot = disk.rings[8 + (disk.rings[0] & disk.rings[2])];
        EXPECT(disk.waiting_count < DISK_ENTRIES_MAX);
        disk.waiting[disk.waiting_count++] = disk.sqes[slot];
        disk.rings[0]++;
        taken++;
    }
    while (wanted > 0 && disk.waiting_count > 0) {
        disk_end_one();
    }
    return (int)taken;
}

static inline int disk_poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
    EXPECT_NUMBER(count, 1);
    EXPECT_NUMBER(fds->fd, DISK_RING_FD);
    EXPECT(timeout_ms >= 0);
    disk.polls++;
    if (disk_interrupts()) {
        return -1;
    }
    if (disk.stuck || disk.waiting_count == 0) {
        return 0;
    }
    disk_end_one();
    return 1;
}

static const struct chimera_device_system disk_system = {
        .pread = disk_pread,
        .pwrite = disk_pwrite,
        .fdatasync = disk_fdatasync,
        .uring_setup = disk_uring_setup,
        .uring_enter = disk_uring_enter,
        .uring_register = disk_uring_register,
        .map = disk_map,
        .unmap = disk_unmap,
        .poll = disk_poll,
        .close = disk_close,
        .facts = "/sys/dev/block",
};

/* Inserts a disk without faults, and clears the log. */
static inline void disk_insert(uint64_t seed) {
    memset(&disk, 0, sizeof disk);
    disk.chance = seed;
    chimera_device_system = &disk_system;
}

#endif
