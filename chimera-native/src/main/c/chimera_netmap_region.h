/*
 * A registered netmap port: its descriptor, the memory that is mapped from it, and the receive rings in it. Everything
 * that the memory says of itself has been checked against its size, so that slots and buffers can be reached without
 * fear; what changes later (tails, slots) is for whoever reads it to check.
 */
#ifndef CHIMERA_NETMAP_REGION_H
#define CHIMERA_NETMAP_REGION_H

#include "chimera_capture.h"
#include "chimera_netmap_abi.h"
#include "chimera_netmap_port.h"

#include <stdbool.h>

struct chimera_receive_ring {
    struct chimera_netmap_ring *shared;
    const uint8_t *buffers;
    uint64_t buffer_count; /* so many fit in the mapped memory */
    uint32_t buffer_bytes;
    uint32_t slots;
    uint32_t released;      /* what the shared head is */
    uint32_t next;          /* the first slot that is not handed out */
    bool mid_packet;        /* the packet that next belongs to is being left out */
    int64_t time_at_open_ns; /* a ring whose time is still this has no time */
};

struct chimera_netmap_region {
    int fd; /* -1: not open */
    void *memory;
    size_t memory_bytes;
    struct chimera_receive_ring *rings;
    uint32_t ring_count;
    uint32_t slots_min; /* of the smallest ring */
};

/* Whether there is a netmap device: 1, or 0 with the cause and the remedy. */
int chimera_netmap_available(char *cause, size_t capacity);

/*
 * Registers the port for the share that the options ask for, maps it and finds its receive rings. The caller has set fd
 * to -1 and the rest to zero. 0, or -errno and a sentence; what has been made then is for chimera_netmap_region_close.
 */
int chimera_netmap_region_open(
        struct chimera_netmap_region *region,
        struct chimera_netmap_port *port,
        const struct chimera_capture_options *options,
        char *error,
        size_t capacity);

void chimera_netmap_region_close(struct chimera_netmap_region *region);

/* Synchronises the receive rings without waiting. 0 or -errno. */
int chimera_netmap_synchronise(const struct chimera_netmap_region *region);

/* The time of the last synchronisation as the kernel wrote it, ns since the epoch. */
static inline int64_t chimera_netmap_time_ns(const struct chimera_netmap_ring *shared) {
    return shared->seconds * 1000000000 + shared->microseconds * 1000;
}

#endif
