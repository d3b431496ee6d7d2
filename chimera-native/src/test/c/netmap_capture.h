/*
 * The one netmap port opened by a test at a time, over a memory region with the layout of netmap's kernel module
 * (netmap_kernel.h).
 */
#ifndef NETMAP_CAPTURE_H
#define NETMAP_CAPTURE_H

#include "chimera_capture.h"
#include "expect.h"
#include "netmap_kernel.h"

enum { BATCH = 64, PATIENCE_MS = 60000 };

static const struct chimera_capture_ops *netmap;
static chimera_capture *capture;
static struct chimera_packet packets[BATCH];
static char error[512];

static inline void begin_tests(void) {
    netmap = chimera_back_end_of("netmap");
    EXPECT(netmap != NULL);
}

static inline struct chimera_capture_options options(const char *target) {
    return (struct chimera_capture_options){.target = target, .snap_length = 262144, .queues = 1};
}

static inline void open_with(struct chimera_capture_options with) {
    int result = netmap->open(&with, &capture, error, sizeof error);
    if (result != 0) {
        (void)fprintf(stderr, "%s\n", error);
    }
    EXPECT_NUMBER(result, 0);
}

static inline void open_port(const char *target) {
    open_with(options(target));
}

static inline void expect_refused(const char *target, int number, const char *why) {
    struct chimera_capture_options with = options(target);
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -number);
    EXPECT_CONTAINS(error, "netmap:");
    EXPECT_CONTAINS(error, target);
    EXPECT_CONTAINS(error, why);
    EXPECT_NUMBER(kernel.opened, 0);
    EXPECT_NUMBER(kernel.mapped, 0);
}

static inline void close_port(void) {
    netmap->close(capture);
    EXPECT_NUMBER(kernel.opened, 0);
    EXPECT_NUMBER(kernel.mapped, 0);
}

static inline struct chimera_capture_counters counters(void) {
    struct chimera_capture_counters now;
    EXPECT_NUMBER(netmap->counters(capture, &now), 0);
    return now;
}

static inline void send_packet(uint32_t ring, uint64_t number, uint32_t length) {
    EXPECT(kernel_send(ring, (struct kernel_packet){.number = number, .length = length}));
}

static inline void send_slots(uint32_t ring, uint64_t number, uint32_t length, uint32_t slot_bytes) {
    EXPECT(kernel_send(ring, (struct kernel_packet){.number = number, .length = length, .slot_bytes = slot_bytes}));
}

static inline int receive(int max, int timeout_ms) {
    return netmap->receive(capture, packets, max, timeout_ms);
}

static inline void expect_packet(int i, uint64_t number, uint32_t captured, uint32_t length) {
    EXPECT_NUMBER(packets[i].captured, captured);
    EXPECT_NUMBER(packets[i].length, length);
    EXPECT_NUMBER(packets[i].vlan_tpid, 0);
    kernel_expect_packet((const void *)(uintptr_t)packets[i].address, captured, number);
}

static inline bool in_region(uint64_t address) {
    uint64_t start = (uint64_t)(uintptr_t)kernel.memory;
    return address >= start && address < start + kernel.memory_bytes;
}

#endif
