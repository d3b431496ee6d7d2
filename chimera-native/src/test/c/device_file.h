/*
 * The one device opened by a test at a time, over a file with the lifetime of the test: on the disk of device_kernel.h,
 * or on this machine's disk.
 */
#ifndef DEVICE_FILE_H
#define DEVICE_FILE_H

#include "chimera_device.h"
#include "device_kernel.h"

enum { SECTOR = 4096, BLOCK = 65536, BLOCKS = 64, DEPTH = 4, WAIT_MS = 60000 };

static char path[] = "/tmp/chimera-device-test-XXXXXX";
static char error[1024];
static uint8_t *memory; /* DEPTH blocks, and one read buffer */
static chimera_device *device;
static struct chimera_completion completions[DEPTH];

static inline void begin_tests(void) {
    int fd = mkstemp(path);
    EXPECT(fd >= 0 && close(fd) == 0);
    memory = aligned_alloc(BLOCK, (size_t)(DEPTH + 1) * BLOCK);
    EXPECT(memory != NULL);
}

static inline void end_tests(void) {
    free(memory);
    EXPECT(unlink(path) == 0);
}

static inline int try_open(const char *target, uint64_t bytes, uint32_t mechanism) {
    struct chimera_device_options options = {
            .target = target,
            .bytes = bytes,
            .depth = DEPTH,
            .mechanism = mechanism,
    };
    return chimera_device_open(&options, &device, error, sizeof error);
}

static inline void open_device(uint32_t mechanism) {
    int result = try_open(path, (uint64_t)BLOCKS * BLOCK, mechanism);
    if (result != 0) {
        (void)fprintf(stderr, "%s\n", error);
    }
    EXPECT_NUMBER(result, 0);
}

static inline void close_device(void) {
    chimera_device_close(device);
    EXPECT_NUMBER(disk.opened, 0);
    EXPECT_NUMBER(disk.mapped, 0);
}

static inline void fill(uint32_t slot, uint64_t block) {
    for (uint32_t i = 0; i < BLOCK; i++) {
        memory[slot * BLOCK + i] = (uint8_t)(block * 31 + i % 251);
    }
}

static inline bool holds(uint64_t block) {
    uint8_t *read = memory + (size_t)DEPTH * BLOCK;
    EXPECT_NUMBER(chimera_device_read(device, block * BLOCK, read, BLOCK), BLOCK);
    for (uint32_t i = 0; i < BLOCK; i++) {
        if (read[i] != (uint8_t)(block * 31 + i % 251)) {
            return false;
        }
    }
    return true;
}

static inline int write_block(uint32_t slot, uint64_t block, uint64_t token) {
    return chimera_device_write(device, block * BLOCK, memory + (size_t)slot * BLOCK, BLOCK, token);
}

/* Polls one completion and returns the result. */
static inline int one_result(uint64_t token) {
    EXPECT_NUMBER(chimera_device_poll(device, completions, 1, WAIT_MS), 1);
    EXPECT_NUMBER(completions[0].token, token);
    return completions[0].result;
}

#endif
