/*
 * Further queries and settings of network devices for live back-ends, in addition to chimera_interface.h. Executed in
 * the network namespace of the calling thread, at open() only.
 */
#ifndef CHIMERA_LINK_H
#define CHIMERA_LINK_H

#include <stdint.h>

struct chimera_link {
    uint32_t mtu;    /* bytes, without the link header */
    uint32_t queues; /* receive queues in use, at least 1 */
    uint64_t netns;  /* distinguishes devices with the same index in different network namespaces */
};

/* Returns 0 or -errno. */
int chimera_link_find(const char *name, struct chimera_link *link);

/*
 * Puts the device into promiscuous mode until the returned descriptor is closed, including by process death. Returns
 * the descriptor or -errno.
 */
int chimera_link_promiscuous(int index);

#endif
