/*
 * Registered netmap port: descriptor, mapped memory and receive rings. All static layout information in the memory has
 * been checked against its size, so that slots and buffers are safe to access; readers must validate values that change
 * later (tails, slots).
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
    uint64_t buffer_count; /* buffers in the mapped memory */
    uint32_t buffer_bytes;
    uint32_t slots;
    uint32_t released;       /* value of the shared head */
    uint32_t next;           /* first slot not yet returned to the caller */
    bool mid_packet;         /* skipping the packet of slot next */
    int64_t time_at_open_ns; /* a ring still with this time has no timestamps */
};

struct chimera_netmap_region {
    int fd; /* -1: not open */
    void *memory;
    size_t memory_bytes;
    struct chimera_receive_ring *rings;
    uint32_t ring_count;
    uint32_t slots_min; /* of the smallest ring */
};

/* Whether a netmap device exists: 1, or 0 with the cause and the remedy. */
int chimera_netmap_available(char *cause, size_t capacity);

/*
 * Registers the port for the requested share, maps its memory and finds its receive rings. The caller has set fd to -1
 * and the rest to zero. Returns 0, or -errno and an error message; after a failure, chimera_netmap_region_close frees
 * all acquired resources.
 */
int chimera_netmap_region_open(
        struct chimera_netmap_region *region, struct chimera_netmap_port *port,
        const struct chimera_capture_options *options, char *error, size_t capacity);

void chimera_netmap_region_close(struct chimera_netmap_region *region);

/* Synchronises the receive rings without waiting. Returns 0 or -errno. */
int chimera_netmap_synchronise(const struct chimera_netmap_region *region);

/* Returns the time of the last synchronisation as written by the kernel, ns since the epoch. */
static inline int64_t chimera_netmap_time_ns(const struct chimera_netmap_ring *shared) {
    return shared->seconds * 1000000000 + shared->microseconds * 1000;
}

#endif
