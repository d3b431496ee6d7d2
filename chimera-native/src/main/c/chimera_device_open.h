/* What there is to find out about a path before it is used as a device, and the claim to it. */
#ifndef CHIMERA_DEVICE_OPEN_H
#define CHIMERA_DEVICE_OPEN_H

#include "chimera_device.h"

struct chimera_opened {
    struct chimera_device_facts facts;
    uint32_t piece_bytes; /* what the disk takes at once, as far as it tells */
    int claim; /* holds a lock and the claim; nothing is read or written by it, so that both end when it is closed */
    int fd;    /* for reading and writing; holds a lock of its own, which ends with the last operation */
};

/* Opens the target for this process alone: 0, or -errno and a sentence in error. */
int chimera_open_target(
        const struct chimera_device_options *options, struct chimera_opened *opened, char *error, size_t capacity);

void chimera_close_target(struct chimera_opened *opened);

#endif
