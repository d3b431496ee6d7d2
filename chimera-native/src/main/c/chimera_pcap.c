/*
 * Live packets through libpcap. libpcap provides packets only during a callback, so packets are copied to an arena of
 * ring_bytes. release() empties the arena, and filling restarts at the front, so that the used part stays in the CPU
 * cache.
 */
#include "chimera_capture.h"
#include "chimera_clock.h"
#include "chimera_interface.h"
#include "chimera_libpcap.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    /* libpcap delivers a block of its ring when full, or after this time. */
    BLOCK_TIMEOUT_MS = 10,
    PRECISION_NANOSECONDS = 1,
    PERMISSION_DENIED = -8,
    PROMISC_PERMISSION_DENIED = -11,
};

static const int64_t NS_PER_SECOND = 1000000000;

struct chimera_capture {
    const struct chimera_libpcap *pcap;
    struct chimera_pcap *live;
    struct chimera_interface interface;
    bool has_interface;
    int link_type;
    int ns_per_fraction;            /* of libpcap's timestamps */
    int readable;                   /* polled for packets; -1: no polling possible */
    struct chimera_packet *packets; /* of the current receive() */
    int count;
    int max;
    uint32_t snap_length;
    size_t used; /* bytes of the arena in use */
    size_t arena_bytes;
    uint8_t *arena;
    struct chimera_capture_counters counters;
    uint32_t dropped_last; /* libpcap's 32-bit counters wrap around */
    char failure[512];
};

/* Maximum arena space of a packet. */
static size_t slot_bytes(const chimera_capture *capture) {
    return (capture->snap_length + 7u) & ~(size_t)7;
}

static void take(unsigned char *user, const struct chimera_pcap_packet *packet, const unsigned char *bytes) {
    chimera_capture *capture = (void *)user;
    uint32_t captured = packet->captured < capture->snap_length ? packet->captured : capture->snap_length;
    uint8_t *copy = capture->arena + capture->used;
    memcpy(copy, bytes, captured);
    capture->used += (captured + 7u) & ~(size_t)7;
    capture->packets[capture->count++] = (struct chimera_packet){
            .address = (uint64_t)(uintptr_t)copy,
            .timestamp_ns =
                    (int64_t)packet->time.tv_sec * NS_PER_SECOND + packet->time.tv_usec * capture->ns_per_fraction,
            .captured = captured,
            .length = packet->length,
    };
    capture->counters.received++;
    capture->counters.bytes += packet->length;
    capture->counters.truncated += captured < packet->length;
}

static int fail(chimera_capture *capture, int number, const char *cause) {
    (void)snprintf(capture->failure, sizeof capture->failure, "libpcap: %s", cause);
    return -number;
}

/* Number of further packets of maximum size with room in the arena. */
static int room(const chimera_capture *capture) {
    size_t packets = (capture->arena_bytes - capture->used) / slot_bytes(capture);
    size_t wanted = (size_t)(capture->max - capture->count);
    return (int)(packets < wanted ? packets : wanted);
}

/* Receives available packets: 0, or -errno when not even one packet was received. */
static int dispatch(chimera_capture *capture) {
    int result;
    int wanted;
    do {
        wanted = room(capture);
        result = wanted == 0 ? 0 : capture->pcap->dispatch(capture->live, wanted, take, (void *)capture);
    } while (result > 0);
    if (result < 0 && capture->count == 0) {
        bool gone = capture->has_interface && !chimera_interface_exists(&capture->interface);
        return fail(capture, gone ? ENODEV : EIO, capture->pcap->geterr(capture->live));
    }
    return 0;
}

static int wait_for_packets(const chimera_capture *capture, int timeout_ms) {
    if (capture->readable < 0) {
        struct timespec pause = {.tv_nsec = 1000000};
        return nanosleep(&pause, NULL) == 0 || errno == EINTR ? 0 : -errno;
    }
    struct pollfd readable = {.fd = capture->readable, .events = POLLIN};
    return poll(&readable, 1, timeout_ms) >= 0 || errno == EINTR ? 0 : -errno;
}

static int receive_pcap(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    capture->packets = packets;
    capture->max = max;
    capture->count = 0;
    capture->used = 0;
    struct chimera_deadline deadline = chimera_deadline_in(timeout_ms);
    for (;;) {
        int result = dispatch(capture);
        int left_ms = chimera_deadline_left_ms(&deadline);
        if (result < 0 || capture->count > 0 || left_ms == 0) {
            return result < 0 ? result : capture->count;
        }
        result = wait_for_packets(capture, left_ms);
        if (result < 0) {
            return fail(capture, -result, strerror(-result));
        }
    }
}

static int release_pcap(chimera_capture *capture) {
    capture->used = 0;
    return 0;
}

static int counters_pcap(chimera_capture *capture, struct chimera_capture_counters *counters) {
    struct chimera_pcap_statistics statistics = {0};
    if (capture->pcap->stats(capture->live, &statistics) == 0) {
        capture->counters.dropped_ring += statistics.dropped - capture->dropped_last;
        capture->dropped_last = statistics.dropped;
    }
    if (capture->has_interface) {
        capture->counters.dropped_interface = chimera_interface_dropped(&capture->interface);
    }
    *counters = capture->counters;
    return 0;
}

static int link_type_pcap(chimera_capture *capture) {
    return capture->link_type;
}

static const char *failure_pcap(chimera_capture *capture) {
    return capture->failure;
}

static void close_pcap(chimera_capture *capture) {
    if (capture->live != NULL) {
        capture->pcap->close(capture->live);
    }
    if (capture->has_interface) {
        chimera_interface_close(&capture->interface);
    }
    free(capture->arena);
    free(capture);
}

static int activate(
        chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    const struct chimera_libpcap *pcap = capture->pcap;
    char cause[CHIMERA_PCAP_ERROR_BYTES] = "";
    capture->live = pcap->create(options->target, cause);
    if (capture->live == NULL) {
        return chimera_fail(error, capacity, ENODEV, "%s: libpcap cannot open it: %s", options->target, cause);
    }
    (void)pcap->set_snaplen(capture->live, (int)options->snap_length);
    (void)pcap->set_promisc(capture->live, (options->flags & CHIMERA_PROMISCUOUS) != 0);
    (void)pcap->set_timeout(capture->live, BLOCK_TIMEOUT_MS);
    (void)pcap->set_buffer_size(capture->live, (int)options->ring_bytes);
    capture->ns_per_fraction = pcap->set_tstamp_precision(capture->live, PRECISION_NANOSECONDS) == 0 ? 1 : 1000;
    int status = pcap->activate(capture->live);
    if (status < 0) {
        int number = status == PERMISSION_DENIED || status == PROMISC_PERMISSION_DENIED ? EPERM : EIO;
        const char *said = pcap->geterr(capture->live);
        return chimera_fail(
                error, capacity, number, "%s: libpcap cannot open it: %s", options->target,
                *said != 0 ? said : pcap->statustostr(status));
    }
    if (pcap->setnonblock(capture->live, 1, cause) < 0) {
        return chimera_fail(error, capacity, EIO, "%s: libpcap cannot open it: %s", options->target, cause);
    }
    capture->readable = pcap->get_selectable_fd(capture->live);
    capture->link_type = chimera_link_type_of_dlt(pcap->datalink(capture->live));
    return 0;
}

/* Compiles for the live handle, so that libpcap finds VLAN tags where the kernel stores them. */
static int set_filter(chimera_capture *capture, const char *target, const char *text, char *error, size_t capacity) {
    struct chimera_pcap_program program;
    if (capture->pcap->compile(capture->live, &program, text, 1, UINT32_MAX) != 0) {
        return chimera_fail(
                error, capacity, EINVAL, "%s: the filter \"%s\" is not understood: %s", target, text,
                capture->pcap->geterr(capture->live));
    }
    int result = 0;
    if (capture->pcap->setfilter(capture->live, &program) != 0) {
        result = chimera_fail(
                error, capacity, EINVAL, "%s: the filter \"%s\" cannot be set: %s", target, text,
                capture->pcap->geterr(capture->live));
    }
    capture->pcap->freecode(&program);
    return result;
}

static int open_pcap(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    char cause[256];
    int result = 0;
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
    }
    capture->pcap = chimera_libpcap(cause, sizeof cause);
    if (capture->pcap == NULL) {
        result = chimera_fail(error, capacity, ENOSYS, "%s: %s", options->target, cause);
        goto fail;
    }
    if (options->queues > 1) {
        result = chimera_fail(
                error, capacity, EINVAL, "%s: libpcap cannot share packets among %u queues; tpacket and af_xdp can",
                options->target, options->queues);
        goto fail;
    }
    result = activate(capture, options, error, capacity);
    if (result < 0) {
        goto fail;
    }
    if (options->filter != NULL
        && (result = set_filter(capture, options->target, options->filter, error, capacity)) < 0) {
        goto fail;
    }
    /* libpcap also opens pseudo-interfaces like "any", which have no drop counters. */
    capture->has_interface = chimera_interface_open(&capture->interface, options->target, cause, sizeof cause) == 0;
    capture->snap_length = options->snap_length;
    capture->arena_bytes = options->ring_bytes > slot_bytes(capture) ? options->ring_bytes : slot_bytes(capture);
    capture->arena = malloc(capture->arena_bytes);
    if (capture->arena == NULL) {
        result = chimera_fail(
                error, capacity, ENOMEM, "%s: no memory for %zu bytes", options->target, capture->arena_bytes);
        goto fail;
    }
    *opened = capture;
    return 0;
fail:
    close_pcap(capture);
    return result;
}

static int available_pcap(char *cause, size_t capacity) {
    return chimera_libpcap(cause, capacity) != NULL && chimera_may_capture(cause, capacity);
}

const struct chimera_capture_ops chimera_pcap_ops = {
        .name = "libpcap",
        .available = available_pcap,
        .open = open_pcap,
        .receive = receive_pcap,
        .release = release_pcap,
        .counters = counters_pcap,
        .link_type = link_type_pcap,
        .close = close_pcap,
        .failure = failure_pcap,
};
