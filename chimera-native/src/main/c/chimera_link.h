/*
 * What live back-ends ask of a network device beyond chimera_interface.h, and change on it. Asked in the network
 * namespace of the calling thread, at open() only.
 */
#ifndef CHIMERA_LINK_H
#define CHIMERA_LINK_H

#include <stdint.h>

struct chimera_link {
    uint32_t mtu;    /* bytes, without the link header */
    uint32_t queues; /* receive queues in use, at least 1 */
    uint64_t netns;  /* tells devices of the same index in two network namespaces apart */
};

/* 0 or -errno. */
int chimera_link_find(const char *name, struct chimera_link *link);

/*
 * Puts the device into promiscuous mode until the returned descriptor is closed, be it by the death of the process. The
 * descriptor or -errno.
 */
int chimera_link_promiscuous(int index);

#endif
