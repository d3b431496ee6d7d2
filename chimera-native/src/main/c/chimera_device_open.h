/* Inspects a path before use as a device, and claims the path. */
#ifndef CHIMERA_DEVICE_OPEN_H
#define CHIMERA_DEVICE_OPEN_H

#include "chimera_device.h"

struct chimera_opened {
    struct chimera_device_facts facts;
    uint32_t piece_bytes; /* preferred transfer size of the disk, if known */
    int claim;            /* holds a lock and the claim; never used for I/O, so that both end at close */
    int fd;               /* for reading and writing; holds a separate lock, which ends with the last operation */
};

/* Opens the target exclusively for this process: 0, or -errno and an error message. */
int chimera_open_target(
        const struct chimera_device_options *options, struct chimera_opened *opened, char *error, size_t capacity);

void chimera_close_target(struct chimera_opened *opened);

#endif
