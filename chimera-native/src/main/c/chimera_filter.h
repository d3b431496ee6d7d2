/*
 * Filter for back-ends without a kernel filter: libpcap's interpreter examines each packet in user space, without
 * copying, at a cost of tens of nanoseconds per packet. The kernel's own filters (tpacket, libpcap) are cheaper,
 * because rejected packets never leave the kernel.
 */
#ifndef CHIMERA_FILTER_H
#define CHIMERA_FILTER_H

#include "chimera_capture.h"
#include "chimera_libpcap.h"

#include <stdbool.h>

struct chimera_filter {
    const struct chimera_libpcap *libpcap; /* NULL: accepts every packet */
    struct chimera_pcap_program program;
};

/* Compiles options->filter, which may be NULL or empty. Returns 0, or -errno and an error message. */
int chimera_filter_open(
        struct chimera_filter *filter, const struct chimera_capture_options *options, int link_type, char *error,
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
