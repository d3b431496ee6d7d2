/*
 * A filter for back-ends whose kernel side has none: libpcap's interpreter looks at each packet here. Copying nothing,
 * it costs tens of nanoseconds per packet, where the kernel's own filters (tpacket, libpcap) spare the packet the whole
 * way.
 */
#ifndef CHIMERA_FILTER_H
#define CHIMERA_FILTER_H

#include "chimera_capture.h"
#include "chimera_libpcap.h"

#include <stdbool.h>

struct chimera_filter {
    const struct chimera_libpcap *libpcap; /* NULL: takes every packet */
    struct chimera_pcap_program program;
};

/* Compiles options->filter, which may be NULL or empty. 0, or -errno and a sentence. */
int chimera_filter_open(
        struct chimera_filter *filter,
        const struct chimera_capture_options *options,
        int link_type,
        char *error,
        size_t capacity);

static inline bool chimera_filter_takes(
        const struct chimera_filter *filter, const void *frame, uint32_t captured, uint32_t length) {
    if (filter->libpcap == NULL) {
        return true;
    }
    struct chimera_pcap_packet packet = {.captured = captured, .length = length};
    return filter->libpcap->offline_filter(&filter->program, &packet, frame) != 0;
}

void chimera_filter_close(struct chimera_filter *filter);

#endif
